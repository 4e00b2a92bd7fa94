import { createServer } from 'node:net';

/** Below 32,768: Temporal keeps its ports in 16 signed bits. Also below what systems hand out by themselves. */
const lowest = 20_000;
const highest = 32_000;

/** Free ports of loopback, all different: the preferred ones where they are free; 0 asks for any. */
export async function freePorts<Name extends string>(
  preferred: Record<Name, number>,
): Promise<Record<Name, number>> {
  const chosen = { ...preferred };
  const taken = new Set<number>();
  for (const [name, port] of Object.entries<number>(preferred) as [Name, number][]) {
    let free = port;
    while (free === 0 || taken.has(free) || !(await isFree(free))) free = anyPort();
    taken.add(free);
    chosen[name] = free;
  }
  return chosen;
}

/**
 * A start on free ports, chosen anew each time until it succeeds, for another program may take one
 * between the look and the start; from then on always on the same, for others know them.
 */
export function onFreePorts<Name extends string, Started>(
  preferred: Record<Name, number>,
  start: (ports: Record<Name, number>) => Promise<Started>,
): () => Promise<Started> {
  let kept: Record<Name, number> | null = null;
  return async () => {
    const ports = kept ?? (await freePorts(preferred));
    const started = await start(ports);
    kept = ports;
    return started;
  };
}

function anyPort(): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
