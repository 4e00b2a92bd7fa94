import { cpus } from 'node:os';
import { createDatabase } from '@perch/proto/database';
import { startPerch } from '../perch.ts';
import { benchCreate } from './create.ts';
import { benchDrain, benchTrickle } from './drain.ts';
import { benchMemory } from './memory.ts';
import { measurePerPost } from './per-post.ts';
import { benchRpc } from './rpc.ts';

// Ratios against baselines of the same run, on the same machine and servers; never absolute promises.
console.log(
  `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}; everything on this machine`,
);
await using perch = await startPerch({ PERCH_AUTH_CACHE_MS: '2000' });
const only = process.argv[2];
const wanted = (name: string) => only === undefined || only === name;

if (wanted('memory')) await benchMemory(perch);
if (wanted('rpc')) await benchRpc((await perch.state()).natsUrl);
if (wanted('create'))
  await benchCreate(perch, await createDatabase(await perch.postgresUrl(), 'bench'));
if (wanted('per-post')) await measurePerPost(perch);
if (wanted('trickle')) await benchTrickle(perch, 5, 30);
if (wanted('drain')) await benchDrain(perch);
