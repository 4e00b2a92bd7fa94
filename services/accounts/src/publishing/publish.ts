import type { PostContent } from '@perch/proto/posts';
import type {
  PostRef,
  PublishedPart,
  PublishOutcome,
  ReconcileOutcome,
  TweetsOutcome,
} from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import type { SendingAccount } from '../entities.ts';
import { heldBack } from '../oversight/hold.ts';
import { Later, Revoked, type Session } from '../platforms/platform.ts';
import { credentialsPlace, openSession } from '../platforms/session.ts';
import { tellDisconnected } from '../tell-disconnected.ts';
import { bringMedia } from './bring-media.ts';
import { isOpen, type LastSend, readJournal } from './journal.ts';
import { knownOutcome, reconcileStep, type Step, sendOnce } from './send-once.ts';

const againMs = 1_000;
/** The longest pause between two looks at an open send. */
const lookAgainMaxMs = 30_000;

/** What an attempt at a post works on. */
export interface Work {
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
    await deps.faultPoint('accounts:begun', ref.post_id);
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
    const detail = err instanceof Later ? err.message : 'a part of Perch was away';
    const later = (err instanceof Later && err.atMs) || at_ms;
    return { kind: 'retry', index: parts.length, at_ms: later, detail, parts };
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
  for (const [index, { media_ids }] of content.tweets.entries()) {
    const step = tweetStep(work, index, (at) => parts[at]?.platform_id);
    const outcome = await sendTweet(deps, work, step, media_ids);
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
  const [oldest] = open;
  if (oldest) {
    const again_at_ms = deps.clock() + lookAgainMs(deps.clock() - oldest.startedMs);
    try {
      const content = await deps.clients.posts.content.query(ref);
      const work = await openWork(deps, ref, content);
      // Without a session nothing can be read back, now or later; it may be connected again until the horizon.
      if (!work) return { kind: 'undecided', again_at_ms };
      for (const last of open) {
        const index = Number(/^tweet:(\d+)$/.exec(last.step)?.[1] ?? -1);
        if (index < 0) continue;
        const standing = (at: number) => standingId(work.journal, `tweet:${at}`);
        const step = { ...tweetStep(work, index, standing), last };
        if (!(await reconcileStep(deps, step))) return { kind: 'undecided', again_at_ms };
      }
    } catch (error) {
      if (!(error instanceof Later || error instanceof Revoked)) throw error;
      return { kind: 'undecided', again_at_ms };
    }
  }
  const after = await readJournal(deps.db, ref.post_id);
  return { kind: 'resolved', found: after.at(-1)?.outcome?.kind === 'published' };
}

/** Often at first, when most is found out; later seldom, for reading back costs too. */
function lookAgainMs(ageMs: number): number {
  return Math.min(Math.max(ageMs / 4, againMs), lookAgainMaxMs);
}

/** Everything an attempt needs; null when the account is disconnected. Throws `Later` when the platform is away. */
export async function openWork(
  deps: Deps,
  ref: PostRef,
  content: PostContent,
): Promise<Work | null> {
  const [[account], journal] = await Promise.all([
    deps.db.execute<SendingAccount>(
      `select id, platform, remote_id, handle, status, credentials, facts, reply_template, held_since, held_reason
       from connected_account where id = ? and user_id = ?`,
      [content.account_id, content.user_id],
    ),
    readJournal(deps.db, ref.post_id),
  ]);
  if (!account) return null;
  const session = await orDisconnected(deps, { account, content, session: null }, () =>
    openSession(deps, account),
  );
  return session && { postId: ref.post_id, content, account, session, journal };
}

/** What the work gives; null when it finds the grant gone: then the account is disconnected, and its owner told. */
export async function orDisconnected<T>(
  deps: Deps,
  of: Pick<Work, 'account' | 'content'> & { session: Session | null },
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Revoked)) throw error;
    await markDisconnected(deps, of);
    return null;
  }
}

async function sendTweet(deps: Deps, work: Work, step: Step, mediaIds: string[]) {
  const known = knownOutcome(step.last);
  if (known) return known;
  const held = heldBack(deps, work.account);
  if (held) return held;
  const brought = await orDisconnected(deps, work, () => bringMedia(deps, work, mediaIds));
  if (!brought) {
    const detail = 'the account is disconnected';
    return { kind: 'rejected' as const, code: 'account_disconnected' as const, detail };
  }
  return brought.kind === 'there' ? sendOnce(deps, step, brought.media) : brought;
}

/** Each tweet of a thread answers the one before. */
function tweetStep(
  work: Work,
  index: number,
  standing: (index: number) => string | null | undefined,
): Step {
  const { text = '', media_ids = [] } = work.content.tweets[index] ?? {};
  const step = `tweet:${index}`;
  const sought: Step['sought'] = {
    kind: 'post',
    text,
    mediaCount: media_ids.length,
    inReplyTo: standing(index - 1) ?? null,
    root: index > 0 ? (standing(0) ?? null) : null,
  };
  const last = work.journal.find((send) => send.step === step);
  return { ...work, step, last, addressee: null, sought };
}

/** The platform's id of a step that stands; null while it does not. */
export function standingId(journal: LastSend[], step: string): string | null {
  const outcome = journal.find((send) => send.step === step)?.outcome;
  return outcome?.kind === 'published' ? outcome.platform_id : null;
}

/** Writes down that only connecting again helps, and tells the owner. Who has done so meanwhile keeps what he has. */
export async function markDisconnected(
  deps: Deps,
  of: Pick<Work, 'account' | 'content'> & { session: Session | null },
): Promise<void> {
  const { account, content, session } = of;
  const open = (sealed: string) => deps.cipher.decrypt(sealed, credentialsPlace(account.id));
  const [row] = await deps.db.execute<{ credentials: string | null }>(
    'select credentials from connected_account where id = ?',
    [account.id],
  );
  const refused = session?.credentials ?? (account.credentials && open(account.credentials));
  if (!row?.credentials || open(row.credentials) !== refused) return;
  const { credentials } = row;
  await tellDisconnected(
    deps,
    { ...account, credentials, user_id: content.user_id },
    'by_platform',
  );
  await deps.db.execute(
    "update connected_account set status = 'disconnected' where id = ? and credentials = ?",
    [account.id, credentials],
  );
}
