import type { ApiKey } from '@perch/proto/accounts';
import { limits } from '@perch/proto/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { configQuery, keysQuery, sessionQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/now.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { TableFrame } from '../ui/table-frame.tsx';
import { Ago, When } from '../ui/time.tsx';
import { tell, tellFailure } from '../ui/toasts.tsx';
import { CreateKey } from './create-key.tsx';
import { isActive } from './key-state.ts';
import { DeveloperTabs } from './tabs.tsx';

/** The API keys (seed §5): creating, looking over and revoking them. */
export function KeysPage() {
  const [creating, setCreating] = useState(false);
  const keys = useQuery(keysQuery);
  const paid = useQuery(sessionQuery).data?.user.plan === 'paid';
  const apiUrl = useQuery(configQuery).data?.api_url;
  const nowMs = useNow();
  const active = keys.data?.filter((key) => isActive(key, nowMs)).length ?? 0;
  const full = active >= limits.activeApiKeys;
  return (
    <>
      <PageHead
        title="Developer"
        actions={
          <Button look="primary" disabled={!paid || full} onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" /> Create a key
          </Button>
        }
      >
        {apiUrl ? (
          <>
            The API is at <code>{apiUrl}</code>
          </>
        ) : null}
      </PageHead>
      <DeveloperTabs />
      {paid ? null : (
        <Notice tone="info">
          <span>
            The API needs the paid plan: on the free one every request answers{' '}
            <code>403 paid_plan_required</code>. <Link to="/plan">See the plans</Link>
          </span>
        </Notice>
      )}
      {full ? (
        <Notice tone="warn">
          You have {limits.activeApiKeys} active keys, and no user can have more. Revoke one to
          create another.
        </Notice>
      ) : null}
      <section className="card card-flush">
        <Loaded query={keys}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={KeyRound} title="No key yet">
                A key lets a program post for you. You can have {limits.activeApiKeys} at a time.
              </Empty>
            ) : (
              <KeyTable keys={all} nowMs={nowMs} />
            )
          }
        </Loaded>
      </section>
      <CreateKey open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function KeyTable({ keys, nowMs }: { keys: ApiKey[]; nowMs: number }) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <TableFrame label="API keys">
      <table className="table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>May</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} className={isActive(key, nowMs) ? '' : 'muted'}>
              <td style={{ minWidth: '9rem' }}>
                <span className="strong">{key.name}</span>{' '}
                {key.mode === 'test' ? (
                  <span className="badge badge-plain tone-info">Test</span>
                ) : null}
              </td>
              <td>
                <code style={{ whiteSpace: 'nowrap' }}>{key.hint}</code>
              </td>
              <td>
                <span title={key.scopes.join(', ')} style={{ whiteSpace: 'nowrap' }}>
                  {key.scopes.length === 6 ? 'Everything' : `${key.scopes.length} of 6 scopes`}
                </span>
                {key.account_ids ? (
                  <div className="tiny muted">
                    {key.account_ids.length === 1
                      ? 'one account'
                      : `${key.account_ids.length} accounts`}
                  </div>
                ) : null}
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>
                {key.last_used_at ? <Ago at={key.last_used_at} /> : 'Never'}
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>
                {key.expires_at ? <When at={key.expires_at} year /> : 'Never'}
              </td>
              <td className="end">
                {isActive(key, nowMs) ? (
                  <Button small onClick={() => setRevoking(key)} aria-label={`Revoke ${key.name}`}>
                    Revoke
                  </Button>
                ) : (
                  <span className="badge">{key.revoked_at ? 'Revoked' : 'Expired'}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Revoke apiKey={revoking} onClose={() => setRevoking(null)} />
    </TableFrame>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const client = useQueryClient();
  const revoke = useOnce((key_id: string) => api.keys.revoke.mutate({ key_id }), {
    success: async ({ name }) => {
      await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
      tell(`${name} is revoked`);
    },
    failure: (error) => tellFailure('The key was not revoked', error),
  });
  return (
    <Confirm
      open={apiKey !== null}
      onClose={onClose}
      onConfirm={() => apiKey && revoke.mutate(apiKey.id)}
      title={`Revoke ${apiKey?.name ?? ''}?`}
      action="Revoke"
      pending={revoke.isPending}
    >
      <p>Programs that use it get 401 from now on. It can not be brought back.</p>
      <p>Posts that it has scheduled still go out.</p>
    </Confirm>
  );
}
