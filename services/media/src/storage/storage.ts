import type { Readable } from 'node:stream';

/** Part of some bytes: `end` is the first that no longer belongs to it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of media are kept, by key. */
export interface Storage {
  /** Takes all bytes or none; a stream that fails leaves nothing behind. */
  put(key: string, bytes: Readable): Promise<void>;
  /**
   * The bytes, or those from `start` up to, not including, `end`. Fails when there is nothing of that key; the range
   * must lie inside it.
   */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Nothing of that key is fine too. */
  remove(key: string): Promise<void>;
  /** Fails when nothing could be stored right now. */
  check(): Promise<void>;
}
