import type { Deps } from '../deps.ts';
import type { SendingAccount } from '../entities.ts';
import type { OutgoingMedia, Platform, Session, Sought } from '../platforms/platform.ts';
import { platformOf } from '../platforms/platforms.ts';
import { forgetUploads } from './bring-media.ts';
import {
  closeSend,
  isOpen,
  type LastSend,
  openSend,
  otherSends,
  type SendOutcome,
} from './journal.ts';
import { watchLookUp, watchSend } from './watch-platform.ts';

/** How long after its journal row a send may still begin; later the process was held up, and it must not. */
const beginWithinMs = 1_000;
/** Added to the time a send may take before its absence from the platform is believed. */
const lateMarginMs = 2_000;

/** One step of a post: what, for whom, and what is known of earlier attempts. */
export interface Step {
  postId: string;
  step: string;
  account: SendingAccount;
  session: Session;
  last: LastSend | undefined;
  addressee: string | null;
  sought: Omit<Sought, 'key' | 'attempt'>;
}

/**
 * Sends one step unless it stands, was refused, or nobody knows: then it says so and sends nothing.
 * The journal row comes first; of two runs at the same moment only one can write it.
 */
export async function sendOnce(
  deps: Deps,
  step: Step,
  media: OutgoingMedia[],
): Promise<SendOutcome> {
  const { postId, account, last } = step;
  const known = knownOutcome(last);
  if (known) return known;
  const attempt = (last?.attempt ?? 0) + 1;
  const row = { postId, step: step.step, attempt };
  const openedMs = deps.clock();
  const opened = await openSend(deps.db, deps.clock, {
    ...row,
    accountId: account.id,
    addressee: step.addressee,
  });
  if (!opened) return { kind: 'unknown', detail: 'another worker is sending it' };
  await deps.faultPoint('accounts:journaled', postId);
  const outcome = await send(deps, step, { media, attempt, openedMs });
  await deps.faultPoint('accounts:sent', postId);
  await closeSend(deps.db, deps.clock, { ...row, outcome });
  await deps.faultPoint('accounts:outcome-recorded', postId);
  return outcome;
}

/** What must be told of a step instead of sending it; null when it may be sent. */
export function knownOutcome(last: LastSend | undefined): SendOutcome | null {
  if (last && isOpen(last))
    return { kind: 'unknown', detail: 'an earlier attempt has no known outcome' };
  const outcome = last?.outcome;
  return outcome?.kind === 'published' || outcome?.kind === 'rejected' ? outcome : null;
}

async function send(
  deps: Deps,
  step: Step,
  one: { media: OutgoingMedia[]; attempt: number; openedMs: number },
): Promise<SendOutcome> {
  const { media, attempt } = one;
  // Whoever looks this send up believes in its absence after a time; so it must not begin late.
  if (deps.clock() - one.openedMs > beginWithinMs) {
    return {
      kind: 'retry',
      at_ms: deps.clock(),
      detail: 'the worker was held up; nothing was sent',
    };
  }
  const platform = platformOf(deps.platforms, step.account.platform);
  const { mediaCount, ...sought } = step.sought;
  const outgoing = { ...sought, media, attempt, key: keyOf(step) };
  try {
    const signal = AbortSignal.timeout(platform.sendTimeoutMs);
    const result = await watchSend(step, () => platform.send(step.session, outgoing, signal));
    if (result.kind === 'retry' && result.mediaGone) await forgetUploads(deps, step, media);
    return result;
  } catch (err) {
    deps.log.error(
      { err, postId: step.postId, step: step.step },
      'a connector threw; the outcome is unknown',
    );
    return { kind: 'unknown', detail: 'the connector broke off' };
  }
}

/** Reads the platform back for an open step; true when its outcome is known from now on. */
export async function reconcileStep(deps: Deps, step: Step & { last: LastSend }): Promise<boolean> {
  const { postId, last } = step;
  const platform = platformOf(deps.platforms, step.account.platform);
  const startedMs = last.firstStartedMs;
  const sought = { ...step.sought, attempt: last.attempt, key: keyOf(step) };
  const known = { startedMs, others: await otherSends(deps.db, step.account.id, startedMs) };
  const lookup = await watchLookUp(step, () => platform.lookUp(step.session, sought, known));
  if (lookup.kind === 'undecided') return false;
  if (lookup.kind === 'absent' && !canBelieveAbsence(platform, last, deps.clock())) return false;
  const outcome: SendOutcome =
    lookup.kind === 'found' ? { ...lookup, kind: 'published' } : { kind: 'absent' };
  await closeSend(deps.db, deps.clock, {
    postId,
    step: step.step,
    attempt: last.attempt,
    outcome,
  });
  return true;
}

/** A send that is still under way can land until it has timed out, and be missing for a while after. */
function canBelieveAbsence(platform: Platform, last: LastSend, nowMs: number): boolean {
  if (last.outcome?.kind === 'unknown' && last.outcome.stands) return false;
  const lateMs = platform.sendTimeoutMs + platform.readBackLagMs + lateMarginMs;
  return nowMs > last.startedMs + beginWithinMs + lateMs;
}

function keyOf(step: Pick<Step, 'postId' | 'step'>): string {
  return `${step.postId}/${step.step}`;
}
