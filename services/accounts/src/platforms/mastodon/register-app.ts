import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps } from '../platform.ts';
import { type Answer, callApi } from './api.ts';

/** How Perch calls itself at instances, and its posts are marked there. */
export const appName = 'Perch';

/** Perch as one instance knows it. */
export interface App {
  clientId: string;
  clientSecret: string;
}

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock' | 'vault'>;

const Registered = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
const Kept = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.string(),
  scopes: z.string(),
});

/**
 * Perch's registration at an instance: the one that was made before, if the instance still has it, or a new one.
 * Instances forget apps that nobody used, and a person would find that out on the instance's page. Throws
 * `connection_failed`.
 */
export async function appAt(
  deps: Deps,
  origin: string,
  wanted: { redirectUri: string; scopes: string[]; website: string },
): Promise<App> {
  const { redirectUri } = wanted;
  const scopes = wanted.scopes.join(' ');
  const name = `app:${origin}`;
  const sealed = await deps.vault.get(name);
  const kept = sealed === null ? null : Kept.safeParse(JSON.parse(sealed)).data;
  if (kept?.redirectUri === redirectUri && kept.scopes === scopes) {
    const { clientId, clientSecret } = kept;
    if (await isKnown(deps, origin, kept)) return { clientId, clientSecret };
  }
  const form = {
    client_name: appName,
    redirect_uris: redirectUri,
    scopes,
    website: wanted.website,
  };
  const path = '/api/v1/apps';
  const answer = await callApi(deps, origin, { method: 'POST', path, form });
  const registered = Registered.safeParse(answer.kind === 'ok' ? answer.body : null);
  if (!registered.success) throw notConnected(answer, 'did not let Perch register itself');
  const { client_id: clientId, client_secret: clientSecret } = registered.data;
  const app = { clientId, clientSecret };
  await deps.vault.set(name, JSON.stringify({ ...app, redirectUri, scopes }));
  return app;
}

/** Forgets a registration that the instance does not have any more. */
export async function forgetApp(deps: Deps, origin: string): Promise<void> {
  await deps.vault.set(`app:${origin}`, 'null');
}

async function isKnown(deps: Deps, origin: string, app: App): Promise<boolean> {
  const answer = await callApi(deps, origin, {
    method: 'POST',
    path: '/oauth/token',
    form: {
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
    },
  });
  if (answer.kind === 'ok') return true;
  if (answer.kind === 'refused' && answer.status < 500 && answer.status !== 429) return false;
  throw notConnected(answer, 'is away');
}

/** Why an account could not be connected, in a sentence. */
export function notConnected(answer: Answer, what: string): Fault {
  const why = answer.kind === 'ok' ? '' : `: ${answer.detail}`;
  const reason = answer.kind === 'unsent' ? 'server_unreachable' : 'platform';
  return new Fault('connection_failed', { detail: `the instance ${what}${why}`, reason });
}
