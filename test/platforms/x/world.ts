import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@perch/proto/clock';

/** How the stand-in behaves; tests may change it while it runs. */
export interface XOptions {
  clock: Clock;
  client: { id: string; secret: string | null };
  /** How long a tweet is missing from timelines. */
  readBackLagMs: number;
  codeLifeMs: number;
  accessLifeMs: number;
  mediaLifeSecs: number;
  /** How often a video or GIF says that it is being worked on. */
  processingLooks: number;
  processingFails: boolean;
  creditsOut: boolean;
  /** What a person allows on the consent page; null: all that is asked for. */
  allowedScopes: string[] | null;
  /** Whether the consent page waits for a click. */
  clickToConsent: boolean;
  /** Requests in a window, for each kind; smaller than X's own to be met by tests. */
  limits: Partial<Record<string, number>>;
}

export interface XAccount {
  id: string;
  username: string;
  name: string;
  suspended: boolean;
}

export interface XTweet {
  id: string;
  author: XAccount;
  /** As it was sent. */
  text: string;
  inReplyTo: XTweet | null;
  retweetOf: XTweet | null;
  conversationId: string;
  mediaIds: string[];
  madeMs: number;
}

/** What a person gave an app. */
export interface XGrant {
  account: XAccount;
  scopes: string[];
  revoked: boolean;
}

export interface XMedia {
  id: string;
  owner: string;
  type: string;
  category: string;
  totalBytes: number;
  segments: Map<number, Buffer>;
  state: 'open' | 'pending' | 'in_progress' | 'succeeded' | 'failed';
  looksLeft: number;
  expiresMs: number;
  altText: string | null;
  sha256: string | null;
}

/** Everything that the stand-in knows, in memory. */
export interface World {
  options: XOptions;
  accounts: Map<string, XAccount>;
  tweets: XTweet[];
  codes: Map<string, { grant: XGrant; challenge: string; redirectUri: string; expiresMs: number }>;
  access: Map<string, { grant: XGrant; expiresMs: number }>;
  refresh: Map<string, { grant: XGrant; used: boolean }>;
  media: Map<string, XMedia>;
  /** Requests made in the running window, by account and kind. */
  counts: Map<string, { made: number; resetMs: number }>;
}

/** An empty world. */
export function createWorld(options: XOptions): World {
  return {
    options,
    accounts: new Map(),
    tweets: [],
    codes: new Map(),
    access: new Map(),
    refresh: new Map(),
    media: new Map(),
    counts: new Map(),
  };
}

let sequence = 0;

/** An id as X makes them: the instant in its upper bits. */
export function snowflake(nowMs: number): string {
  sequence = (sequence + 1) % 4_096;
  return String((BigInt(Math.floor(nowMs) - 1_288_834_974_657) << 22n) | BigInt(sequence));
}

/** A secret nobody can guess. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the PKCE challenge of a verifier, and the check of a file, are made by. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(data).digest(encoding);
}
