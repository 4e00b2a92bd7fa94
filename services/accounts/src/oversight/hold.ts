import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, type SendingAccount, type StoredAccount } from '../entities.ts';

/** Between two looks at an account that holds a post which is being sent already. */
const lookAgainMs = 600_000;

/** Holds an account back: from now on it sends nothing. A hold that is there stays as it is. */
export async function holdAccount(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { account_id: string; reason: string },
): Promise<StoredAccount> {
  return change(deps, input.account_id, (account) => {
    if (account.held_since) return;
    account.held_since = new Date(deps.clock());
    account.held_reason = input.reason;
  });
}

/** Ends a hold and wakes what waits for it; were nobody there to wake it, it would look again by itself. */
export async function releaseAccount(
  deps: Pick<Deps, 'db' | 'clients' | 'log'>,
  input: { account_id: string },
): Promise<StoredAccount> {
  const released = await change(deps, input.account_id, (account) => {
    account.held_since = null;
    account.held_reason = null;
  });
  await deps.clients.postsOversight.released
    .mutate(input)
    .catch((err: unknown) => deps.log.warn({ err, ...input }, 'held posts not woken'));
  return released;
}

/** What becomes of a send while the account is held back; null when it is not. */
export function heldBack(
  deps: Pick<Deps, 'clock'>,
  account: Pick<SendingAccount, 'held_since' | 'held_reason'>,
) {
  if (!account.held_since) return null;
  return {
    kind: 'retry' as const,
    at_ms: deps.clock() + lookAgainMs,
    detail: `the account is held back: ${account.held_reason}`,
    code: 'account_held' as const,
  };
}

async function change(
  deps: Pick<Deps, 'db'>,
  account_id: string,
  apply: (account: StoredAccount) => void,
): Promise<StoredAccount> {
  const em = deps.db.fork();
  const account = await em.findOne(ConnectedAccount, { id: account_id });
  if (!account) throw new Fault('not_found', { detail: 'no such account', account_id });
  apply(account);
  await em.flush();
  return account;
}
