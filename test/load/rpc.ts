import { type Nats, natsLink, openNats, serve } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { procedure, router } from '@perch/proto/rpc';
import { createTRPCClient } from '@trpc/client';
import { z } from 'zod';
import { line } from './figures.ts';

const calls = 20_000;
const inFlight = 64;

const benchRouter = router({
  echo: procedure
    .input(z.object({ text: z.string() }))
    .output(z.object({ text: z.string() }))
    .query(({ input }) => input),
});

/** tRPC over NATS against a bare NATS request, both ends in this process. */
export async function benchRpc(url: string): Promise<void> {
  const log = createLogger('bench', 'error');
  const nats = await openNats({ url, name: 'bench', log });
  const input = { text: 'x'.repeat(500) };
  const bare = await perSecond(bareEcho(nats, JSON.stringify(input)));
  const server = serve(nats, { service: 'bench', router: benchRouter, log });
  const client = createTRPCClient<typeof benchRouter>({ links: [natsLink(nats, 'bench')] });
  const ours = await perSecond(() => client.echo.query(input));
  await server.drain();
  await nats.close();
  line('bare NATS request', `${bare.toFixed(0)}/s`);
  line('tRPC over NATS', `${ours.toFixed(0)}/s, ratio ${(ours / bare).toFixed(2)}`);
}

function bareEcho({ connection }: Nats, payload: string): () => Promise<unknown> {
  connection.subscribe('bare.echo', {
    callback: (_, message) => void message.respond(message.data),
  });
  return () => connection.request('bare.echo', payload, { timeout: 5_000 });
}

async function perSecond(call: () => Promise<unknown>): Promise<number> {
  const round = async (count: number) => {
    let left = count;
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (left-- > 0) await call();
      }),
    );
  };
  await round(calls / 10);
  const started = performance.now();
  await round(calls);
  return calls / ((performance.now() - started) / 1_000);
}
