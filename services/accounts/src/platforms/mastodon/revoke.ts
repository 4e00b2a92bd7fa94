import type { ConnectorDeps } from '../platform.ts';
import { callApi } from './api.ts';
import { readCredentials } from './credentials.ts';

/** Ends a grant at its instance, as well as can be. */
export async function revoke(
  deps: Pick<ConnectorDeps, 'fetch' | 'clock'>,
  credentials: string,
): Promise<void> {
  const { origin, token, clientId, clientSecret } = readCredentials(credentials);
  const form = { client_id: clientId, client_secret: clientSecret, token };
  await callApi(deps, origin, { method: 'POST', path: '/oauth/revoke', form });
}
