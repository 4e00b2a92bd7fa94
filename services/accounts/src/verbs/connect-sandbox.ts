import { randomBytes } from 'node:crypto';
import { type Account, type AccountSettings, defaultPostingWindow } from '@perch/proto/accounts';
import { newId } from '@perch/proto/ids';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, type StoredAccount, toAccount } from '../entities.ts';
import { findUser } from '../find.ts';
import { credentialsPlace } from '../platforms/session.ts';

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
  const account: StoredAccount = await deps.db.fork().transactional(async (em) => {
    const known = await em.findOne(ConnectedAccount, { user_id, platform: 'sandbox', handle });
    const row =
      known ??
      em.create(ConnectedAccount, {
        id: newId('account', deps.clock),
        user_id,
        platform: 'sandbox',
        handle,
        display_name: input.display_name ?? handle,
        time_zone: settings.time_zone ?? 'UTC',
        posting_window: settings.posting_window ?? defaultPostingWindow,
        outside_window: settings.outside_window ?? 'fail',
        reply_template: settings.reply_template ?? null,
        status: 'connected',
        created_at: new Date(deps.clock()),
      });
    row.status = 'connected';
    row.credentials = deps.cipher.encrypt(
      `sandbox-${randomBytes(16).toString('hex')}`,
      credentialsPlace(row.id),
    );
    em.persist(row);
    await em.flush();
    return row;
  });
  return toAccount(account);
}
