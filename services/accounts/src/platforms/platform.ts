import type { Capabilities, DraftTweet, Review } from '@perch/proto/accounts';
import type { Clock } from '@perch/proto/clock';
import type { MediaSource } from '@perch/proto/media';
import type { Logger } from '@perch/proto/process';
import type { RejectionCode } from '@perch/proto/workflows';
import type { RateLimits } from './rate-limits.ts';

/**
 * A social platform: adding one is one folder that implements this, a name in `PlatformName`, and a line in
 * `platforms.ts`. docs/platforms/adding-one.md says how.
 */
export interface Platform {
  /** What it takes in general, for people to read; `review` decides. */
  capabilities: Capabilities;
  /** How accounts are connected; null for the sandbox, which needs nothing. */
  connection: Connection | null;
  /** A send that has not ended by then is given up, and its outcome is unknown. */
  sendTimeoutMs: number;
  /** How long after that a send that was taken may still be missing when the platform is read back. */
  readBackLagMs: number;
  /** The platform's rules for a draft, each mistake with its pointer and measure. `facts`: see {@link Identity}. */
  review(tweets: DraftTweet[], facts: unknown): PlatformReview;
  /** Brings one file to the platform, from where an earlier attempt broke off. Publishes nothing. */
  uploadMedia(session: Session, upload: Upload, signal: AbortSignal): Promise<UploadResult>;
  /** Sends; throws nothing: what can not be told is `unknown`. */
  send(session: Session, outgoing: Outgoing, signal: AbortSignal): Promise<SendResult>;
  /** Reads back whether a send of that key stands. */
  lookUp(session: Session, sought: Sought, sent: Sent): Promise<Lookup>;
  /** Whether a post of ours still stands. */
  stands(session: Session, platformId: string): Promise<boolean>;
  /** Replies to any of these posts of ours, oldest first, after the cursor of the last call. */
  replies(session: Session, to: { platformIds: string[]; cursor: string | null }): Promise<Replies>;
  /** Takes a post of ours down; that it was gone already is no failure. */
  delete(session: Session, platformId: string): Promise<void>;
}

/** What a connector may use. */
export interface ConnectorDeps {
  /** Reaches only the public internet, for users may name the servers; follows no redirect. */
  fetch: typeof fetch;
  clock: Clock;
  log: Logger;
  vault: Vault;
}

/** Secrets that a connector keeps beside those of accounts, such as an app registration; sealed. */
export interface Vault {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
}

/** How accounts of a platform are connected, kept connected and let go. */
export interface Connection {
  /** By the platform's own consent page; absent where it has none. */
  consent?: Consent;
  /** By a password that the platform made for apps; throws `connection_failed`. */
  signIn?(input: { server: string | null; handle: string; password: string }): Promise<Identity>;
  /** The instant from which these credentials need {@link Connection.refresh}; null: never. */
  expiresAtMs(credentials: string): number | null;
  /** New credentials for old. Called by one worker at a time; kept before they are used. */
  refresh(credentials: string): Promise<Refreshed>;
  /** Ends the grant at the platform; best effort, throws nothing. */
  revoke(credentials: string): Promise<void>;
}

/** An OAuth consent page and the way back. */
export interface Consent {
  /** Where to send the person; `server` names the instance or handle where the platform has many. */
  begin(input: { server: string | null; redirectUri: string }): Promise<{
    authorizeUrl: string;
    /** The `state` that will come back. */
    state: string;
    /** What `finish` needs, such as the PKCE verifier; sealed by whoever keeps it. */
    secret: string;
  }>;
  /** Turns what came back into a connected account; throws `connection_failed`, saying why. */
  finish(input: {
    secret: string;
    redirectUri: string;
    /** The query of the redirect. */
    params: Record<string, string>;
  }): Promise<Identity>;
  /** A document that the platform fetches from us, such as OAuth client metadata; null: no such document. */
  document?(name: string): unknown;
}

/** Whom a connection is for, as the platform says. */
export interface Identity {
  /** The platform's own id, which stays when the handle changes. */
  remoteId: string;
  handle: string;
  displayName: string;
  /** Whatever the connector needs to act for the account; sealed by whoever keeps it. */
  credentials: string;
  /** What the rules need to know of this account, such as the limits of its instance; null: nothing. */
  facts: unknown;
}

