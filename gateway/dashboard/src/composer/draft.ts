import type { NewPost, Post, PostPatch } from '@perch/proto/posts';

/** A media file of a draft, from choosing it to its being kept. */
export interface DraftMedia {
  key: string;
  name: string;
  /** What shows it: an address of this page's own, or of the stored content. */
  preview: string;
  kind: 'image' | 'video';
  state:
    | { is: 'uploading'; progress: number }
    | { is: 'kept'; mediaId: string }
    | { is: 'refused'; why: string };
}

/** A tweet that is being written. */
export interface DraftTweet {
  key: string;
  text: string;
  media: DraftMedia[];
}

/** A post that is being written. */
export interface Draft {
  accountId: string;
  tweets: DraftTweet[];
  /** Publish at once instead of at `at`. */
  now: boolean;
  /** The due time as a `datetime-local` field has it, on the account's clock. */
  at: string;
  autoReply: { enabled: boolean; max: number; text: string };
  autoRetweet: { enabled: boolean; afterHours: number };
}

let keys = 0;

/** A tweet with this text, and a key of its own. */
export function newTweet(text = '', media: DraftMedia[] = []): DraftTweet {
  keys += 1;
  return { key: `tweet-${keys}`, text, media };
}

/** An empty draft. */
export function emptyDraft(accountId: string, at: string): Draft {
  return {
    accountId,
    tweets: [newTweet()],
    now: false,
    at,
    autoReply: { enabled: false, max: 10, text: '' },
    autoRetweet: { enabled: false, afterHours: 24 },
  };
}

/** A draft that says what a stored post says. */
export function draftOf(post: Post, at: string): Draft {
  return {
    accountId: post.account_id,
    tweets: post.tweets.map(({ text, media_ids }) => newTweet(text, media_ids.map(keptMedia))),
    now: false,
    at,
    ...followUpsOf(post),
  };
}

/** The follow-ups of a stored post or a preset, as the composer edits them. */
export function followUpsOf(
  from: Pick<Post, 'auto_reply' | 'auto_retweet'>,
): Pick<Draft, 'autoReply' | 'autoRetweet'> {
  return {
    autoReply: {
      enabled: from.auto_reply?.enabled ?? false,
      max: from.auto_reply?.max ?? 10,
      text: from.auto_reply?.text ?? '',
    },
    autoRetweet: {
      enabled: from.auto_retweet?.enabled ?? false,
      afterHours: from.auto_retweet?.after_hours ?? 24,
    },
  };
}

/** Whether every tweet says or shows something, and nothing is still on its way. */
export function isReady(draft: Draft): boolean {
  return draft.tweets.every(
    ({ text, media }) =>
      (text.trim() !== '' || media.some(({ state }) => state.is === 'kept')) &&
      media.every(({ state }) => state.is !== 'uploading'),
  );
}

/** The request that the draft stands for; null while no time is given. */
export function newPostOf(draft: Draft, atMs: number | null): NewPost | null {
  if (!draft.now && atMs === null) return null;
  return {
    account_id: draft.accountId,
    tweets: tweetsOf(draft),
    ...(draft.now || atMs === null
      ? { publish_now: true }
      : { scheduled_at: new Date(atMs).toISOString() }),
    ...(draft.autoReply.enabled && { auto_reply: autoReplyOf(draft) }),
    ...(draft.autoRetweet.enabled && { auto_retweet: autoRetweetOf(draft) }),
  };
}

/** What changes about a stored post when it is to be as the draft. */
export function patchOf(draft: Draft, atMs: number): PostPatch {
  return {
    tweets: tweetsOf(draft),
    scheduled_at: new Date(atMs).toISOString(),
    auto_reply: draft.autoReply.enabled ? autoReplyOf(draft) : null,
    auto_retweet: draft.autoRetweet.enabled ? autoRetweetOf(draft) : null,
  };
}

/** The auto-reply that the draft asks for. */
export function autoReplyOf({ autoReply: { enabled, max, text } }: Draft) {
  return { enabled, max, ...(text.trim() && { text }) };
}

/** The auto-retweet that the draft asks for. */
export function autoRetweetOf({ autoRetweet }: Draft) {
  return { enabled: autoRetweet.enabled, after_hours: autoRetweet.afterHours };
}

function tweetsOf(draft: Draft): NewPost['tweets'] {
  return draft.tweets.map(({ text, media }) => {
    const ids = media.flatMap(({ state }) => (state.is === 'kept' ? [state.mediaId] : []));
    return { text, ...(ids.length > 0 && { media_ids: ids }) };
  });
}

function keptMedia(mediaId: string): DraftMedia {
  const preview = `/app/media/${encodeURIComponent(mediaId)}/content`;
  return { key: mediaId, name: '', preview, kind: 'image', state: { is: 'kept', mediaId } };
}
