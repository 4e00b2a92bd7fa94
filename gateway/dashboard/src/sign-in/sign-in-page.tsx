import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { configQuery } from '../api/queries.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useEnter } from './enter.ts';
import { EmailField, formText, PasswordField } from './fields.tsx';
import { Frame } from './frame.tsx';

/** Signs in, and goes on to where the user wanted to be. */
export function SignInPage() {
  const { next, ended } = getRouteApi('/sign-in').useSearch();
  const enter = useEnter();
  const mails = useQuery(configQuery).data?.mails;
  const signIn = useOnce(
    (input: { email: string; password: string }) => api.auth.signIn.mutate(input),
    { success: () => enter(next) },
  );
  return (
    <Frame
      title="Sign in"
      below={
        <>
          New here? <Link to="/sign-up">Make an account</Link>
          {mails === 'local' ? (
            <>
              {' · '}
              <Link to="/mails">Local mails</Link>
            </>
          ) : null}
        </>
      }
    >
      {ended && !signIn.isError ? (
        <Notice tone="info">Your session has ended. Sign in to go on where you were.</Notice>
      ) : null}
      {signIn.isError ? <Notice tone="bad">{sentence(signIn.error)}</Notice> : null}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          signIn.mutate({ email: formText(form, 'email'), password: formText(form, 'password') });
        }}
      >
        <EmailField error={signIn.error} />
        <PasswordField />
        <Button type="submit" look="primary" pending={signIn.isPending}>
          Sign in
        </Button>
        <Link to="/forgot-password" className="small">
          Forgot your password?
        </Link>
      </form>
    </Frame>
  );
}
