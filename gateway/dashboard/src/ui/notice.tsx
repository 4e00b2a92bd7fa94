import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Tone = 'good' | 'warn' | 'bad' | 'info' | 'accent';

const icons: Record<Tone, LucideIcon> = {
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
  accent: Info,
};

/** Something to know about this page, in a box. */
export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={`notice tone-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div className="grow stack-2">{children}</div>
    </div>
  );
}
