import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { MediaType } from '@perch/proto/media';
import { fileTypeFromBuffer } from 'file-type';
import type { Deps } from './deps.ts';
import type { Received } from './entity.ts';
import { measure } from './measure.ts';

/** Enough of the beginning for any type that we take. */
const sniffBytes = 4_100;

/**
 * Streams bytes into the storage and tells what they are by their content. They are kept as they are. Throws
 * `unsupported_media_type` or `payload_too_large` and keeps nothing; what it did not read stays in the stream, which is
 * the caller's to end.
 */
export async function takeIn(
  deps: Deps,
  from: { id: string; bytes: Readable; declaredType: string | null },
): Promise<Received> {
  const { id, bytes, declaredType } = from;
  const head = await readHead(bytes);
  const type = await typeOf(head, declaredType);
  const hash = createHash('sha256');
  let count = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      hash.update(chunk);
      done(count > limits.mediaBytes ? tooLarge() : null, chunk);
    },
  });
  const written = deps.storage.put(id, counted);
  // The store fails as the stream does; the stream's own error is the one that says why.
  written.catch(() => undefined);
  counted.write(head);
  await pipeline(bytes.iterator({ destroyOnReturn: false }), counted);
  await written;
  const measures = await measure(deps.storage, { id, type, bytes: count });
  return { type, bytes: count, sha256: hash.digest('hex'), ...measures };
}

/** The first bytes of a stream; the rest stays in it. */
async function readHead(bytes: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let count = 0;
  while (count < sniffBytes) {
    const chunk: Buffer | null = bytes.read();
    if (chunk) {
      chunks.push(chunk);
      count += chunk.length;
      continue;
    }
    if (bytes.readableEnded || !(await more(bytes))) break;
  }
  return Buffer.concat(chunks);
}

/** Waits until there is more to read; false at the end. */
function more(bytes: Readable): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      bytes.off('readable', onReadable).off('end', onEnd).off('error', onError);
      act();
    };
    const onReadable = settle(() => resolve(true));
    const onEnd = settle(() => resolve(false));
    const onError = (error: Error) => settle(() => reject(error))();
    bytes.on('readable', onReadable).on('end', onEnd).on('error', onError);
  });
}

async function typeOf(head: Buffer, declared: string | null): Promise<MediaType> {
  const found = (await fileTypeFromBuffer(head))?.mime;
  const type = MediaType.safeParse(found);
  if (!type.success) {
    const detail = `the content is ${found ?? 'of no known type'}; taken are ${MediaType.options.join(', ')}`;
    throw new Fault('unsupported_media_type', { detail, detected: found ?? null });
  }
  const said = declared?.split(';')[0]?.trim().toLowerCase();
  if (said && /^(image|video)\//.test(said) && said !== type.data) {
    const detail = `the content is ${type.data}, but it was declared as ${said}`;
    throw new Fault('unsupported_media_type', { detail, detected: type.data, declared: said });
  }
  return type.data;
}

function tooLarge(): Fault {
  const detail = `media may have up to ${limits.mediaBytes} bytes`;
  return new Fault('payload_too_large', { detail, limit_bytes: limits.mediaBytes });
}
