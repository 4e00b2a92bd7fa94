import type { Post } from '@perch/proto/posts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, UsersRound } from 'lucide-react';
import type { Outputs } from '../api/client.ts';
import { accountsQuery, dailyUseQuery, postsBetweenQuery } from '../api/queries.ts';
import type { CalendarSearch } from '../router.tsx';
import { useShortcut } from '../shell/shortcuts.tsx';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/now.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Failed, Loaded, Loading } from '../ui/states.tsx';
import { Agenda } from './agenda.tsx';
import styles from './calendar.module.css';
import { dateOf, later, monthOf, spanOf, weekOf } from './local-calendar.ts';
import { MonthGrid } from './month-grid.tsx';
import { PostsTabs } from './tabs.tsx';
import { useMove } from './use-move.ts';
import { useNarrow } from './use-narrow.ts';
import { WeekGrid } from './week-grid.tsx';

/** An account as the calendar needs it. */
export type CalendarAccount = Outputs['accounts']['list'][number];
/** How full the local days are. */
export type DayUses = Outputs['posts']['dailyUse'];

const route = getRouteApi('/inside/posts');

/** The posts of an account on its own clock, by week or month. */
export function CalendarPage() {
  return (
    <>
      <PageHead title="Posts" />
      <PostsTabs />
      <Loaded query={useQuery(accountsQuery)} lines={8}>
        {(accounts) => <Chosen accounts={accounts} />}
      </Loaded>
    </>
  );
}

function Chosen({ accounts }: { accounts: CalendarAccount[] }) {
  const search = route.useSearch();
  const account = accounts.find(({ account_id }) => account_id === search.account) ?? accounts[0];
  if (account) return <Calendar key={account.account_id} account={account} accounts={accounts} />;
  return (
    <div className="card">
      <Empty
        icon={UsersRound}
        title="Connect an account first"
        action={
          <Link to="/accounts" className="button button-primary">
            Connect an account
          </Link>
        }
      >
        The calendar shows its posts in its own time zone, with its posting window and its days.
      </Empty>
    </div>
  );
}

function Calendar(props: { account: CalendarAccount; accounts: CalendarAccount[] }) {
  const { account } = props;
  const zone = account.time_zone;
  const search = route.useSearch();
  const nowMs = useNow();
  const today = dateOf(nowMs, zone);
  const date = isDate(search.date) ? search.date : today;
  const view = search.view ?? 'week';
  const dates = view === 'week' ? weekOf(date) : monthOf(date);
  const { posts, uses } = usePosts(account, dates);
  const { moved, move, nudge } = useMove(zone);
  const narrow = useNarrow();
  const shown = (posts.data ?? []).map((post) => movedPost(post, moved.get(post.id)));
  const grid = { account, dates, posts: shown, uses: uses.data ?? [], nowMs, move, nudge };
  return (
    <>
      <Toolbar {...props} date={date} view={view} today={today} dates={dates} />
      {posts.isError ? <Failed error={posts.error} onRetry={() => posts.refetch()} /> : null}
      {posts.isPending ? <Loading lines={8} /> : null}
      {posts.isSuccess && narrow ? <Agenda {...grid} today={today} /> : null}
      {posts.isSuccess && !narrow && view === 'week' ? <WeekGrid {...grid} today={today} /> : null}
      {posts.isSuccess && !narrow && view === 'month' ? (
        <MonthGrid {...grid} today={today} month={date} />
      ) : null}
    </>
  );
}

/** What the grids are made of. */
export interface GridProps {
  account: CalendarAccount;
  dates: string[];
  posts: Post[];
  uses: DayUses;
  nowMs: number;
  today: string;
  move: (post: Post, toMs: number) => void;
  nudge: (post: Post, toMs: number) => void;
}

function usePosts(account: CalendarAccount, dates: string[]) {
  const zone = account.time_zone;
  const first = dates[0] ?? '';
  const last = dates.at(-1) ?? '';
  return {
    posts: useQuery(
      postsBetweenQuery(account.account_id, spanOf(first, zone).startMs, spanOf(last, zone).endMs),
    ),
    uses: useQuery(dailyUseQuery(account.account_id, first, last)),
  };
}

function Toolbar(props: {
  account: CalendarAccount;
  accounts: CalendarAccount[];
  date: string;
  view: 'week' | 'month';
  today: string;
  dates: string[];
}) {
  const { account, date, view, today } = props;
  const navigate = useNavigate({ from: '/posts' });
  function go(part: Partial<CalendarSearch>): void {
    navigate({ to: '/posts', search: (old) => ({ ...old, ...part }) }).catch(() => undefined);
  }
  const step = (by: 1 | -1) =>
    go({ date: later(date, view === 'week' ? { days: 7 * by } : { months: by }) });
  useShortcut((key) => {
    if (key === 't') go({ date: undefined });
    if (key === '[') step(-1);
    if (key === ']') step(1);
    if (key === 'w') go({ view: undefined });
    if (key === 'm') go({ view: 'month' });
  });
  return (
    <div className="row-between">
      <div className="row">
        <Button icon small aria-label="Earlier" onClick={() => step(-1)}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Button icon small aria-label="Later" onClick={() => step(1)}>
          <ChevronRight aria-hidden="true" />
        </Button>
        <Button small disabled={date === today} onClick={() => go({ date: undefined })}>
          Today
        </Button>
        <h2 className={styles['period']} aria-live="polite">
          {period(props.dates, view, date)}
        </h2>
      </div>
      <div className="row">
        <span
          className={`small muted ${styles['zone']}`}
          title="All times here are on the account's clock"
        >
          {account.time_zone.replaceAll('_', ' ')}
        </span>
        <select
          className="input input-small"
          style={{ width: 'auto', maxWidth: '12rem' }}
          aria-label="Account"
          value={account.account_id}
          onChange={(event) => go({ account: event.target.value })}
        >
          {props.accounts.map(({ account_id, handle }) => (
            <option key={account_id} value={account_id}>
              @{handle}
            </option>
          ))}
        </select>
        <div className="choices">
          <button
            type="button"
            aria-pressed={view === 'week'}
            onClick={() => go({ view: undefined })}
          >
            Week
          </button>
          <button
            type="button"
            aria-pressed={view === 'month'}
            onClick={() => go({ view: 'month' })}
          >
            Month
          </button>
        </div>
      </div>
    </div>
  );
}

function period(dates: string[], view: 'week' | 'month', date: string): string {
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(day));
  if (view === 'month') return format(date, { month: 'long', year: 'numeric' });
  const first = dates[0] ?? date;
  const last = dates.at(-1) ?? date;
  const sameMonth = first.slice(0, 7) === last.slice(0, 7);
  const from = format(first, { day: 'numeric', ...(!sameMonth && { month: 'short' }) });
  return `${from} – ${format(last, { day: 'numeric', month: 'short', year: 'numeric' })}`;
}

function movedPost(post: Post, toMs: number | undefined): Post {
  return toMs === undefined ? post : { ...post, scheduled_at: new Date(toMs).toISOString() };
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
