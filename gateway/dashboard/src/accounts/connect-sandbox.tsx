import { api, type Inputs } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { ConnectProps } from './connect-dialog.tsx';

/** Connects an account of the sandbox, at the browser's time zone to begin with. */
export function ConnectSandbox({ onConnected, onBack }: ConnectProps) {
  const connect = useOnce(
    (asked: Inputs['accounts']['connectSandbox']) => api.accounts.connectSandbox.mutate(asked),
    { success: onConnected },
  );
  const { error } = connect;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const name = formText(form, 'display_name').trim();
        connect.mutate({
          handle: formText(form, 'handle').replace(/^@/, ''),
          ...(name && { display_name: name }),
          settings: { time_zone: browserZone() },
        });
      }}
    >
      <p className="muted">
        The sandbox takes posts as a platform would, and shows them on a feed of its own.
      </p>
      {error && !fieldError(error, 'handle') ? <Notice tone="bad">{sentence(error)}</Notice> : null}
      <Field
        label="Handle"
        hint="Letters, digits and _. The same handle again is the same account."
        error={fieldError(error, 'handle')}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            name="handle"
            placeholder="my_account"
            required
            maxLength={31}
            pattern="@?[A-Za-z0-9_]{1,30}"
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Name" hint="Optional." error={fieldError(error, 'display_name')}>
        {(control) => <input {...control} className="input" name="display_name" maxLength={80} />}
      </Field>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" pending={connect.isPending}>
          Connect
        </Button>
      </div>
    </form>
  );
}

/** The time zone of the browser: a first guess for an account's. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
