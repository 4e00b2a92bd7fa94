import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarDays, Newspaper } from 'lucide-react';
import { useState } from 'react';
import { api, type Outputs } from '../api/client.ts';
import { accountsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { NotFound } from '../shell/lost.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Loaded } from '../ui/states.tsx';
import { When } from '../ui/time.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import styles from './accounts.module.css';
import { StatusOf } from './accounts-page.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { platformNames } from './platform-names.ts';
import { SettingsForm } from './settings-form.tsx';

type Account = Outputs['accounts']['list'][number];

/** One account: how it is, and what is set on it. */
export function AccountPage() {
  const { accountId } = getRouteApi('/inside/accounts/$accountId').useParams();
  return (
    <Loaded query={useQuery(accountsQuery)}>
      {(accounts) => {
        const account = accounts.find(({ account_id }) => account_id === accountId);
        return account ? <Page account={account} /> : <NotFound />;
      }}
    </Loaded>
  );
}

function Page({ account }: { account: Account }) {
  const params = { accountId: account.account_id };
  return (
    <>
      <PageHead
        title={account.display_name}
        actions={
          <>
            {account.platform === 'sandbox' ? (
              <Link to="/accounts/$accountId/feed" params={params} className="button">
                <Newspaper aria-hidden="true" /> Feed
              </Link>
            ) : null}
            <Link to="/posts" search={{ account: account.account_id }} className="button">
              <CalendarDays aria-hidden="true" /> Calendar
            </Link>
          </>
        }
      >
        @{account.handle} on {platformNames[account.platform]}
      </PageHead>
      {account.status === 'disconnected' ? <Reconnect account={account} /> : null}
      <div className={styles['settings']}>
        <SettingsForm key={account.account_id} account={account} />
        <Health account={account} />
      </div>
    </>
  );
}

function Health({ account }: { account: Account }) {
  const { daily_limit: day } = account;
  return (
    <aside className="card stack" aria-label="Status">
      <div className="row-between">
        <h2>Status</h2>
        <StatusOf account={account} />
      </div>
      <dl className="facts">
        <dt>Today</dt>
        <dd className="numeric">
          {day.used} of {day.limit} tweets
        </dd>
        <dt>New day</dt>
        <dd>
          <When at={day.resets_at} zone={account.time_zone} />
        </dd>
        <dt>Connected</dt>
        <dd>
          <When at={account.created_at} zone={account.time_zone} year />
        </dd>
        <dt>account_id</dt>
        <dd>
          <code>{account.account_id}</code>
        </dd>
      </dl>
      {account.status === 'connected' ? <Disconnect account={account} /> : null}
    </aside>
  );
}

function Disconnect({ account }: { account: Account }) {
  const [asking, setAsking] = useState(false);
  const refresh = useRefresh();
  const disconnect = useOnce(
    () => api.accounts.disconnect.mutate({ account_id: account.account_id }),
    {
      success: async () => {
        await refresh();
        setAsking(false);
        tell(`@${account.handle} is disconnected`);
      },
      failure: (error) => tellFailure('The account is still connected', error),
    },
  );
  return (
    <div>
      <Button small onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => disconnect.mutate(undefined)}
        title={`Disconnect @${account.handle}?`}
        action="Disconnect"
        pending={disconnect.isPending}
      >
        <p>Perch forgets how to post through it.</p>
        <p>
          Posts that are scheduled for it stay, and fail with account_disconnected when they are due
          unless you connect it again before. Nothing is charged for them.
        </p>
        <p>What was posted stays on the platform.</p>
      </Confirm>
    </div>
  );
}

function Reconnect({ account }: { account: Account }) {
  const refresh = useRefresh();
  const connect = useOnce(() => api.accounts.connectSandbox.mutate({ handle: account.handle }), {
    success: async () => {
      await refresh();
      tell(`@${account.handle} is connected again`);
    },
    failure: (error) => tellFailure('The account was not connected', error),
  });
  const [connecting, setConnecting] = useState(false);
  const sandbox = account.platform === 'sandbox';
  return (
    <Notice tone="bad">
      <span>
        Perch can not post through this account. What is scheduled for it fails when it is due.
      </span>
      <div>
        <Button
          small
          pending={connect.isPending}
          onClick={() => (sandbox ? connect.mutate(undefined) : setConnecting(true))}
        >
          Connect again
        </Button>
      </div>
      <ConnectDialog
        open={connecting}
        onClose={() => setConnecting(false)}
        platform={account.platform}
      />
    </Notice>
  );
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: accountsQuery.queryKey });
}
