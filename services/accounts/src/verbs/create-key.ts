import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey, type NewKey } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import { type Claim, keepResult, once } from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, Key, toKey } from '../entities.ts';
import { findUser } from '../find.ts';
import { hashOf, hintOf, newSecret } from '../secret.ts';

type Wanted = z.output<typeof NewKey>;

/** What is recorded under an idempotency key: the secret sealed, for a moment, and never in the clear. */
const Kept = z.object({ key: ApiKey, sealed: z.string().nullable() });
const sealedForMs = 10 * 60_000;

/** A new key, once by its idempotency key; its secret is in this answer and nowhere else (seed §5). */
export async function createKey(
  deps: Deps,
  input: Wanted,
): Promise<{ key: ApiKey; secret: string }> {
  const { user_id, idempotency } = input;
  const asked = { user_id, idempotency, subject: newId('key', deps.clock), schema: Kept };
  const { result } = await once(deps, asked, (id, claim) =>
    insertKey(deps, { ...input, id }, claim),
  );
  if (result.sealed === null) {
    const detail = 'the key was made, and its secret was shown; revoke it if it is lost';
    throw new Fault('already_exists', { detail, key_id: result.key.id });
  }
  return { key: result.key, secret: deps.cipher.decrypt(result.sealed, placeOf(result.key.id)) };
}

async function insertKey(
  deps: Deps,
  input: Wanted & { id: string },
  claim: Claim,
): Promise<z.output<typeof Kept>> {
  const secret = newSecret(input.mode);
  return deps.db.fork().transactional(async (em) => {
    const user = await findUser(em, { id: input.user_id });
    if (user.plan !== 'paid')
      throw new Fault('paid_plan_required', { detail: 'API keys need a paid plan' });
    await requireAccounts(em, input);
    const slot = await freeSlot(em, deps, input.user_id);
    const row = em.create(Key, {
      id: input.id,
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
    const sealed = deps.cipher.encrypt(secret, placeOf(row.id));
    return keepResult(em, claim, { key: toKey(row), sealed });
  });
}

/** After a moment the secret of a new key can not be had again, not even with the idempotency key. */
export async function forgetSealedSecrets(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deps.db.execute(
    `update idempotency_record set result = jsonb_set(result, '{sealed}', 'null')
     where result ->> 'sealed' is not null and created_at < ?`,
    [new Date(deps.clock() - sealedForMs)],
  );
}

function placeOf(keyId: string): string {
  return `key:${keyId}`;
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

async function requireAccounts(em: EntityManager, input: Wanted): Promise<void> {
  const ids = [...new Set(input.account_ids ?? [])];
  const known = await em.count(ConnectedAccount, { id: { $in: ids }, user_id: input.user_id });
  if (known !== ids.length)
    throw new Fault('not_found', { detail: 'the key names an account that is not the user’s' });
}
