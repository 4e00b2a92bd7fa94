import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { accountsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import styles from './accounts.module.css';
import { Avatar } from './avatar.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { platformNames } from './platform-names.ts';

type Account = Outputs['accounts']['list'][number];

/** The connected accounts, and connecting another. */
export function AccountsPage() {
  const [connecting, setConnecting] = useState(false);
  const connect = (
    <Button look="primary" onClick={() => setConnecting(true)}>
      <Plus aria-hidden="true" /> Connect an account
    </Button>
  );
  return (
    <>
      <PageHead title="Accounts" actions={connect}>
        Each posts on its own clock, inside its own window.
      </PageHead>
      <Loaded query={useQuery(accountsQuery)}>
        {(accounts) =>
          accounts.length === 0 ? (
            <div className="card">
              <Empty icon={UsersRound} title="No account is connected">
                Start with the sandbox: it needs no credentials, and its feed shows what would have
                been posted.
              </Empty>
            </div>
          ) : (
            <ul className={styles['grid']}>
              {accounts.map((account) => (
                <li key={account.account_id}>
                  <Card account={account} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ConnectDialog open={connecting} onClose={() => setConnecting(false)} />
    </>
  );
}

function Card({ account }: { account: Account }) {
  const { daily_limit: day, posting_window: hours } = account;
  return (
    <Link
      to="/accounts/$accountId"
      params={{ accountId: account.account_id }}
      className={`card ${styles['card']}`}
    >
      <span className={styles['who']}>
        <Avatar handle={account.handle} />
        <span className="grow">
          <span className="strong clip" style={{ display: 'block' }}>
            {account.display_name}
          </span>
          <span className="small muted clip" style={{ display: 'block' }}>
            @{account.handle} · {platformNames[account.platform]}
          </span>
        </span>
        <ChevronRight size={18} className="faint" aria-hidden="true" />
      </span>
      <span className="row-between small">
        <StatusOf account={account} />
        <span className="muted numeric">
          {day.used} of {day.limit} today
        </span>
      </span>
      <span className="small muted">
        {hours.opens}–{hours.closes}, {account.time_zone.replaceAll('_', ' ')}
      </span>
    </Link>
  );
}

/** Whether Perch can post through the account. */
export function StatusOf({ account }: { account: Pick<Account, 'status'> }) {
  return account.status === 'connected' ? (
    <span className="badge tone-good">Connected</span>
  ) : (
    <span className="badge tone-bad">Disconnected</span>
  );
}
