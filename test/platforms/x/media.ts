import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { admit } from './admit.ts';
import { invalid } from './problem.ts';
import { sha256, snowflake, type World, type XAccount, type XMedia } from './world.ts';

const kinds: Record<string, { types: string[]; maxBytes: number }> = {
  tweet_image: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 5_000_000 },
  tweet_gif: { types: ['image/gif'], maxBytes: 15_000_000 },
  tweet_video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 536_870_912 },
};
const maxSegmentBytes = 5_000_000;

const Initialize = z.strictObject({
  media_type: z.string(),
  total_bytes: z.number().int().positive(),
  media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video']),
});
const Metadata = z.strictObject({
  id: z.string(),
  metadata: z.strictObject({ alt_text: z.strictObject({ text: z.string().min(1).max(1_000) }) }),
});
const scope = 'media.write';

/** Media in pieces, in one piece, and what is said of them. What is wrong with a file shows here, as at X. */
export function serveMedia(app: FastifyInstance, world: World): void {
  app.post('/2/media/upload/initialize', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media' });
    const asked = Initialize.safeParse(request.body);
    if (!asked.success) throw invalid('The upload can not be initialized so.');
    const { media_type: type, total_bytes: totalBytes, media_category: category } = asked.data;
    return { data: described(world, newMedia(world, owner, { type, totalBytes, category })) };
  });

  app.post('/2/media/upload/:id/append', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media-append' });
    const media = openMedia(world, owner, request.params);
    const form = await formOf(request.headers['content-type'] ?? '', request.body);
    const index = Number(form.get('segment_index') ?? Number.NaN);
    const file = form.get('media');
    if (!Number.isInteger(index) || index < 0 || index > 999 || !(file instanceof Blob))
      throw invalid('A segment has an index from 0 to 999 and its bytes.');
    if (file.size > maxSegmentBytes) throw invalid('The segment is too large.');
    media.segments.set(index, Buffer.from(await file.arrayBuffer()));
    return { data: { expires_at: Math.floor(media.expiresMs / 1_000) } };
  });

  app.post('/2/media/upload/:id/finalize', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media' });
    const media = openMedia(world, owner, request.params);
    take(world, media);
    return { data: described(world, media) };
  });

  app.get('/2/media/upload', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media-status' });
    const query = z
      .object({ command: z.literal('STATUS'), media_id: z.string() })
      .parse(request.query);
    const media = ownMedia(world, owner, query.media_id);
    if (media.state === 'pending' || media.state === 'in_progress') {
      media.looksLeft -= 1;
      const ended = world.options.processingFails ? 'failed' : 'succeeded';
      media.state = media.looksLeft > 0 ? 'in_progress' : ended;
    }
    return { data: described(world, media) };
  });

  app.post('/2/media/upload', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media' });
    const form = await formOf(request.headers['content-type'] ?? '', request.body);
    const file = form.get('media');
    if (form.get('media_category') !== 'tweet_image' || !(file instanceof Blob))
      throw invalid('Only images are taken in one piece.');
    const one = { type: file.type, totalBytes: file.size, category: 'tweet_image' };
    const media = newMedia(world, owner, one);
    media.segments.set(0, Buffer.from(await file.arrayBuffer()));
    take(world, media);
    return { data: described(world, media) };
  });

  app.post('/2/media/metadata', async (request, reply) => {
    const owner = admit(world, request, reply, { scope, bucket: 'media-metadata' });
    const asked = Metadata.safeParse(request.body);
    if (!asked.success) throw invalid('The metadata can not be read.');
    const media = ownMedia(world, owner, asked.data.id);
    if (media.category === 'tweet_video') throw invalid('A video takes no alt text.');
    media.altText = asked.data.metadata.alt_text.text;
    return { data: { id: media.id } };
  });
}

function newMedia(
  world: World,
  owner: XAccount,
  one: { type: string; totalBytes: number; category: string },
): XMedia {
  const kind = kinds[one.category];
  if (!kind?.types.includes(one.type)) throw invalid('The media type does not fit the category.');
  if (one.totalBytes > kind.maxBytes) throw invalid('The file is too large.');
  const { clock, mediaLifeSecs, processingLooks } = world.options;
  const media: XMedia = {
    ...one,
    id: snowflake(clock()),
    owner: owner.id,
    segments: new Map(),
    state: 'open',
    looksLeft: processingLooks,
    expiresMs: clock() + mediaLifeSecs * 1_000,
    altText: null,
    sha256: null,
  };
  world.media.set(media.id, media);
  return media;
}

function ownMedia(world: World, owner: XAccount, id: string): XMedia {
  const media = world.media.get(id);
  if (media?.owner === owner.id && media.expiresMs > world.options.clock()) return media;
  throw invalid('The media id is not known, or has expired.', { media_id: [id] });
}

function openMedia(world: World, owner: XAccount, params: unknown): XMedia {
  const media = ownMedia(world, owner, z.object({ id: z.string() }).parse(params).id);
  if (media.state !== 'open') throw invalid('The upload was finalized already.');
  return media;
}

/** Puts the pieces together: all there, in order, as many bytes as were said, of the type that was said. */
function take(world: World, media: XMedia): void {
  const indexes = [...media.segments.keys()].sort((a, b) => a - b);
  if (indexes.some((index, at) => index !== at)) throw invalid('A segment is missing.');
  const bytes = Buffer.concat(indexes.map((index) => media.segments.get(index) ?? Buffer.alloc(0)));
  if (bytes.length !== media.totalBytes) throw invalid('The file is not as long as was said.');
  const isVideo = media.category !== 'tweet_image';
  if (!isOfType(bytes, media.type)) {
    if (!isVideo) throw invalid('The file is no image of that type.');
    media.state = 'failed';
  } else media.state = isVideo && world.options.processingLooks > 0 ? 'pending' : 'succeeded';
  media.sha256 = sha256(bytes, 'hex');
  media.segments.clear();
}

function isOfType(bytes: Buffer, type: string): boolean {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (type === 'image/jpeg') return text(0, 3) === '\xff\xd8\xff';
  if (type === 'image/png') return text(0, 4) === '\x89PNG';
  if (type === 'image/gif') return text(0, 4) === 'GIF8';
  if (type === 'image/webp') return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP';
  return text(4, 8) === 'ftyp';
}

function described(world: World, media: XMedia): Record<string, unknown> {
  const { id, state, totalBytes, expiresMs } = media;
  const isWorking = state === 'pending' || state === 'in_progress';
  const info = {
    state,
    ...(isWorking && { check_after_secs: 1 }),
    ...(state === 'failed' && {
      error: { code: 3, name: 'InvalidMedia', message: 'Unsupported media' },
    }),
  };
  return {
    id,
    media_key: `3_${id}`,
    expires_after_secs: Math.floor((expiresMs - world.options.clock()) / 1_000),
    ...(state !== 'open' && { size: totalBytes }),
    ...(state !== 'open' && media.category !== 'tweet_image' && { processing_info: info }),
  };
}

async function formOf(contentType: string, body: unknown): Promise<FormData> {
  if (!Buffer.isBuffer(body)) throw invalid('The body is no form.');
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  return response.formData().catch(() => {
    throw invalid('The body is no form.');
  });
}
