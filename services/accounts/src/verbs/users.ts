import type { User } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import type { Deps } from '../deps.ts';
import { AppUser, toUser } from '../entities.ts';
import { findUser } from '../find.ts';
import { isUniqueViolation } from '../unique-violation.ts';

/** A new user; an address is taken once. */
export async function createUser(
  deps: Deps,
  input: { email: string; plan: 'free' | 'paid' },
): Promise<User> {
  const em = deps.db.fork();
  const user = em.create(AppUser, {
    id: newId('user', deps.clock),
    ...input,
    created_at: new Date(deps.clock()),
  });
  try {
    em.persist(user);
    await em.flush();
  } catch (error) {
    if (isUniqueViolation(error))
      throw new Fault('already_exists', { detail: `there is a user ${input.email}` });
    throw error;
  }
  return toUser(user);
}

export async function getUser(
  deps: Deps,
  input: { user_id: string } | { email: string },
): Promise<User> {
  const where = 'email' in input ? { email: input.email } : { id: input.user_id };
  return toUser(await findUser(deps.db.fork(), where));
}

export async function setPlan(
  deps: Deps,
  input: { user_id: string; plan: 'free' | 'paid' },
): Promise<User> {
  const em = deps.db.fork();
  const user = await findUser(em, { id: input.user_id });
  user.plan = input.plan;
  await em.flush();
  return toUser(user);
}
