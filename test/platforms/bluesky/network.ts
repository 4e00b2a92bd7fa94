import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The parts of Bluesky's development network that are used here. */
interface Network {
  pds: { url: string };
  plc: { url: string };
  bsky: { url: string };
  close(): Promise<void>;
}

/**
 * Runs a whole Bluesky network, the real servers, until its input ends: `network.ts <engine folder>`, with
 * `DATABASE_URL`. Prints one line of JSON that says where they are.
 */
async function main(): Promise<void> {
  const engine = join(process.argv[2] ?? '', 'node_modules/@atproto/dev-env/dist/index.js');
  // Asked for by the network, used by none of its parts.
  process.env['REDIS_HOST'] ??= 'unused.invalid';
  const { TestNetwork }: { TestNetwork: { create(params: unknown): Promise<Network> } } =
    await import(pathToFileURL(engine).href);
  const network = await TestNetwork.create({
    dbPostgresUrl: process.env['DATABASE_URL'],
    dbPostgresSchema: 'perch',
    pds: { rateLimitsEnabled: true },
  });
  const { pds, plc, bsky } = network;
  console.log(JSON.stringify({ pds: pds.url, plc: plc.url, index: bsky.url }));
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
}

await main();
