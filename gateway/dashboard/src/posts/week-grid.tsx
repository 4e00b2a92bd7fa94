import type { Post } from '@perch/proto/posts';
import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef } from 'react';
import styles from './calendar.module.css';
import type { GridProps } from './calendar-page.tsx';
import { DayHead } from './day-head.tsx';
import {
  clock,
  dateOf,
  instantOf,
  minuteOf,
  minutesInDay,
  quarterAfter,
  skippedMinutes,
  snap,
} from './local-calendar.ts';
import { PostChip } from './post-chip.tsx';
import { sideBySide } from './side-by-side.ts';
import { type Drag, useDrag } from './use-drag.ts';
import { closedMinutes, openMinutes, type Stretch } from './window-shade.ts';

/** How many minutes of the grid a post covers: as tall as its two lines. */
const chipMinutes = 54;
const hourPx = 46;

/** Seven days with their hours: shaded where the window is closed, posts where they are due. */
export function WeekGrid(props: GridProps) {
  const { account, dates, posts, nowMs } = props;
  const zone = account.time_zone;
  const scroller = useRef<HTMLDivElement>(null);
  const { drag, grab } = useDrag<Post>((post, { date, minute }) =>
    props.move(
      post,
      instantOf(date, minute ?? minuteOf(Date.parse(post.scheduled_at), zone), zone),
    ),
  );
  const opens = openMinutes(account.posting_window)[0]?.from ?? 0;
  const firstShown = opens > 0 ? opens : minuteOf(nowMs, zone) - 120;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the time of day must not scroll it on.
  useEffect(() => {
    // An hour of shade above the window shows that there is one.
    scroller.current?.scrollTo({ top: Math.max(0, (firstShown / 60 - 1) * hourPx) });
  }, [opens]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={styles['week']} ref={scroller} tabIndex={0} aria-label="Week">
      <div className={styles['week-heads']}>
        <span />
        {dates.map((date) => (
          <DayHead
            key={date}
            date={date}
            today={props.today}
            use={props.uses.find((use) => use.date === date)}
            account={account.account_id}
            at={newPostAt(date, props)}
          />
        ))}
      </div>
      <div className={styles['week-body']} style={{ height: 24 * hourPx }}>
        <Hours />
        {dates.map((date) => (
          <Day
            key={date}
            {...props}
            date={date}
            posts={posts.filter((post) => dateOf(Date.parse(post.scheduled_at), zone) === date)}
            drag={drag}
            grab={grab}
            nowMs={nowMs}
          />
        ))}
      </div>
    </section>
  );
}

function Hours() {
  return (
    <div className={styles['hours']} aria-hidden="true">
      {Array.from({ length: 23 }, (_, hour) => (
        <span key={clock((hour + 1) * 60)} style={{ top: (hour + 1) * hourPx }}>
          {clock((hour + 1) * 60)}
        </span>
      ))}
    </div>
  );
}

function Day(
  props: GridProps & {
    date: string;
    drag: Drag<Post> | null;
    grab: ReturnType<typeof useDrag<Post>>['grab'];
  },
) {
  const { account, date, drag, posts } = props;
  const zone = account.time_zone;
  const navigate = useNavigate();
  const skipped = skippedMinutes(date, zone);
  const minutes = posts.map((post) => minuteOf(Date.parse(post.scheduled_at), zone));
  const places = sideBySide(minutes, chipMinutes);
  function pressed(event: MouseEvent<HTMLElement>): void {
    if (event.target !== event.currentTarget) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const minute = snap(((event.clientY - top) / height) * minutesInDay - 7);
    const at = new Date(instantOf(date, minute, zone)).toISOString();
    navigate({ to: '/posts/new', search: { account: account.account_id, at } }).catch(
      () => undefined,
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the day's head has a link that does the same.
    <div
      className={styles['day']}
      data-date={date}
      data-hours=""
      data-today={date === props.today}
      role="presentation"
      onClick={pressed}
    >
      {closedMinutes(account.posting_window).map((part) => (
        <div key={part.from} className={styles['closed']} style={atStretch(part)} />
      ))}
      {skipped ? (
        <div className={styles['skipped']} style={atStretch(skipped)}>
          clocks go forward
        </div>
      ) : null}
      {date === props.today ? (
        <div className={styles['now']} style={{ top: y(minuteOf(props.nowMs, zone)) }} />
      ) : null}
      {posts.map((post, index) => {
        const place = places[index] ?? { column: 0, columns: 1 };
        return (
          <PostChip
            key={post.id}
            post={post}
            zone={zone}
            tight={place.columns > 2}
            ghost={drag?.item.id === post.id}
            style={{
              top: y(minutes[index] ?? 0),
              left: `calc(${(place.column / place.columns) * 100}% + 2px)`,
              width: `calc(${100 / place.columns}% - 4px)`,
            }}
            onGrab={(event) => props.grab(event, post)}
            onNudge={(toMs) => props.nudge(post, toMs)}
          />
        );
      })}
      {drag?.target.date === date && drag.target.minute !== null ? (
        <div className={styles['landing']} style={{ top: y(drag.target.minute) }}>
          {clock(drag.target.minute)}
        </div>
      ) : null}
    </div>
  );
}

function y(minute: number): number {
  return (minute / 60) * hourPx;
}

function atStretch({ from, to }: Stretch) {
  return { top: y(from), height: y(to - from) };
}

/** When a new post on that day would begin: as the window opens, or soon; null where the day is over. */
export function newPostAt(date: string, { account, nowMs, today }: GridProps): string | null {
  if (date < today) return null;
  const opens = openMinutes(account.posting_window)[0]?.from ?? 0;
  const opensMs = instantOf(date, opens, account.time_zone);
  return new Date(Math.max(opensMs, quarterAfter(nowMs, 15 * 60_000))).toISOString();
}
