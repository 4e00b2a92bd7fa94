import type { NewPost, PostPatch } from '@perch/proto/posts';

/** What can follow a post; both need a paid plan (seed §1). */
export type FollowUpName = 'auto_reply' | 'auto_retweet';

/** What of it is switched on there. */
export function followUpsOf(
  post: Pick<NewPost | PostPatch, 'auto_reply' | 'auto_retweet'>,
): FollowUpName[] {
  return (['auto_reply', 'auto_retweet'] as const).filter((name) => post[name]?.enabled);
}
