import { parseArgs } from 'node:util';
import { readConfig } from '@perch/local/config';
import { type RunState, readRunState } from '@perch/local/run-state';
import { connectClients } from '@perch/proto/clients';
import { faultOf } from '@perch/proto/faults';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { type Command, commands, type Given, UsageError } from './commands.ts';
import { doctor } from './doctor.ts';
import { asText } from './text.ts';

const connectTimeoutMs = 3_000;

// `npm run perch -- <command>`: for operators; it asks the services as the gateway does, past the public API.
// Exit codes: 0 done, 1 failed or not well, 2 not a command as it should be typed.
process.exitCode = await main().catch((error: unknown) => {
  console.error(messageOf(error));
  return error instanceof UsageError ? 2 : 1;
});

async function main(): Promise<number> {
  const { words, options, help, json } = given();
  if (help || words.length === 0) {
    console.log(usage());
    return 0;
  }
  const isDoctor = words[0] === 'doctor';
  const command = isDoctor ? undefined : commandOf(words);
  const config = readConfig(process.env);
  const state = await stateOf(config.home, config.natsUrl);
  const nats = await connect(config.natsUrl ?? state?.natsUrl);
  try {
    if (!command) return await tellHealth(nats, state, json);
    const rest = { words: words.slice(command.wordCount), options, env: process.env };
    const result = await run(command, nats, rest);
    console.log(json ? JSON.stringify(result, null, 2) : asText(result));
    return 0;
  } finally {
    await nats.close();
  }
}

/** What was typed; `json` asks for a machine's form of the result. */
function given(): Omit<Given, 'env'> & { help: boolean; json: boolean } {
  try {
    const text = { type: 'string' as const };
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
        ...{
          plan: text,
          reason: text,
          key: text,
          name: text,
          scopes: text,
          expires: text,
          mode: text,
          role: text,
        },
        ...{ handle: text, 'time-zone': text, window: text, outside: text, server: text },
      },
    });
    const { help = false, json = false, ...options } = values;
    return { words: positionals, options, help, json };
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n\n${usage()}`);
  }
}

function commandOf(words: string[]): Command & { wordCount: number } {
  for (const wordCount of [2, 1]) {
    const name = words.slice(0, wordCount).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { ...command, wordCount };
  }
  throw new UsageError(`there is no command ${words.join(' ')}\n\n${usage()}`);
}

/** The stack that runs here, unless the operator asks for another one by its NATS. */
async function stateOf(home: string, natsUrl: string | undefined): Promise<RunState | null> {
  const state = await readRunState(home);
  return natsUrl === undefined || natsUrl === state?.natsUrl ? state : null;
}

async function connect(url: string | undefined): Promise<Nats> {
  if (!url) throw new Error('Perch does not run here. Start it with `npm start`, or set NATS_URL.');
  const log = createLogger('cli', 'silent');
  const opening = { url, name: 'perch-cli', log, firstConnectTimeoutMs: connectTimeoutMs };
  return openNats(opening).catch((error: unknown) => {
    const what = 'NATS does not answer. Start Perch with `npm start`, or check NATS_URL.';
    throw new Error(`${what} (${messageOf(error)})`);
  });
}

async function run(command: Command, nats: Nats, given: Given): Promise<unknown> {
  try {
    return await command.run(connectClients(nats), given, (line) => console.error(line));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\n\nnpm run perch -- ${command.usage}`);
  }
}

async function tellHealth(nats: Nats, state: RunState | null, json: boolean): Promise<number> {
  const checks = await doctor(connectClients(nats), nats.isUp(), state);
  const bad = checks.filter((check) => !check.ok).length;
  if (json) console.log(JSON.stringify({ ok: bad === 0, checks }, null, 2));
  else {
    for (const { name, ok, detail } of checks)
      console.log(`${ok ? 'ok ' : 'BAD'}  ${name.padEnd(28)} ${detail}`);
    console.log(bad === 0 ? 'All is well.' : `${bad} of ${checks.length} checks are bad.`);
  }
  return bad === 0 ? 0 : 1;
}

function usage(): string {
  const rows = [
    ...Object.values(commands),
    { usage: 'doctor', says: 'Checks every part and says what to do.' },
  ];
  return [
    'npm run perch -- <command> [--json]',
    ...rows.map((row) => `  ${row.usage}\n      ${row.says}`),
  ].join('\n');
}

function messageOf(error: unknown): string {
  const fault = faultOf(error);
  if (fault) return `${fault.code}: ${fault.message}`;
  return error instanceof Error ? error.message : String(error);
}
