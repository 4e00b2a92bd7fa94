import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { configQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { tell } from '../ui/toasts.tsx';
import { useEnter } from './enter.ts';
import { formText, linkToken, PasswordField } from './fields.tsx';
import { Frame } from './frame.tsx';

/** Where the link of the reset mail leads: sets a password, ends every session, and signs in. */
export function ResetPasswordPage() {
  const enter = useEnter();
  const minChars = useQuery(configQuery).data?.limits.password_chars ?? 12;
  const reset = useOnce(
    (password: string) => api.auth.resetPassword.mutate({ token: linkToken(), password }),
    {
      success: async () => {
        await enter();
        tell('Your new password is set', 'You were signed out everywhere else.');
      },
    },
  );
  return (
    <Frame
      title="Choose a new password"
      lead="It signs you out everywhere else."
      below={<Link to="/forgot-password">Send another link</Link>}
    >
      {reset.isError && !fieldError(reset.error, 'password') ? (
        <Notice tone="bad">{sentence(reset.error)}</Notice>
      ) : null}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate(formText(new FormData(event.currentTarget), 'password'));
        }}
      >
        <PasswordField label="New password" minChars={minChars} error={reset.error} />
        <Button type="submit" look="primary" pending={reset.isPending}>
          Set the password
        </Button>
      </form>
    </Frame>
  );
}
