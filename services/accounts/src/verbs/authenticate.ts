import type { KeyMode, Principal, Scope } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { hashOf, isWellFormed } from '../secret.ts';

/** `last_used_at` is true to the minute; more often is not worth a write. */
const lastUsedEveryMs = 60_000;

/** Whom a secret stands for. Unknown, revoked, expired and malformed are one and the same to the caller. */
export async function authenticate(deps: Deps, input: { secret: string }): Promise<Principal> {
  if (!isWellFormed(input.secret)) throw new Fault('invalid_api_key');
  const now = deps.clock();
  const [key] = await deps.db.execute<KeyRow>(
    `select k.id, k.user_id, k.scopes, k.account_ids, k.mode, k.last_used_at, u.plan
     from api_key k join app_user u on u.id = k.user_id
     where k.hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)`,
    [hashOf(input.secret), new Date(now)],
  );
  if (!key) throw new Fault('invalid_api_key');
  if (key.plan !== 'paid') {
    throw new Fault('paid_plan_required', {
      detail: 'the API needs a paid plan (Bearer key of a free user)',
    });
  }
  if (now - Date.parse(key.last_used_at ?? '1970-01-01') > lastUsedEveryMs) {
    await deps.db.execute('update api_key set last_used_at = ? where id = ?', [
      new Date(now),
      key.id,
    ]);
  }
  const tenant: Tenant = {
    user_id: key.user_id,
    account_ids: key.account_ids,
    ...(key.mode === 'test' && { mode: 'test' }),
  };
  return { key_id: key.id, tenant, scopes: key.scopes };
}

interface KeyRow {
  id: string;
  user_id: string;
  scopes: Scope[];
  account_ids: string[] | null;
  mode: KeyMode;
  last_used_at: string | null;
  plan: 'free' | 'paid';
}
