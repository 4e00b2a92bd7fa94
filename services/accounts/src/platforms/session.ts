import type { Cipher } from '@perch/proto/cipher';
import type { SendingAccount } from '../entities.ts';
import type { Session } from './platform.ts';

/** What an account's sealed credentials are bound to. */
export function credentialsPlace(accountId: string): string {
  return `connected_account|${accountId}|credentials`;
}

/** Opens an account for one send; null when it is disconnected. */
export function openSession(account: SendingAccount, cipher: Cipher): Session | null {
  if (account.status !== 'connected' || !account.credentials) return null;
  const token = cipher.decrypt(account.credentials, credentialsPlace(account.id));
  return { accountId: account.id, handle: account.handle, token };
}
