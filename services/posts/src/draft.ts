import type { Account, Review } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { Fault, type FieldError, faultOf } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import type { Media } from '@perch/proto/media';
import type { NewPost } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { errorDetails } from '@perch/proto/validation';
import type { StoredTweet } from './post.ts';
import type { FollowUpName } from './rules/follow-ups.ts';
import { threadErrors } from './rules/schedule.ts';

/** A caller's tweets made ready to be stored: media taken in, the platform's rules asked. */
export interface Draft {
  account: Account;
  tweets: StoredTweet[];
  contains_url: boolean;
}

/**
 * Takes media URLs in, then asks the account's platform. Throws `validation_failed` with every mistake
 * of the tweets and those in `errors`; `paid_plan_required`, `not_found`, `account_disconnected` or `media_url_rejected`.
 */
export async function prepareDraft(clients: Clients, from: Wanted): Promise<Draft> {
  const media = await takeMedia(clients, from);
  const review = await reviewDraft(clients, { ...from, media });
  const unpaid = review.errors.filter((error) => error.code === 'paid_plan_required');
  if (unpaid.length > 0) throw new Fault('paid_plan_required', errorDetails(unpaid));
  if (review.errors.length > 0) throw new Fault('validation_failed', errorDetails(review.errors));
  const tweets = from.tweets.map((tweet, index) => ({
    text: tweet.text,
    media_ids: (media[index] ?? []).map((one) => one.id),
  }));
  return { account: review.account, tweets, contains_url: review.contains_url };
}

/** What a caller wants to have sent; `errors` are those that were found before. */
interface Wanted {
  tenant: Tenant;
  accountId: string;
  tweets: NewPost['tweets'];
  /** What is to follow the post, as far as it is asked for now. */
  followUps: FollowUpName[];
  errors: FieldError[];
}

/** What the account's platform says of the draft, with every mistake of it, those in `errors` first. */
export async function reviewDraft(
  clients: Clients,
  from: Wanted & { media: Media[][] },
): Promise<Review> {
  const review = await clients.accounts.review.query({
    tenant: from.tenant,
    account_id: from.accountId,
    follow_ups: from.followUps,
    tweets: from.tweets.map((tweet, index) => ({
      text: tweet.text,
      media: from.media[index] ?? [],
    })),
  });
  const errors = [...from.errors, ...threadErrors(from.tweets.length), ...review.errors];
  return { ...review, errors };
}

/** The media that were uploaded before, of each tweet. */
export async function knownMedia(
  clients: Clients,
  from: Pick<Wanted, 'tenant' | 'tweets'>,
): Promise<Media[][]> {
  const { tenant, tweets } = from;
  const ids = tweets.flatMap((tweet) => tweet.media_ids ?? []);
  const known = ids.length > 0 ? await findMedia(clients, tenant, tweets, ids) : [];
  return tweets.map((tweet) => known.filter((one) => tweet.media_ids?.includes(one.id)));
}

/** The media of each tweet: those uploaded before, then those fetched now. */
async function takeMedia(
  clients: Clients,
  from: Pick<Wanted, 'tenant' | 'tweets'>,
): Promise<Media[][]> {
  const taken = await knownMedia(clients, from);
  for (const [index, tweet] of from.tweets.entries()) {
    for (const [position, url] of (tweet.media_urls ?? []).entries()) {
      const pointer = `/tweets/${index}/media_urls/${position}`;
      taken[index]?.push(await importUrl(clients, from.tenant, url, pointer));
    }
  }
  return taken;
}

async function findMedia(
  clients: Clients,
  tenant: Tenant,
  tweets: NewPost['tweets'],
  ids: string[],
): Promise<Media[]> {
  try {
    return await clients.media.getMany.query({ tenant, media_ids: [...new Set(ids)] });
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== 'not_found') throw error;
    const missing = fault.details['media_id'];
    const errors = tweets.flatMap((tweet, index) =>
      (tweet.media_ids ?? []).flatMap((id, position) => {
        if (id !== missing) return [];
        return [
          {
            pointer: `/tweets/${index}/media_ids/${position}`,
            code: 'not_found',
            detail: 'is no media of yours',
          },
        ];
      }),
    );
    throw new Fault('validation_failed', { detail: 'a media id is not known', errors });
  }
}

async function importUrl(
  clients: Clients,
  tenant: Tenant,
  url: string,
  pointer: string,
): Promise<Media> {
  try {
    const context = { timeoutMs: limits.mediaFetchTimeoutMs };
    return (await clients.media.importUrl.mutate({ tenant, url }, { context })).result;
  } catch (error) {
    const fault = faultOf(error);
    if (!fault || fault.code === 'service_unavailable' || fault.code === 'outcome_unknown')
      throw error;
    const errors = [{ pointer, code: fault.code, detail: fault.message }];
    throw new Fault(fault.code, { ...fault.details, errors });
  }
}
