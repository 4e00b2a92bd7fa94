import type { PostContent } from '@perch/proto/posts';
import type {
  PostRef,
  PublishedPart,
  PublishOutcome,
  ReconcileOutcome,
} from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, type StoredAccount } from '../entities.ts';
import type { Outgoing, Session } from '../platforms/platform.ts';
import { openSession } from '../platforms/session.ts';
import { isOpen, type LastSend, readJournal } from './journal.ts';
import { reconcileStep, sendOnce } from './send-once.ts';

const againMs = 2_000;

/** What an attempt at a post works on. */
interface Work {
  postId: string;
  content: PostContent;
  account: StoredAccount;
  session: Session;
  journal: LastSend[];
}

/** Sends the tweets that do not stand yet, in order; stops at the first that does not get through. */
export async function publish(deps: Deps, ref: PostRef): Promise<PublishOutcome> {
  const parts: PublishedPart[] = [];
  try {
    const content = await deps.clients.posts.content.query(ref);
    await deps.faultPoint('accounts:content-read', ref.post_id);
    const work = await openWork(deps, ref, content);
    if (!work) {
      return {
        kind: 'rejected',
        code: 'account_disconnected',
        index: 0,
        detail: 'the account is disconnected',
        parts,
      };
    }
    for (const index of content.tweets.keys()) {
      const outcome = await sendTweet(deps, work, index, parts);
      if (outcome.kind === 'published') {
        const { platform_id, url, published_at_ms } = outcome;
        parts.push({ index, platform_id, url, published_at_ms });
        continue;
      }
      if (outcome.kind === 'rejected' && outcome.code === 'account_disconnected')
        await markDisconnected(deps, work);
      if (outcome.kind !== 'absent') return { ...outcome, index, parts };
    }
    return { kind: 'published', parts };
  } catch (err) {
    // The journal knows what was sent; the next attempt starts from there and repeats none of it.
    deps.log.warn({ err, postId: ref.post_id }, 'attempt broke off');
    const detail = 'a part of Perch was away';
    return { kind: 'retry', index: parts.length, at_ms: deps.clock() + againMs, detail, parts };
  }
}

/** Looks up every send of the post whose outcome is open. */
export async function reconcile(deps: Deps, ref: PostRef): Promise<ReconcileOutcome> {
  const content = await deps.clients.posts.content.query(ref);
  const work = await openWork(deps, ref, content);
  // Without a session nothing can be read back, now or later; it may be connected again until the horizon.
  if (!work) return { kind: 'undecided', again_at_ms: deps.clock() + againMs };
  for (const last of work.journal.filter(isOpen)) {
    const index = Number(/^tweet:(\d+)$/.exec(last.step)?.[1] ?? -1);
    if (index < 0) continue;
    const outgoing = await tweet(deps, work, index, null);
    const known = await reconcileStep(deps, {
      ...work,
      step: last.step,
      last,
      addressee: null,
      outgoing,
    });
    if (!known) return { kind: 'undecided', again_at_ms: deps.clock() + againMs };
  }
  const after = await readJournal(deps.db, ref.post_id);
  return { kind: 'resolved', found: after.at(-1)?.outcome?.kind === 'published' };
}

/** Everything an attempt needs; null when the account is disconnected. */
export async function openWork(
  deps: Deps,
  ref: PostRef,
  content: PostContent,
): Promise<Work | null> {
  const em = deps.db.fork();
  const account = await em.findOneOrFail(ConnectedAccount, {
    id: content.account_id,
    user_id: content.user_id,
  });
  const session = openSession(account, deps.cipher);
  if (!session) return null;
  return {
    postId: ref.post_id,
    content,
    account,
    session,
    journal: await readJournal(deps.db, ref.post_id),
  };
}

async function sendTweet(deps: Deps, work: Work, index: number, parts: PublishedPart[]) {
  const step = `tweet:${index}`;
  const last = work.journal.find((send) => send.step === step);
  const outgoing = await tweet(deps, work, index, parts.at(-1)?.platform_id ?? null);
  return sendOnce(deps, { ...work, step, last, addressee: null, outgoing });
}

/** Each tweet of a thread answers the one before. */
async function tweet(
  deps: Deps,
  work: Work,
  index: number,
  inReplyTo: string | null,
): Promise<Omit<Outgoing, 'key' | 'attempt'>> {
  const { text = '', media_ids = [] } = work.content.tweets[index] ?? {};
  const tenant = { user_id: work.content.user_id, account_ids: null };
  const media = await Promise.all(
    media_ids.map(async (id) => ({
      id,
      ...(await deps.clients.media.source.query({ tenant, media_id: id })),
    })),
  );
  return { kind: 'post', text, media, inReplyTo };
}

async function markDisconnected(deps: Deps, work: Work): Promise<void> {
  await deps.db
    .fork()
    .nativeUpdate(ConnectedAccount, { id: work.account.id }, { status: 'disconnected' });
}
