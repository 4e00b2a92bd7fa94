import twitter from 'twitter-text';
import type { World, XTweet } from './world.ts';

/** A tweet as X shows it: escaped, its URLs shortened, one more for its media, those who are answered in front. */
export function shown(world: World, tweet: XTweet, fields: Set<string>): Record<string, unknown> {
  const urls: { url: string; expanded_url: string; media_key?: string }[] = [];
  let text = '';
  let end = 0;
  const full = addressed(tweet).normalize('NFC').trim();
  for (const [at, { url, indices }] of twitter.extractUrlsWithIndices(full).entries()) {
    const short = `https://t.co/${tweet.id.slice(-8)}${at}`;
    urls.push({ url: short, expanded_url: /^https?:/i.test(url) ? url : `http://${url}` });
    text += escaped(full.slice(end, indices[0])) + short;
    end = indices[1];
  }
  text += escaped(full.slice(end));
  const [firstMedia] = tweet.mediaIds;
  if (firstMedia) {
    const kind = world.media.get(firstMedia)?.category === 'tweet_video' ? 'video' : 'photo';
    const expanded_url = `https://x.com/${tweet.author.username}/status/${tweet.id}/${kind}/1`;
    const url = `https://t.co/m${tweet.id.slice(-8)}`;
    urls.push({ url, expanded_url, media_key: `3_${firstMedia}` });
    text = `${text} ${url}`.trim();
  }
  const refer = (type: string, to: XTweet | null) => (to ? [{ type, id: to.id }] : []);
  const referenced = [
    ...refer('replied_to', tweet.inReplyTo),
    ...refer('retweeted', tweet.retweetOf),
  ];
  const all: Record<string, unknown> = {
    author_id: tweet.author.id,
    conversation_id: tweet.conversationId,
    created_at: new Date(tweet.madeMs).toISOString(),
    in_reply_to_user_id: tweet.inReplyTo?.author.id,
    ...(urls.length > 0 && { entities: { urls: urls.map((url) => placed(text, url)) } }),
    ...(referenced.length > 0 && { referenced_tweets: referenced }),
    ...(tweet.mediaIds.length > 0 && {
      attachments: { media_keys: tweet.mediaIds.map((id) => `3_${id}`) },
    }),
  };
  const asked = Object.entries(all).filter(([name]) => fields.has(name));
  return { id: tweet.id, text, edit_history_tweet_ids: [tweet.id], ...Object.fromEntries(asked) };
}

/** A text with whoever it answers in front, as X puts it for replies to others. */
export function addressed({ text, author, inReplyTo, retweetOf }: XTweet): string {
  if (retweetOf) return `RT @${retweetOf.author.username}: ${retweetOf.text}`;
  if (!inReplyTo || inReplyTo.author === author) return text;
  const handle = `@${inReplyTo.author.username}`;
  return text.startsWith(handle) ? text : `${handle} ${text}`;
}

/** X counts code points. */
function placed<T extends { url: string }>(
  text: string,
  url: T,
): T & { start: number; end: number } {
  const start = [...text.slice(0, text.indexOf(url.url))].length;
  return { start, end: start + url.url.length, ...url };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
