/**
 * Named steps of a post's life at which a test may hold a process and kill something.
 * `test/faults` answers at the URL when the process may go on; without a URL a step costs nothing.
 */
export type FaultPoint = (step: FaultStep, postId: string) => Promise<void>;

/** Every boundary between two steps from due to charged. */
export type FaultStep = (typeof faultSteps)[number];

export const faultSteps = [
  'posts:due',
  'posts:claimed',
  'posts:reserved',
  'accounts:begun',
  'accounts:journaled',
  'accounts:sent',
  'accounts:outcome-recorded',
  'posts:published',
  'posts:captured',
  'posts:settled',
] as const;

/** A fault point that asks `url`, or one that does nothing. */
export function createFaultPoint(url: string | undefined): FaultPoint {
  if (url === undefined) return async () => {};
  return async (step, postId) => {
    const question = new URL(url);
    question.searchParams.set('step', step);
    question.searchParams.set('post_id', postId);
    // The test may be gone or restarting us; then the step goes on as in production.
    await fetch(question).catch(() => undefined);
  };
}
