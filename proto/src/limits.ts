/** Every number that a user can run into, in one place. Units are in the names. */
export const limits = {
  /** Active API keys per user (seed §5). */
  activeApiKeys: 5,
  /** Tweets scheduled or posted per account per local day (seed §8). */
  dailyTweets: 7,
  /** Entries of `tweets` in one post, a thread in order (design). */
  tweetsPerPost: 25,
  /** A bound on any text before the platform's own, shorter rule applies. */
  textChars: 10_000,
  /** Media on one tweet before the platform's own rule applies. */
  mediaPerTweet: 10,
  /** Length of a media URL. */
  urlChars: 2_048,
  /** How far ahead a post may be scheduled. */
  scheduleAheadDays: 366,
  /** auto_reply.max (design). */
  autoReplies: 100,
  /** auto_retweet.after_hours (design). */
  autoRetweetHours: 168,
  /** The shortest and the longest password. */
  passwordChars: 10,
  passwordMaxChars: 200,
  /** API requests of a user that the log keeps, and how many the gateway tells at a time. */
  loggedRequests: 100,
  recordedRequests: 500,
  /** Saved post templates per user. */
  presets: 100,
  /** Local days whose use can be asked for at once: the weeks of a month. */
  dayUses: 62,
  /** Days in the chart of credits. */
  creditDays: 366,
  /** Webhook endpoints per user. */
  webhookEndpoints: 10,
  /** Posts in one `POST /schedule/simulate`. */
  simulatedPosts: 50,
  /** How long the result of an Idempotency-Key is kept: 7 days. */
  idempotencyKeptMs: 604_800_000,
  /** Items on one page of a list, and how many without being asked. */
  pageItems: 100,
  defaultPageItems: 20,
  /** A JSON request body at the gateway. */
  jsonBodyBytes: 1_048_576,
  /** The largest media file that is taken in: X's video limit. */
  mediaBytes: 536_870_912,
  /** Characters of an alt text: X's limit. */
  altTextChars: 1_000,
  /** Redirects followed when fetching a media URL. */
  mediaRedirects: 3,
  /** The whole fetch of a media URL, from the first look-up to the last byte. */
  mediaFetchTimeoutMs: 60_000,
  /** Calls that one service process answers at the same time; more are refused at once. */
  concurrentCalls: 256,
  /** A call between services, unless the caller has less time left. */
  callTimeoutMs: 5_000,
  /** A request at the gateway, from the last header to the answer. */
  requestTimeoutMs: 10_000,
} as const;
