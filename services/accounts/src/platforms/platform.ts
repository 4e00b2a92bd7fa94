import type { DraftTweet, PlatformName, Review } from '@perch/proto/accounts';
import type { MediaSource } from '@perch/proto/media';
import type { RejectionCode } from '@perch/proto/workflows';

/** An account for as long as one send takes: the only form in which a token leaves the database. */
export interface Session {
  accountId: string;
  handle: string;
  token: string;
}

/** One tweet, reply or repost on its way out. */
export interface Outgoing {
  kind: 'post' | 'reply' | 'repost';
  text: string;
  media: (MediaSource & { id: string })[];
  /** The platform's id of the post that this one answers or reposts. */
  inReplyTo: string | null;
  /** The same for every attempt at this send, so that a platform that can do so takes it once. */
  key: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** A post that stands on the platform. */
export interface Standing {
  platform_id: string;
  url: string;
  published_at_ms: number;
}

/** How one send ended; see `PublishOutcome` in proto for what each kind allows. */
export type SendResult =
  | ({ kind: 'published' } & Standing)
  | { kind: 'rejected'; code: RejectionCode; detail: string }
  | { kind: 'retry'; at_ms: number; detail: string }
  | { kind: 'unknown'; detail: string };

/** What reading back tells of a send. `absent` means: not there now; a send under way may still land. */
export type Lookup = ({ kind: 'found' } & Standing) | { kind: 'absent' } | { kind: 'undecided' };

/** Someone's reply in our conversation. */
export interface Reply {
  platform_id: string;
  author: string;
  /** By the account itself. */
  own: boolean;
}

/** What a platform's rules say of a draft: see `Review` in proto. */
export type PlatformReview = Pick<Review, 'errors' | 'contains_url' | 'lengths'>;

/** A social platform: adding one is one folder that implements this. */
export interface Platform {
  /** A send that has not ended by then is given up, and its outcome is unknown. */
  sendTimeoutMs: number;
  /** The platform's rules for a draft, each mistake with its pointer and measure. */
  review(tweets: DraftTweet[]): PlatformReview;
  /** Sends; throws nothing: what can not be told is `unknown`. */
  send(session: Session, outgoing: Outgoing, signal: AbortSignal): Promise<SendResult>;
  /** Reads back whether a send of that key stands. */
  lookUp(session: Session, outgoing: Outgoing): Promise<Lookup>;
  /** Whether a post of ours still stands. */
  stands(session: Session, platformId: string): Promise<boolean>;
  /** Replies to any of these posts of ours, oldest first. */
  replies(session: Session, platformIds: string[]): Promise<Reply[]>;
}

export type Platforms = Record<PlatformName, Platform>;
