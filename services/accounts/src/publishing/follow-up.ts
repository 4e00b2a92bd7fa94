import type { PostRef, ReplyRound, RepostOutcome } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { Later, type Replies, type Reply } from '../platforms/platform.ts';
import { platformOf } from '../platforms/platforms.ts';
import { isOpen, type LastSend, readJournal, type SendOutcome } from './journal.ts';
import { markDisconnected, openWork, orDisconnected, standingId, type Work } from './publish.ts';
import { reconcileStep, type Step, sendOnce } from './send-once.ts';

const againMs = 2_000;

/** Reposts the first tweet of the post, once. */
export async function repost(deps: Deps, ref: PostRef): Promise<RepostOutcome> {
  try {
    const content = await deps.clients.posts.content.query(ref);
    const work = await openWork(deps, ref, content);
    if (!work) return { kind: 'gone', detail: 'the account is disconnected' };
    const original = standingId(work.journal, 'tweet:0');
    const { stands } = platformOf(deps.platforms, work.account.platform);
    if (!original || !(await orDisconnected(deps, work, () => stands(work.session, original)))) {
      return { kind: 'gone', detail: 'the post is no longer on the platform' };
    }
    const sought = { kind: 'repost' as const, text: '', mediaCount: 0, inReplyTo: original };
    const last = work.journal.find((send) => send.step === 'repost');
    const step = {
      ...work,
      step: 'repost',
      last,
      addressee: null,
      sought: { ...sought, root: null },
    };
    const outcome = await settle(deps, step);
    if (outcome.kind === 'published') return { kind: 'done' };
    if (outcome.kind === 'rejected') return { kind: 'gone', detail: outcome.detail };
    return {
      kind: 'retry',
      at_ms: outcome.kind === 'retry' ? outcome.at_ms : deps.clock() + againMs,
    };
  } catch (error) {
    if (!(error instanceof Later)) throw error;
    return { kind: 'retry', at_ms: error.atMs ?? deps.clock() + againMs };
  }
}

/**
 * Answers who replied in our conversation: each person once, never ourselves, never an automated account, at most
 * `max` in all. Who replies again, also in answer to our answer, is passed over, so no two bots keep each other going.
 */
export async function reply(
  deps: Deps,
  input: PostRef & { max: number; cursor?: string | null },
  /** Accounts with a round under way here: of one account one at a time, so that it leaves slots to others. */
  replying: Set<string>,
): Promise<ReplyRound> {
  const round: ReplyRound = { sent: [], skipped: [], gone: null, cursor: input.cursor ?? null };
  const content = await deps.clients.posts.content.query({ post_id: input.post_id });
  if (replying.has(content.account_id)) return round;
  replying.add(content.account_id);
  try {
    const work = await openWork(deps, input, content);
    if (!work) return { ...round, gone: 'account_disconnected' };
    const found = await orDisconnected(deps, work, () => findReplies(deps, work, round.cursor));
    if (!found) return { ...round, gone: 'account_disconnected' };
    await answerAll(deps, { work, max: input.max, round, found });
  } catch (error) {
    // Away or busy: this round ends here, and the next goes on from the same place.
    if (!(error instanceof Later)) throw error;
  } finally {
    replying.delete(content.account_id);
  }
  return round;
}

function findReplies(deps: Deps, work: Work, cursor: string | null): Promise<Replies> {
  const platformIds = work.journal.flatMap((send) =>
    send.outcome?.kind === 'published' && send.step !== 'repost' ? [send.outcome.platform_id] : [],
  );
  const platform = platformOf(deps.platforms, work.account.platform);
  return platform.replies(work.session, { platformIds, cursor });
}

/** Answers those who may be answered; the cursor moves on only when none of them is left for later. */
async function answerAll(
  deps: Deps,
  from: { work: Work; max: number; round: ReplyRound; found: Replies },
): Promise<void> {
  const { work, max, round, found } = from;
  const answered = new Map(
    work.journal.flatMap((send) => (send.addressee ? [[send.addressee, send]] : [])),
  );
  let sent = [...answered.values()].filter((send) => send.outcome?.kind === 'published').length;
  let left = false;
  for (const candidate of found.replies) {
    if (candidate.own) continue;
    const before = answered.get(candidate.author_id);
    const pass = passedOver(candidate, before);
    if (pass) {
      round.skipped.push({ to: candidate.author, reason: pass });
      continue;
    }
    if (before?.outcome?.kind === 'published' || before?.outcome?.kind === 'rejected') continue;
    if (sent >= max) break;
    const text = answerText(work, candidate);
    if (text === null) {
      round.skipped.push({ to: candidate.author, reason: 'no_text' });
      continue;
    }
    const outcome = await settle(deps, answerStep(work, candidate, text, before));
    answered.set(candidate.author_id, justSent(candidate));
    if (outcome.kind === 'published') {
      sent += 1;
      round.sent.push({ to: candidate.author, platform_id: candidate.platform_id });
    } else if (outcome.kind === 'rejected') {
      round.skipped.push({ to: candidate.author, reason: outcome.code });
      if (outcome.code !== 'account_disconnected') continue;
      await markDisconnected(deps, work);
      round.gone = outcome.code;
      return;
    } else left = true;
  }
  if (!left) round.cursor = found.cursor;
}

/** Why someone gets no answer, ever; null when they may. */
function passedOver(candidate: Reply, before: LastSend | undefined): string | null {
  if (before && before.step !== stepOf(candidate)) return 'already_answered';
  return candidate.bot ? 'automated_account' : null;
}

function answerText(work: Work, candidate: Reply): string | null {
  const template = work.content.auto_reply_text ?? work.account.reply_template ?? null;
  if (template === null) return null;
  const values = { handle: `@${candidate.author}`, name: candidate.author_name };
  // In one pass, for a name may look like a variable itself.
  return template.replaceAll(/\{(handle|name)\}/g, (_, name: keyof typeof values) => values[name]);
}

function answerStep(work: Work, candidate: Reply, text: string, last: LastSend | undefined): Step {
  const sought = {
    kind: 'reply' as const,
    text,
    mediaCount: 0,
    inReplyTo: candidate.platform_id,
    root: standingId(work.journal, 'tweet:0'),
  };
  return { ...work, step: stepOf(candidate), last, addressee: candidate.author_id, sought };
}

function justSent(candidate: Reply): LastSend {
  return {
    step: stepOf(candidate),
    attempt: 1,
    startedMs: 0,
    firstStartedMs: 0,
    addressee: candidate.author_id,
    outcome: null,
  };
}

function stepOf(candidate: Reply): string {
  return `reply:${candidate.platform_id}`;
}

/** One follow-up send: looked up first when an earlier attempt is open, and made only when it surely does not stand. */
async function settle(deps: Deps, step: Step): Promise<SendOutcome> {
  let { last } = step;
  if (last && isOpen(last)) {
    if (!(await reconcileStep(deps, { ...step, last })))
      return { kind: 'unknown', detail: 'an earlier attempt has no known outcome' };
    const journal = await readJournal(deps.db, step.postId);
    last = journal.find((send) => send.step === step.step);
  }
  return sendOnce(deps, { ...step, last }, []);
}
