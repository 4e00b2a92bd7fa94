import { z } from 'zod';
import {
  type ConnectorDeps,
  Later,
  type Lookup,
  Revoked,
  type Sent,
  type Session,
  type Sought,
} from '../platform.ts';
import { readAs } from './as-account.ts';
import { appName } from './register-app.ts';
import { asItStands } from './rules.ts';
import { EntityId, Status, standingOf } from './status.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

/** How far an instance's clock may be behind ours. */
const skewMs = 30_000;
const pagePosts = 40;
/** An account that posts more than this meanwhile can not be read back. */
const maxPages = 10;

/** Reads the account's own posts back until before the send began; changes nothing. */
export async function lookUp(
  deps: Deps,
  session: Session,
  sought: Sought,
  sent: Sent,
): Promise<Lookup> {
  try {
    return sought.kind === 'repost'
      ? await lookUpBoost(deps, session, sought, sent)
      : await lookUpPost(deps, session, sought, sent);
  } catch (error) {
    if (error instanceof Later || error instanceof Revoked) return { kind: 'undecided' };
    throw error;
  }
}

async function lookUpBoost(
  deps: Deps,
  session: Session,
  { inReplyTo }: Sought,
  { startedMs }: Sent,
): Promise<Lookup> {
  const path = `/api/v1/statuses/${encodeURIComponent(inReplyTo ?? '')}`;
  const original = await readAs(deps, session, path, Status);
  // Without the original there is no boost of it.
  if (!original?.reblogged) return { kind: 'absent' };
  return { kind: 'found', ...standingOf(original), published_at_ms: startedMs };
}

async function lookUpPost(
  deps: Deps,
  session: Session,
  sought: Sought,
  sent: Sent,
): Promise<Lookup> {
  const sinceMs = sent.startedMs - skewMs;
  const posts = await ownPostsSince(deps, session, sinceMs);
  if (!posts) return { kind: 'undecided' };
  let doubtful = false;
  for (const status of posts) {
    if (!mayBe(status, sought, sent)) continue;
    const text = await sourceOf(deps, session, status.id);
    if (text === asItStands(sought.text)) return { kind: 'found', ...standingOf(status) };
    // A person may have edited it already, and an instance may not tell what was sent.
    doubtful ||= text === null || Boolean(status.edited_at);
  }
  return { kind: doubtful ? 'undecided' : 'absent' };
}

/** Posts of the account that were made since then, oldest first; null when there are too many to be read. */
async function ownPostsSince(
  deps: Deps,
  session: Session,
  sinceMs: number,
): Promise<Status[] | null> {
  const id = encodeURIComponent(session.remoteId.split('@')[0] ?? '');
  const found: Status[] = [];
  let before = '';
  for (let page = 0; page < maxPages; page += 1) {
    const path = `/api/v1/accounts/${id}/statuses?exclude_reblogs=true&limit=${pagePosts}${before}`;
    const statuses = await readAs(deps, session, path, Page);
    const oldest = statuses?.at(-1);
    if (!statuses) return null;
    found.unshift(...statuses.filter((one) => one.created_at >= sinceMs).reverse());
    if (!oldest || oldest.created_at < sinceMs) return found;
    before = `&max_id=${encodeURIComponent(oldest.id)}`;
  }
  return null;
}

const Page = z.array(Status).max(200);

/** Whether a post could be the send, by everything but its text. */
function mayBe(status: Status, sought: Sought, { others }: Sent): boolean {
  const { id, reblog, in_reply_to_id, media_attachments, application } = status;
  return (
    !others.has(id) &&
    !reblog &&
    (in_reply_to_id ?? null) === sought.inReplyTo &&
    media_attachments.length === sought.mediaCount &&
    (application == null || application.name === appName)
  );
}

/** The text as it was sent, which the HTML of a post does not tell; null where the instance does not either. */
async function sourceOf(deps: Deps, session: Session, id: string): Promise<string | null> {
  const path = `/api/v1/statuses/${encodeURIComponent(id)}/source`;
  const source = await readAs(deps, session, path, Source);
  return source ? source.text : null;
}

const Source = z.object({ id: EntityId, text: z.string() });
