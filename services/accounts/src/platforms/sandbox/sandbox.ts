import { setTimeout } from 'node:timers/promises';
import type { SandboxPost } from '@perch/proto/accounts';
import { type Clock, toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type {
  Lookup,
  Outgoing,
  Platform,
  SendResult,
  Session,
  Sought,
  Standing,
} from '../platform.ts';
import { capabilities, review } from '../x/rules.ts';

/** The built-in platform for trying Perch out: it takes everything, and fails on demand (see README.md). */
export function createSandbox(deps: { db: Database; clock: Clock }): Platform {
  return {
    capabilities,
    connection: null,
    sendTimeoutMs: 5_000,
    readBackLagMs: 0,
    review,
    uploadMedia: async (_, { media }) => ({
      kind: 'uploaded',
      ref: media.id,
      expiresAtMs: deps.clock() + keptMs,
    }),
    send: (session, outgoing, signal) => send(deps, session, outgoing, signal),
    lookUp: (session, sought) => lookUp(deps, session, sought),
    stands: async (_, ref) => {
      const rows = await deps.db.execute<{ text: string }>(
        'select text from sandbox_post where ref = ?',
        [ref],
      );
      return rows.some((row) => !asks(row.text, 'deleted'));
    },
    replies: async (session, { platformIds }) => {
      const rows = await deps.db.execute<{ ref: string; author: string }>(
        "select ref, author from sandbox_post where kind = 'reply' and in_reply_to = any(?) order by ref",
        [platformIds],
      );
      const replies = rows.map(({ ref, author }) => ({
        platform_id: ref,
        author_id: author,
        author,
        author_name: author,
        own: author === session.handle,
        bot: false,
      }));
      return { replies, cursor: null };
    },
    delete: async (_, ref) => {
      await deps.db.execute('delete from sandbox_post where ref = ?', [ref]);
    },
  };
}

/** As if the sandbox kept an upload for a day. */
const keptMs = 86_400_000;
const retryMs = 2_000;
const slowMs = 3_000;
/** Longer than anybody tries. */
const unavailableMs = 400 * 86_400_000;

/** Whether a text asks for that behaviour, like a test card of a payment API. */
function asks(text: string, behaviour: string): boolean {
  return text.includes(`[[sandbox:${behaviour}]]`);
}

async function send(
  deps: { db: Database; clock: Clock },
  session: Session,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<SendResult> {
  const { text, attempt } = outgoing;
  if (!session.credentials.startsWith('sandbox-') || asks(text, 'disconnect')) {
    return {
      kind: 'rejected',
      code: 'account_disconnected',
      detail: 'the sandbox no longer accepts the token',
    };
  }
  if (asks(text, 'reject')) {
    return { kind: 'rejected', code: 'platform_rejected', detail: 'the sandbox rejects this text' };
  }
  if (asks(text, 'rate-limit') && attempt === 1) {
    return { kind: 'retry', at_ms: deps.clock() + retryMs, detail: 'the sandbox is rate limited' };
  }
  if (asks(text, 'unavailable')) {
    const at_ms = deps.clock() + unavailableMs;
    return { kind: 'retry', at_ms, detail: 'the sandbox is away for a long time' };
  }
  if (asks(text, 'slow')) await setTimeout(slowMs, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return { kind: 'unknown', detail: 'no answer in time' };
  if (asks(text, 'timeout-before-send') && attempt === 1) {
    return { kind: 'unknown', detail: 'the connection broke before an answer' };
  }
  const standing = await take(deps, session, outgoing);
  if ((asks(text, 'timeout-after-send') && attempt === 1) || asks(text, 'unknown')) {
    return { kind: 'unknown', detail: 'the connection broke before an answer' };
  }
  return { kind: 'published', ...standing };
}

/** Puts a post on the feed. It never looks whether it is there already: a double send would be seen. */
async function take(
  deps: { db: Database; clock: Clock },
  session: Session,
  outgoing: Outgoing,
): Promise<Standing> {
  const ref = await insert(deps, session, { ...outgoing, author: session.handle });
  if (outgoing.kind === 'post') await makeReplies(deps, session, ref, outgoing.text);
  return standing(session, ref, deps.clock());
}

/** `[[sandbox:replies:3]]`: so many people reply at once; the first does so twice, and so does the account itself. */
async function makeReplies(
  deps: { db: Database; clock: Clock },
  session: Session,
  ref: string,
  text: string,
): Promise<void> {
  const count = Number(/\[\[sandbox:replies:(\d{1,3})\]\]/.exec(text)?.[1] ?? 0);
  if (count === 0) return;
  const people = Array.from({ length: count }, (_, index) => `fan_${index + 1}`);
  for (const author of [...people, 'fan_1', session.handle]) {
    const reply = {
      kind: 'reply' as const,
      text: 'Nice!',
      media: [],
      inReplyTo: ref,
      key: null,
      author,
    };
    await insert(deps, session, reply);
  }
}

async function insert(
  deps: { db: Database; clock: Clock },
  session: Session,
  post: Pick<Outgoing, 'kind' | 'text' | 'inReplyTo'> & {
    media: { id: string }[];
    key: string | null;
    author: string;
  },
): Promise<string> {
  const ref = `${String(deps.clock()).padStart(14, '0')}${String(nextInProcess()).padStart(6, '0')}${crypto.randomUUID().slice(0, 8)}`;
  const media = JSON.stringify(post.media.map((one) => one.id));
  await deps.db.execute(
    `insert into sandbox_post (ref, account_id, author, kind, text, media, in_reply_to, attempt_key, created_at)
     values (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?)`,
    [
      ref,
      session.accountId,
      post.author,
      post.kind,
      post.text,
      media,
      post.inReplyTo,
      post.key,
      new Date(deps.clock()),
    ],
  );
  return ref;
}

let issued = 0;

/** Keeps posts of one millisecond in order. */
function nextInProcess(): number {
  issued = (issued + 1) % 1_000_000;
  return issued;
}

async function lookUp(
  deps: { db: Database; clock: Clock },
  session: Session,
  sought: Sought,
): Promise<Lookup> {
  if (asks(sought.text, 'unknown')) return { kind: 'undecided' };
  const [row] = await deps.db.execute<{ ref: string; created_at: string }>(
    'select ref, created_at from sandbox_post where attempt_key = ? order by ref limit 1',
    [sought.key],
  );
  if (!row) return { kind: 'absent' };
  return { kind: 'found', ...standing(session, row.ref, Date.parse(row.created_at)) };
}

function standing(session: Session, ref: string, atMs: number): Standing {
  return { platform_id: ref, url: postUrl(session.handle, ref), published_at_ms: atMs };
}

/** Where a post would stand if the sandbox were a site. */
function postUrl(handle: string, ref: string): string {
  return `https://sandbox.perch.example/${handle}/${ref}`;
}

/** The public feed of an account, newest first. */
export async function sandboxFeed(db: Database, account: { id: string }): Promise<SandboxPost[]> {
  const rows = await db.execute<FeedRow>(
    `select ref, account_id, author, kind, text, media, in_reply_to, created_at from sandbox_post
     where account_id = ? order by ref desc limit 1000`,
    [account.id],
  );
  return rows.map(({ author, ...row }) => ({
    ...row,
    url: postUrl(author, row.ref),
    created_at: toIso(Date.parse(row.created_at)),
  }));
}

type FeedRow = Omit<SandboxPost, 'url'> & { author: string };
