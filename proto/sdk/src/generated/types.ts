// Made by `npm run generate -w @perch/sdk` from gateway/openapi.json: change that instead.
import type {Upload} from '../upload.ts';

export type CreateMediaInput =
  | {
      body: {
        /**
         * An HTTPS URL of an image or video; fetched once, now.
         */
        url: string;
        /**
         * What it shows, for those who do not see it.
         */
        alt_text?: string | null;
      };
    }
  | {
      form: {
        file: Upload;
        alt_text?: string;
      };
    };

export interface Operations {
  inputs: {
    createPost: CreatePostInput;
    listPosts: ListPostsInput;
    validatePost: ValidatePostInput;
    simulateSchedule: SimulateScheduleInput;
    advanceTestClock: AdvanceTestClockInput;
    getPost: GetPostInput;
    updatePost: UpdatePostInput;
    cancelPost: CancelPostInput;
    listPostEvents: ListPostEventsInput;
    listAccounts: ListAccountsInput;
    getCredits: GetCreditsInput;
    listCreditEntries: ListCreditEntriesInput;
    createMedia: CreateMediaInput;
    getMedia: GetMediaInput;
    createWebhookEndpoint: CreateWebhookEndpointInput;
    listWebhookEndpoints: ListWebhookEndpointsInput;
    getWebhookEndpoint: GetWebhookEndpointInput;
    updateWebhookEndpoint: UpdateWebhookEndpointInput;
    deleteWebhookEndpoint: DeleteWebhookEndpointInput;
    rotateWebhookSecret: RotateWebhookSecretInput;
    testWebhookEndpoint: TestWebhookEndpointInput;
    listWebhookDeliveries: ListWebhookDeliveriesInput;
    replayWebhookDelivery: ReplayWebhookDeliveryInput;
  };
  outputs: {
    createPost: Post;
    listPosts: ListPostsOutput;
    validatePost: ValidatePostOutput;
    simulateSchedule: SimulateScheduleOutput;
    advanceTestClock: AdvanceTestClockOutput;
    getPost: Post;
    updatePost: Post;
    cancelPost: Post;
    listPostEvents: ListPostEventsOutput;
    listAccounts: ListAccountsOutput;
    getCredits: Credits;
    listCreditEntries: ListCreditEntriesOutput;
    createMedia: Media;
    getMedia: Media;
    createWebhookEndpoint: CreateWebhookEndpointOutput;
    listWebhookEndpoints: ListWebhookEndpointsOutput;
    getWebhookEndpoint: GetWebhookEndpointOutput;
    updateWebhookEndpoint: UpdateWebhookEndpointOutput;
    deleteWebhookEndpoint: DeleteWebhookEndpointOutput;
    rotateWebhookSecret: RotateWebhookSecretOutput;
    testWebhookEndpoint: TestWebhookEndpointOutput;
    listWebhookDeliveries: ListWebhookDeliveriesOutput;
    replayWebhookDelivery: ReplayWebhookDeliveryOutput;
  };
  items: {
    listPosts: Post;
    listPostEvents: PostEvent;
    listCreditEntries: CreditEntry;
    listWebhookDeliveries: ListWebhookDeliveriesItem;
  };
  schemas: {
    Post: Post;
    Problem: Problem;
    PostEvent: PostEvent;
    Account: Account;
    Credits: Credits;
    CreditEntry: CreditEntry;
    Media: Media;
  };
}
export interface CreatePostInput {
  body: {
    /**
     * A connected social account (seed §2).
     */
    account_id: string;
    /**
     * A thread, in order.
     *
     * @minItems 1
     * @maxItems 25
     */
    tweets: {
      /**
       * Text of the post; may be empty only beside media. The platform has a shorter limit of its own.
       */
      text: string;
      /**
       * From `POST /media`.
       *
       * @maxItems 10
       *
       * Items: An uploaded or imported image or video.
       */
      media_ids?: string[];
      /**
       * Fetched before the answer; they come after `media_ids`.
       *
       * @maxItems 10
       *
       * Items: An HTTPS URL of an image or video; fetched once, now.
       */
      media_urls?: string[];
    }[];
    /**
     * ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
     */
    scheduled_at?: string;
    /**
     * `true` publishes at once (seed §4.1).
     */
    publish_now?: boolean;
    auto_reply?: {
      enabled: boolean;
      /**
       * How many replies at the most.
       */
      max?: number;
      /**
       * Else the account's template from the dashboard.
       */
      text?: string;
    };
    auto_retweet?: {
      enabled: boolean;
      /**
       * Hours from `posted_at`.
       */
      after_hours?: number;
    };
  };
}
export interface ListPostsInput {
  /**
   * Only those with this status.
   */
  status?: 'scheduled' | 'publishing' | 'posted' | 'cancelled' | 'failed';
  /**
   * Only those of this account.
   */
  account_id?: string;
  /**
   * Due at or after.
   */
  scheduled_from?: string;
  /**
   * Due before.
   */
  scheduled_to?: string;
  /**
   * Items on the page; more than 100 are cut to that.
   */
  limit?: number;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string;
}
export interface ValidatePostInput {
  body: {
    /**
     * A connected social account (seed §2).
     */
    account_id: string;
    /**
     * A thread, in order.
     *
     * @minItems 1
     * @maxItems 25
     */
    tweets: {
      /**
       * Text of the post; may be empty only beside media. The platform has a shorter limit of its own.
       */
      text: string;
      /**
       * From `POST /media`.
       *
       * @maxItems 10
       *
       * Items: An uploaded or imported image or video.
       */
      media_ids?: string[];
      /**
       * Fetched before the answer; they come after `media_ids`.
       *
       * @maxItems 10
       *
       * Items: An HTTPS URL of an image or video; fetched once, now.
       */
      media_urls?: string[];
    }[];
    /**
     * ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
     */
    scheduled_at?: string;
    /**
     * `true` publishes at once (seed §4.1).
     */
    publish_now?: boolean;
    auto_reply?: {
      enabled: boolean;
      /**
       * How many replies at the most.
       */
      max?: number;
      /**
       * Else the account's template from the dashboard.
       */
      text?: string;
    };
    auto_retweet?: {
      enabled: boolean;
      /**
       * Hours from `posted_at`.
       */
      after_hours?: number;
    };
  };
}
export interface SimulateScheduleInput {
  body: {
    /**
     * @minItems 1
     * @maxItems 50
     */
    posts: {
      /**
       * A connected social account (seed §2).
       */
      account_id: string;
      /**
       * A thread, in order.
       *
       * @minItems 1
       * @maxItems 25
       */
      tweets: {
        /**
         * Text of the post; may be empty only beside media. The platform has a shorter limit of its own.
         */
        text: string;
        /**
         * From `POST /media`.
         *
         * @maxItems 10
         *
         * Items: An uploaded or imported image or video.
         */
        media_ids?: string[];
        /**
         * Fetched before the answer; they come after `media_ids`.
         *
         * @maxItems 10
         *
         * Items: An HTTPS URL of an image or video; fetched once, now.
         */
        media_urls?: string[];
      }[];
      /**
       * ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
       */
      scheduled_at?: string;
      /**
       * `true` publishes at once (seed §4.1).
       */
      publish_now?: boolean;
      auto_reply?: {
        enabled: boolean;
        /**
         * How many replies at the most.
         */
        max?: number;
        /**
         * Else the account's template from the dashboard.
         */
        text?: string;
      };
      auto_retweet?: {
        enabled: boolean;
        /**
         * Hours from `posted_at`.
         */
        after_hours?: number;
      };
    }[];
  };
}
export interface AdvanceTestClockInput {
  body: {
    /**
     * How far the clock of all scheduled test posts moves on.
     */
    seconds: number;
  };
}
export interface GetPostInput {
  /**
   * A post.
   */
  id: string;
}
export interface UpdatePostInput {
  /**
   * A post.
   */
  id: string;
  /**
   * The ETag that the post must still have, or `*`.
   */
  'If-Match'?: string;
  body: {
    /**
     * A thread, in order.
     *
     * @minItems 1
     * @maxItems 25
     */
    tweets?: {
      /**
       * Text of the post; may be empty only beside media. The platform has a shorter limit of its own.
       */
      text: string;
      /**
       * From `POST /media`.
       *
       * @maxItems 10
       *
       * Items: An uploaded or imported image or video.
       */
      media_ids?: string[];
      /**
       * Fetched before the answer; they come after `media_ids`.
       *
       * @maxItems 10
       *
       * Items: An HTTPS URL of an image or video; fetched once, now.
       */
      media_urls?: string[];
    }[];
    /**
     * ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
     */
    scheduled_at?: string;
    auto_reply?: {
      enabled: boolean;
      /**
       * How many replies at the most.
       */
      max?: number;
      /**
       * Else the account's template from the dashboard.
       */
      text?: string;
    } | null;
    auto_retweet?: {
      enabled: boolean;
      /**
       * Hours from `posted_at`.
       */
      after_hours?: number;
    } | null;
  };
}
export interface CancelPostInput {
  /**
   * A post.
   */
  id: string;
  /**
   * The ETag that the post must still have, or `*`.
   */
  'If-Match'?: string;
}
export interface ListPostEventsInput {
  /**
   * Items on the page; more than 100 are cut to that.
   */
  limit?: number;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string;
  /**
   * A post.
   */
  id: string;
}
export interface ListAccountsInput {}
export interface GetCreditsInput {}
export interface ListCreditEntriesInput {
  /**
   * Items on the page; more than 100 are cut to that.
   */
  limit?: number;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string;
}
export interface GetMediaInput {
  /**
   * An uploaded or imported image or video.
   */
  id: string;
}
export interface CreateWebhookEndpointInput {
  body: {
    /**
     * HTTPS, on the public internet.
     */
    url: string;
    description?: string;
    events?:
      | (
          | 'post.scheduled'
          | 'post.posted'
          | 'post.failed'
          | 'post.cancelled'
          | 'post.auto_replied'
          | 'post.auto_retweeted'
          | 'account.disconnected'
          | 'credits.low'
          | 'webhook_endpoint.disabled'
          | 'webhook.test'
        )[]
      | null;
  };
}
export interface ListWebhookEndpointsInput {}
export interface GetWebhookEndpointInput {
  /**
   * A webhook endpoint.
   */
  id: string;
}
export interface UpdateWebhookEndpointInput {
  /**
   * A webhook endpoint.
   */
  id: string;
  body: {
    /**
     * HTTPS, on the public internet.
     */
    url?: string;
    description?: string;
    events?:
      | (
          | 'post.scheduled'
          | 'post.posted'
          | 'post.failed'
          | 'post.cancelled'
          | 'post.auto_replied'
          | 'post.auto_retweeted'
          | 'account.disconnected'
          | 'credits.low'
          | 'webhook_endpoint.disabled'
          | 'webhook.test'
        )[]
      | null;
    status?: 'enabled' | 'disabled';
  };
}
export interface DeleteWebhookEndpointInput {
  /**
   * A webhook endpoint.
   */
  id: string;
}
export interface RotateWebhookSecretInput {
  /**
   * A webhook endpoint.
   */
  id: string;
}
export interface TestWebhookEndpointInput {
  /**
   * A webhook endpoint.
   */
  id: string;
}
export interface ListWebhookDeliveriesInput {
  status?: 'pending' | 'delivered' | 'failed';
  /**
   * Items on the page; more than 100 are cut to that.
   */
  limit?: number;
  /**
   * The `next_cursor` of the page before.
   */
  cursor?: string;
  /**
   * A webhook endpoint.
   */
  id: string;
}
export interface ReplayWebhookDeliveryInput {
  /**
   * A delivery to a webhook endpoint.
   */
  id: string;
}
export interface Post {
  /**
   * A post.
   */
  id: string;
  /**
   * A connected social account (seed §2).
   */
  account_id: string;
  /**
   * `test` when it was made with a test key.
   */
  mode: 'live' | 'test';
  /**
   * `posted`, `cancelled` and `failed` are final.
   */
  status: 'scheduled' | 'publishing' | 'posted' | 'cancelled' | 'failed';
  /**
   * Grows with each change; the ETag.
   */
  version: number;
  /**
   * When it is due; the instant of creation for publish_now.
   */
  scheduled_at: string;
  /**
   * The thread, in order.
   */
  tweets: {
    /**
     * As it was sent.
     */
    text: string;
    /**
     * Those that were fetched from a URL too.
     *
     * Items: An uploaded or imported image or video.
     */
    media_ids: string[];
    /**
     * Where it stands on the platform, once it does.
     */
    url: string | null;
    /**
     * The platform's own id of it.
     */
    platform_id: string | null;
  }[];
  /**
   * Null where none was asked for.
   */
  auto_reply: {
    enabled: boolean;
    /**
     * How many replies at the most.
     */
    max: number;
    /**
     * Else the account's template from the dashboard.
     */
    text?: string;
  } | null;
  /**
   * Null where none was asked for.
   */
  auto_retweet: {
    enabled: boolean;
    /**
     * Hours from `posted_at`.
     */
    after_hours: number;
  } | null;
  cost: {
    /**
     * The price, fixed now; charged only after a successful send (seed §8).
     */
    credits: number;
    /**
     * Whether the URL surcharge is in it.
     */
    contains_url: boolean;
    /**
     * Whether it was taken from the balance.
     */
    charged: boolean;
  };
  /**
   * Why it was not published, once it has failed.
   */
  failure: {
    code:
      | 'outside_posting_window'
      | 'insufficient_credits'
      | 'account_disconnected'
      | 'paid_plan_required'
      | 'platform_rejected'
      | 'duplicate_content'
      | 'media_rejected'
      | 'not_summoned'
      | 'platform_unavailable'
      | 'publish_outcome_unknown';
    detail: string;
  } | null;
  /**
   * When the last of its tweets went out.
   */
  posted_at: string | null;
  created_at: string;
  updated_at: string;
}
export interface ListPostsOutput {
  /**
   * The items of this page.
   */
  data: Post[];
  /**
   * Whether there is another page.
   */
  has_more: boolean;
  /**
   * Hand it back as `cursor` for the next page.
   */
  next_cursor: string | null;
}
export interface ValidatePostOutput {
  /**
   * A connected social account (seed §2).
   */
  account_id: string;
  /**
   * Whether it would be accepted, and could be paid for when due.
   */
  valid: boolean;
  /**
   * Every reason why not: the code of a broken field, or of the problem that `POST /posts` would answer.
   */
  issues: {
    /**
     * JSON pointer into the request body, or the name of a parameter.
     */
    pointer: string;
    /**
     * A stable word for the rule that was broken.
     */
    code: string;
    /**
     * One sentence for a person.
     */
    detail: string;
  }[];
  /**
   * When it would be due, in UTC.
   */
  scheduled_at: string;
  /**
   * The same on the account's clock, with its offset: `2026-12-01T10:00:00+01:00`.
   */
  local_time: string;
  /**
   * IANA time zone, for example `Europe/Paris`.
   */
  time_zone: string;
  /**
   * Of each tweet, as the platform counts.
   */
  lengths: {
    length: number;
    max_length: number;
  }[];
  cost: {
    credits: number;
    contains_url: boolean;
  };
  credits: {
    /**
     * What would be left before it, after those due earlier.
     */
    available: number;
    sufficient: boolean;
  };
  daily_limit: {
    /**
     * The local day that it would count toward.
     */
    date: string;
    limit: number;
    /**
     * By others, those before it in this request included.
     */
    used: number;
    resets_at: string;
  };
  posting_window: {
    open: boolean;
    outside_window: 'fail' | 'defer';
    /**
     * When it would go out; null when it would not.
     */
    publishes_at: string | null;
  };
  /**
   * The first time from then on that window and day limit allow; null when none does.
   */
  next_legal_at: string | null;
}
export interface SimulateScheduleOutput {
  /**
   * In the order of the request.
   */
  data: {
    /**
     * A connected social account (seed §2).
     */
    account_id: string;
    /**
     * Whether it would be accepted, and could be paid for when due.
     */
    valid: boolean;
    /**
     * Every reason why not: the code of a broken field, or of the problem that `POST /posts` would answer.
     */
    issues: {
      /**
       * JSON pointer into the request body, or the name of a parameter.
       */
      pointer: string;
      /**
       * A stable word for the rule that was broken.
       */
      code: string;
      /**
       * One sentence for a person.
       */
      detail: string;
    }[];
    /**
     * When it would be due, in UTC.
     */
    scheduled_at: string;
    /**
     * The same on the account's clock, with its offset: `2026-12-01T10:00:00+01:00`.
     */
    local_time: string;
    /**
     * IANA time zone, for example `Europe/Paris`.
     */
    time_zone: string;
    /**
     * Of each tweet, as the platform counts.
     */
    lengths: {
      length: number;
      max_length: number;
    }[];
    cost: {
      credits: number;
      contains_url: boolean;
    };
    credits: {
      /**
       * What would be left before it, after those due earlier.
       */
      available: number;
      sufficient: boolean;
    };
    daily_limit: {
      /**
       * The local day that it would count toward.
       */
      date: string;
      limit: number;
      /**
       * By others, those before it in this request included.
       */
      used: number;
      resets_at: string;
    };
    posting_window: {
      open: boolean;
      outside_window: 'fail' | 'defer';
      /**
       * When it would go out; null when it would not.
       */
      publishes_at: string | null;
    };
    /**
     * The first time from then on that window and day limit allow; null when none does.
     */
    next_legal_at: string | null;
  }[];
}
export interface AdvanceTestClockOutput {
  /**
   * How many posts were moved.
   */
  moved: number;
}
export interface ListPostEventsOutput {
  /**
   * The items of this page.
   */
  data: PostEvent[];
  /**
   * Whether there is another page.
   */
  has_more: boolean;
  /**
   * Hand it back as `cursor` for the next page.
   */
  next_cursor: string | null;
}
export interface PostEvent {
  id: string;
  /**
   * A post.
   */
  post_id: string;
  /**
   * Its number in the timeline, from 1, without gaps.
   */
  seq: number;
  type:
    | 'post.scheduled'
    | 'post.updated'
    | 'post.cancelled'
    | 'post.deferred'
    | 'post.publishing'
    | 'post.waiting'
    | 'post.outcome_unknown'
    | 'post.reconciled'
    | 'post.posted'
    | 'post.failed'
    | 'auto_retweet.scheduled'
    | 'auto_retweet.done'
    | 'auto_retweet.dropped'
    | 'auto_reply.sent'
    | 'auto_reply.skipped'
    | 'auto_reply.finished';
  /**
   * When it happened.
   */
  at: string;
  /**
   * What there is to say of it, by type.
   */
  data: {
    [k: string]: unknown;
  };
  /**
   * Covers this event and all before it; one that you kept proves that none was changed.
   */
  hash: string;
}
export interface ListAccountsOutput {
  data: Account[];
}
export interface Account {
  /**
   * A connected social account (seed §2).
   */
  account_id: string;
  platform: 'sandbox' | 'x' | 'bluesky' | 'mastodon';
  handle: string;
  display_name: string;
  /**
   * IANA time zone, for example `Europe/Paris`.
   */
  time_zone: string;
  posting_window: {
    /**
     * Local time of day, HH:MM.
     */
    opens: string;
    /**
     * The first minute outside; `24:00` is midnight.
     */
    closes: string | '24:00';
  };
  outside_window: 'fail' | 'defer';
  /**
   * The text of auto-replies that bring none.
   */
  reply_template: string | null;
  status: 'connected' | 'disconnected';
  created_at: string;
  daily_limit: {
    /**
     * Tweets that may be scheduled or posted on a local day.
     */
    limit: number;
    /**
     * Taken today.
     */
    used: number;
    /**
     * Left today.
     */
    remaining: number;
    /**
     * When the next local day begins.
     */
    resets_at: string;
  };
}
export interface Credits {
  /**
   * Credits owned, including those reserved.
   */
  balance: number;
  /**
   * Held by posts that are being sent; not charged yet.
   */
  reserved: number;
  /**
   * What a new post can use.
   */
  available: number;
  pricing: {
    /**
     * For a post, however long its thread.
     */
    per_post: number;
    /**
     * Once for a post that contains a URL.
     */
    url_surcharge: number;
  };
}
export interface ListCreditEntriesOutput {
  /**
   * The items of this page.
   */
  data: CreditEntry[];
  /**
   * Whether there is another page.
   */
  has_more: boolean;
  /**
   * Hand it back as `cursor` for the next page.
   */
  next_cursor: string | null;
}
export interface CreditEntry {
  id: string;
  kind: 'grant' | 'charge';
  /**
   * What the balance changed by; negative for a charge.
   */
  credits: number;
  /**
   * The balance right after it.
   */
  balance_after: number;
  /**
   * For a person.
   */
  reason: string;
  /**
   * The post that was charged for.
   */
  post_id: string | null;
  created_at: string;
}
export interface Media {
  /**
   * An uploaded or imported image or video.
   */
  id: string;
  /**
   * Told by the content.
   */
  type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'video/mp4' | 'video/quicktime';
  /**
   * How platforms count it.
   */
  kind: 'image' | 'gif' | 'video';
  /**
   * Its size.
   */
  bytes: number;
  /**
   * Of the stored bytes, which are the caller's, unchanged.
   */
  sha256: string;
  /**
   * In pixels; null where the content does not tell.
   */
  width: number | null;
  /**
   * In pixels.
   */
  height: number | null;
  /**
   * Of a video; null of anything else, or where the content does not tell.
   */
  duration_ms: number | null;
  /**
   * What it shows, for those who do not see it.
   */
  alt_text: string | null;
  /**
   * Where it was fetched from, when it was.
   */
  source_url: string | null;
  created_at: string;
}
export interface CreateWebhookEndpointOutput {
  /**
   * A webhook endpoint.
   */
  id: string;
  url: string;
  description: string;
  /**
   * The only ones to be sent; null: all.
   */
  events:
    | (
        | 'post.scheduled'
        | 'post.posted'
        | 'post.failed'
        | 'post.cancelled'
        | 'post.auto_replied'
        | 'post.auto_retweeted'
        | 'account.disconnected'
        | 'credits.low'
        | 'webhook_endpoint.disabled'
        | 'webhook.test'
      )[]
    | null;
  status: 'enabled' | 'disabled';
  /**
   * Why Perch has disabled it, if it has.
   */
  disabled_reason: string | null;
  created_at: string;
  /**
   * Verifies signatures, in the form of Standard Webhooks: `whsec_…`.
   */
  secret: string;
}
export interface ListWebhookEndpointsOutput {
  data: {
    /**
     * A webhook endpoint.
     */
    id: string;
    url: string;
    description: string;
    /**
     * The only ones to be sent; null: all.
     */
    events:
      | (
          | 'post.scheduled'
          | 'post.posted'
          | 'post.failed'
          | 'post.cancelled'
          | 'post.auto_replied'
          | 'post.auto_retweeted'
          | 'account.disconnected'
          | 'credits.low'
          | 'webhook_endpoint.disabled'
          | 'webhook.test'
        )[]
      | null;
    status: 'enabled' | 'disabled';
    /**
     * Why Perch has disabled it, if it has.
     */
    disabled_reason: string | null;
    created_at: string;
  }[];
}
export interface GetWebhookEndpointOutput {
  /**
   * A webhook endpoint.
   */
  id: string;
  url: string;
  description: string;
  /**
   * The only ones to be sent; null: all.
   */
  events:
    | (
        | 'post.scheduled'
        | 'post.posted'
        | 'post.failed'
        | 'post.cancelled'
        | 'post.auto_replied'
        | 'post.auto_retweeted'
        | 'account.disconnected'
        | 'credits.low'
        | 'webhook_endpoint.disabled'
        | 'webhook.test'
      )[]
    | null;
  status: 'enabled' | 'disabled';
  /**
   * Why Perch has disabled it, if it has.
   */
  disabled_reason: string | null;
  created_at: string;
}
export interface UpdateWebhookEndpointOutput {
  /**
   * A webhook endpoint.
   */
  id: string;
  url: string;
  description: string;
  /**
   * The only ones to be sent; null: all.
   */
  events:
    | (
        | 'post.scheduled'
        | 'post.posted'
        | 'post.failed'
        | 'post.cancelled'
        | 'post.auto_replied'
        | 'post.auto_retweeted'
        | 'account.disconnected'
        | 'credits.low'
        | 'webhook_endpoint.disabled'
        | 'webhook.test'
      )[]
    | null;
  status: 'enabled' | 'disabled';
  /**
   * Why Perch has disabled it, if it has.
   */
  disabled_reason: string | null;
  created_at: string;
}
export interface DeleteWebhookEndpointOutput {
  /**
   * A webhook endpoint.
   */
  id: string;
  url: string;
  description: string;
  /**
   * The only ones to be sent; null: all.
   */
  events:
    | (
        | 'post.scheduled'
        | 'post.posted'
        | 'post.failed'
        | 'post.cancelled'
        | 'post.auto_replied'
        | 'post.auto_retweeted'
        | 'account.disconnected'
        | 'credits.low'
        | 'webhook_endpoint.disabled'
        | 'webhook.test'
      )[]
    | null;
  status: 'enabled' | 'disabled';
  /**
   * Why Perch has disabled it, if it has.
   */
  disabled_reason: string | null;
  created_at: string;
}
export interface RotateWebhookSecretOutput {
  /**
   * A webhook endpoint.
   */
  id: string;
  url: string;
  description: string;
  /**
   * The only ones to be sent; null: all.
   */
  events:
    | (
        | 'post.scheduled'
        | 'post.posted'
        | 'post.failed'
        | 'post.cancelled'
        | 'post.auto_replied'
        | 'post.auto_retweeted'
        | 'account.disconnected'
        | 'credits.low'
        | 'webhook_endpoint.disabled'
        | 'webhook.test'
      )[]
    | null;
  status: 'enabled' | 'disabled';
  /**
   * Why Perch has disabled it, if it has.
   */
  disabled_reason: string | null;
  created_at: string;
  /**
   * Verifies signatures, in the form of Standard Webhooks: `whsec_…`.
   */
  secret: string;
}
export interface TestWebhookEndpointOutput {
  /**
   * A delivery to a webhook endpoint.
   */
  id: string;
  /**
   * A webhook endpoint.
   */
  endpoint_id: string;
  /**
   * The header `webhook-id`: the same in every attempt and replay.
   */
  event_id: string;
  type:
    | 'post.scheduled'
    | 'post.posted'
    | 'post.failed'
    | 'post.cancelled'
    | 'post.auto_replied'
    | 'post.auto_retweeted'
    | 'account.disconnected'
    | 'credits.low'
    | 'webhook_endpoint.disabled'
    | 'webhook.test';
  status: 'pending' | 'delivered' | 'failed';
  /**
   * The last ones, oldest first.
   */
  attempts: {
    at: string;
    /**
     * What the endpoint answered; null: nothing.
     */
    status_code: number | null;
    error: string | null;
    duration_ms: number;
  }[];
  /**
   * The body that is sent.
   */
  payload: {
    [k: string]: unknown;
  };
  created_at: string;
}
export interface ListWebhookDeliveriesOutput {
  /**
   * The items of this page.
   */
  data: {
    /**
     * A delivery to a webhook endpoint.
     */
    id: string;
    /**
     * A webhook endpoint.
     */
    endpoint_id: string;
    /**
     * The header `webhook-id`: the same in every attempt and replay.
     */
    event_id: string;
    type:
      | 'post.scheduled'
      | 'post.posted'
      | 'post.failed'
      | 'post.cancelled'
      | 'post.auto_replied'
      | 'post.auto_retweeted'
      | 'account.disconnected'
      | 'credits.low'
      | 'webhook_endpoint.disabled'
      | 'webhook.test';
    status: 'pending' | 'delivered' | 'failed';
    /**
     * The last ones, oldest first.
     */
    attempts: {
      at: string;
      /**
       * What the endpoint answered; null: nothing.
       */
      status_code: number | null;
      error: string | null;
      duration_ms: number;
    }[];
    /**
     * The body that is sent.
     */
    payload: {
      [k: string]: unknown;
    };
    created_at: string;
  }[];
  /**
   * Whether there is another page.
   */
  has_more: boolean;
  /**
   * Hand it back as `cursor` for the next page.
   */
  next_cursor: string | null;
}
export interface ReplayWebhookDeliveryOutput {
  /**
   * A delivery to a webhook endpoint.
   */
  id: string;
  /**
   * A webhook endpoint.
   */
  endpoint_id: string;
  /**
   * The header `webhook-id`: the same in every attempt and replay.
   */
  event_id: string;
  type:
    | 'post.scheduled'
    | 'post.posted'
    | 'post.failed'
    | 'post.cancelled'
    | 'post.auto_replied'
    | 'post.auto_retweeted'
    | 'account.disconnected'
    | 'credits.low'
    | 'webhook_endpoint.disabled'
    | 'webhook.test';
  status: 'pending' | 'delivered' | 'failed';
  /**
   * The last ones, oldest first.
   */
  attempts: {
    at: string;
    /**
     * What the endpoint answered; null: nothing.
     */
    status_code: number | null;
    error: string | null;
    duration_ms: number;
  }[];
  /**
   * The body that is sent.
   */
  payload: {
    [k: string]: unknown;
  };
  created_at: string;
}
export interface ListWebhookDeliveriesItem {
  /**
   * A delivery to a webhook endpoint.
   */
  id: string;
  /**
   * A webhook endpoint.
   */
  endpoint_id: string;
  /**
   * The header `webhook-id`: the same in every attempt and replay.
   */
  event_id: string;
  type:
    | 'post.scheduled'
    | 'post.posted'
    | 'post.failed'
    | 'post.cancelled'
    | 'post.auto_replied'
    | 'post.auto_retweeted'
    | 'account.disconnected'
    | 'credits.low'
    | 'webhook_endpoint.disabled'
    | 'webhook.test';
  status: 'pending' | 'delivered' | 'failed';
  /**
   * The last ones, oldest first.
   */
  attempts: {
    at: string;
    /**
     * What the endpoint answered; null: nothing.
     */
    status_code: number | null;
    error: string | null;
    duration_ms: number;
  }[];
  /**
   * The body that is sent.
   */
  payload: {
    [k: string]: unknown;
  };
  created_at: string;
}
export interface Problem {
  /**
   * A page about this kind of error.
   */
  type: string;
  /**
   * The kind of error, for a person.
   */
  title: string;
  /**
   * The status of the answer.
   */
  status: number;
  /**
   * One sentence for a person.
   */
  detail: string;
  /**
   * Stable; programs decide by it.
   */
  code: string;
  /**
   * Name it when you ask for help.
   */
  request_id: string;
  /**
   * Whether the identical request can succeed later.
   */
  retryable: boolean;
  /**
   * One entry per broken field.
   */
  errors?: {
    /**
     * JSON pointer into the request body, or the name of a parameter.
     */
    pointer: string;
    /**
     * A stable word for the rule that was broken.
     */
    code: string;
    /**
     * One sentence for a person.
     */
    detail: string;
  }[];
  [k: string]: unknown;
}
