import type { PostRef, ReplyRound, RepostOutcome } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { planOf } from '../find.ts';
import { isOpen, type LastSend, readJournal } from './journal.ts';
import { openWork } from './publish.ts';
import { reconcileStep, type Step, sendOnce } from './send-once.ts';

const againMs = 2_000;

/** Reposts the first tweet of the post, once. */
export async function repost(deps: Deps, ref: PostRef): Promise<RepostOutcome> {
  const content = await deps.clients.posts.content.query(ref);
  if ((await planOf(deps.db, content.user_id)) !== 'paid')
    return { kind: 'gone', detail: 'auto-retweet needs a paid plan' };
  const work = await openWork(deps, ref, content);
  if (!work) return { kind: 'gone', detail: 'the account is disconnected' };
  const original = standingId(work.journal, 'tweet:0');
  const { platform } = work.account;
  if (!original || !(await deps.platforms[platform].stands(work.session, original))) {
    return { kind: 'gone', detail: 'the post is no longer on the platform' };
  }
  const outgoing = { kind: 'repost' as const, text: '', media: [], inReplyTo: original };
  const last = work.journal.find((send) => send.step === 'repost');
  const outcome = await settle(deps, { ...work, step: 'repost', last, addressee: null, outgoing });
  if (outcome === 'done') return { kind: 'done' };
  if (outcome === 'later') return { kind: 'retry', at_ms: deps.clock() + againMs };
  return { kind: 'gone', detail: outcome.refused };
}

/**
 * Answers who replied in our conversation: each person once, never ourselves, at most `max` in all.
 * Who replies again, also in answer to our answer, is passed over, so no two bots keep each other going.
 */
export async function reply(deps: Deps, input: PostRef & { max: number }): Promise<ReplyRound> {
  const round: ReplyRound = { sent: [], skipped: [], gone: null };
  const content = await deps.clients.posts.content.query({ post_id: input.post_id });
  if ((await planOf(deps.db, content.user_id)) !== 'paid')
    return { ...round, gone: 'paid_plan_required' };
  const work = await openWork(deps, input, content);
  if (!work) return { ...round, gone: 'account_disconnected' };
  const ours = work.journal.flatMap((send) =>
    send.outcome?.kind === 'published' && send.step !== 'repost' ? [send.outcome.platform_id] : [],
  );
  const template = content.auto_reply_text ?? work.account.reply_template ?? null;
  const answered = new Map(
    work.journal.flatMap((send) => (send.addressee ? [[send.addressee, send]] : [])),
  );
  let sent = [...answered.values()].filter((send) => send.outcome?.kind === 'published').length;

  for (const candidate of await deps.platforms[work.account.platform].replies(work.session, ours)) {
    if (candidate.own) continue;
    const step = `reply:${candidate.platform_id}`;
    const before = answered.get(candidate.author);
    if (before && before.step !== step) {
      round.skipped.push({ to: candidate.author, reason: 'already_answered' });
      continue;
    }
    if (before?.outcome?.kind === 'published' || before?.outcome?.kind === 'rejected') continue;
    if (sent >= input.max) break;
    if (template === null) {
      round.skipped.push({ to: candidate.author, reason: 'no_text' });
      continue;
    }
    const text = template.replaceAll('{handle}', `@${candidate.author}`);
    const outgoing = { kind: 'reply' as const, text, media: [], inReplyTo: candidate.platform_id };
    const next: Step = { ...work, step, last: before, addressee: candidate.author, outgoing };
    const outcome = await settle(deps, next);
    answered.set(candidate.author, {
      step,
      attempt: 1,
      startedMs: 0,
      addressee: candidate.author,
      outcome: null,
    });
    if (outcome === 'done') {
      sent += 1;
      round.sent.push({ to: candidate.author, platform_id: candidate.platform_id });
    } else if (outcome !== 'later') {
      round.skipped.push({ to: candidate.author, reason: outcome.refused });
    }
  }
  return round;
}

/** One follow-up send: looked up first when an earlier attempt is open, and made only when it surely does not stand. */
async function settle(deps: Deps, step: Step): Promise<'done' | 'later' | { refused: string }> {
  let { last } = step;
  if (last && isOpen(last)) {
    if (!(await reconcileStep(deps, { ...step, last }))) return 'later';
    const journal = await readJournal(deps.db, step.postId);
    last = journal.find((send) => send.step === step.step);
  }
  const outcome = await sendOnce(deps, { ...step, last });
  if (outcome.kind === 'published') return 'done';
  return outcome.kind === 'rejected' ? { refused: outcome.code } : 'later';
}

function standingId(journal: LastSend[], step: string): string | null {
  const outcome = journal.find((send) => send.step === step)?.outcome;
  return outcome?.kind === 'published' ? outcome.platform_id : null;
}
