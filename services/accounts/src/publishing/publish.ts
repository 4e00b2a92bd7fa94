import type { PostContent } from '@perch/proto/posts';
import type {
  PostRef,
  PublishedPart,
  PublishOutcome,
  ReconcileOutcome,
  TweetsOutcome,
} from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, type SendingAccount } from '../entities.ts';
import type { Outgoing, Session } from '../platforms/platform.ts';
import { openSession } from '../platforms/session.ts';
import { tellDisconnected } from '../tell-disconnected.ts';
import { isOpen, type LastSend, readJournal } from './journal.ts';
import { reconcileStep, sendOnce } from './send-once.ts';

const againMs = 1_000;

/** What an attempt at a post works on. */
interface Work {
  postId: string;
  content: PostContent;
  account: SendingAccount;
  session: Session;
  journal: LastSend[];
}

/** One attempt at a post: begins it, sends what does not stand yet, and settles it. */
export async function publish(deps: Deps, ref: PostRef): Promise<PublishOutcome> {
  const parts: PublishedPart[] = [];
  let sent = false;
  try {
    const begin = await deps.clients.posts.begin.mutate(ref);
    if (begin.next === 'stop') return { kind: 'stopped' };
    if (begin.next === 'wait') return { kind: 'wait', until_ms: begin.until_ms };
    await deps.faultPoint('accounts:content-read', ref.post_id);
    const outcome = await send(deps, ref, begin.content, parts);
    if (outcome.kind !== 'published') return outcome;
    sent = true;
    const { posted_at_ms } = await deps.clients.posts.settle.mutate({ ...ref, parts });
    return { kind: 'posted', posted_at_ms, follow_up: begin.follow_up };
  } catch (err) {
    // The journal knows what was sent; the next attempt starts from there and repeats none of it.
    deps.log.warn({ err, postId: ref.post_id }, 'attempt broke off');
    const at_ms = deps.clock() + againMs;
    if (sent) return { kind: 'unsettled', at_ms };
    return { kind: 'retry', index: parts.length, at_ms, detail: 'a part of Perch was away', parts };
  }
}

/** Sends the tweets that do not stand yet, in order; stops at the first that does not get through. Adds what stands to `parts`. */
async function send(
  deps: Deps,
  ref: PostRef,
  content: PostContent,
  parts: PublishedPart[],
): Promise<TweetsOutcome> {
  const work = await openWork(deps, ref, content);
  if (!work) {
    const detail = 'the account is disconnected';
    return { kind: 'rejected', code: 'account_disconnected', index: 0, detail, parts };
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
}

/** Looks up every send of the post whose outcome is open. */
export async function reconcile(deps: Deps, ref: PostRef): Promise<ReconcileOutcome> {
  const open = (await readJournal(deps.db, ref.post_id)).filter(isOpen);
  // A post without an open send may not even have begun, and has no content then.
  if (open.length > 0) {
    const content = await deps.clients.posts.content.query(ref);
    const work = await openWork(deps, ref, content);
    // Without a session nothing can be read back, now or later; it may be connected again until the horizon.
    if (!work) return { kind: 'undecided', again_at_ms: deps.clock() + againMs };
    for (const last of open) {
      const index = Number(/^tweet:(\d+)$/.exec(last.step)?.[1] ?? -1);
      if (index < 0) continue;
      const outgoing = await tweet(deps, work, index, null);
      const step = { ...work, step: last.step, last, addressee: null, outgoing };
      if (!(await reconcileStep(deps, step)))
        return { kind: 'undecided', again_at_ms: deps.clock() + againMs };
    }
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
  const [[account], journal] = await Promise.all([
    deps.db.execute<SendingAccount>(
      `select id, platform, handle, status, credentials, reply_template from connected_account
       where id = ? and user_id = ?`,
      [content.account_id, content.user_id],
    ),
    readJournal(deps.db, ref.post_id),
  ]);
  const session = account && openSession(account, deps.cipher);
  return session ? { postId: ref.post_id, content, account, session, journal } : null;
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
  const { user_id } = work.content;
  await tellDisconnected(deps, { ...work.account, user_id }, 'by_platform');
  await deps.db
    .fork()
    .nativeUpdate(ConnectedAccount, { id: work.account.id }, { status: 'disconnected' });
}
