import type { Deps } from '../deps.ts';
import { PostEntity } from '../post.ts';

/** Posts woken at once; those beyond look again by themselves. */
const maxWoken = 1_000;

/** The account may send again: what waits for it looks at once, and is held again only by what still holds it. */
export async function released(
  deps: Pick<Deps, 'db' | 'arming'>,
  input: { account_id: string },
): Promise<void> {
  const where = {
    account_id: input.account_id,
    status: 'scheduled' as const,
    held_until: { $ne: null },
  };
  const em = deps.db.fork();
  const posts = await em.find(PostEntity, where, { orderBy: { id: 'asc' }, limit: maxWoken });
  await em.nativeUpdate(
    PostEntity,
    { ...where, id: { $in: posts.map(({ id }) => id) } },
    { held_until: null },
  );
  for (const post of posts) deps.arming.wake(post);
}
