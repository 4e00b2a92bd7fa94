import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentence } from '../api/failure.ts';
import { Button } from './button.tsx';

/** A place with nothing in it yet: what it is for, and the first step. */
export function Empty(props: {
  icon: LucideIcon;
  title: string;
  /** Where it is all of the page. */
  alone?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Icon = props.icon;
  const Title = props.alone ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Icon aria-hidden="true" />
      <Title>{props.title}</Title>
      {props.children ? <p>{props.children}</p> : null}
      {props.action}
    </div>
  );
}

/** Grey lines where text will be. */
export function Loading({ lines = 3 }: { lines?: number }) {
  const widths = ['92%', '74%', '83%', '61%'];
  return (
    <div className="stack-2" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places.
          key={line}
          className="skeleton"
          style={{ width: widths[line % widths.length] }}
        />
      ))}
    </div>
  );
}

/** What could not be loaded, why, and another try. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <div className="notice tone-bad" role="alert">
      <CircleAlert aria-hidden="true" />
      <div className="stack-2">
        <span>{sentence(error)}</span>
        {onRetry ? (
          <div>
            <Button small onClick={onRetry}>
              Try again
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** The data of a query once it is there; until then, or when it fails, what stands in its place. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  if (query.isError)
    return <Failed error={query.error} onRetry={() => query.refetch().catch(() => undefined)} />;
  return <Loading lines={props.lines ?? 3} />;
}
