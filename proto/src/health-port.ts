import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { countRuntime, gauge, metricsText } from './metrics.ts';
import type { Logger } from './process.ts';
import type { Health } from './rpc.ts';

/** The port on which a process tells operators and their machines how it is. */
export interface HealthPort {
  /** From now on `/readyz` says what these checks say. */
  ready(check: () => Promise<Health>): void;
  /** From now on `/readyz` says that the process is ending. */
  stopping(): void;
  close(): Promise<void>;
}

/** Probes and scrapes that come together share one look. */
const lookEveryMs = 500;

/**
 * Opens `/healthz`, whether the process lives; `/readyz`, whether it has what it needs; `/metrics`, for Prometheus.
 * Opened first of all, so that a process which waits for its dependencies can say so. Port 0 opens nothing.
 */
export async function openHealthPort(options: {
  port: number;
  host: string | undefined;
  log: Logger;
}): Promise<HealthPort> {
  const { port, host, log } = options;
  const watch = watchReadiness(log);
  const handles = { ready: watch.ready, stopping: watch.stopping };
  if (port === 0) return { ...handles, close: async () => {} };
  countRuntime();
  const server = createServer((request, response) => {
    void answer(watch.look, request.url ?? '/', response).catch((err: unknown) => {
      log.warn({ err }, 'could not answer on the health port');
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    ...handles,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Looks at the checks, tells the log when the answer changes, and keeps it as a metric. */
function watchReadiness(log: Logger) {
  let check = async (): Promise<Health> => notYet('start', 'it waits for what it needs');
  let wasBad = '';
  let looking: Promise<Health> | undefined;
  async function look(): Promise<Health> {
    const health = await check().catch((error: unknown) =>
      notYet('checks', error instanceof Error ? error.message : String(error)),
    );
    const bad = health.checks.filter((one) => !one.ok);
    const names = bad.map((one) => one.name).join(', ');
    if (names !== wasBad) {
      if (names) log.warn({ checks: bad }, `not ready: ${names}`);
      else log.info('ready');
      wasBad = names;
    }
    return health;
  }
  const shared = (): Promise<Health> => {
    if (looking) return looking;
    looking = look();
    setTimeout(() => {
      looking = undefined;
    }, lookEveryMs).unref();
    return looking;
  };
  const metric = { name: 'perch_check_ok', labels: ['check'] } as const;
  const help = 'Whether something that this process needs is well (1) or not (0), as /readyz says.';
  gauge({ ...metric, help }, async () =>
    (await shared()).checks.map(({ name, ok }) => ({ labels: { check: name }, value: Number(ok) })),
  );
  return {
    look: shared,
    ready: (checks: () => Promise<Health>) => {
      check = checks;
      looking = undefined;
    },
    stopping: () => {
      check = async () => notYet('stop', 'it is ending');
      looking = undefined;
    },
  };
}

function notYet(name: string, detail: string): Health {
  return { ok: false, checks: [{ name, ok: false, detail }] };
}

async function answer(
  look: () => Promise<Health>,
  url: string,
  response: ServerResponse,
): Promise<void> {
  const path = url.split('?')[0];
  if (path === '/metrics') {
    const { type, text } = await metricsText();
    response.writeHead(200, { 'content-type': type }).end(text);
    return;
  }
  // Alive is who answers: a restart mends no dependency.
  if (path === '/healthz') return json(response, 200, { ok: true });
  if (path !== '/readyz') return json(response, 404, { ok: false });
  const health = await look();
  json(response, health.ok ? 200 : 503, health);
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
