import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { sentence } from '../api/failure.ts';
import { useOnce } from '../api/use-once.ts';
import { Notice } from '../ui/notice.tsx';
import { Loading } from '../ui/states.tsx';
import { useEnter } from './enter.ts';
import { linkToken } from './fields.tsx';
import { Frame } from './frame.tsx';

/** Where the link of the sign-up mail leads: confirms the address and signs in. */
export function ConfirmPage() {
  const enter = useEnter();
  const { mutate, isError, error } = useOnce(
    (token: string) => api.auth.confirm.mutate({ token }),
    { success: () => enter() },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is taken once, when the page opens.
  useEffect(() => mutate(linkToken()), []);
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
