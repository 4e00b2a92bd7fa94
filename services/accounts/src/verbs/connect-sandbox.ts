import { randomBytes } from 'node:crypto';
import type { Account, AccountSettings } from '@perch/proto/accounts';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { findUser } from '../find.ts';
import { keepAccount } from '../platforms/keep-account.ts';

/** Connects a sandbox account; connecting the same handle again keeps its account_id and settings. */
export async function connectSandbox(
  deps: Deps,
  input: {
    user_id: string;
    handle: string;
    display_name?: string | undefined;
    settings: z.output<ReturnType<typeof AccountSettings.partial>>;
  },
): Promise<Account> {
  const { user_id, handle, settings } = input;
  await findUser(deps.db.fork(), { id: user_id });
  const identity = {
    remoteId: handle,
    handle,
    displayName: input.display_name ?? handle,
    credentials: `sandbox-${randomBytes(16).toString('hex')}`,
    facts: null,
  };
  return keepAccount(deps, { user_id, platform: 'sandbox', identity, settings });
}
