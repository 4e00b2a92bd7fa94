import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMode } from '@perch/proto/accounts';

/** What a secret opens: the API, live or in test mode, or the operators' part. */
export type SecretKind = KeyMode | 'operator';

/** All of one length. */
const prefixes: Record<SecretKind, string> = {
  live: 'perch_live_',
  test: 'perch_test_',
  operator: 'perch_oper_',
};
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomChars = 30;
const checksumChars = 6;

/** A new secret: prefix, 178 random bits, and a checksum that leak scanners and we can verify. */
export function newSecret(kind: SecretKind): string {
  let body = '';
  while (body.length < randomChars) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte: what is above would favour some characters.
      if (byte < 248 && body.length < randomChars) body += alphabet.charAt(byte % 62);
    }
  }
  const text = prefixes[kind] + body;
  return text + checksum(text);
}

/** Whether the text can be a secret of ours at all, of one of these kinds; junk never reaches the database. */
export function isWellFormed(
  secret: string,
  kinds: readonly SecretKind[] = ['live', 'test'],
): boolean {
  const body = secret.slice(0, -checksumChars);
  return kinds.some(
    (kind) =>
      secret.length === prefixes[kind].length + randomChars + checksumChars &&
      secret.startsWith(prefixes[kind]) &&
      checksum(body) === secret.slice(-checksumChars),
  );
}

/** What is stored of a secret: with this much randomness a fast hash is right. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What is shown of a secret later on. */
export function hintOf(secret: string): string {
  return `${secret.slice(0, prefixes.live.length)}…${secret.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < checksumChars; n++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
