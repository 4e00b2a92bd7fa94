import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 760px)');

/** Whether the window is too narrow for seven columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener('change', changed);
      return () => narrow.removeEventListener('change', changed);
    },
    () => narrow.matches,
  );
}
