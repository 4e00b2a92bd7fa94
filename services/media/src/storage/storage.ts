import type { Readable } from 'node:stream';

/** Where the bytes of media are kept, by key. */
export interface Storage {
  /** Takes all bytes or none; a stream that fails leaves nothing behind. */
  put(key: string, bytes: Readable): Promise<void>;
  /** Fails when there is nothing of that key. */
  get(key: string): Promise<Readable>;
  /** Nothing of that key is fine too. */
  remove(key: string): Promise<void>;
  /** Fails when nothing could be stored right now. */
  check(): Promise<void>;
}
