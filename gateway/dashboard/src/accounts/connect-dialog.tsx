import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type Inputs } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { accountsQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { formText } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { tell } from '../ui/toasts.tsx';

const connectSandbox = (asked: Inputs['accounts']['connectSandbox']) =>
  api.accounts.connectSandbox.mutate(asked);

/** Connects an account on the sandbox, at the browser's time zone to begin with. */
export function ConnectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const connect = useOnce(connectSandbox, {
    success: async (account) => {
      await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
      onClose();
      tell(`@${account.handle} is connected`, 'Check its time zone and posting window.');
      await navigate({
        to: '/accounts/$accountId',
        params: { accountId: account.account_id },
      });
    },
  });
  const { error } = connect;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Connect a sandbox account"
      description="The sandbox takes posts as a platform would, and shows them on a feed of its own. It needs no credentials."
    >
      {error && !fieldError(error, 'handle') ? <Notice tone="bad">{sentence(error)}</Notice> : null}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const name = formText(form, 'display_name').trim();
          connect.mutate({
            handle: formText(form, 'handle').replace(/^@/, ''),
            ...(name && { display_name: name }),
            settings: { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
          });
        }}
      >
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
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" look="primary" pending={connect.isPending}>
            Connect
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
