import { buffer } from 'node:stream/consumers';
import type { MediaType } from '@perch/proto/media';
import { imageSize } from 'image-size';
import { CustomSource, Input, MP4, QTFF } from 'mediabunny';
import type { Storage } from './storage/storage.ts';

/** What the content tells of itself; null where it does not. */
export interface Measures {
  /** In pixels, as it is shown: a picture or video that is marked as turned has its sides swapped. */
  width: number | null;
  height: number | null;
  /** Of a video. */
  duration_ms: number | null;
}

const unknown: Measures = { width: null, height: null, duration_ms: null };
/** An image tells its size near its beginning, behind its colour profile and preview. */
const imageHeadBytes = 1_048_576;
/** An index larger than this is not read: a video of hours has a few megabytes. */
const videoIndexBytes = 33_554_432;
const timeoutMs = 15_000;

/**
 * Measures a stored image or video. The index of a video may stand at its end, so what is read is what is stored and
 * not what streams by. Never throws: not to know is no reason to refuse.
 */
export async function measure(
  storage: Pick<Storage, 'get'>,
  media: { id: string; type: MediaType; bytes: number },
): Promise<Measures> {
  const { type } = media;
  const told = type.startsWith('video/') ? measureVideo(storage, media) : imageOf(storage, media);
  const timeout = new AbortController();
  const given = await Promise.race([
    told.catch(() => unknown),
    late(timeoutMs, timeout.signal),
  ]).finally(() => timeout.abort());
  return {
    width: countOf(given.width),
    height: countOf(given.height),
    duration_ms: countOf(given.duration_ms),
  };
}

async function imageOf(
  storage: Pick<Storage, 'get'>,
  { id, bytes }: { id: string; bytes: number },
): Promise<Measures> {
  const end = Math.min(bytes, imageHeadBytes);
  const { width, height, orientation = 1 } = imageSize(await readRange(storage, id, 0, end));
  // Orientations 5 to 8 lie on their side.
  const [w, h] = orientation >= 5 ? [height, width] : [width, height];
  return { width: w, height: h, duration_ms: null };
}

async function measureVideo(
  storage: Pick<Storage, 'get'>,
  { id, bytes }: { id: string; bytes: number },
): Promise<Measures> {
  let left = videoIndexBytes;
  const read = (start: number, end: number) => {
    left -= end - start;
    if (left < 0) throw new Error('its index is too large to read');
    return readRange(storage, id, start, end);
  };
  const source = new CustomSource({ getSize: () => bytes, read, handleUnhandledError: () => {} });
  const input = new Input({ formats: [MP4, QTFF], source });
  try {
    const track = await input.getPrimaryVideoTrack();
    const seconds = await input
      .getDurationFromMetadata()
      .then((told) => told ?? input.computeDuration())
      .catch(() => null);
    return {
      width: (await track?.getDisplayWidth()) ?? null,
      height: (await track?.getDisplayHeight()) ?? null,
      duration_ms: seconds === null ? null : Math.round(seconds * 1_000),
    };
  } finally {
    input.dispose();
  }
}

/** The bytes from `start` up to, not including, `end`. */
async function readRange(
  storage: Pick<Storage, 'get'>,
  id: string,
  start: number,
  end: number,
): Promise<Uint8Array> {
  const stream = await storage.get(id, { start, end });
  try {
    return new Uint8Array(await buffer(stream));
  } finally {
    stream.destroy();
  }
}

function late(ms: number, signal: AbortSignal): Promise<Measures> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(unknown), ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

/** What fits the column and can be: a file may claim anything. */
function countOf(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value > 0 && value <= 2_147_483_647
    ? value
    : null;
}
