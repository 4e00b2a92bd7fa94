import { createHash } from 'node:crypto';
import type { Deps } from './deps.ts';
import type { StoredAccount } from './entities.ts';

/**
 * Tells the user's webhooks that an account must be connected again, once per connection. It is told before it is
 * written down: if telling fails, whoever disconnects tries again.
 */
export async function tellDisconnected(
  deps: Pick<Deps, 'clients'>,
  account: Pick<StoredAccount, 'id' | 'user_id' | 'platform' | 'handle' | 'credentials'>,
  reason: 'by_user' | 'by_platform',
): Promise<void> {
  if (!account.credentials) return;
  const connection = createHash('sha256').update(account.credentials).digest('hex').slice(0, 16);
  const { id, user_id, platform, handle } = account;
  await deps.clients.webhooks.emit.mutate({
    user_id,
    event_id: `evt_${id}_${connection}`,
    type: 'account.disconnected',
    data: { account_id: id, platform, handle, reason },
  });
}
