import { z } from 'zod';
import { type ConnectorDeps, Later, type Replies, type Reply, type Session } from '../platform.ts';
import { bodyOf, readTimeoutMs, type XApi } from './api.ts';

const Id = z.string().regex(/^\d+$/);
const Mention = z.object({
  id: Id,
  author_id: z.string(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
});
const User = z.object({ id: z.string(), username: z.string(), name: z.string() });
const Page = z.object({
  data: z.array(Mention).default([]),
  includes: z.object({ users: z.array(User).default([]) }).optional(),
  meta: z.object({ next_token: z.string().optional() }).optional(),
});
type Page = z.infer<typeof Page>;

/** X shows the last 800 mentions. */
const maxPages = 8;

const pageItems = 100;

/**
 * Replies to posts of ours, from the account's mentions: only those may be answered, and a search would find
 * people who did not address us. The cursor is the newest mention's id. X does not say who is automated.
 */
export async function replies(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  to: { platformIds: string[]; cursor: string | null },
): Promise<Replies> {
  const ours = new Set(to.platformIds);
  const since = to.cursor ?? lowest(to.platformIds);
  if (since === null) return { replies: [], cursor: null };
  const mentions: Page['data'] = [];
  const users = new Map<string, z.infer<typeof User>>();
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const read = await readPage(deps, session, since, token);
    mentions.push(...read.data);
    for (const user of read.includes?.users ?? []) users.set(user.id, user);
    token = read.meta?.next_token;
    if (!token) break;
  }
  mentions.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const found = mentions.flatMap((mention): Reply[] => {
    const parent = mention.referenced_tweets?.find((one) => one.type === 'replied_to')?.id;
    const author = users.get(mention.author_id);
    if (!parent || !ours.has(parent) || !author) return [];
    return [
      {
        platform_id: mention.id,
        author_id: author.id,
        author: author.username,
        author_name: author.name,
        own: author.id === session.remoteId,
        bot: false,
      },
    ];
  });
  return { replies: found, cursor: mentions.at(-1)?.id ?? to.cursor };
}

async function readPage(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  since: string,
  token: string | undefined,
): Promise<Page> {
  const answer = await deps.api.call(
    session,
    {
      method: 'GET',
      path: `/2/users/${session.remoteId}/mentions`,
      bucket: 'mentions',
      query: {
        since_id: since,
        max_results: String(pageItems),
        'tweet.fields': 'author_id,conversation_id,referenced_tweets',
        expansions: 'author_id',
        'user.fields': 'username,name',
        ...(token && { pagination_token: token }),
      },
    },
    AbortSignal.timeout(readTimeoutMs),
  );
  const page = bodyOf(answer, Page, deps.clock());
  // Without the authors of what it lists, a page is not whole; the next round reads it again.
  if (page.data.length > 0 && !page.includes) throw new Later('X left out who wrote the replies');
  return page;
}

function lowest(ids: string[]): string | null {
  return ids.reduce<string | null>(
    (least, id) => (least === null || BigInt(id) < BigInt(least) ? id : least),
    null,
  );
}
