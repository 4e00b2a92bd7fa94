import type { PostStatus } from '@perch/proto/posts';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { codeOf } from './api/failure.ts';
import { sessionQuery } from './api/queries.ts';
import { queries } from './api/query-client.ts';
import { Crashed, NotFoundAtAll } from './shell/lost.tsx';

/** What the calendar shows: an account, and the week or month of a local date. */
export interface CalendarSearch {
  account?: string | undefined;
  view?: 'week' | 'month' | undefined;
  /** `YYYY-MM-DD` on the account's clock. */
  date?: string | undefined;
}

/** What the composer starts from. */
export interface NewPostSearch {
  account?: string | undefined;
  /** The instant that was pressed on the calendar. */
  at?: string | undefined;
  /** A post to begin as a copy of. */
  copy?: string | undefined;
}

const root = createRootRoute({ notFoundComponent: NotFoundAtAll });

/** A word of the address that must be one of these; anything else is as if it were not there. */
const oneOf =
  <T extends string>(...words: T[]) =>
  (value: unknown): T | undefined =>
    words.find((word) => word === value);
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw): { next?: string | undefined; ended?: true | undefined } => ({
    next: text(raw['next']),
    ended: raw['ended'] === true || undefined,
  }),
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./sign-in/sign-up-page.tsx'), 'SignUpPage'),
});
const confirm = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  component: lazyRouteComponent(() => import('./sign-in/confirm-page.tsx'), 'ConfirmPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('./sign-in/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => import('./sign-in/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});
const mails = createRoute({
  getParentRoute: () => root,
  path: '/mails',
  component: lazyRouteComponent(() => import('./sign-in/mails-page.tsx'), 'MailsPage'),
});

/** Everything behind the sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    try {
      await queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (codeOf(error) !== 'not_signed_in') throw error;
      const next = location.href === '/' ? {} : { next: location.href };
      throw redirect({ to: '/sign-in', search: next });
    }
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});
const plan = createRoute({
  getParentRoute: () => inside,
  path: '/plan',
  validateSearch: (raw): { checkout?: 'done' | 'cancelled' | undefined } => ({
    checkout: oneOf('done', 'cancelled')(raw['checkout']),
  }),
  component: lazyRouteComponent(() => import('./plan/plan-page.tsx'), 'PlanPage'),
});
const accounts = createRoute({
  getParentRoute: () => inside,
  path: '/accounts',
  validateSearch: (raw): { connection?: string | undefined } => ({
    connection: text(raw['connection']),
  }),
  component: lazyRouteComponent(() => import('./accounts/accounts-page.tsx'), 'AccountsPage'),
});
const account = createRoute({
  getParentRoute: () => inside,
  path: '/accounts/$accountId',
  component: lazyRouteComponent(() => import('./accounts/account-page.tsx'), 'AccountPage'),
});
const feed = createRoute({
  getParentRoute: () => inside,
  path: '/accounts/$accountId/feed',
  component: lazyRouteComponent(() => import('./accounts/feed-page.tsx'), 'FeedPage'),
});

const keys = createRoute({
  getParentRoute: () => inside,
  path: '/developer',
  component: lazyRouteComponent(() => import('./developer/keys-page.tsx'), 'KeysPage'),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/developer/webhooks',
  component: lazyRouteComponent(() => import('./developer/webhooks-page.tsx'), 'WebhooksPage'),
});
const endpoint = createRoute({
  getParentRoute: () => inside,
  path: '/developer/webhooks/$endpointId',
  component: lazyRouteComponent(() => import('./developer/endpoint-page.tsx'), 'EndpointPage'),
});
const requests = createRoute({
  getParentRoute: () => inside,
  path: '/developer/requests',
  component: lazyRouteComponent(() => import('./developer/requests-page.tsx'), 'RequestsPage'),
});

const calendar = createRoute({
  getParentRoute: () => inside,
  path: '/posts',
  validateSearch: (raw): CalendarSearch => ({
    account: text(raw['account']),
    view: oneOf('week', 'month')(raw['view']),
    date: text(raw['date']),
  }),
  component: lazyRouteComponent(() => import('./posts/calendar-page.tsx'), 'CalendarPage'),
});
const list = createRoute({
  getParentRoute: () => inside,
  path: '/posts/list',
  validateSearch: (raw): { account?: string | undefined; status?: PostStatus | undefined } => ({
    account: text(raw['account']),
    status: oneOf('scheduled', 'publishing', 'posted', 'cancelled', 'failed')(raw['status']),
  }),
  component: lazyRouteComponent(() => import('./posts/list-page.tsx'), 'ListPage'),
});
const compose = createRoute({
  getParentRoute: () => inside,
  path: '/posts/new',
  validateSearch: (raw): NewPostSearch => ({
    account: text(raw['account']),
    at: text(raw['at']),
    copy: text(raw['copy']),
  }),
  component: lazyRouteComponent(() => import('./composer/new-post-page.tsx'), 'NewPostPage'),
});
const post = createRoute({
  getParentRoute: () => inside,
  path: '/posts/$postId',
  component: lazyRouteComponent(() => import('./posts/post-page.tsx'), 'PostPage'),
});
const edit = createRoute({
  getParentRoute: () => inside,
  path: '/posts/$postId/edit',
  component: lazyRouteComponent(() => import('./composer/edit-post-page.tsx'), 'EditPostPage'),
});

const credits = createRoute({
  getParentRoute: () => inside,
  path: '/credits',
  component: lazyRouteComponent(() => import('./credits/credits-page.tsx'), 'CreditsPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

/** All pages, each loaded when it is first gone to. */
export const router = createRouter({
  basepath: '/app',
  routeTree: root.addChildren([
    signIn,
    signUp,
    confirm,
    forgotPassword,
    resetPassword,
    mails,
    inside.addChildren([
      home,
      plan,
      accounts,
      account,
      feed,
      keys,
      webhooks,
      endpoint,
      requests,
      calendar,
      list,
      compose,
      post,
      edit,
      credits,
      settings,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
