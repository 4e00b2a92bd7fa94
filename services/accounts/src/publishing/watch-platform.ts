import { counter, histogram, secondsSince } from '@perch/proto/metrics';
import { inSpan } from '@perch/proto/tracing';
import type { Step } from './send-once.ts';

const sends = counter({
  name: 'perch_sends_total',
  help: 'Sends to platforms, by how they ended: published, rejected, retry, unknown.',
  labels: ['platform', 'step', 'outcome', 'code'],
});
const seconds = histogram({
  name: 'perch_platform_seconds',
  help: 'Calls of platforms: what was asked, and how it ended.',
  labels: ['platform', 'asked', 'outcome'],
});

/** Sends by `work`, as a step of the post's trace, and counts how it ended. */
export function watchSend<T extends { kind: string; code?: string }>(
  step: Step,
  work: () => Promise<T>,
): Promise<T> {
  return watch(step, 'send', async () => {
    const result = await work();
    const labels = { platform: step.account.platform, step: kindOf(step) };
    sends.inc({ ...labels, outcome: result.kind, code: result.code ?? 'none' });
    return result;
  });
}

/** Reads the platform back by `work`, likewise. */
export function watchLookUp<T extends { kind: string }>(
  step: Step,
  work: () => Promise<T>,
): Promise<T> {
  return watch(step, 'look up', work);
}

function watch<T extends { kind: string }>(
  step: Step,
  asked: 'send' | 'look up',
  work: () => Promise<T>,
): Promise<T> {
  const { platform } = step.account;
  const startedMs = performance.now();
  const attributes = {
    'perch.post_id': step.postId,
    'perch.platform': platform,
    'perch.step': step.step,
  };
  return inSpan({ name: `${asked}: ${platform}`, kind: 'asks', attributes }, async (span) => {
    let outcome = 'threw';
    try {
      const result = await work();
      outcome = result.kind;
      return result;
    } finally {
      span.setAttribute('perch.outcome', outcome);
      seconds.observe({ platform, asked, outcome }, secondsSince(startedMs));
    }
  });
}

/** `tweet:3` and `reply:<someone>` have as many values as there are posts. */
function kindOf({ step }: Step): string {
  return step.split(':')[0] ?? step;
}
