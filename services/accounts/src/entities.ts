import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  Account,
  ApiKey,
  KeyMode,
  PlatformName,
  PostingWindow,
  Scope,
  User,
} from '@perch/proto/accounts';

/** A user; `user` alone is a word of SQL. */
export const AppUser = defineEntity({
  name: 'AppUser',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    plan: p.text().$type<'free' | 'paid'>(),
    created_at: p.datetime(),
  },
});

/** An API key: its secret only as a hash, its slot one of five. */
export const Key = defineEntity({
  name: 'Key',
  tableName: 'api_key',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    slot: p.integer(),
    name: p.text(),
    mode: p.text().$type<KeyMode>(),
    hash: p.text(),
    hint: p.text(),
    scopes: p.json<Scope[]>(),
    account_ids: p.json<string[]>().nullable(),
    created_at: p.datetime(),
    expires_at: p.datetime().nullable(),
    last_used_at: p.datetime().nullable(),
    revoked_at: p.datetime().nullable(),
  },
});

/** A connected account; its credentials are sealed by the token cipher. */
export const ConnectedAccount = defineEntity({
  name: 'ConnectedAccount',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    platform: p.text().$type<PlatformName>(),
    remote_id: p.text(),
    handle: p.text(),
    display_name: p.text(),
    time_zone: p.text(),
    posting_window: p.json<PostingWindow>(),
    outside_window: p.text().$type<'fail' | 'defer'>(),
    reply_template: p.text().nullable(),
    status: p.text().$type<'connected' | 'disconnected'>(),
    credentials: p.text().nullable(),
    facts: p.json<unknown>().nullable(),
    held_since: p.datetime().nullable(),
    held_reason: p.text().nullable(),
    created_at: p.datetime(),
  },
});
export type StoredAccount = InferEntity<typeof ConnectedAccount>;
/** What of an account a send needs. */
export type SendingAccount = Pick<
  StoredAccount,
  | 'id'
  | 'platform'
  | 'remote_id'
  | 'handle'
  | 'status'
  | 'credentials'
  | 'facts'
  | 'reply_template'
  | 'held_since'
  | 'held_reason'
>;

/** Everything of this database that is an entity. */
export const entities = [AppUser, Key, ConnectedAccount];

export function toUser(row: InferEntity<typeof AppUser>): User {
  return { id: row.id, email: row.email, plan: row.plan, created_at: row.created_at.toISOString() };
}

/** The key without hash and slot. */
export function toKey(row: InferEntity<typeof Key>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    hint: row.hint,
    scopes: row.scopes,
    account_ids: row.account_ids ?? null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

/** The account without its credentials. */
export function toAccount(row: StoredAccount): Account {
  return {
    account_id: row.id,
    platform: row.platform,
    handle: row.handle,
    display_name: row.display_name,
    time_zone: row.time_zone,
    posting_window: row.posting_window,
    outside_window: row.outside_window,
    reply_template: row.reply_template ?? null,
    status: row.status,
    held: heldOf(row),
    created_at: row.created_at.toISOString(),
  };
}

/** Since when and why an account is held back; null when it is not. */
export function heldOf(row: {
  held_since?: Date | string | null | undefined;
  held_reason?: string | null | undefined;
}): Account['held'] {
  const { held_since, held_reason } = row;
  return held_since && held_reason
    ? { since: new Date(held_since).toISOString(), reason: held_reason }
    : null;
}
