import {
  type Account,
  type AccountSettings,
  defaultPostingWindow,
  type PlatformName,
} from '@perch/proto/accounts';
import { newId } from '@perch/proto/ids';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, toAccount } from '../entities.ts';
import type { Identity } from './platform.ts';
import { credentialsPlace } from './session.ts';

/** Keeps a connected account. One that was connected before keeps its account_id and settings, whatever its handle is now. */
export async function keepAccount(
  deps: Pick<Deps, 'db' | 'cipher' | 'clock'>,
  input: {
    user_id: string;
    platform: PlatformName;
    identity: Identity;
    settings: z.output<ReturnType<typeof AccountSettings.partial>>;
  },
): Promise<Account> {
  const { user_id, platform, identity, settings } = input;
  const { remoteId: remote_id, handle, displayName: display_name, facts } = identity;
  const row = await deps.db.fork().transactional(async (em) => {
    // Two tabs that connect the same account must end with one.
    await em.execute('select from app_user where id = ? for update', [user_id]);
    const account =
      (await em.findOne(ConnectedAccount, { user_id, platform, remote_id })) ??
      em.create(ConnectedAccount, {
        id: newId('account', deps.clock),
        user_id,
        platform,
        remote_id,
        handle,
        display_name,
        time_zone: settings.time_zone ?? 'UTC',
        posting_window: settings.posting_window ?? defaultPostingWindow,
        outside_window: settings.outside_window ?? 'fail',
        reply_template: settings.reply_template ?? null,
        status: 'connected',
        facts,
        created_at: new Date(deps.clock()),
      });
    const credentials = deps.cipher.encrypt(identity.credentials, credentialsPlace(account.id));
    Object.assign(account, { handle, display_name, facts, status: 'connected', credentials });
    em.persist(account);
    await em.flush();
    return account;
  });
  return toAccount(row);
}
