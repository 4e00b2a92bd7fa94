import type { Deps } from '../deps.ts';
import type { SendingAccount } from '../entities.ts';
import { Later, Revoked, type Session } from './platform.ts';
import { platformOf } from './platforms.ts';
import { createRateLimits } from './rate-limits.ts';

/** Credentials that expire within this time are renewed before anything is done with them. */
const renewAheadMs = 60_000;

/** What an account's sealed credentials are bound to. */
export function credentialsPlace(accountId: string): string {
  return `connected_account|${accountId}|credentials`;
}

/**
 * Opens an account with credentials that are good for a while; null when it is disconnected. Throws
 * `Revoked` when it must be connected again, and `Later` when they could not be renewed now.
 */
export async function openSession(deps: Deps, account: SendingAccount): Promise<Session | null> {
  if (account.status !== 'connected' || !account.credentials) return null;
  const { id, platform, handle, remote_id, facts } = account;
  const stored = deps.cipher.decrypt(account.credentials, credentialsPlace(id));
  const expiresMs = platformOf(deps.platforms, platform).connection?.expiresAtMs(stored) ?? null;
  const due = expiresMs !== null && expiresMs - deps.clock() < renewAheadMs;
  const credentials = due ? await renew(deps, account, stored) : stored;
  const session: Session = {
    accountId: id,
    handle,
    remoteId: remote_id,
    credentials,
    facts,
    // A connector that renewed keeps what it got in the session, and may be refused again.
    renew: () => renew(deps, account, session.credentials),
    rateLimits: createRateLimits(deps, { id, platform }),
  };
  return session;
}

/**
 * New credentials for those that are stale. Refresh tokens work once, so the account's row is locked from the
 * look at them until the new ones are stored: of many that ask at once one refreshes, the others take what it got.
 */
async function renew(
  deps: Deps,
  account: Pick<SendingAccount, 'id' | 'platform'>,
  stale: string,
): Promise<string> {
  const { id, platform } = account;
  const refresh = platformOf(deps.platforms, platform).connection?.refresh;
  if (!refresh) throw new Revoked('the platform refused the credentials');
  return deps.db.fork().transactional(async (em) => {
    const rows = await em.execute<{ credentials: string | null }[]>(
      "select credentials from connected_account where id = ? and status = 'connected' for update",
      [id],
    );
    const sealed = rows[0]?.credentials;
    if (!sealed) throw new Revoked('the account was disconnected meanwhile');
    const current = deps.cipher.decrypt(sealed, credentialsPlace(id));
    if (current !== stale) return current;
    const refreshed = await refresh(stale);
    if (refreshed.kind === 'revoked') throw new Revoked(refreshed.detail);
    if (refreshed.kind === 'later') throw new Later(refreshed.detail);
    await em.execute('update connected_account set credentials = ? where id = ?', [
      deps.cipher.encrypt(refreshed.credentials, credentialsPlace(id)),
      id,
    ]);
    return refreshed.credentials;
  });
}
