import { z } from 'zod';
import type { Clock } from './clock.ts';

/** What each kind of id starts with, so that a person can tell them apart in a log. */
export const idPrefixes = {
  user: 'usr',
  key: 'key',
  account: 'acc',
  post: 'post',
  event: 'evt',
  media: 'med',
  entry: 'ent',
  request: 'req',
  endpoint: 'whe',
  delivery: 'whd',
  session: 'ses',
  preset: 'pst',
  mail: 'mail',
  operator: 'opr',
  act: 'act',
  connection: 'con',
} as const;

export type IdKind = keyof typeof idPrefixes;

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id: prefix, 48 bits of time, 80 random bits; sorts by creation time (a ULID in lower case). */
export function newId(kind: IdKind, clock: Clock): string {
  return `${idPrefixes[kind]}_${timePart(clock())}${randomPart()}`;
}

function timePart(instantMs: number): string {
  let rest = instantMs;
  let text = '';
  for (let digit = 0; digit < 10; digit++) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

const randomBytes = 16;
/** Drawn from the system in larger lots, for each draw costs the same. */
const pool = new Uint8Array(256 * randomBytes);
let drawn = pool.length;

function randomPart(): string {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  let text = '';
  for (const end = drawn + randomBytes; drawn < end; drawn++)
    text += crockford.charAt((pool[drawn] ?? 0) % 32);
  return text;
}

function idSchema(kind: IdKind, says: string) {
  const prefix = idPrefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`), `must be an id like ${prefix}_…`)
    .describe(says);
}

export const UserId = idSchema('user', 'A user of Perch.');
export const KeyId = idSchema('key', 'An API key (not its secret).');
export const AccountId = idSchema('account', 'A connected social account (seed §2).');
export const PostId = idSchema('post', 'A post.');
export const WebhookEndpointId = idSchema('endpoint', 'A webhook endpoint.');
export const WebhookDeliveryId = idSchema('delivery', 'A delivery to a webhook endpoint.');
export const SessionId = idSchema('session', 'A session of the dashboard (not its token).');
export const PresetId = idSchema('preset', 'A saved post template.');
export const OperatorId = idSchema('operator', 'Someone who operates Perch by a token.');
export const ActId = idSchema('act', 'What an operator did, in the audit log.');
export const MediaId = idSchema('media', 'An uploaded or imported image or video.');
