import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FaultStep } from '@perch/proto/fault-points';

/** Holds processes at named steps of a post's life, until it is opened. */
export interface Gate {
  url: string;
  /** From now on, the first process to reach that step of that post waits there. */
  hold(step: FaultStep, postId: string): void;
  /** Resolves when somebody waits at every step that is to be held. */
  allHeld(): Promise<void>;
  /** Lets everybody go on, and holds nobody any more. */
  open(): void;
  close(): Promise<void>;
}

/** A gate that the services ask at each step, by PERCH_FAULT_POINTS_URL. */
export async function createGate(): Promise<Gate> {
  const wanted = new Set<string>();
  let held: (() => void)[] = [];
  let reached = () => {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://gate');
    const place = `${url.searchParams.get('step')} ${url.searchParams.get('post_id')}`;
    if (!wanted.delete(place)) return response.end();
    held.push(() => response.end());
    if (wanted.size === 0) reached();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    hold: (step, postId) => wanted.add(`${step} ${postId}`),
    allHeld: () =>
      new Promise((resolve) => {
        reached = resolve;
        if (wanted.size === 0) resolve();
      }),
    open: () => {
      wanted.clear();
      for (const letGo of held) letGo();
      held = [];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
