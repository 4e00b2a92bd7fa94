import type { ApiKey, KeyMode, Scope } from '@perch/proto/accounts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { accountsQuery, configQuery, keysQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Code, Secret } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { accountsCurl, postCurl } from './curl.ts';

const scopeWords: Record<Scope, string> = {
  'posts:read': 'Read posts and their timelines',
  'posts:write': 'Create, change and cancel posts',
  'accounts:read': 'List connected accounts',
  'credits:read': 'Read the balance and the ledger',
  'media:write': 'Upload media',
  'webhooks:manage': 'Manage webhook endpoints',
};
const allScopes = Object.keys(scopeWords).filter((scope): scope is Scope => scope in scopeWords);
const dayMs = 86_400_000;

interface Created {
  key: ApiKey;
  secret: string;
}

/** Creates a key, and then shows its secret, this once (seed §5). */
export function CreateKey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  function close(): void {
    onClose();
    setCreated(null);
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      wide
      title={created ? 'Your new key' : 'Create an API key'}
      description={
        created ? 'Copy it now: it is shown this once only, and kept here as a hash.' : undefined
      }
    >
      {created ? (
        <CreatedKey created={created} onDone={close} />
      ) : (
        <KeyForm onCreated={setCreated} onCancel={close} />
      )}
    </Dialog>
  );
}

function CreatedKey({ created, onDone }: { created: Created; onDone: () => void }) {
  const apiUrl = useQuery(configQuery).data?.api_url ?? '';
  const account = useQuery(accountsQuery).data?.[0];
  return (
    <div className="stack">
      <Secret value={created.secret} label="API key" />
      <div className="stack-2">
        <h3>Try it</h3>
        <Code label="List accounts with this key">{accountsCurl(apiUrl, created.secret)}</Code>
        {account ? (
          <Code label="Create a post with this key">
            {postCurl(apiUrl, account.account_id, created.secret)}
          </Code>
        ) : null}
      </div>
      <div className="dialog-actions">
        <Button look="primary" onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}

function KeyForm(props: { onCreated: (created: Created) => void; onCancel: () => void }) {
  const client = useQueryClient();
  const create = useOnce(
    (key: ReturnType<typeof keyOf>, idempotency_key) =>
      api.keys.create.mutate({ ...key, idempotency_key }),
    {
      success: async (created) => {
        props.onCreated(created);
        await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      },
    },
  );
  const { error } = create;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(keyOf(new FormData(event.currentTarget), Date.now()));
      }}
    >
      {error && !fieldError(error, 'name') ? <Notice tone="bad">{sentence(error)}</Notice> : null}
      <Field label="Name" hint="What it is for." error={fieldError(error, 'name')}>
        {(control) => (
          <input
            {...control}
            className="input"
            name="name"
            required
            maxLength={80}
            placeholder="Newsletter script"
            autoComplete="off"
          />
        )}
      </Field>
      <div className="columns">
        <Field label="Mode" hint="Test keys see only the sandbox and cost nothing.">
          {(control) => (
            <select {...control} className="input" name="mode">
              <option value="live">Live</option>
              <option value="test">Test</option>
            </select>
          )}
        </Field>
        <Field label="Expires">
          {(control) => (
            <select {...control} className="input" name="expires">
              <option value="">Never</option>
              <option value="30">In 30 days</option>
              <option value="90">In 90 days</option>
              <option value="365">In a year</option>
            </select>
          )}
        </Field>
      </div>
      <fieldset className="stack-2">
        <legend className="label">What it may do</legend>
        <div className="columns" style={{ gap: 8 }}>
          {allScopes.map((scope) => (
            <label key={scope} className="check">
              <input type="checkbox" name="scopes" value={scope} defaultChecked />
              <span>
                {scopeWords[scope]}
                <br />
                <code className="tiny muted">{scope}</code>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <AccountChoice />
      <div className="dialog-actions">
        <Button onClick={props.onCancel}>Not now</Button>
        <Button type="submit" look="primary" pending={create.isPending}>
          Create the key
        </Button>
      </div>
    </form>
  );
}

function AccountChoice() {
  const accounts = useQuery(accountsQuery).data ?? [];
  if (accounts.length === 0) return null;
  return (
    <fieldset className="stack-2">
      <legend className="label">For which accounts</legend>
      <p className="field-hint">None chosen: all, those that you connect later too.</p>
      {accounts.map(({ account_id, handle }) => (
        <label key={account_id} className="check">
          <input type="checkbox" name="account_ids" value={account_id} />
          <span>@{handle}</span>
        </label>
      ))}
    </fieldset>
  );
}

function keyOf(form: FormData, nowMs: number) {
  const accounts = form.getAll('account_ids').filter((id) => typeof id === 'string');
  const days = Number(formText(form, 'expires'));
  const mode: KeyMode = formText(form, 'mode') === 'test' ? 'test' : 'live';
  return {
    name: formText(form, 'name'),
    mode,
    scopes: allScopes.filter((scope) => form.getAll('scopes').includes(scope)),
    account_ids: accounts.length > 0 ? accounts : null,
    // To the minute, so that a second press asks for the very same key.
    expires_at: days
      ? new Date(Math.floor(nowMs / 60_000) * 60_000 + days * dayMs).toISOString()
      : null,
  };
}
