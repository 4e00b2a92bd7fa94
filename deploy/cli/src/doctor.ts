import type { RunState } from '@perch/local/run-state';
import type { Clients } from '@perch/proto/clients';
import { Health, type HealthCheck } from '@perch/proto/rpc';
import { z } from 'zod';

const timeoutMs = 3_000;

/** What the gateway's `/readyz` answers. */
const Readiness = z.object({ services: z.record(z.string(), Health) });

/** Looks at every part; each check says what is wrong and what to do. */
export async function doctor(
  clients: Clients,
  natsUp: boolean,
  state: RunState | null,
): Promise<HealthCheck[]> {
  const checks: HealthCheck[] = [
    {
      name: 'nats',
      ok: natsUp,
      detail: natsUp ? 'answers' : 'does not answer: start Perch, or check NATS_URL',
    },
  ];
  const services = ['accounts', 'credits', 'media', 'posts'] as const;
  for (const service of services) {
    try {
      const health = await clients[service].health.query(undefined, { context: { timeoutMs } });
      checks.push(
        ...health.checks.map((check) => ({ ...check, name: `${service}: ${check.name}` })),
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      checks.push({ name: service, ok: false, detail: `${why}; see its log, or start it` });
    }
  }
  if (state) checks.push(await gateway(state.gatewayUrl), ...restarts(state));
  return checks;
}

/** Asks the gateway itself, which may see the other parts differently than we do. */
async function gateway(url: string): Promise<HealthCheck> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * timeoutMs) });
    const { services } = Readiness.parse(await answer.json());
    const missing = Object.keys(services).filter((name) => !services[name]?.ok);
    const detail = answer.ok
      ? `${url} serves`
      : `${url} can not serve: ${missing.join(', ')} not well; see those first`;
    return { name: 'gateway', ok: answer.ok, detail };
  } catch {
    return { name: 'gateway', ok: false, detail: `${url} does not answer; see its log` };
  }
}

/** A part that was restarted often is not well, even when it runs now. */
function restarts(state: RunState): HealthCheck[] {
  return Object.entries(state.parts).map(([name, part]) => ({
    name: `${name}: process`,
    ok: part.restarts < 5,
    detail:
      part.restarts === 0
        ? `${part.pid} since the start`
        : `${part.pid}, restarted ${part.restarts} times; see its log`,
  }));
}