/** `revoked`: by the person or the platform, only connecting again helps. `later`: nothing is known to be wrong with the grant. */
export type Refreshed =
  | { kind: 'fresh'; credentials: string }
  | { kind: 'revoked'; detail: string }
  | { kind: 'later'; detail: string };

/** An account for as long as one activity takes: the only form in which credentials leave the database. */
export interface Session {
  accountId: string;
  handle: string;
  remoteId: string;
  credentials: string;
  facts: unknown;
  /** Credentials for those of the session that the platform refused before their time; throws {@link Revoked} or {@link Later}. */
  renew(): Promise<string>;
  rateLimits: RateLimits;
}

/** The grant is gone; a connector may let this through from anything but `send`, and whoever called disconnects the account. */
export class Revoked extends Error {}

/** The platform is away or asks us to wait; a connector may let this through from anything but `send`. */
export class Later extends Error {
  readonly atMs: number | null;
  constructor(message: string, atMs: number | null = null) {
    super(message);
    this.atMs = atMs;
  }
}

/** One tweet, reply or repost on its way out. */
export interface Outgoing {
  kind: 'post' | 'reply' | 'repost';
  text: string;
  media: OutgoingMedia[];
  /** The platform's id of the post that this one answers or reposts. */
  inReplyTo: string | null;
  /** The platform's id of the first tweet of the thread, for a tweet that is not it. */
  root: string | null;
  /** `<post id>/<step>`: the same for every attempt at this send, so that a platform that can do so takes it once. */
  key: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** A send as it is looked for. */
export type Sought = Omit<Outgoing, 'media'> & { mediaCount: number };

/** Media that {@link Platform.uploadMedia} has brought there. */
export interface OutgoingMedia extends Omit<MediaSource, 'url'> {
  id: string;
  /** What the connector called it. */
  ref: string;
}

/** One file on its way to the platform. */
export interface Upload {
  media: Omit<MediaSource, 'url'> & { id: string };
  /** What {@link Upload.save} kept last, of this account and file; null at first. */
  state: unknown;
  /** Keeps how far it came, as JSON, for no longer than that instant. */
  save(state: unknown, expiresAtMs: number): Promise<void>;
  /** The bytes from there on, as the caller gave them. */
  open(fromByte: number): Promise<ReadableStream<Uint8Array>>;
}

/** `uploaded`: may be attached until that instant, also by later attempts. */
export type UploadResult =
  | { kind: 'uploaded'; ref: string; expiresAtMs: number }
  | { kind: 'rejected'; code: RejectionCode; detail: string }
  | { kind: 'retry'; at_ms: number; detail: string };

/** A post that stands on the platform. */
export interface Standing {
  platform_id: string;
  url: string;
  published_at_ms: number;
}

/**
 * How one send ended; see `PublishOutcome` in proto for what each kind allows. `stands`: the platform said
 * that it has this already, so that reading back must find it. `mediaGone`: the uploads are to be made again.
 */
export type SendResult =
  | ({ kind: 'published' } & Standing)
  | { kind: 'rejected'; code: RejectionCode; detail: string }
  | { kind: 'retry'; at_ms: number; detail: string; mediaGone?: true }
  | { kind: 'unknown'; detail: string; stands?: true };

/** What is known of the send that is looked up. */
export interface Sent {
  /** When its first attempt began, by our clock. */
  startedMs: number;
  /** Posts of this account that are known to be other sends of ours. */
  others: ReadonlySet<string>;
}

/** What reading back tells of a send. `absent` means: not there now; a send under way may still land. */
export type Lookup = ({ kind: 'found' } & Standing) | { kind: 'absent' } | { kind: 'undecided' };

/** Replies, and where to go on next time. */
export interface Replies {
  replies: Reply[];
  cursor: string | null;
}

/** Someone's reply in our conversation. */
export interface Reply {
  platform_id: string;
  /** The platform's own id of the author. */
  author_id: string;
  /** The handle, without `@`. */
  author: string;
  author_name: string;
  /** By the account itself. */
  own: boolean;
  /** By an account that calls itself automated. */
  bot: boolean;
}

/** What a platform's rules say of a draft: see `Review` in proto. */
export type PlatformReview = Pick<Review, 'errors' | 'contains_url' | 'lengths'>;
