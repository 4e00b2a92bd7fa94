import { toIso } from '@perch/proto/clock';
import { testBalance } from '@perch/proto/credits';
import type { Fault, FieldError } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import type { NewPost, Rehearsal } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { dayFull, dayUse } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { knownMedia, reviewDraft } from '../draft.ts';
import { cost, creditsFault } from '../rules/cost.ts';
import { type LocalDay, localDay, localTime } from '../rules/local-day.ts';
import { nextLegal } from '../rules/next-legal.ts';
import { scheduleErrors, windowFault } from '../rules/schedule.ts';
import { isOpen, nextOpening } from '../rules/window.ts';

/** What would become of the posts if they were created now, in this order, by the rules that `create` follows. */
export async function rehearse(
  deps: Deps,
  input: { tenant: Tenant; posts: NewPost[] },
): Promise<Rehearsal[]> {
  const days = createDays(deps);
  const rehearsals: Rehearsal[] = [];
  for (const post of input.posts) {
    rehearsals.push(await rehearseOne(deps, input.tenant, post, days));
  }
  await judgeCredits(deps, input.tenant, rehearsals);
  return rehearsals;
}

/** How full each local day of each account would be by now. */
interface Days {
  used(accountId: string, day: LocalDay): Promise<number>;
  take(accountId: string, day: LocalDay, tweets: number): void;
}

function createDays(deps: Deps): Days {
  const stored = new Map<string, Promise<number>>();
  const taken = new Map<string, number>();
  return {
    used: async (accountId, day) => {
      const place = `${accountId} ${day.date}`;
      const known = stored.get(place) ?? dayUse(deps.db, accountId, day);
      stored.set(place, known);
      return (await known) + (taken.get(place) ?? 0);
    },
    take: (accountId, day, tweets) => {
      const place = `${accountId} ${day.date}`;
      taken.set(place, (taken.get(place) ?? 0) + tweets);
    },
  };
}

async function rehearseOne(
  deps: Deps,
  tenant: Tenant,
  post: NewPost,
  days: Days,
): Promise<Rehearsal> {
  const nowMs = deps.clock();
  const dueMs = post.scheduled_at === undefined ? nowMs : Date.parse(post.scheduled_at);
  const errors = post.scheduled_at === undefined ? [] : scheduleErrors(dueMs, nowMs);
  const { account_id, tweets } = post;
  const media = await knownMedia(deps.clients, { tenant, tweets });
  const wanted = { tenant, accountId: account_id, tweets, errors, media };
  const review = await reviewDraft(deps.clients, wanted);
  const { account, contains_url, lengths } = review;
  const { time_zone, posting_window, outside_window } = account;

  const day = localDay(dueMs, time_zone);
  const used = await days.used(account_id, day);
  const wish = { accountId: account_id, timeZone: time_zone, dueMs, tweetCount: tweets.length };
  const full = used + tweets.length > limits.dailyTweets ? dayFull(wish, day, used) : null;
  const issues = [
    ...review.errors,
    ...issueOf(windowFault(dueMs, account), '/scheduled_at'),
    ...issueOf(full, '/scheduled_at'),
  ];
  if (issues.length === 0) days.take(account_id, day, tweets.length);

  const open = isOpen(dueMs, time_zone, posting_window);
  const goesOutMs = open ? dueMs : nextOpening(dueMs, time_zone, posting_window);
  const usedOn = (other: LocalDay) => days.used(account_id, other);
  const legalMs =
    issues.length === 0
      ? dueMs
      : await nextLegal(Math.max(dueMs, nowMs), account, tweets.length, usedOn);
  return {
    account_id,
    valid: issues.length === 0,
    issues,
    scheduled_at: toIso(dueMs),
    local_time: localTime(dueMs, time_zone),
    time_zone,
    lengths,
    cost: { credits: cost(deps.pricing, contains_url), contains_url },
    credits: { available: 0, sufficient: true },
    daily_limit: {
      date: day.date,
      limit: limits.dailyTweets,
      used,
      resets_at: toIso(day.endMs),
    },
    posting_window: {
      open,
      outside_window,
      publishes_at: open || outside_window === 'defer' ? toIso(goesOutMs) : null,
    },
    next_legal_at: legalMs === null ? null : toIso(legalMs),
  };
}

/** Credits are taken when posts are due, so in that order. */
async function judgeCredits(deps: Deps, tenant: Tenant, rehearsals: Rehearsal[]): Promise<void> {
  const { user_id } = tenant;
  const test = tenant.mode === 'test';
  const { available, reserved } = test
    ? testBalance
    : await deps.clients.credits.balance.query({ user_id });
  let left = available;
  const inOrder = rehearsals.toSorted((a, b) => (a.scheduled_at < b.scheduled_at ? -1 : 1));
  for (const rehearsal of inOrder) {
    const fault = creditsFault(rehearsal.cost.credits, { available: left, reserved });
    rehearsal.credits = { available: left, sufficient: fault === null };
    rehearsal.issues.push(...issueOf(fault, ''));
    // Test posts cost nothing.
    if (rehearsal.issues.length === 0 && !test) left -= rehearsal.cost.credits;
    rehearsal.valid = rehearsal.issues.length === 0;
  }
}

function issueOf(fault: Fault | null, pointer: string): FieldError[] {
  return fault ? [{ pointer, code: fault.code, detail: fault.message }] : [];
}
