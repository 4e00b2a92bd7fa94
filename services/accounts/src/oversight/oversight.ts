import type { InferEntity } from '@mikro-orm/core';
import type {
  AccountsOversight,
  OverseenAccount,
  OverseenKey,
} from '@perch/proto/accounts-oversight';
import { Fault } from '@perch/proto/faults';
import { AccountId, UserId } from '@perch/proto/ids';
import { pageFrom } from '@perch/proto/pages';
import type { Deps } from '../deps.ts';
import {
  AppUser,
  ConnectedAccount,
  Key,
  type StoredAccount,
  toAccount,
  toKey,
  toUser,
} from '../entities.ts';
import { holdAccount, releaseAccount } from './hold.ts';
import { reopenSends, resolveSends, sendsOf } from './sends.ts';

/** What operators see and do in accounts. It goes across users: only the operators' part of the gateway asks. */
export function createAccountsOversight(deps: Deps): AccountsOversight {
  const { db } = deps;
  return {
    users: async ({ email_prefix, plan, limit, cursor }) => {
      requireCursor(UserId, cursor);
      const where = {
        ...(plan && { plan }),
        ...(email_prefix && { email: { $like: `${escaped(email_prefix)}%` } }),
        ...(cursor && { id: { $lt: cursor } }),
      };
      const rows = await db.fork().find(AppUser, where, newest(limit));
      return pageFrom(rows.map(toUser), limit, ({ id }) => id);
    },
    getUsers: async (ids) => (await db.fork().find(AppUser, { id: { $in: ids } })).map(toUser),
    usersOfPlans: () =>
      db.execute('select plan, count(*)::int as users from app_user group by plan'),
    accounts: async ({ platform, status, held, limit, cursor }) => {
      requireCursor(AccountId, cursor);
      const where = {
        ...(platform && { platform }),
        ...(status && { status }),
        ...(held !== undefined && { held_since: held ? { $ne: null } : null }),
        ...(cursor && { id: { $lt: cursor } }),
      };
      const rows = await db.fork().find(ConnectedAccount, where, newest(limit));
      return pageFrom(rows.map(toOverseen), limit, ({ account_id }) => account_id);
    },
    getAccounts: async (ids) =>
      (await db.fork().find(ConnectedAccount, { id: { $in: ids } })).map(toOverseen),
    accountsOf: async (userIds) => {
      const where = { user_id: { $in: userIds } };
      const rows = await db.fork().find(ConnectedAccount, where, { orderBy: { id: 'asc' } });
      return rows.map(toOverseen);
    },
    keysOf: async (userIds) => {
      const where = { user_id: { $in: userIds } };
      const rows = await db.fork().find(Key, where, { orderBy: { id: 'desc' } });
      return rows.map(toOverseenKey);
    },
    sendsOf: (postIds) => sendsOf(db, postIds),
    revokeKey: async ({ key_id }) => {
      const em = db.fork();
      const key = await em.findOne(Key, { id: key_id });
      if (!key) throw new Fault('not_found', { detail: 'no such key', key_id });
      key.revoked_at ??= new Date(deps.clock());
      await em.flush();
      return toOverseenKey(key);
    },
    hold: async (input) => toOverseen(await holdAccount(deps, input)),
    release: async (input) => toOverseen(await releaseAccount(deps, input)),
    resolveSends: (input) => resolveSends(deps, input),
    reopenSends: (input) => reopenSends(deps, input),
  };
}

function newest(limit: number) {
  return { orderBy: { id: 'desc' as const }, limit: limit + 1 };
}

function requireCursor(id: typeof UserId, cursor: string | undefined): void {
  if (cursor !== undefined && !id.safeParse(cursor).success) throw new Fault('invalid_cursor');
}

/** The text itself, where LIKE would read a pattern. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
}

function toOverseen(row: StoredAccount): OverseenAccount {
  return { ...toAccount(row), user_id: row.user_id };
}

function toOverseenKey(row: InferEntity<typeof Key>): OverseenKey {
  return { ...toKey(row), user_id: row.user_id };
}
