import { CalendarDays } from 'lucide-react';
import { Empty } from '../ui/states.tsx';
import styles from './calendar.module.css';
import type { GridProps } from './calendar-page.tsx';
import { DayHead } from './day-head.tsx';
import { dateOf } from './local-calendar.ts';
import { PostChip } from './post-chip.tsx';
import { newPostAt } from './week-grid.tsx';

/** The days one below the other, for a phone; those with posts, and of a week those still to come. */
export function Agenda(props: GridProps) {
  const { account, posts, today } = props;
  const zone = account.time_zone;
  const days = props.dates.map((date) => ({
    date,
    posts: posts
      .filter((post) => dateOf(Date.parse(post.scheduled_at), zone) === date)
      .toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at)),
  }));
  const shown = days.filter(
    ({ date, posts: here }) =>
      here.length > 0 || date === today || (days.length <= 7 && date > today),
  );
  if (shown.length === 0)
    return (
      <div className="card">
        <Empty icon={CalendarDays} title="No posts in this time" />
      </div>
    );
  return (
    <ol className={styles['agenda']}>
      {shown.map((day) => (
        <li key={day.date} className={styles['agenda-day']}>
          <DayHead
            long
            date={day.date}
            today={today}
            use={props.uses.find((use) => use.date === day.date)}
            account={account.account_id}
            at={newPostAt(day.date, props)}
          />
          {day.posts.map((post) => (
            <PostChip
              key={post.id}
              post={post}
              zone={zone}
              onNudge={(toMs) => props.nudge(post, toMs)}
            />
          ))}
          {day.posts.length === 0 ? <p className="tiny faint">No posts</p> : null}
        </li>
      ))}
    </ol>
  );
}
