import type { Account } from '@perch/proto/accounts';
import type { AppSignIn } from '@perch/proto/connections';
import { Fault } from '@perch/proto/faults';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { findUser } from '../find.ts';
import { keepAccount } from '../platforms/keep-account.ts';

/** Connects an account by a password that its platform made for apps; the password itself is not kept. */
export async function signIn(deps: Deps, input: z.output<typeof AppSignIn>): Promise<Account> {
  const { user_id, platform, settings, password } = input;
  await findUser(deps.db.fork(), { id: user_id });
  const connection = deps.platforms[platform]?.connection;
  if (!connection?.signIn) {
    const detail = `${platform} is not set up here for connecting by an app password`;
    throw new Fault('connection_failed', { detail, reason: 'not_set_up', platform });
  }
  const handle = input.handle.replace(/^@/, '');
  const identity = await connection.signIn({ server: input.server, handle, password });
  return keepAccount(deps, { user_id, platform, identity, settings });
}
