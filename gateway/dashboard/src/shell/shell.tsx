import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { onSessionEnded, queries } from '../api/query-client.ts';
import { Loading } from '../ui/states.tsx';
import { Logo } from './logo.tsx';
import { places } from './nav.ts';
import styles from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';

/** What stands around every page behind the sign-in: navigation, shortcuts, and the way out. */
export function Shell() {
  const [sheetOpen, setSheetOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useLeaveWhenEnded();
  useFocusOnNewPage(main);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <Side onShortcuts={() => setSheetOpen(true)} />
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        <Suspense fallback={<Loading lines={6} />}>
          <Outlet />
        </Suspense>
      </main>
      <Shortcuts open={sheetOpen} onOpen={setSheetOpen} />
    </div>
  );
}

function Side({ onShortcuts }: { onShortcuts: () => void }) {
  const { user } = useSuspenseQuery(sessionQuery).data;
  return (
    <>
      <header className={styles['top']}>
        <Logo />
        <UserMenu user={user} onShortcuts={onShortcuts} />
      </header>
      <nav className={styles['nav']} aria-label="Main">
        <Link to="/posts/new" className={`button button-primary ${styles['compose']}`}>
          <PenLine aria-hidden="true" />
          <span>New post</span>
        </Link>
        {places.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={styles['place']}
          >
            <Icon aria-hidden="true" />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
    </>
  );
}

/** To the sign-in page when the session has ended, and back here afterwards. */
function useLeaveWhenEnded(): void {
  const navigate = useNavigate();
  const leaving = useRef(false);
  useEffect(
    () =>
      onSessionEnded(() => {
        // Every question of a page is answered alike; the first answer is enough.
        if (leaving.current) return;
        leaving.current = true;
        const here = location.pathname.replace(/^\/app/, '') + location.search;
        queries.removeQueries({ queryKey: sessionQuery.queryKey });
        navigate({ to: '/sign-in', search: { ended: true, next: here } })
          .then(() => queries.clear())
          .catch(() => undefined);
      }),
    [navigate],
  );
}

/** Moves focus to the new page's content, as a browser does when it loads one. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of path that counts.
  useEffect(() => {
    if (!first.current) {
      scrollTo(0, 0);
      if (!main.current?.contains(document.activeElement))
        main.current?.focus({ preventScroll: true });
    }
    first.current = path === undefined;
  }, [path]);
}
