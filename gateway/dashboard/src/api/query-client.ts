import { faults } from '@perch/proto/faults';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { codeOf } from './failure.ts';

const sessionEnded = new EventTarget();

/** Calls back when an answer says that nobody is signed in any more, for example after two weeks away. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEnded.addEventListener('ended', listener);
  return () => sessionEnded.removeEventListener('ended', listener);
}

/** All that this tab has read, and when to read it again. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && mayPass(error),
    },
  },
});

/** Whether the same question can be answered later: nothing came back, or the fault says so. */
function mayPass(error: unknown): boolean {
  const code = codeOf(error);
  return code === null || faults[code].retryable;
}

function noticeEnd(error: unknown): void {
  if (codeOf(error) === 'not_signed_in') sessionEnded.dispatchEvent(new Event('ended'));
}
