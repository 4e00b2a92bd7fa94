import { Plan } from '@perch/proto/accounts';
import { limits } from '@perch/proto/limits';
import { accountsRouter } from './accounts.ts';
import { authRouter } from './auth.ts';
import { creditsRouter } from './credits.ts';
import { keysRouter } from './keys.ts';
import { planRouter } from './plan.ts';
import { postsRouter } from './posts.ts';
import { presetsRouter } from './presets.ts';
import { open, router, signedIn } from './procedure.ts';
import { webhooksRouter } from './webhooks.ts';
import { Wish, writeWithAi } from './write-with-ai.ts';

/** All that the dashboard can ask of its server: thin procedures over the services, by the session's user. */
export const dashboardRouter = router({
  config: router({
    /** What is set up here; for pages that nobody is signed in on, too. */
    get: open.query(async ({ ctx }) => ({
      mails: await ctx.clients.identity.mailMode.query(),
      ai: ctx.settings.ai !== null,
      api_url: new URL('/api/v1', ctx.settings.publicUrl).href,
      plans: Plan.options,
      limits: {
        active_api_keys: limits.activeApiKeys,
        daily_tweets: limits.dailyTweets,
        tweets_per_post: limits.tweetsPerPost,
        media_bytes: limits.mediaBytes,
        password_chars: limits.passwordChars,
      },
    })),
  }),
  mails: router({
    /** The last mails, where they are kept on a local page instead of being sent. */
    list: open.query(({ ctx }) => ctx.clients.identity.localMails.query()),
  }),
  auth: authRouter,
  plan: planRouter,
  accounts: accountsRouter,
  keys: keysRouter,
  webhooks: webhooksRouter,
  requests: router({
    /** The user's last requests to the API, newest first. */
    list: signedIn.query(({ ctx }) => ctx.clients.requests.list.query({ user_id: ctx.user.id })),
  }),
  posts: postsRouter,
  credits: creditsRouter,
  presets: presetsRouter,
  ai: router({
    generate: signedIn
      .input(Wish)
      .mutation(({ ctx, input }) => writeWithAi(ctx.settings.ai, input)),
  }),
});

/** For the dashboard's own client. */
export type DashboardRouter = typeof dashboardRouter;
