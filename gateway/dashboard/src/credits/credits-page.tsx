import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { balanceQuery, creditDaysQuery, ledgerQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Failed, Loaded, Loading } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { When } from '../ui/time.tsx';
import styles from './credits.module.css';
import { DayChart, DayTable } from './day-chart.tsx';

/** What the user has, where it went, and each line of the ledger. */
export function CreditsPage() {
  return (
    <>
      <PageHead
        title="Credits"
        actions={
          <Link to="/plan" className="button">
            Add credits
          </Link>
        }
      >
        Charged once for a post, after it went out.
      </PageHead>
      <Balance />
      <Use />
      <Ledger />
    </>
  );
}

function Balance() {
  return (
    <Loaded query={useQuery(balanceQuery)}>
      {({ balance, reserved, available, pricing }) => (
        <dl className={styles['figures']}>
          <div className="card">
            <dt>Available</dt>
            <dd>{available.toLocaleString('en')}</dd>
          </div>
          <div className="card">
            <dt>Balance</dt>
            <dd>{balance.toLocaleString('en')}</dd>
          </div>
          <div className="card">
            <dt>Held by posts being sent</dt>
            <dd>{reserved.toLocaleString('en')}</dd>
          </div>
          <div className="card">
            <dt>A post · one with a link</dt>
            <dd>
              {pricing.per_post} · {pricing.per_post + pricing.url_surcharge}
            </dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

function Use() {
  const [asTable, setAsTable] = useState(false);
  const days = useQuery(creditDaysQuery(30));
  return (
    <section className="card stack">
      <div className="row-between">
        <h2>Used per day</h2>
        <div className="choices">
          <button type="button" aria-pressed={!asTable} onClick={() => setAsTable(false)}>
            Chart
          </button>
          <button type="button" aria-pressed={asTable} onClick={() => setAsTable(true)}>
            Table
          </button>
        </div>
      </div>
      <Loaded query={days} lines={5}>
        {(data) => (asTable ? <DayTable days={data} /> : <DayChart days={data} />)}
      </Loaded>
    </section>
  );
}

function Ledger() {
  const query = useInfiniteQuery(ledgerQuery);
  const entries = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section className="card card-flush">
      <div className="card-head">
        <h2>Ledger</h2>
        <span className="small muted">Lines are added, never changed.</span>
      </div>
      {query.isPending ? <Loading /> : null}
      {query.isError ? <Failed error={query.error} /> : null}
      {query.isSuccess && entries.length === 0 ? (
        <Empty icon={Coins} title="No credits yet">
          Your plan brings some every month, and a top-up adds more.
        </Empty>
      ) : null}
      {entries.length > 0 ? (
        <TableFrame label="Ledger">
          <table className="table">
            <thead>
              <tr>
                <th>When</th>
                <th>What for</th>
                <th className="end">Change</th>
                <th className="end">Balance</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <td style={{ whiteSpace: 'nowrap' }}>
                    <When at={entry.created_at} />
                  </td>
                  <td style={{ minWidth: '10rem' }}>
                    {entry.post_id ? (
                      <Link to="/posts/$postId" params={{ postId: entry.post_id }}>
                        {entry.reason}
                      </Link>
                    ) : (
                      entry.reason
                    )}
                  </td>
                  <td className={`end numeric ${entry.credits > 0 ? styles['in'] : ''}`}>
                    {entry.credits > 0 ? '+' : '−'}
                    {Math.abs(entry.credits).toLocaleString('en')}
                  </td>
                  <td className="end numeric">{entry.balance_after.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      ) : null}
      {query.hasNextPage ? (
        <div className={styles['more']}>
          <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}
