import { z } from 'zod';
import { type ConnectorDeps, Later, type Replies, type Reply, type Session } from '../platform.ts';
import { call, settled } from './api.ts';
import { readRecord, readUri } from './records.ts';

/** Notifications on one page, and pages in one round: more than anyone gets between two rounds. */
const pageItems = 100;
const maxPages = 10;
/** Notifications come in a little out of order; those of so long ago are looked at again. */
const overlapMs = 600_000;
const maxSeen = 500;

/**
 * Who answered these posts, or mentioned us in their threads, since the last call: from our notifications, which
 * the network's index makes. Throws `Later` and `Revoked`.
 */
export async function replies(
  deps: ConnectorDeps,
  session: Session,
  to: { platformIds: string[]; cursor: string | null },
): Promise<Replies> {
  const [first] = to.platformIds;
  if (!first) return { replies: [], cursor: to.cursor };
  const last = to.cursor === null ? null : readCursor(to.cursor);
  const since = last ?? { sinceMs: await publishedMs(deps, session, first), seen: [] };
  const fromMs = since.sinceMs - overlapMs;
  const found: Notification[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { notifications, cursor: next } = await readPage(deps, session, cursor);
    found.push(...notifications.filter(({ indexedAt }) => Date.parse(indexedAt) >= fromMs));
    cursor = next;
    const oldest = notifications.at(-1);
    if (!next || !oldest || Date.parse(oldest.indexedAt) < fromMs) break;
  }
  const ours = found.filter((one) => isOurs(one, to.platformIds)).toReversed();
  const times = found.map(({ indexedAt }) => Date.parse(indexedAt));
  return {
    replies: ours
      .filter(({ uri }) => !since.seen.includes(uri))
      .map((one) => toReply(one, session)),
    cursor: writeCursor({
      sinceMs: Math.max(since.sinceMs, ...times),
      seen: [...new Set([...since.seen, ...ours.map(({ uri }) => uri)])].slice(-maxSeen),
    }),
  };
}

const Post = z.object({
  reply: z.object({ root: z.object({ uri: z.string() }), parent: z.object({ uri: z.string() }) }),
});
const Notification = z.object({
  uri: z.string(),
  reason: z.string(),
  indexedAt: z.iso.datetime({ offset: true }),
  author: z.object({
    did: z.string(),
    handle: z.string(),
    displayName: z.string().optional(),
    labels: z.array(z.object({ val: z.string() })).default([]),
  }),
  record: z.unknown(),
});
type Notification = z.infer<typeof Notification>;
const Page = z.object({
  notifications: z.array(z.unknown()).transform((all) =>
    // What one stranger wrote must not hide the others.
    all.flatMap((one) => Notification.safeParse(one).data ?? []),
  ),
  cursor: z.string().optional(),
});

async function readPage(
  deps: ConnectorDeps,
  session: Session,
  cursor: string | undefined,
): Promise<z.infer<typeof Page>> {
  const answer = settled(
    await call(deps, session, {
      nsid: 'app.bsky.notification.listNotifications',
      params: {
        reasons: ['reply', 'mention'],
        limit: String(pageItems),
        ...(cursor !== undefined && { cursor }),
      },
      answer: Page,
    }),
  );
  if (answer.kind === 'ok') return answer.body;
  throw new Later(`notifications can not be read: ${answer.detail}`);
}

async function publishedMs(deps: ConnectorDeps, session: Session, uri: string): Promise<number> {
  const at = readUri(uri);
  const answer = at && settled(await readRecord(deps, session, at));
  const createdMs = Date.parse((answer?.kind === 'ok' && answer.body?.value.createdAt) || '');
  return Number.isNaN(createdMs) ? deps.clock() : createdMs;
}

function isOurs({ reason, record }: Notification, platformIds: string[]): boolean {
  const post = Post.safeParse(record).data;
  if (!post) return false;
  const { parent, root } = post.reply;
  return platformIds.includes(reason === 'mention' ? root.uri : parent.uri);
}

function toReply({ uri, author }: Notification, session: Session): Reply {
  return {
    platform_id: uri,
    author_id: author.did,
    author: author.handle,
    author_name: author.displayName || author.handle,
    own: author.did === session.remoteId,
    bot: author.labels.some(({ val }) => val === 'bot'),
  };
}

const Cursor = z.object({ sinceMs: z.number(), seen: z.array(z.string()) });

function readCursor(text: string): z.infer<typeof Cursor> {
  return Cursor.parse(JSON.parse(text));
}

function writeCursor(cursor: z.infer<typeof Cursor>): string {
  return JSON.stringify(cursor);
}
