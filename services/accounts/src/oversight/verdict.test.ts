import type { SeenTweet } from '@perch/proto/accounts-oversight';
import { faultCodeOf } from '@perch/proto/faults';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SendOutcome } from '../publishing/journal.ts';
import { type Step, standingOf, wordsOf } from './verdict.ts';

const published = (id: string): SendOutcome => ({
  kind: 'published',
  platform_id: id,
  url: `https://x.example/${id}`,
  published_at_ms: 5,
});
const unknown: SendOutcome = { kind: 'unknown', detail: '' };
const steps = (...outcomes: (SendOutcome | null)[]): Step[] =>
  outcomes.map((outcome, index) => ({ step: `tweet:${index}`, attempt: 1, startedMs: 7, outcome }));
const seen = (index: number, id = String(index)): SeenTweet => ({
  index,
  platform_id: id,
  url: `https://x.example/${id}`,
});
const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return faultCodeOf(error);
  }
};

test('a tweet in doubt stands where the person saw it', () => {
  const journal = steps(published('a'), null, unknown);
  const words = wordsOf(journal, { tweetCount: 3, seen: [seen(1), seen(2)] });
  expect(standingOf(journal, words)).toMatchObject([
    { index: 0, platform_id: 'a' },
    { index: 1, platform_id: '1', published_at_ms: 7 },
    { index: 2, platform_id: '2' },
  ]);
});

test.for<[string, Step[], number, SeenTweet[] | null]>([
  ['leaves one in doubt', steps(null, unknown), 2, [seen(0)]],
  ['contradicts the journal', steps(published('a')), 1, [seen(0, 'b')]],
  ['is of a tweet that was never sent', steps(unknown), 2, [seen(0), seen(1)]],
  ['is of a tweet that surely is absent', steps({ kind: 'absent' }), 1, [seen(0)]],
  ['is of a tweet that the post has not', steps(unknown), 1, [seen(0), seen(1)]],
  ['denies what is known to stand', steps(published('a')), 1, null],
])('a word that %s is refused', ([, journal, tweetCount, said]) => {
  expect(codeOf(() => wordsOf(journal, { tweetCount, seen: said }))).toBe('post_outcome_conflict');
});

test('whatever the journal, a word changes nothing that was known', () => {
  const outcome = fc.constantFrom<SendOutcome | null>(
    ...[null, unknown, published('a'), { kind: 'absent' as const }],
    ...[{ kind: 'retry' as const, at_ms: 0, detail: '' }],
  );
  fc.assert(
    fc.property(
      fc.array(outcome, { minLength: 1, maxLength: 4 }),
      fc.option(fc.subarray([seen(0), seen(1), seen(2), seen(3)])),
      (outcomes, said) => {
        const journal = steps(...outcomes);
        try {
          for (const word of wordsOf(journal, { tweetCount: outcomes.length, seen: said })) {
            const before = journal.find(({ step }) => step === word.step)?.outcome;
            expect(before === null || before?.kind === 'unknown').toBe(true);
          }
        } catch (error) {
          expect(faultCodeOf(error)).toBe('post_outcome_conflict');
        }
      },
    ),
  );
});
