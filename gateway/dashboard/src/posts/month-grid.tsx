import type { Post } from '@perch/proto/posts';
import { Link } from '@tanstack/react-router';
import styles from './calendar.module.css';
import type { GridProps } from './calendar-page.tsx';
import { DayHead } from './day-head.tsx';
import { dateOf, instantOf, minuteOf, sameMonth } from './local-calendar.ts';
import { PostChip } from './post-chip.tsx';
import { useDrag } from './use-drag.ts';
import { newPostAt } from './week-grid.tsx';

const shownPerDay = 4;

/** The weeks of a month. A post that is dragged to another day keeps its time of day. */
export function MonthGrid(props: GridProps & { month: string }) {
  const { account, dates, posts, today } = props;
  const zone = account.time_zone;
  const { drag, grab } = useDrag<Post>((post, { date }) =>
    props.move(post, instantOf(date, minuteOf(Date.parse(post.scheduled_at), zone), zone)),
  );
  return (
    <section className={styles['month']} aria-label="Month">
      {dates.map((date) => {
        const here = posts
          .filter((post) => dateOf(Date.parse(post.scheduled_at), zone) === date)
          .toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at));
        return (
          <div
            key={date}
            className={styles['cell']}
            data-date={date}
            data-outside={!sameMonth(date, props.month)}
            data-landing={drag?.target.date === date}
          >
            <DayHead
              date={date}
              today={today}
              use={props.uses.find((use) => use.date === date)}
              account={account.account_id}
              at={newPostAt(date, props)}
            />
            {here.slice(0, shownPerDay).map((post) => (
              <PostChip
                key={post.id}
                post={post}
                zone={zone}
                ghost={drag?.item.id === post.id}
                onGrab={(event) => grab(event, post)}
                onNudge={(toMs) => props.nudge(post, toMs)}
              />
            ))}
            {here.length > shownPerDay ? (
              <Link
                to="/posts"
                search={{ account: account.account_id, date }}
                className="tiny"
                style={{ paddingInline: 6 }}
              >
                {here.length - shownPerDay} more
              </Link>
            ) : null}
          </div>
        );
      })}
    </section>
  );
}
