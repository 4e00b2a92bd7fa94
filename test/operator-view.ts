import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@perch/local/ports';
import { Health } from '@perch/proto/rpc';
import type { Perch } from './perch.ts';

/** What an operator sees of the processes of one Perch: probes, metrics, logs. */
export interface OperatorView {
  /** Pass it to `startPerch`. */
  env: { PERCH_HEALTH_PORT: string };
  names: readonly ProcessName[];
  /** `/readyz` of one process; null while it does not answer. */
  ready(name: ProcessName): Promise<Health | null>;
  /** Its `/metrics`, each line a name with labels and its value; empty while it does not answer. */
  metrics(name: ProcessName): Promise<Map<string, number>>;
  /** The names of its metrics, also of those that have no figures yet. */
  metricNames(name: ProcessName): Promise<string[]>;
  /** The status of its `/healthz`; null while it does not answer. */
  alive(name: ProcessName): Promise<number | null>;
}

const processes = ['gateway', 'accounts', 'credits', 'media', 'posts'] as const;
export type ProcessName = (typeof processes)[number];

/** Finds ports for the health of all processes. */
export async function operatorView(): Promise<OperatorView> {
  const base = await freeRow();
  const get = async (name: ProcessName, path: string) => {
    const url = `http://127.0.0.1:${base + processes.indexOf(name)}${path}`;
    return fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  };
  return {
    env: { PERCH_HEALTH_PORT: String(base) },
    names: processes,
    ready: async (name) => {
      const answer = await get(name, '/readyz');
      // Probes go by the status, people by the body.
      const health = Health.safeParse(await answer?.json().catch(() => null)).data;
      return answer && health ? { ...health, ok: answer.status === 200 } : null;
    },
    metrics: async (name) => {
      const text = await (await get(name, '/metrics'))?.text().catch(() => '');
      const lines = (text ?? '').split('\n').filter((line) => line && !line.startsWith('#'));
      return new Map(
        lines.map((line) => {
          const end = line.lastIndexOf(' ');
          return [line.slice(0, end), Number(line.slice(end + 1))] as const;
        }),
      );
    },
    metricNames: async (name) => {
      const text = (await (await get(name, '/metrics'))?.text()) ?? '';
      return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, metric = '']) => metric);
    },
    alive: async (name) => (await get(name, '/healthz'))?.status ?? null,
  };
}

/** As many free ports in a row as there are processes. */
async function freeRow(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 20_000);
    const wanted = Object.fromEntries(processes.map((name, index) => [name, base + index]));
    const free = await freePorts(wanted);
    if (processes.every((name) => free[name] === wanted[name])) return base;
  }
}

/** The messages of a process's log. */
export async function logged(perch: Perch, name: ProcessName): Promise<string[]> {
  const text = await readFile(join(perch.home, 'logs', `${name}.log`), 'utf8');
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry && 'msg' in entry ? [String(entry.msg)] : [];
  });
}
