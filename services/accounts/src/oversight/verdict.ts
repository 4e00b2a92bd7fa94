import type { SeenTweet } from '@perch/proto/accounts-oversight';
import { Fault } from '@perch/proto/faults';
import type { PublishedPart } from '@perch/proto/posts';
import type { SendOutcome } from '../publishing/journal.ts';

/** The last attempt at one tweet. */
export interface Step {
  step: string;
  attempt: number;
  startedMs: number;
  outcome: SendOutcome | null;
}

/** What a person's word makes of an attempt whose outcome was unknown. */
export interface Word {
  step: string;
  attempt: number;
  outcome: SendOutcome;
}

/**
 * What is to be written down when a person says where the tweets in doubt stand, or, by null, that none does. The
 * word must settle the whole post: throws `post_outcome_conflict` where it contradicts the journal or leaves a doubt.
 */
export function wordsOf(
  steps: Step[],
  said: { tweetCount: number; seen: SeenTweet[] | null },
): Word[] {
  const { tweetCount, seen } = said;
  if (seen === null) return noneStands(steps);
  const words: Word[] = [];
  for (let index = 0; index < tweetCount; index++) {
    const last = steps.find(({ step }) => step === `tweet:${index}`);
    const here = seen.find((tweet) => tweet.index === index);
    if (!last || (!isInDoubt(last) && last.outcome?.kind !== 'published'))
      throw conflict(`tweet ${index + 1} surely was not published`);
    if (last.outcome?.kind === 'published') {
      if (here && here.platform_id !== last.outcome.platform_id)
        throw conflict(`tweet ${index + 1} is known to stand elsewhere, at ${last.outcome.url}`);
      continue;
    }
    if (!here) throw conflict(`say where tweet ${index + 1} stands, too`);
    const { platform_id, url } = here;
    const { step, attempt, startedMs } = last;
    const outcome = { kind: 'published' as const, platform_id, url, published_at_ms: startedMs };
    words.push({ step, attempt, outcome });
  }
  if (seen.some(({ index }) => index >= tweetCount))
    throw conflict(`the post has ${tweetCount} tweets only`);
  return words;
}

/** The tweets that stand once the words are written down. */
export function standingOf(steps: Step[], words: Word[]): PublishedPart[] {
  return steps
    .flatMap((last) => {
      const outcome = words.find(({ step }) => step === last.step)?.outcome ?? last.outcome;
      if (outcome?.kind !== 'published') return [];
      const { platform_id, url, published_at_ms } = outcome;
      return [
        { index: Number(last.step.slice('tweet:'.length)), platform_id, url, published_at_ms },
      ];
    })
    .toSorted((a, b) => a.index - b.index);
}

function noneStands(steps: Step[]): Word[] {
  const inDoubt = steps.filter(isInDoubt);
  if (inDoubt.length === 0 && steps.some(({ outcome }) => outcome?.kind === 'published'))
    throw conflict('it is known to stand on the platform');
  return inDoubt.map(({ step, attempt }) => ({ step, attempt, outcome: { kind: 'absent' } }));
}

function isInDoubt({ outcome }: Step): boolean {
  return outcome === null || outcome.kind === 'unknown';
}

function conflict(detail: string): Fault {
  return new Fault('post_outcome_conflict', { detail });
}
