import { setTimeout } from 'node:timers/promises';
import { openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { postWorkflowId } from '@perch/proto/workflows';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { Perch, TestUser } from '../perch.ts';
import { line } from './figures.ts';

const posts = 140;
const perAccount = 7;
const leadMs = 15_000;
const databases = ['perch_accounts', 'perch_credits', 'perch_media', 'perch_posts', 'temporal'];

interface Use {
  rows: number;
  commits: number;
}

/** What one post costs, from POST until it is charged: rows, commits, log bytes, NATS messages, history events. */
export async function measurePerPost(perch: Perch): Promise<void> {
  const user = await perch.user(10_000);
  const server = new pg.Client({ connectionString: await perch.postgresUrl() });
  await server.connect();
  const { natsUrl, temporalAddress } = await perch.state();
  const nats = await openNats({
    url: natsUrl,
    name: 'bench',
    log: createLogger('bench', 'silent'),
  });
  const accountIds: string[] = [];
  while (accountIds.length * perAccount < posts) accountIds.push((await user.account()).account_id);
  // Until PostgreSQL has told all of what came before.
  await setTimeout(leadMs);
  // What goes on anyway, sweeps and polls, and how much of it in as long as the posts take.
  const idle = await during(server, nats.connection, () => setTimeout(leadMs));
  const ids: string[] = [];
  const busy = await during(server, nats.connection, async () => {
    ids.push(...(await createAll(user, accountIds)));
  });
  const share = busy.ms / idle.ms;
  for (const name of databases) {
    const [with_, without] = [busy.use.get(name), idle.use.get(name)];
    const each = (what: keyof Use) =>
      (((with_?.[what] ?? 0) - (without?.[what] ?? 0) * share) / posts).toFixed(1);
    line(`per post, ${name}`, `${each('rows')} rows written, ${each('commits')} commits`);
  }
  line(
    'per post, write-ahead log',
    `${Math.round((busy.wal - idle.wal * share) / posts / 1_024)} KiB`,
  );
  line('per post, NATS messages', ((busy.messages - idle.messages * share) / posts).toFixed(1));
  await tellHistories(temporalAddress, ids);
  await nats.close();
  await server.end();
}

async function createAll(user: TestUser, accountIds: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < posts; n++) {
    const account_id = accountIds[Math.floor(n / perAccount)];
    const scheduled_at = new Date(Date.now() + leadMs).toISOString();
    const body = { account_id, tweets: [{ text: `measured ${n}` }], scheduled_at };
    const answer = await user.api('POST', '/posts', body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    ids.push(answer.body.id);
  }
  // The last is due by then; to ask sooner would be counted too.
  await setTimeout(leadMs);
  for (const id of ids)
    while ((await user.api('GET', `/posts/${id}`)).body.status !== 'posted') await setTimeout(500);
  return ids;
}

async function during(
  server: pg.Client,
  nats: Awaited<ReturnType<typeof openNats>>['connection'],
  work: () => Promise<void>,
) {
  let messages = 0;
  const all = nats.subscribe('>', {
    callback: () => {
      messages += 1;
    },
  });
  const before = await useOf(server);
  const from = await walAt(server);
  const startedMs = performance.now();
  await work();
  // PostgreSQL tells its counts with a delay.
  await setTimeout(2_000);
  const ms = performance.now() - startedMs;
  const after = await useOf(server);
  const wal = (await walAt(server)) - from;
  all.unsubscribe();
  const use = new Map(
    [...after].map(([name, now]) => {
      const then = before.get(name);
      return [
        name,
        { rows: now.rows - (then?.rows ?? 0), commits: now.commits - (then?.commits ?? 0) },
      ];
    }),
  );
  return { use, wal, messages, ms };
}

async function useOf(server: pg.Client): Promise<Map<string, Use>> {
  const { rows } = await server.query<{ datname: string; rows: string; commits: string }>(
    `select datname, tup_inserted + tup_updated as rows, xact_commit as commits
     from pg_stat_database where datname = any($1)`,
    [databases],
  );
  return new Map(
    rows.map((row) => [row.datname, { rows: Number(row.rows), commits: Number(row.commits) }]),
  );
}

async function walAt(server: pg.Client): Promise<number> {
  const { rows } = await server.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as at");
  return Number(rows[0].at);
}

async function tellHistories(address: string, ids: string[]): Promise<void> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  let [events, bytes, transitions] = [0, 0, 0];
  const types = new Map<string, number>();
  for (const id of ids) {
    const handle = client.workflow.getHandle(postWorkflowId(id));
    const { raw } = await handle.describe();
    events += Number(raw.workflowExecutionInfo?.historyLength ?? 0);
    bytes += Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0);
    transitions += Number(raw.workflowExecutionInfo?.stateTransitionCount ?? 0);
    for (const event of (await handle.fetchHistory()).events ?? []) {
      const type = String(event.eventType);
      types.set(type, (types.get(type) ?? 0) + 1);
    }
  }
  await connection.close();
  const each = (sum: number) => (sum / ids.length).toFixed(1);
  line('per post, history', `${each(events)} events, ${each(bytes)} bytes`);
  line('per post, Temporal', `${each(transitions)} state transitions`);
  for (const [type, count] of [...types].sort(([a], [b]) => Number(a) - Number(b)))
    line(`  event type ${type}`, each(count));
}
