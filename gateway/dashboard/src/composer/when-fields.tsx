import type { Outputs } from '../api/client.ts';
import { Field } from '../ui/field.tsx';
import styles from './composer.module.css';
import type { DraftControls } from './use-draft.ts';

type Account = Outputs['accounts']['list'][number];

/** Through which account the post goes out, and when, on that account's clock. */
export function WhenFields(props: {
  controls: DraftControls;
  accounts: Account[];
  account: Account;
  editing: boolean;
}) {
  const { account, controls, editing } = props;
  const { draft, change } = controls;
  return (
    <section className="card stack" aria-label="Account and time">
      <div className={styles['when']}>
        <Field label="Account">
          {(control) => (
            <select
              {...control}
              className="input"
              disabled={editing}
              value={draft.accountId}
              onChange={({ target }) => change({ accountId: target.value })}
            >
              {props.accounts.map(({ account_id, handle, status }) => (
                <option key={account_id} value={account_id}>
                  @{handle}
                  {status === 'disconnected' ? ' (disconnected)' : ''}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Time">
          {(control) => (
            <input
              {...control}
              className="input"
              type="datetime-local"
              disabled={draft.now}
              value={draft.at}
              onChange={({ target }) => change({ at: target.value })}
            />
          )}
        </Field>
      </div>
      <div className="row-between">
        <p className="field-hint">
          On the account’s clock, {account.time_zone.replaceAll('_', ' ')}. It may post from{' '}
          {account.posting_window.opens} to {account.posting_window.closes}.
        </p>
        {editing ? null : (
          <label className="check">
            <input
              type="checkbox"
              checked={draft.now}
              onChange={({ target }) => change({ now: target.checked })}
            />
            <span>Publish now instead</span>
          </label>
        )}
      </div>
    </section>
  );
}
