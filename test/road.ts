import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can close and open again, as an outage would. */
export interface Road {
  port: number;
  close(): void;
  open(): void;
  end(): Promise<void>;
}

/** Opens a way to a loopback port; `to` is asked for each traveller, so the server may move. */
export async function openRoad(to: () => number): Promise<Road> {
  const travellers = new Set<Socket>();
  let closed = false;
  const server = createServer((near) => {
    if (closed) return near.destroy();
    const far = connect(to(), '127.0.0.1');
    for (const socket of [near, far]) {
      travellers.add(socket);
      // The other half ends with it; why does not matter here.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        travellers.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    closed = true;
    for (const socket of travellers) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close,
    open: () => {
      closed = false;
    },
    end: async () => {
      close();
      const ended = once(server, 'close');
      server.close();
      await ended;
    },
  };
}
