import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { codeOf, sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Loading } from '../ui/states.tsx';
import { useEnter } from './enter.ts';
import { formText, linkToken, PasswordField } from './fields.tsx';
import { Frame } from './frame.tsx';

/**
 * Where the link of the sign-up mail leads: confirms the address and signs in. In another browser than the one
 * that signed up, the password proves that both are the same person.
 */
export function ConfirmPage() {
  const enter = useEnter();
  const { mutate, isError, isPending, error, input } = useOnce(
    (password: string | null) =>
      api.auth.confirm.mutate({ token: linkToken(), ...(password !== null && { password }) }),
    { success: () => enter() },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is taken once, when the page opens.
  useEffect(() => mutate(null), []);
  const asksPassword = codeOf(error) === 'invalid_credentials' || typeof input === 'string';
  if (asksPassword)
    return (
      <Frame
        title="Confirm your address"
        lead="You signed up in another browser. Enter the password that you chose there; if it was not you, close this page."
      >
        {isError && typeof input === 'string' ? (
          <Notice tone="bad">{sentence(error)}</Notice>
        ) : null}
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            mutate(formText(new FormData(event.currentTarget), 'password'));
          }}
        >
          <PasswordField />
          <Button type="submit" look="primary" pending={isPending}>
            Confirm
          </Button>
        </form>
      </Frame>
    );
  return (
    <Frame title="Confirming your address">
      {isError ? (
        <>
          <Notice tone="bad">{sentence(error)}</Notice>
          <div className="row">
            <Link to="/sign-up" className="button button-primary">
              Sign up again
            </Link>
            <Link to="/sign-in" className="button">
              Sign in
            </Link>
          </div>
        </>
      ) : (
        <Loading lines={2} />
      )}
    </Frame>
  );
}
