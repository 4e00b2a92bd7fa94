import type { Account } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { Fault, type FieldError, faultOf } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import type { Media } from '@perch/proto/media';
import type { NewPost } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { StoredTweet } from './post.ts';
import { threadErrors } from './rules/schedule.ts';

/** A caller's tweets made ready to be stored: media taken in, the platform's rules asked. */
export interface Draft {
  account: Account;
  tweets: StoredTweet[];
  contains_url: boolean;
}

/**
 * Takes media URLs in, then asks the account's platform. Throws `validation_failed` with every mistake
 * of the tweets and those in `errors`; `not_found`, `account_disconnected` or `media_url_rejected`.
 */
export async function prepareDraft(
  clients: Clients,
  from: { tenant: Tenant; accountId: string; tweets: NewPost['tweets']; errors: FieldError[] },
): Promise<Draft> {
  const { tenant, accountId } = from;
  const media = await takeMedia(clients, tenant, from.tweets);
  const review = await clients.accounts.review.query({
    tenant,
    account_id: accountId,
    tweets: from.tweets.map((tweet, index) => ({ text: tweet.text, media: media[index] ?? [] })),
  });
  const errors = [...from.errors, ...threadErrors(from.tweets.length), ...review.errors];
  const [first] = errors;
  if (first) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    throw new Fault('validation_failed', {
      detail: `${first.pointer}: ${first.detail}${more}`,
      errors,
    });
  }
  const tweets = from.tweets.map((tweet, index) => ({
    text: tweet.text,
    media_ids: (media[index] ?? []).map((one) => one.id),
  }));
  return { account: review.account, tweets, contains_url: review.contains_url };
}

/** The media of each tweet: those uploaded before, then those fetched now. */
async function takeMedia(
  clients: Clients,
  tenant: Tenant,
  tweets: NewPost['tweets'],
): Promise<Media[][]> {
  const ids = tweets.flatMap((tweet) => tweet.media_ids ?? []);
  const known = ids.length > 0 ? await findMedia(clients, tenant, tweets, ids) : [];
  const taken: Media[][] = [];
  for (const [index, tweet] of tweets.entries()) {
    const own = known.filter((one) => tweet.media_ids?.includes(one.id));
    for (const [position, url] of (tweet.media_urls ?? []).entries()) {
      own.push(await importUrl(clients, tenant, url, `/tweets/${index}/media_urls/${position}`));
    }
    taken.push(own);
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
