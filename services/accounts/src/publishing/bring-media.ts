import type { RejectionCode } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import type { SendingAccount } from '../entities.ts';
import type { OutgoingMedia, Session, Upload } from '../platforms/platform.ts';
import { platformOf } from '../platforms/platforms.ts';

/** The media of one tweet at the platform, or why they could not be brought there. Nothing is published by it. */
export type Brought =
  | { kind: 'there'; media: OutgoingMedia[] }
  | { kind: 'rejected'; code: RejectionCode; detail: string }
  | { kind: 'retry'; at_ms: number; detail: string };

interface Work {
  account: SendingAccount;
  session: Session;
  content: { user_id: string };
}

/** A file of the largest size over a slow line. */
const uploadTimeoutMs = 10 * 60_000;
/** An upload must live on for the send that attaches it. */
const spareMs = 60_000;

/** Brings media to the platform, each once per account for as long as the platform keeps it. */
export async function bringMedia(deps: Deps, work: Work, mediaIds: string[]): Promise<Brought> {
  const media: OutgoingMedia[] = [];
  for (const id of mediaIds) {
    const brought = await bring(deps, work, id);
    if (brought.kind !== 'there') return brought;
    media.push(...brought.media);
  }
  return { kind: 'there', media };
}

async function bring(deps: Deps, work: Work, id: string): Promise<Brought> {
  const tenant = { user_id: work.content.user_id, account_ids: null };
  const { url, ...source } = await deps.clients.media.source.query({ tenant, media_id: id });
  const [known] = await deps.db.execute<{ state: unknown; ref: string | null }>(
    'select state, ref from upload where account_id = ? and media_id = ? and expires_at > ?',
    [work.account.id, id, new Date(deps.clock() + spareMs)],
  );
  if (known?.ref) return { kind: 'there', media: [{ ...source, id, ref: known.ref }] };
  const upload: Upload = {
    media: { ...source, id },
    state: known?.state ?? null,
    save: (state, expiresAtMs) => keep(deps, work, { id, state, ref: null, expiresAtMs }),
    open: (fromByte) => openSource(url, fromByte),
  };
  const platform = platformOf(deps.platforms, work.account.platform);
  const result = await platform.uploadMedia(
    work.session,
    upload,
    AbortSignal.timeout(uploadTimeoutMs),
  );
  if (result.kind !== 'uploaded') return result;
  const { ref, expiresAtMs } = result;
  await keep(deps, work, { id, state: null, ref, expiresAtMs });
  return { kind: 'there', media: [{ ...source, id, ref }] };
}

async function keep(
  deps: Deps,
  work: Pick<Work, 'account'>,
  one: { id: string; state: unknown; ref: string | null; expiresAtMs: number },
): Promise<void> {
  await deps.db.execute(
    `insert into upload (account_id, media_id, state, ref, expires_at) values (?, ?, ?::jsonb, ?, ?)
     on conflict (account_id, media_id) do update set
       state = excluded.state, ref = excluded.ref, expires_at = excluded.expires_at`,
    [work.account.id, one.id, JSON.stringify(one.state), one.ref, new Date(one.expiresAtMs)],
  );
}

/** Forgets uploads that the platform no longer knows, so that the next attempt makes them again. */
export async function forgetUploads(
  deps: Pick<Deps, 'db'>,
  work: Pick<Work, 'account'>,
  media: OutgoingMedia[],
): Promise<void> {
  const ids = media.map((one) => one.id);
  await deps.db.execute('delete from upload where account_id = ? and media_id = any(?)', [
    work.account.id,
    ids,
  ]);
}

async function openSource(url: string, fromByte: number): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, { headers: { range: `bytes=${fromByte}-` } });
  if (!response.ok || !response.body) throw new Error(`media answered ${response.status}`);
  return response.body;
}
