import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyMode } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import { PostEntity, type StoredPost } from './post.ts';

/** The tenant's post, or `not_found`, which is also what belongs to others. With `lock`, until the transaction ends. */
export async function findPost(
  em: EntityManager,
  input: { tenant: Tenant; post_id: string },
  lock = false,
): Promise<StoredPost> {
  const { tenant, post_id } = input;
  const post = await em.findOne(
    PostEntity,
    { id: post_id, user_id: tenant.user_id, ...mine(tenant) },
    lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {},
  );
  if (!post) throw new Fault('not_found', { detail: 'no such post', post_id });
  return post;
}

/** The part of a filter that keeps a key to its mode, and an account-bound one to its accounts. */
export function mine(tenant: Tenant): { mode: KeyMode; account_id?: { $in: string[] } } {
  const accounts = tenant.account_ids ? { account_id: { $in: tenant.account_ids } } : {};
  return { mode: modeOf(tenant), ...accounts };
}

export function modeOf(tenant: Tenant): KeyMode {
  return tenant.mode ?? 'live';
}

/** Throws `precondition_failed` when the caller saw another version. */
export function requireVersion(post: StoredPost, version: number | null): void {
  if (version === null || version === post.version) return;
  const detail = `the post is at version ${post.version} by now`;
  throw new Fault('precondition_failed', { detail, version: post.version });
}

/** `post_not_editable`: sending has begun, or the post's life is over. */
export function notEditable(post: StoredPost): Fault {
  const detail = `the post is ${post.status} and can no longer be changed`;
  return new Fault('post_not_editable', { detail, status: post.status });
}
