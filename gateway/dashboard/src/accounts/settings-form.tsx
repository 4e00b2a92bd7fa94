import type { AccountSettings } from '@perch/proto/accounts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Outputs } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { accountsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { tell } from '../ui/toasts.tsx';
import styles from './accounts.module.css';
import { TimeZoneField } from './time-zone-field.tsx';
import { WindowField } from './window-field.tsx';

type Account = Outputs['accounts']['list'][number];

/** What can be set on an account; the bar to save it appears once something has changed. */
export function SettingsForm({ account }: { account: Account }) {
  const saved = settingsOf(account);
  const [draft, setDraft] = useState(saved);
  const client = useQueryClient();
  const save = useOnce(
    (settings: AccountSettings) =>
      api.accounts.changeSettings.mutate({ account_id: account.account_id, settings }),
    {
      success: async () => {
        await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
        tell('Settings saved');
      },
    },
  );
  const changed = JSON.stringify(draft) !== JSON.stringify(saved);
  const change = (part: Partial<AccountSettings>) => setDraft({ ...draft, ...part });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft);
      }}
    >
      <section className="card stack-5">
        <h2>When it posts</h2>
        <TimeZoneField
          value={draft.time_zone}
          onChange={(time_zone) => change({ time_zone })}
          error={fieldError(save.error, 'time_zone')}
        />
        <WindowField
          value={draft.posting_window}
          onChange={(posting_window) => change({ posting_window })}
          error={fieldError(save.error, 'posting_window')}
        />
        <OutsideWindow
          value={draft.outside_window}
          onChange={(outside_window) => change({ outside_window })}
        />
      </section>
      <section className="card">
        <ReplyTemplate
          value={draft.reply_template}
          onChange={(reply_template) => change({ reply_template })}
          error={fieldError(save.error, 'reply_template')}
        />
      </section>
      {save.isError ? <Notice tone="bad">{sentence(save.error)}</Notice> : null}
      {changed ? (
        <div className={styles['save']}>
          <span className="grow small muted">You have changes that are not saved.</span>
          <Button onClick={() => setDraft(saved)}>Undo</Button>
          <Button type="submit" look="primary" pending={save.isPending}>
            Save
          </Button>
        </div>
      ) : null}
    </form>
  );
}

function OutsideWindow(props: {
  value: AccountSettings['outside_window'];
  onChange: (value: AccountSettings['outside_window']) => void;
}) {
  const choice = (value: AccountSettings['outside_window'], text: ReactNode) => (
    <label className="check">
      <input
        type="radio"
        name="outside_window"
        checked={props.value === value}
        onChange={() => props.onChange(value)}
      />
      <span>{text}</span>
    </label>
  );
  return (
    <fieldset className="stack-2">
      <legend className="label">A post that is due outside the window</legend>
      {choice(
        'fail',
        <>
          <strong>fails</strong>, and says so. You see it at once and decide anew.
        </>,
      )}
      {choice(
        'defer',
        <>
          <strong>waits</strong> until the window opens, and goes out then.
        </>,
      )}
    </fieldset>
  );
}

function ReplyTemplate(props: {
  value: string | null;
  onChange: (value: string | null) => void;
  error: string | undefined;
}) {
  return (
    <Field
      label="Auto-reply"
      hint={
        <>
          Sent where a post asks for auto-replies and brings no text of its own.{' '}
          <code>{'{handle}'}</code> becomes the @handle of who replied. Empty: no reply is sent.
        </>
      }
      error={props.error}
    >
      {(control) => (
        <textarea
          {...control}
          className="input"
          value={props.value ?? ''}
          placeholder="Thanks for reading, {handle}!"
          maxLength={10_000}
          onChange={(event) => props.onChange(event.target.value || null)}
        />
      )}
    </Field>
  );
}

function settingsOf(account: Account): AccountSettings {
  const { time_zone, posting_window, outside_window, reply_template } = account;
  return { time_zone, posting_window, outside_window, reply_template };
}
