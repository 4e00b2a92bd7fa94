import { randomBytes } from 'node:crypto';
import { hashOf } from '../secret.ts';

/** A new token of 256 random bits, and the hash that is all that is stored of it. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}
