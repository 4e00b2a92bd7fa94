import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { PostEventType } from '@perch/proto/posts';
import { type PostRef, type PublishedPart, postWorkflowId } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import { type Failure, fail } from '../verbs/fail.ts';

/** The local activities of a post; each may be repeated at any point. */
export interface PostActivities {
  /** Marks the post failed and gives back what it holds. */
  fail(input: PostRef & { run?: number; failure: Failure; parts: PublishedPart[] }): Promise<void>;
  /** Writes a line of the timeline, once by its key. */
  note(
    input: PostRef & { key: string; type: PostEventType; data: Record<string, unknown> },
  ): Promise<void>;
}

/** The activities over the database and the other services. */
export function createActivities(deps: Pick<Deps, 'db' | 'clients' | 'clock'>): PostActivities {
  return {
    fail: (input) => {
      const requestId = postWorkflowId(input.post_id);
      return withCall({ requestId, timeoutMs: limits.requestTimeoutMs }, () => fail(deps, input));
    },
    note: ({ post_id, key, type, data }) =>
      addEvent(deps.db.fork(), { post_id, key, type, at: new Date(deps.clock()), data }),
  };
}
