import type { FastifyInstance, FastifyRequest } from 'fastify';
import twitter from 'twitter-text';
import { z } from 'zod';
import { admit } from './admit.ts';
import { faultOf } from './faults.ts';
import { forbidden, invalid } from './problem.ts';
import { addressed, shown } from './shown.ts';
import { snowflake, type World, type XAccount, type XTweet } from './world.ts';

const Id = z.string().regex(/^\d{1,19}$/);
const NewTweet = z.strictObject({
  text: z.string().optional(),
  reply: z.strictObject({ in_reply_to_tweet_id: Id }).optional(),
  media: z.strictObject({ media_ids: z.array(Id).min(1) }).optional(),
});
const ListQuery = z.object({
  since_id: Id.optional(),
  max_results: z.coerce.number().int().min(5).max(100).default(10),
  pagination_token: z.string().optional(),
  'tweet.fields': z.string().default(''),
  'user.fields': z.string().default(''),
  expansions: z.string().default(''),
});
const OwnPath = z.object({ id: Id });

/** Tweets, retweets and the timelines that they are read back from. */
export function serveTweets(app: FastifyInstance, world: World): void {
  app.post('/2/tweets', async (request, reply) => {
    const author = admit(world, request, reply, { scope: 'tweet.write', bucket: 'tweet' });
    const asked = NewTweet.safeParse(request.body);
    if (!asked.success) throw invalid('The body can not be read.');
    const tweet = makeTweet(world, author, asked.data);
    return reply.code(201).send({ data: { ...shown(world, tweet, new Set()) } });
  });

  app.delete('/2/tweets/:id', async (request, reply) => {
    const author = admit(world, request, reply, { scope: 'tweet.write', bucket: 'delete' });
    const { id } = OwnPath.parse(request.params);
    const tweet = world.tweets.find((one) => one.id === id);
    if (tweet && tweet.author !== author)
      throw forbidden('You are not authorized to delete this Tweet.');
    world.tweets = world.tweets.filter((one) => one !== tweet && one.retweetOf !== tweet);
    return { data: { deleted: tweet !== undefined } };
  });

  app.get('/2/tweets', async (request, reply) => {
    admit(world, request, reply, { scope: 'tweet.read', bucket: 'lookup' });
    const ids = z.object({ ids: z.string() }).parse(request.query).ids.split(',');
    const found = world.tweets.filter((one) => ids.includes(one.id));
    const missing = ids.filter((id) => !found.some((one) => one.id === id));
    return {
      ...(found.length > 0 && { data: found.map((one) => shown(world, one, new Set())) }),
      ...(missing.length > 0 && { errors: missing.map(notFound) }),
    };
  });

  app.get('/2/users/me', async (request, reply) => {
    const { id, username, name } = admit(world, request, reply, {
      scope: 'users.read',
      bucket: 'me',
    });
    return { data: { id, username, name } };
  });

  app.post('/2/users/:id/retweets', async (request, reply) => {
    const author = admit(world, request, reply, { scope: 'tweet.write', bucket: 'retweet' });
    const { tweet_id } = z.strictObject({ tweet_id: Id }).parse(request.body);
    if (OwnPath.parse(request.params).id !== author.id)
      throw forbidden('You may only retweet for yourself.');
    const original = world.tweets.find((one) => one.id === tweet_id);
    if (!original) throw invalid('The tweet does not exist.', { tweet_id: [tweet_id] });
    const before = world.tweets.find((one) => one.author === author && one.retweetOf === original);
    const tweet = before ?? addTweet(world, { author, text: '', retweetOf: original });
    return { data: { rest_id: tweet.id, retweeted: true } };
  });

  app.get('/2/users/:id/tweets', async (request, reply) => {
    admit(world, request, reply, { scope: 'tweet.read', bucket: 'timeline' });
    const { id } = OwnPath.parse(request.params);
    return list(world, request, (tweet) => tweet.author.id === id);
  });

  app.get('/2/users/:id/mentions', async (request, reply) => {
    const me = admit(world, request, reply, { scope: 'tweet.read', bucket: 'mentions' });
    return list(world, request, (tweet) => tweet.retweetOf === null && isMentioned(me, tweet));
  });
}

