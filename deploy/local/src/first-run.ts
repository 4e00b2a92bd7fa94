import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from '@perch/proto/accounts';
import { type Clients, connectClients } from '@perch/proto/clients';
import { faultCodeOf } from '@perch/proto/faults';
import { openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';

const email = 'demo@perch.example';
const keyName = 'first run';
const credits = 1_000;

/** At the very first start: a user on the paid plan with an account, credits and a key, shown this once. */
export async function firstRun(options: {
  home: string;
  natsUrl: string;
  gatewayUrl: string;
  say(line: string): void;
}): Promise<void> {
  const done = join(options.home, 'first-run.done');
  if ((await readFile(done, 'utf8').catch(() => null)) !== null) return;
  const nats = await openNats({
    url: options.natsUrl,
    name: 'first-run',
    log: createLogger('first-run', 'error'),
  });
  try {
    const seeded = await seed(connectClients(nats));
    for (const line of welcome(options.gatewayUrl, seeded)) options.say(line);
  } finally {
    await nats.close();
  }
  // Only now: had we died before, the key would not have been shown, and the next start makes another.
  await writeFile(done, email);
}

async function seed(clients: Clients): Promise<{ secret: string; accountId: string }> {
  const user = await demoUser(clients);
  const account = await clients.accounts.connectSandbox.mutate({
    user_id: user.id,
    handle: 'perch_demo',
    display_name: 'Perch demo',
    settings: {
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      posting_window: { opens: '00:00', closes: '24:00' },
      reply_template: 'Thank you, {handle}!',
    },
  });
  const grant = { user_id: user.id, credits, reason: 'demo', idempotency_key: 'first-run' };
  await clients.credits.grant.mutate(grant);
  for (const key of await clients.accounts.listKeys.query({ user_id: user.id })) {
    if (key.name === keyName)
      await clients.accounts.revokeKey.mutate({ user_id: user.id, key_id: key.id });
  }
  const { secret } = await clients.accounts.createKey.mutate({ user_id: user.id, name: keyName });
  return { secret, accountId: account.account_id };
}

async function demoUser(clients: Clients): Promise<User> {
  try {
    return await clients.accounts.getUser.query({ email });
  } catch (error) {
    if (faultCodeOf(error) !== 'not_found') throw error;
    return clients.accounts.createUser.mutate({ email, plan: 'paid' });
  }
}

function welcome(
  url: string,
  { secret, accountId }: { secret: string; accountId: string },
): string[] {
  const curl = (fields: string) =>
    `curl -s ${url}/api/v1/posts -H "Authorization: Bearer $PERCH_KEY" -H 'Content-Type: application/json' -d ${fields}`;
  const now = { account_id: accountId, tweets: [{ text: 'Hello from Perch' }], publish_now: true };
  const later = { account_id: accountId, tweets: [{ text: 'Hello again, on time' }] };
  const inAMinute = '\'"$(node -p "new Date(Date.now()+60000).toISOString()")"\'';
  const body = JSON.stringify(later).replace(/}$/, `,"scheduled_at":"${inAMinute}"}`);
  return [
    '',
    `A demo user (${email}, paid plan, ${credits} credits) with a sandbox account is ready.`,
    'Its API key is shown this once:',
    '',
    `  export PERCH_KEY=${secret}`,
    '',
    'Post now:',
    `  ${curl(`'${JSON.stringify(now)}'`)}`,
    '',
    'Post in a minute:',
    `  ${curl(`'${body}'`)}`,
    '',
    `Its dashboard is at ${url}/app: choose a password by "Forgot password"; the mail is at ${url}/app/mails.`,
    '',
    'See what became of it:',
    `  curl -s ${url}/api/v1/posts -H "Authorization: Bearer $PERCH_KEY"`,
    '',
  ];
}
