import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EmailField, formText } from './fields.tsx';
import { Frame } from './frame.tsx';
import { MailSent } from './mail-sent.tsx';

/** Asks for a link that sets a new password. */
export function ForgotPasswordPage() {
  const ask = useOnce((email: string) => api.auth.requestPasswordReset.mutate({ email }));
  if (ask.isSuccess)
    return (
      <MailSent to={ask.input ?? ''}>
        If it has an account here, we sent a link to set a new password.
      </MailSent>
    );
  return (
    <Frame
      title="Set a new password"
      lead="We send you a link that lets you choose one."
      below={<Link to="/sign-in">Back to signing in</Link>}
    >
      {ask.isError ? <Notice tone="bad">{sentence(ask.error)}</Notice> : null}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate(formText(new FormData(event.currentTarget), 'email'));
        }}
      >
        <EmailField error={ask.error} />
        <Button type="submit" look="primary" pending={ask.isPending}>
          Send the link
        </Button>
      </form>
    </Frame>
  );
}