/** Puts a tweet there, by whomever; X's rules are not asked. */
export function addTweet(
  world: World,
  tweet: Pick<XTweet, 'author' | 'text'> & Partial<XTweet>,
): XTweet {
  const madeMs = world.options.clock();
  const id = snowflake(madeMs);
  const { inReplyTo = null, retweetOf = null, mediaIds = [] } = tweet;
  const conversationId = inReplyTo?.conversationId ?? id;
  const made = { ...tweet, id, inReplyTo, retweetOf, mediaIds, conversationId, madeMs };
  world.tweets.push(made);
  return made;
}

function makeTweet(world: World, author: XAccount, asked: z.infer<typeof NewTweet>): XTweet {
  const { text = '', reply, media } = asked;
  const mediaIds = media?.media_ids ?? [];
  if (text.trim() === '' && mediaIds.length === 0)
    throw invalid('The text is required when no media are given.');
  const { weightedLength } = twitter.parseTweet(text);
  if (weightedLength > 280 || twitter.hasInvalidCharacters(text))
    throw forbidden('You are not permitted to perform this action: the text is not allowed.');
  checkMedia(world, author, mediaIds);
  const parentId = reply?.in_reply_to_tweet_id;
  const inReplyTo = world.tweets.find((one) => one.id === parentId) ?? null;
  if (parentId && !inReplyTo)
    throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  if (inReplyTo && inReplyTo.author !== author && !isMentioned(author, inReplyTo))
    throw forbidden(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  // X adds a URL of its own for media, so with media no two texts are the same to it.
  const same = (one: XTweet) =>
    one.author === author && one.text === text && one.inReplyTo === inReplyTo && !one.retweetOf;
  if (mediaIds.length === 0 && world.tweets.some((one) => same(one) && one.mediaIds.length === 0))
    throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  return addTweet(world, { author, text, inReplyTo, mediaIds });
}

function checkMedia(world: World, author: XAccount, ids: string[]): void {
  const now = world.options.clock();
  const bad = ids.filter((id) => {
    const media = world.media.get(id);
    return (
      !media || media.owner !== author.id || media.state !== 'succeeded' || media.expiresMs < now
    );
  });
  const images = ids.filter((id) => world.media.get(id)?.category === 'tweet_image').length;
  const isMixed = images > 4 || (ids.length > 1 && images < ids.length);
  if (bad.length > 0 || isMixed)
    throw invalid('Your media IDs are invalid.', { 'media.media_ids': isMixed ? ids : bad });
}

function isMentioned({ username }: XAccount, tweet: XTweet): boolean {
  return twitter.extractMentions(addressed(tweet)).includes(username);
}

function list(
  world: World,
  request: FastifyRequest,
  isListed: (tweet: XTweet) => boolean,
): Record<string, unknown> {
  const query = ListQuery.safeParse(request.query);
  if (!query.success) throw invalid('A parameter of the list can not be read.');
  const { since_id, max_results, pagination_token, expansions } = query.data;
  const { clock, readBackLagMs } = world.options;
  const isStale = faultOf(request)?.kind === 'stale';
  const visible = world.tweets
    .filter((one) => !isStale && one.madeMs + readBackLagMs <= clock() && isListed(one))
    .filter((one) => !since_id || BigInt(one.id) > BigInt(since_id))
    .reverse();
  const from = pagination_token ? visible.findIndex((one) => one.id === pagination_token) : 0;
  if (from < 0) throw invalid('The pagination token is not one.');
  const page = visible.slice(from, from + max_results);
  const next = visible[from + max_results];
  const fields = new Set(query.data['tweet.fields'].split(','));
  const authors = new Map(page.map(({ author }) => [author.id, author]));
  const users = [...authors.values()].map(({ id, username, name }) => ({ id, username, name }));
  return {
    ...(page.length > 0 && { data: page.map((one) => shown(world, one, fields)) }),
    ...(page.length > 0 && expansions.includes('author_id') && { includes: { users } }),
    meta: {
      result_count: page.length,
      ...(page.length > 0 && { newest_id: page[0]?.id, oldest_id: page.at(-1)?.id }),
      ...(next && { next_token: next.id }),
    },
  };
}

function notFound(id: string): Record<string, string> {
  return {
    value: id,
    detail: `Could not find tweet with ids: [${id}].`,
    title: 'Not Found Error',
    resource_type: 'tweet',
    parameter: 'ids',
    resource_id: id,
    type: 'https://api.twitter.com/2/problems/resource-not-found',
  };
}
