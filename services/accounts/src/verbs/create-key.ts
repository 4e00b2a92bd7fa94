import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKey, KeyMode, Scope } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, Key, toKey } from '../entities.ts';
import { findUser } from '../find.ts';
import { hashOf, hintOf, newSecret } from '../secret.ts';

interface NewKey {
  user_id: string;
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  account_ids: string[] | null;
  expires_at: string | null;
}

/** A new key; its secret is in this answer and nowhere else (seed §5). */
export async function createKey(
  deps: Deps,
  input: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = newSecret(input.mode);
  const key = await deps.db.fork().transactional(async (em) => {
    const user = await findUser(em, { id: input.user_id });
    if (user.plan !== 'paid')
      throw new Fault('paid_plan_required', { detail: 'API keys need a paid plan' });
    await requireAccounts(em, input);
    const slot = await freeSlot(em, deps, input.user_id);
    const row = em.create(Key, {
      id: newId('key', deps.clock),
      user_id: input.user_id,
      slot,
      name: input.name,
      mode: input.mode,
      hash: hashOf(secret),
      hint: hintOf(secret),
      scopes: input.scopes,
      account_ids: input.account_ids,
      created_at: new Date(deps.clock()),
      expires_at: input.expires_at ? new Date(input.expires_at) : null,
    });
    em.persist(row);
    await em.flush();
    return row;
  });
  return { key: toKey(key), secret };
}

/** The lowest slot that no active key has; waits for whoever else creates a key of this user. */
async function freeSlot(em: EntityManager, deps: Deps, userId: string): Promise<number> {
  await em.execute('select from app_user where id = ? for update', [userId]);
  const now = new Date(deps.clock());
  // An expired key is not active any more, and must not hold its slot.
  await em.nativeUpdate(
    Key,
    { user_id: userId, revoked_at: null, expires_at: { $lte: now } },
    { revoked_at: now },
  );
  const active = await em.find(Key, { user_id: userId, revoked_at: null });
  for (let slot = 1; slot <= limits.activeApiKeys; slot++) {
    if (!active.some((key) => key.slot === slot)) return slot;
  }
  const detail = `${active.length} keys are active, and ${limits.activeApiKeys} are allowed; revoke one first`;
  throw new Fault('api_key_limit_reached', {
    detail,
    limit: limits.activeApiKeys,
    active: active.length,
  });
}

async function requireAccounts(em: EntityManager, input: NewKey): Promise<void> {
  const ids = [...new Set(input.account_ids ?? [])];
  const known = await em.count(ConnectedAccount, { id: { $in: ids }, user_id: input.user_id });
  if (known !== ids.length)
    throw new Fault('not_found', { detail: 'the key names an account that is not the user’s' });
}
