import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMode } from '@perch/proto/accounts';

const prefixes: Record<KeyMode, string> = { live: 'perch_live_', test: 'perch_test_' };
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomChars = 30;
const checksumChars = 6;

/** A new API key secret: prefix, 178 random bits, and a checksum that leak scanners and we can verify. */
export function newSecret(mode: KeyMode): string {
  let body = '';
  while (body.length < randomChars) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte: what is above would favour some characters.
      if (byte < 248 && body.length < randomChars) body += alphabet.charAt(byte % 62);
    }
  }
  const text = prefixes[mode] + body;
  return text + checksum(text);
}

/** Whether the text can be a secret of ours at all; junk never reaches the database. */
export function isWellFormed(secret: string): boolean {
  const body = secret.slice(0, -checksumChars);
  return Object.values(prefixes).some(
    (prefix) =>
      secret.length === prefix.length + randomChars + checksumChars &&
      secret.startsWith(prefix) &&
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
