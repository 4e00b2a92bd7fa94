import type { PlatformName } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { callbackUrl } from '../platforms/platforms.ts';
import { connectionPlace, fail, secretHash } from './connections.ts';
import { consentOf } from './platforms.ts';

/** How long a person may take on the platform's page. */
const consentMs = 10 * 60_000;

/** Uses a ticket up and gives the platform's consent page, for the browser that holds the binding. */
export async function begin(
  deps: Deps,
  input: { ticket: string; binding: string },
): Promise<{ authorize_url: string }> {
  const now = deps.clock();
  const [row] = await deps.db.execute<{
    id: string;
    platform: PlatformName;
    server: string | null;
  }>(
    `update connection set status = 'begun', binding_hash = ?, expires_at = ?
     where ticket_hash = ? and status = 'new' and expires_at > ? returning id, platform, server`,
    [secretHash(input.binding), new Date(now + consentMs), secretHash(input.ticket), new Date(now)],
  );
  if (!row) {
    const detail = 'this link was used or has expired; begin again';
    throw new Fault('connection_failed', { detail, reason: 'expired' });
  }
  const { id, platform, server } = row;
  try {
    const redirectUri = callbackUrl(deps.publicUrl, platform);
    const begun = await consentOf(deps, platform).begin({ server, redirectUri });
    await deps.db.execute('update connection set state_hash = ?, secret = ? where id = ?', [
      secretHash(begun.state),
      deps.cipher.encrypt(begun.secret, connectionPlace(id)),
      id,
    ]);
    return { authorize_url: begun.authorizeUrl };
  } catch (error) {
    return fail(deps, id, error);
  }
}
