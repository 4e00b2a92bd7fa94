import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import styles from './calendar.module.css';
import type { DayUses } from './calendar-page.tsx';

/** A day's name and date, how full it is, and a way to write a post for it. */
export function DayHead(props: {
  date: string;
  today: string;
  use: DayUses[number] | undefined;
  account: string;
  /** When a new post on that day would begin; null where the day is over. */
  at: string | null;
  long?: boolean;
}) {
  const { date, use } = props;
  const day = new Date(`${date}T00:00:00Z`);
  const name = new Intl.DateTimeFormat('en-GB', {
    weekday: props.long ? 'long' : 'short',
    timeZone: 'UTC',
  }).format(day);
  const full = use !== undefined && use.used >= use.limit;
  return (
    <div className={styles['day-head']} data-today={date === props.today}>
      <span>
        <span className={styles['day-name']}>{name}</span>{' '}
        <span className={styles['day-number']}>{Number(date.slice(8))}</span>
      </span>
      {use && (use.used > 0 || date >= props.today) ? (
        <span
          className={styles['use']}
          data-full={full}
          title={`${use.used} of ${use.limit} tweets of this day are taken`}
        >
          {use.used}/{use.limit}
        </span>
      ) : null}
      {props.at ? (
        <Link
          to="/posts/new"
          search={{ account: props.account, at: props.at }}
          className={styles['day-add']}
          aria-label={`New post on ${date}`}
        >
          <Plus size={14} aria-hidden="true" />
        </Link>
      ) : null}
    </div>
  );
}
