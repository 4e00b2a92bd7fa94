import { Fault } from '@perch/proto/faults';
import type { PostContent } from '@perch/proto/posts';
import type { Deps } from '../deps.ts';
import { PostEntity } from '../post.ts';

/** What accounts is to send; only a post that is being or was sent has any. */
export async function content(deps: Deps, input: { post_id: string }): Promise<PostContent> {
  const post = await deps.db.fork().findOne(PostEntity, { id: input.post_id });
  if (!post || (post.status !== 'publishing' && post.status !== 'posted'))
    throw new Fault('not_found');
  return {
    user_id: post.user_id,
    account_id: post.account_id,
    tweets: post.tweets,
    auto_reply_text: post.auto_reply?.text ?? null,
  };
}
