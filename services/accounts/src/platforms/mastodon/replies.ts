import { z } from 'zod';
import type { ConnectorDeps, Replies, Reply, Session } from '../platform.ts';
import { readAs } from './as-account.ts';
import { EntityId, Status } from './status.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

const pageMentions = 40;
/** More than that is left for the next call. */
const maxPages = 5;

const Mention = z.object({
  id: EntityId,
  account: z.object({
    id: EntityId,
    acct: z.string().min(1).max(500),
    display_name: z.string().max(1_000).default(''),
    bot: z.boolean().nullish(),
  }),
  status: Status.nullish(),
});
type Mention = z.infer<typeof Mention>;
const Page = z.array(Mention).max(200);

/** Open mentions of the account that answer these posts of ours, oldest first; the cursor is the newest mention seen. */
export async function replies(
  deps: Deps,
  session: Session,
  to: { platformIds: string[]; cursor: string | null },
): Promise<Replies> {
  const mentions =
    to.cursor === null
      ? await mentionsSinceFirstPost(deps, session, to.platformIds)
      : await mentionsAfter(deps, session, to.cursor);
  const own = session.remoteId.split('@')[0];
  const ours = new Set(to.platformIds);
  return {
    replies: mentions.flatMap((mention) => replyOf(mention, ours, own)),
    cursor: mentions.at(-1)?.id ?? to.cursor,
  };
}

function replyOf(mention: Mention, ours: Set<string>, own: string | undefined): Reply[] {
  const { account, status } = mention;
  if (!status?.in_reply_to_id || !ours.has(status.in_reply_to_id)) return [];
  // Our answer would be public, and tell of what was said to few.
  if (status.visibility === 'direct' || status.visibility === 'private') return [];
  return [
    {
      platform_id: status.id,
      author_id: account.id,
      author: account.acct,
      author_name: account.display_name || account.acct,
      own: account.id === own,
      bot: account.bot ?? false,
    },
  ];
}

/** Without a cursor: back from now until before our first post, for ids of notifications tell no time. */
async function mentionsSinceFirstPost(
  deps: Deps,
  session: Session,
  platformIds: string[],
): Promise<Mention[]> {
  const [first] = platformIds;
  const path = `/api/v1/statuses/${encodeURIComponent(first ?? '')}`;
  const post = first === undefined ? null : await readAs(deps, session, path, Status);
  const found: Mention[] = [];
  let before = '';
  for (let page = 0; page < maxPages; page += 1) {
    const mentions = await readPage(deps, session, before);
    found.unshift(...mentions.toReversed());
    const oldest = mentions.at(-1);
    if (!oldest || mentions.length < pageMentions) break;
    if (post && oldest.status && oldest.status.created_at < post.created_at) break;
    before = `&max_id=${encodeURIComponent(oldest.id)}`;
  }
  return found;
}

async function mentionsAfter(deps: Deps, session: Session, cursor: string): Promise<Mention[]> {
  const found: Mention[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const after = found.at(-1)?.id ?? cursor;
    const mentions = await readPage(deps, session, `&min_id=${encodeURIComponent(after)}`);
    found.push(...mentions.toReversed());
    if (mentions.length < pageMentions) break;
  }
  return found;
}

/** One page, newest first. */
async function readPage(deps: Deps, session: Session, place: string): Promise<Mention[]> {
  const path = `/api/v1/notifications?types[]=mention&limit=${pageMentions}${place}`;
  return (await readAs(deps, session, path, Page)) ?? [];
}
