import { parseArgs } from 'node:util';
import { readConfig } from '@perch/local/config';
import { type RunState, readRunState } from '@perch/local/run-state';
import { connectClients } from '@perch/proto/clients';
import { faultOf } from '@perch/proto/faults';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { z } from 'zod';
import { commands, type Given, UsageError } from './commands.ts';
import { doctor } from './doctor.ts';

// `npm run perch -- <command>`: for operators; it asks the services as the gateway does, past the public API.
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage()}` : messageOf(error));
  return error instanceof UsageError ? 2 : 1;
});

async function main(): Promise<number> {
  const { words, options, help } = given();
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find(
    (one) => one in commands || one === 'doctor',
  );
  if (help || words.length === 0) {
    console.log(usage());
    return 0;
  }
  if (name === undefined) throw new UsageError(`there is no command ${words.join(' ')}`);
  const config = readConfig(process.env);
  const state = await readRunState(config.home);
  const nats = await connect(config.natsUrl ?? state?.natsUrl);
  try {
    if (name === 'doctor') return await tellHealth(nats, state);
    const rest = words.slice(name.split(' ').length);
    const result = await commands[name]?.run(connectClients(nats), { words: rest, options });
    console.log(JSON.stringify(result, null, 2));
    return 0;
  } finally {
    await nats.close();
  }
}

function given(): Given & { help: boolean } {
  try {
    const text = { type: 'string' as const };
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        ...{ plan: text, reason: text, key: text, name: text, scopes: text, expires: text },
        ...{ handle: text, 'time-zone': text, window: text, outside: text },
      },
    });
    const { help = false, ...options } = values;
    return { words: positionals, options, help };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function connect(url: string | undefined): Promise<Nats> {
  if (!url) throw new Error('Perch does not run here. Start it with `npm start`, or set NATS_URL.');
  const connecting = openNats({ url, name: 'perch-cli', log: createLogger('cli', 'silent') });
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () =>
        reject(new Error('NATS does not answer. Start Perch with `npm start`, or check NATS_URL.')),
      3_000,
    ).unref();
  });
  return Promise.race([connecting, late]);
}

async function tellHealth(nats: Nats, state: RunState | null): Promise<number> {
  const checks = await doctor(connectClients(nats), nats.isUp(), state);
  for (const { name, ok, detail } of checks)
    console.log(`${ok ? 'ok ' : 'BAD'}  ${name.padEnd(28)} ${detail}`);
  const bad = checks.filter((check) => !check.ok).length;
  console.log(bad === 0 ? 'All is well.' : `${bad} of ${checks.length} checks are bad.`);
  return bad === 0 ? 0 : 1;
}

function usage(): string {
  const rows = [
    ...Object.values(commands),
    { usage: 'doctor', says: 'Checks every part and says what to do.' },
  ];
  return [
    'npm run perch -- <command>',
    ...rows.map((row) => `  ${row.usage}\n      ${row.says}`),
  ].join('\n');
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map((issue) => issue.message).join('; ');
  const fault = faultOf(error);
  return fault
    ? `${fault.code}: ${fault.message}`
    : error instanceof Error
      ? error.message
      : String(error);
}
