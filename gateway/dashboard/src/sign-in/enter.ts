import { useNavigate } from '@tanstack/react-router';
import { queries } from '../api/query-client.ts';

/** What to do once a session has begun: forget what another user may have read here, and go in. */
export function useEnter(): (next?: string) => Promise<void> {
  const navigate = useNavigate();
  return async (next) => {
    queries.clear();
    await navigate({ to: insidePath(next) });
  };
}

/** The address to go on to, if it is one of this app; another site's never is. */
export function insidePath(next: string | undefined): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/';
}
