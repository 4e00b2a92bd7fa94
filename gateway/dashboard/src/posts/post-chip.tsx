import type { Post } from '@perch/proto/posts';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import styles from './calendar.module.css';
import { clock, dateOf, instantOf, later, minuteOf, snap, snapMinutes } from './local-calendar.ts';

/** A post on the calendar. One that is still scheduled is moved by dragging, or by Alt and an arrow. */
export function PostChip(props: {
  post: Post;
  zone: string;
  style?: CSSProperties;
  ghost?: boolean;
  /** Beside others, with little room. */
  tight?: boolean;
  onGrab?: (event: PointerEvent<HTMLElement>) => void;
  onNudge?: (toMs: number) => void;
}) {
  const { post, zone } = props;
  const atMs = Date.parse(post.scheduled_at);
  const movable = post.status === 'scheduled';
  const more = post.tweets.length - 1;
  function pressed(event: KeyboardEvent): void {
    const toMs = event.altKey && movable ? nudged(event.key, atMs, zone) : null;
    if (toMs === null) return;
    event.preventDefault();
    props.onNudge?.(toMs);
  }
  return (
    <Link
      to="/posts/$postId"
      params={{ postId: post.id }}
      className={styles['chip']}
      data-post={post.id}
      data-status={post.status}
      data-ghost={props.ghost}
      data-movable={movable}
      data-tight={props.tight}
      {...(props.style && { style: props.style })}
      {...(movable && props.onGrab && { onPointerDown: props.onGrab })}
      onKeyDown={pressed}
      aria-keyshortcuts={movable ? 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight' : ''}
    >
      <span className={styles['chip-time']}>
        {clock(minuteOf(atMs, zone))}
        <span className="visually-hidden"> {post.status}</span>
        {more > 0 ? <span title={`A thread of ${more + 1}`}> · {more + 1}</span> : null}
      </span>
      <span className={styles['chip-text']}>{post.tweets[0]?.text || 'Media'}</span>
    </Link>
  );
}

/** Where Alt and an arrow lead from an instant; null for any other key. */
function nudged(key: string, atMs: number, zone: string): number | null {
  const date = dateOf(atMs, zone);
  const minute = minuteOf(atMs, zone);
  if (key === 'ArrowUp') return instantOf(date, snap(minute - snapMinutes), zone);
  if (key === 'ArrowDown') return instantOf(date, snap(minute + snapMinutes), zone);
  if (key === 'ArrowLeft') return instantOf(later(date, { days: -1 }), minute, zone);
  if (key === 'ArrowRight') return instantOf(later(date, { days: 1 }), minute, zone);
  return null;
}
