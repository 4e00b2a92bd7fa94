import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import type { SendingAccount } from '../entities.ts';
import { Later } from '../platforms/platform.ts';
import { platformOf } from '../platforms/platforms.ts';
import { openSession } from '../platforms/session.ts';
import { readJournal } from '../publishing/journal.ts';

/** Takes down what stands of a post, its last tweet first, so that a thread never stands headless. */
export async function takeDown(
  deps: Deps,
  input: { post_id: string },
): Promise<{ removed: string[] }> {
  const [account] = await deps.db.execute<SendingAccount>(
    `select id, platform, remote_id, handle, status, credentials, facts, reply_template
     from connected_account where id = (select account_id from send where post_id = ? limit 1)`,
    [input.post_id],
  );
  if (!account) throw new Fault('not_found', { detail: 'nothing of that post was ever sent' });
  const session = await openSession(deps, account);
  if (!session) {
    const detail = `@${account.handle} must be connected again first`;
    throw new Fault('account_disconnected', { detail, account_id: account.id });
  }
  const removed: string[] = [];
  for (const { step, outcome } of (await readJournal(deps.db, input.post_id)).reverse()) {
    // A repost goes with what it reposts.
    if (outcome?.kind !== 'published' || step === 'repost') continue;
    try {
      await platformOf(deps.platforms, account.platform).delete(session, outcome.platform_id);
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      const detail = `${removed.length} are down, the next could not be: ${error.message}`;
      throw new Fault('service_unavailable', { detail }, { cause: error });
    }
    removed.push(outcome.platform_id);
  }
  return { removed };
}
