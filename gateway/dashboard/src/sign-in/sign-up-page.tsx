import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { fieldError, sentence } from '../api/failure.ts';
import { configQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EmailField, formText, PasswordField } from './fields.tsx';
import { Frame } from './frame.tsx';
import { MailSent } from './mail-sent.tsx';

/** Makes an account; the link in the mail that follows proves the address. */
export function SignUpPage() {
  const minChars = useQuery(configQuery).data?.limits.password_chars ?? 12;
  const signUp = useOnce((input: { email: string; password: string }) =>
    api.auth.signUp.mutate(input),
  );
  const { error } = signUp;
  if (signUp.isSuccess)
    return (
      <MailSent to={signUp.input?.email ?? ''}>
        We sent a link to it. Open it to confirm your address and get started.
      </MailSent>
    );
  return (
    <Frame
      title="Make an account"
      lead="Schedule posts, watch them go out on time, and drive it all by an API."
      below={
        <>
          Have one already? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      {error && !fieldError(error, 'email') && !fieldError(error, 'password') ? (
        <Notice tone="bad">{sentence(error)}</Notice>
      ) : null}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          signUp.mutate({ email: formText(form, 'email'), password: formText(form, 'password') });
        }}
      >
        <EmailField error={error} />
        <PasswordField minChars={minChars} error={error} />
        <Button type="submit" look="primary" pending={signUp.isPending}>
          Make an account
        </Button>
      </form>
    </Frame>
  );
}
