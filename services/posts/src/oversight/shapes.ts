import type {
  OverseenDelivery,
  OverseenEndpoint,
  OverseenPost,
} from '@perch/proto/posts-oversight';
import { type StoredPost, toPost } from '../post.ts';
import {
  type StoredDelivery,
  type StoredEndpoint,
  toDelivery,
  toEndpoint,
} from '../webhooks/endpoint.ts';

/** The post as operators see it. */
export function toOverseenPost(row: StoredPost): OverseenPost {
  return {
    ...toPost(row),
    user_id: row.user_id,
    run: row.run,
    held_until: row.held_until?.toISOString() ?? null,
    armed_at: row.armed_at?.toISOString() ?? null,
  };
}

/** The endpoint as operators see it, without its secrets. */
export function toOverseenEndpoint(row: StoredEndpoint): OverseenEndpoint {
  return { ...toEndpoint(row), user_id: row.user_id };
}

/** The delivery as operators see it. */
export function toOverseenDelivery(row: StoredDelivery): OverseenDelivery {
  return { ...toDelivery(row), user_id: row.user_id };
}
