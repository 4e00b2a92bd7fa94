import type { Account, AccountSettings, PlatformName } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { keepAccount } from '../platforms/keep-account.ts';
import { callbackUrl } from '../platforms/platforms.ts';
import { connectionPlace, fail, secretHash } from './connections.ts';
import { consentOf } from './platforms.ts';

/**
 * Takes what the platform sent the browser back with. The state works once, and only in the browser that began:
 * so nobody can have another person's account connected as their own, or the other way round.
 */
export async function finish(
  deps: Deps,
  input: { platform: PlatformName; binding: string | null; params: Record<string, string> },
): Promise<Account> {
  const { platform, params } = input;
  const begun = await take(deps, input);
  const { id, user_id, settings } = begun;
  try {
    if (params['error']) {
      const refused = params['error'] === 'access_denied';
      const detail = refused
        ? 'it was not allowed on the platform’s page'
        : `the platform said: ${params['error_description'] ?? params['error']}`.slice(0, 300);
      throw new Fault('connection_failed', { detail, reason: refused ? 'refused' : 'platform' });
    }
    const identity = await consentOf(deps, platform).finish({
      secret: deps.cipher.decrypt(begun.secret, connectionPlace(id)),
      redirectUri: callbackUrl(deps.publicUrl, platform),
      params,
    });
    const account = await keepAccount(deps, { user_id, platform, identity, settings });
    await deps.db.execute(
      "update connection set status = 'connected', account_id = ?, failure = null where id = ?",
      [account.account_id, id],
    );
    return account;
  } catch (error) {
    return fail(deps, id, error);
  }
}

/** The connection of a state, taken: whatever comes of it, nobody can take it again. */
async function take(
  deps: Deps,
  input: { platform: PlatformName; binding: string | null; params: Record<string, string> },
): Promise<Begun> {
  const { platform, binding, params } = input;
  const [row] = await deps.db.execute<Begun>(
    `update connection set status = 'failed', failure = 'it broke off', state_hash = null
     where state_hash = ? and platform = ? and binding_hash = ? and status = 'begun' and expires_at > ?
     returning id, user_id, settings, secret`,
    [
      secretHash(params['state'] ?? ''),
      platform,
      secretHash(binding ?? ''),
      new Date(deps.clock()),
    ],
  );
  if (row) return row;
  const detail =
    'it was begun in another browser, took too long, or was finished already; begin again';
  throw new Fault('connection_failed', { detail, reason: 'state' });
}

interface Begun {
  id: string;
  user_id: string;
  settings: z.output<ReturnType<typeof AccountSettings.partial>>;
  secret: string;
}
