import { randomBytes } from 'node:crypto';
import type { Perch } from '../../perch.ts';

/** Says yes on an instance's page, as that person; what the browser is sent back with. */
export async function allow(
  authorizeUrl: string,
  username: string,
): Promise<Record<string, string>> {
  const url = new URL(authorizeUrl);
  const form = new URLSearchParams(url.search);
  form.set('username', username);
  const answer = await fetch(`${url.origin}${url.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`the instance answered ${answer.status}`);
  return Object.fromEntries(new URL(back).searchParams);
}

/** Connects an account to a user through the instance's page. */
export async function connectByConsent(
  perch: Perch,
  one: { userId: string; host: string; username: string },
): Promise<string> {
  const { connections } = perch.clients;
  const { ticket } = await connections.create.mutate({
    user_id: one.userId,
    platform: 'mastodon',
    server: one.host,
    settings: { posting_window: { opens: '00:00', closes: '24:00' } },
  });
  const binding = randomBytes(32).toString('hex');
  const { authorize_url } = await connections.begin.mutate({ ticket, binding });
  const params = await allow(authorize_url, one.username);
  const finished = { platform: 'mastodon' as const, binding, params };
  return (await connections.finish.mutate(finished)).account_id;
}
