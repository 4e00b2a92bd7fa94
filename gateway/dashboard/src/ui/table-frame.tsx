import type { ReactNode } from 'react';

/** Around a table that may be wider than its place: it scrolls inside, by keyboard too. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-wrap" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
