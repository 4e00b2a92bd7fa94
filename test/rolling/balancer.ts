import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const askEveryMs = 200;

/** A TCP balancer as stands before the gateways: it asks each whether it is ready, and sends new connections there. */
export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

/** Balances over these gateways; when none says that it is ready, over all, as balancers do. */
export async function startBalancer(urls: string[]): Promise<Balancer> {
  const ready = new Map(urls.map((url) => [url, true]));
  const sockets = new Set<Socket>();
  let turn = 0;
  const ask = () =>
    Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
          () => null,
        );
        await answer?.arrayBuffer();
        ready.set(url, answer?.ok ?? false);
      }),
    );
  const timer = setInterval(() => void ask(), askEveryMs);
  const server: Server = createServer((caller) => {
    const up = urls.filter((url) => ready.get(url));
    const among = up.length > 0 ? up : urls;
    turn += 1;
    join(caller, [...among.slice(turn % among.length), ...urls], sockets);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Joins a caller to the first of these that takes the connection. */
function join(caller: Socket, [url, ...others]: string[], sockets: Set<Socket>): void {
  if (url === undefined) {
    caller.destroy();
    return;
  }
  const { hostname, port } = new URL(url);
  const gateway = connect(Number(port), hostname);
  gateway.once('error', () => {
    if (gateway.bytesRead === 0 && !caller.destroyed && gateway.bytesWritten === 0)
      join(caller, others, sockets);
  });
  gateway.once('connect', () => {
    for (const socket of [caller, gateway]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        (socket === caller ? gateway : caller).end();
      });
    }
    caller.pipe(gateway).pipe(caller);
  });
}
