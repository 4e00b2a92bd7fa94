import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import type { Media, MediaType } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';

/** An image or video; its bytes are in the storage under its id. */
export const MediaEntity = defineEntity({
  name: 'Media',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    status: p.text().$type<'pending' | 'receiving' | 'ready'>(),
    type: p.text().$type<MediaType>().nullable(),
    bytes: p.bigint('number').nullable(),
    sha256: p.text().nullable(),
    source_url: p.text().nullable(),
    width: p.integer().nullable(),
    height: p.integer().nullable(),
    duration_ms: p.integer().nullable(),
    alt_text: p.text().nullable(),
    created_at: p.datetime(),
  },
});
type StoredMedia = InferEntity<typeof MediaEntity>;

/** What is known of bytes when all of them have come. */
export type Received = Pick<
  Media,
  'type' | 'bytes' | 'sha256' | 'width' | 'height' | 'duration_ms'
>;

/** A place for bytes to come; an attempt that is made again finds the place of the one before, emptied. */
export async function pendingMedia(
  em: EntityManager,
  media: { id: string; user_id: string; source_url?: string },
  clock: Clock,
): Promise<void> {
  const { id, user_id, source_url = null } = media;
  await em.execute(
    `insert into media (id, user_id, status, source_url, created_at) values (?, ?, 'pending', ?, ?)
     on conflict (id) do update set status = 'pending', sha256 = null where media.status = 'receiving'`,
    [id, user_id, source_url, new Date(clock())],
  );
}

/** The tenant's media in the order asked; `not_found` names the first that is missing or another user's. */
export async function findMedia(
  em: EntityManager,
  tenant: Tenant,
  ids: string[],
): Promise<Media[]> {
  const rows = await em.find(MediaEntity, {
    id: { $in: ids },
    user_id: tenant.user_id,
    status: 'ready',
  });
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Fault('not_found', { detail: 'no such media', media_id: id });
    return toMedia(row);
  });
}

export function toMedia(row: StoredMedia): Media {
  const { id, type, bytes, sha256, created_at } = row;
  if (!type || bytes == null || !sha256) throw new Error(`media ${id} is not ready`);
  return {
    id,
    type,
    kind: kindOf(type),
    bytes,
    sha256,
    source_url: row.source_url ?? null,
    width: row.width ?? null,
    height: row.height ?? null,
    duration_ms: row.duration_ms ?? null,
    alt_text: row.alt_text ?? null,
    created_at: created_at.toISOString(),
  };
}

function kindOf(type: MediaType): Media['kind'] {
  if (type === 'image/gif') return 'gif';
  return type.startsWith('video/') ? 'video' : 'image';
}

/** One of the tenant's media, or `not_found`. */
export async function findOne(
  em: EntityManager,
  input: { tenant: Tenant; media_id: string },
): Promise<Media> {
  const row = await em.findOne(MediaEntity, {
    id: input.media_id,
    user_id: input.tenant.user_id,
    status: 'ready',
  });
  if (!row) throw new Fault('not_found', { detail: 'no such media', media_id: input.media_id });
  return toMedia(row);
}
