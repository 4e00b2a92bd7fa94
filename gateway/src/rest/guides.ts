import { faults } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { WebhookEventType } from '@perch/proto/webhooks';

const hours = (ms: number) => ms / 3_600_000;

/** The guides that stand before the operations at `/docs`; their numbers are those that the code goes by. */
export function guides(): string {
  return [
    `Scheduled social publishing. Every post goes out once, on time, or says exactly why not.

# Quickstart

Take an API key and an account from the dashboard (with \`npm start\`: from its first lines), then:

\`\`\`sh
export PERCH_KEY=perch_live_…
curl -s $PERCH_URL/api/v1/accounts -H "Authorization: Bearer $PERCH_KEY"
curl -s $PERCH_URL/api/v1/posts -H "Authorization: Bearer $PERCH_KEY" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: hello-1' \\
  -d '{"account_id":"acc_…","tweets":[{"text":"Hello"}],"publish_now":true}'
\`\`\`

\`\`\`ts
import { Perch } from '@perch/sdk';

const perch = new Perch({ baseUrl: process.env.PERCH_URL ?? '', apiKey: process.env.PERCH_KEY ?? '' });
const { data: [account] } = await perch.listAccounts();
const post = await perch.createPost({
  body: { account_id: account.account_id, tweets: [{ text: 'Hello' }], publish_now: true },
});
\`\`\`

A post goes from \`scheduled\` over \`publishing\` to \`posted\`, or to \`failed\` with a \`failure.code\`; \`GET /posts/{id}/events\`
tells each step. Ask \`POST /posts/validate\` to know before: it follows the very rules that creating and publishing follow.

# Threads

\`tweets\` is a thread, in order; each entry answers the one before. An account has room for ${limits.dailyTweets} tweets on each of
its local days, and every entry counts. A thread that breaks in the middle goes on at the tweet that is missing, and is
\`posted\` only when all stand. It costs what one post costs.

# Media

Upload an image or video by \`POST /media\` (multipart, the part \`file\`; up to ${limits.mediaBytes / 1_048_576} MiB) and name it in
\`tweets[].media_ids\`; or pass \`tweets[].media_urls\`, HTTPS, which are fetched once, when the post is created. The type is told by the
content. The bytes are never changed. Media that no post uses are deleted after a day.

\`\`\`sh
curl -s $PERCH_URL/api/v1/media -H "Authorization: Bearer $PERCH_KEY" -F file=@picture.png
\`\`\`

\`\`\`ts
const media = await perch.createMedia({ form: { file: await fs.openAsBlob('picture.png') } });
\`\`\`

# Safe to retry

Send an \`Idempotency-Key\` with everything that changes something (the SDK always does). The same key and request get the first
answer again, marked \`Idempotent-Replayed: true\`, for ${hours(limits.idempotencyKeptMs) / 24} days; another request with that key is a 422
\`idempotency_key_reused\`, and while the first is under way a 409 \`idempotency_in_flight\`. What was refused did nothing and leaves
the key free. A \`503\` did certainly nothing; after a \`504 outcome_unknown\`, or no answer at all, ask again with the same key.

\`If-Match\` with the \`ETag\` of a post makes a change conditional on the version that you saw.

# Webhooks

\`POST /webhook_endpoints\` has events sent to an HTTPS URL: ${WebhookEventType.options.map((type) => `\`${type}\``).join(', ')}.
Bodies are \`{type, timestamp, data}\`; deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com) has it:

\`\`\`ts
import { Webhook } from 'standardwebhooks';

// Over the bytes as they came, before any JSON is parsed.
const event = new Webhook(process.env.PERCH_WEBHOOK_SECRET).verify(rawBody, request.headers);
\`\`\`

\`\`\`sh
# Without a library: base64(HMAC-SHA256(base64-decoded secret after whsec_, "<webhook-id>.<webhook-timestamp>.<body>"))
printf '%s' "$WEBHOOK_ID.$WEBHOOK_TIMESTAMP.$BODY" | openssl dgst -sha256 -binary \\
  -mac HMAC -macopt "hexkey:$(printf '%s' "\${SECRET#whsec_}" | base64 -d | xxd -p -c 64)" | base64
\`\`\`

Every event is delivered **at least once, in no promised order**: keep \`webhook-id\` to drop what came twice, and go by \`data.seq\`
for the order within a post. Answer 2xx within 15 s; anything else, redirects too, is tried again after 5 s, 5 min, 30 min,
2, 5, 10, 14, 20 and 24 h. Then, or at once on \`410\`, the endpoint is disabled and your other endpoints are told. Each attempt is in
\`GET /webhook_endpoints/{id}/deliveries\`, and each delivery can be replayed. After \`rotate_secret\` both secrets sign for a day.

# Test mode

A \`perch_test_\` key sees only sandbox accounts and posts made with test keys, and is never charged. Texts force each failure:
\`[[sandbox:reject]]\`, \`[[sandbox:disconnect]]\`, \`[[sandbox:rate-limit]]\`, \`[[sandbox:unavailable]]\`, \`[[sandbox:unknown]]\`,
\`[[sandbox:timeout-before-send]]\`, \`[[sandbox:timeout-after-send]]\`, \`[[sandbox:insufficient-credits]]\`, \`[[sandbox:outside-window]]\`.
\`POST /test/clock/advance\` brings all scheduled test posts nearer.

# Limits

| what | limit |
|---|---|
| requests of one key | as \`RateLimit-Policy\` says on every answer; \`RateLimit\` tells what is left; after a 429 wait for \`Retry-After\` |
| active API keys | ${limits.activeApiKeys} per user |
| tweets | ${limits.dailyTweets} per account and local day |
| scheduling ahead | ${limits.scheduleAheadDays} days |
| \`auto_reply.max\`, \`auto_retweet.after_hours\` | ${limits.autoReplies}, ${limits.autoRetweetHours} |
| JSON bodies | ${limits.jsonBodyBytes / 1_048_576} MiB |
| webhook endpoints | ${limits.webhookEndpoints} per user |
| posts in one simulation | ${limits.simulatedPosts} |`,
    errorReference(),
  ].join('\n\n');
}

/** Every code, from the table of faults. */
function errorReference(): string {
  const rows = Object.entries(faults)
    .filter(([code]) => code !== 'client_closed_request')
    .map(([code, { status, title, retryable }]) => {
      return `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : 'no'} |`;
    })
    .sort();
  return `# Errors

Every failure is a problem by RFC 9457, \`application/problem+json\`: \`code\` is stable and what programs go by, \`detail\` is for a
person, \`errors[]\` names each broken field by its JSON pointer, \`request_id\` is for asking us. \`retryable\` says whether the
identical request can succeed later; then \`Retry-After\` says when.

| status | code | meaning | the same again later |
|---|---|---|---|
${rows.join('\n')}`;
}
