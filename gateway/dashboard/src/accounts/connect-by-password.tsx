import type { PlatformInfo } from '@perch/proto/connections';
import { api, type Inputs } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { formText, PasswordField } from '../sign-in/fields.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { ConnectProps } from './connect-dialog.tsx';
import { browserZone } from './connect-sandbox.tsx';
import { platformNames } from './platform-names.ts';
import { ServerField } from './server-field.tsx';

/** Connects by a password that the platform made for apps. */
export function ConnectByPassword(props: ConnectProps & { info: PlatformInfo }) {
  const { info } = props;
  const connect = useOnce(
    (asked: Inputs['accounts']['connectByPassword']) =>
      api.accounts.connectByPassword.mutate(asked),
    { success: props.onConnected },
  );
  const { error } = connect;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        connect.mutate({
          platform: info.platform,
          server: formText(form, 'server').trim() || null,
          handle: formText(form, 'handle').replace(/^@/, ''),
          password: formText(form, 'password'),
          settings: { time_zone: browserZone() },
        });
      }}
    >
      <p className="muted">
        Make an app password in the settings of {platformNames[info.platform]}, and give it here:
        never your own password.
      </p>
      {error && !fieldError(error, 'handle') ? <Notice tone="bad">{sentence(error)}</Notice> : null}
      <Field label="Handle" error={fieldError(error, 'handle')}>
        {(control) => (
          <input
            {...control}
            className="input"
            name="handle"
            required
            maxLength={253}
            autoComplete="off"
          />
        )}
      </Field>
      <PasswordField label="App password" error={error} />
      <ServerField info={info} error={error} />
      <div className="dialog-actions">
        <Button onClick={props.onBack}>Back</Button>
        <Button type="submit" look="primary" pending={connect.isPending}>
          Connect
        </Button>
      </div>
    </form>
  );
}
