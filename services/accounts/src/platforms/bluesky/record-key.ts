import { createHash } from 'node:crypto';

const sortable = '234567abcdefghijklmnopqrstuvwxyz';
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The record key of one step of a post, from its key `<post id>/<step>`: always the same, so that a repository,
 * which holds a key once, takes a send once. It is a TID, as records of posts must have: the time is the post
 * id's, and what follows the millisecond tells posts and steps apart. Tweets of a thread sort in their order.
 */
export function recordKey(key: string): string {
  const slash = key.indexOf('/');
  const postId = key.slice(0, slash);
  const index = /^tweet:(\d+)$/.exec(key.slice(slash + 1))?.[1];
  // Thirty bits of microseconds: about eighteen minutes, which say nothing and only keep steps apart.
  const apart =
    index === undefined ? bitsOf(key, 30) : (bitsOf(postId, 25) << 5n) + BigInt(Number(index) % 32);
  const microseconds = BigInt(timeOf(postId)) * 1_000n + apart;
  return tid((microseconds << 10n) | bitsOf(`${key}/clock`, 10));
}

/** When a post id was made, in milliseconds: its first ten characters. */
function timeOf(postId: string): number {
  const text = postId.slice(postId.indexOf('_') + 1).slice(0, 10);
  let instantMs = 0;
  for (const character of text) instantMs = instantMs * 32 + crockford.indexOf(character);
  return instantMs;
}

function bitsOf(text: string, bits: number): bigint {
  const digest = createHash('sha256').update(text).digest();
  return BigInt.asUintN(bits, digest.readBigUInt64BE());
}

function tid(value: bigint): string {
  let text = '';
  for (let rest = value, digit = 0; digit < 13; digit++, rest >>= 5n)
    text = sortable.charAt(Number(rest & 31n)) + text;
  return text;
}
