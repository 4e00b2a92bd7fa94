import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarPlus } from 'lucide-react';
import { accountsQuery, balanceQuery, upcomingQuery } from '../api/queries.ts';
import { StatusBadge } from '../posts/status.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { When } from '../ui/time.tsx';
import { Checklist } from './checklist.tsx';
import styles from './home.module.css';

/** Where a day begins: what is to be set up, what goes out next, what is left of day and credits. */
export function HomePage() {
  return (
    <>
      <PageHead title="Home" />
      <Checklist />
      <div className={styles['board']}>
        <section className="card card-flush">
          <div className="card-head">
            <h2>Next posts</h2>
            <Link to="/posts">Calendar</Link>
          </div>
          <NextPosts />
        </section>
        <div className="stack">
          <CreditsCard />
          <DaysCard />
        </div>
      </div>
    </>
  );
}

function NextPosts() {
  const accounts = useQuery(accountsQuery).data ?? [];
  return (
    <Loaded query={useQuery(upcomingQuery)}>
      {(posts) =>
        posts.length === 0 ? (
          <Empty
            icon={CalendarPlus}
            title="Nothing is scheduled"
            action={
              <Link to="/posts/new" className="button">
                Write a post
              </Link>
            }
          >
            What you schedule, here or by the API, is listed with the time it goes out.
          </Empty>
        ) : (
          <ul>
            {posts.map((post) => {
              const account = accounts.find(({ account_id }) => account_id === post.account_id);
              return (
                <li key={post.id}>
                  <Link to="/posts/$postId" params={{ postId: post.id }} className={styles['line']}>
                    <span className={styles['text']}>
                      <span className="clip">{post.tweets[0]?.text || 'Media'}</span>
                      <span className="tiny muted">
                        <When
                          at={post.scheduled_at}
                          {...(account && { zone: account.time_zone })}
                        />
                        {account ? ` · @${account.handle}` : null}
                        {post.tweets.length > 1 ? ` · ${post.tweets.length} tweets` : null}
                      </span>
                    </span>
                    <StatusBadge status={post.status} />
                  </Link>
                </li>
              );
            })}
          </ul>
        )
      }
    </Loaded>
  );
}

function CreditsCard() {
  return (
    <section className="card stack-2">
      <div className="row-between">
        <h2>Credits</h2>
        <Link to="/credits">Ledger</Link>
      </div>
      <Loaded query={useQuery(balanceQuery)} lines={1}>
        {({ available, reserved, pricing }) => (
          <>
            <p className={styles['figure']}>{available.toLocaleString('en')}</p>
            <p className="small muted">
              {reserved > 0 ? `${reserved} held by posts on their way out. ` : null}A post costs{' '}
              {pricing.per_post}, one with a link {pricing.per_post + pricing.url_surcharge}.
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

function DaysCard() {
  return (
    <section className="card stack">
      <h2>Today</h2>
      <Loaded query={useQuery(accountsQuery)} lines={2}>
        {(accounts) =>
          accounts.length === 0 ? (
            <p className="small muted">
              <Link to="/accounts">Connect an account</Link> to see how full its day is.
            </p>
          ) : (
            <ul className="stack">
              {accounts.map(({ account_id, handle, daily_limit }) => (
                <li key={account_id} className="stack-2">
                  <div className="row-between small">
                    <span className="strong clip">@{handle}</span>
                    <span className="muted numeric">
                      {daily_limit.used} of {daily_limit.limit} tweets
                    </span>
                  </div>
                  <div className="meter" aria-hidden="true">
                    <div style={{ width: `${(daily_limit.used / daily_limit.limit) * 100}%` }} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
