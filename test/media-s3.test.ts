import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { engineSearch, readConfig } from '@perch/local/config';
import { s3Engine } from '@perch/local/engine-list';
import { findEngine } from '@perch/local/engines';
import { type Part, startPart } from '@perch/local/part';
import { freePorts } from '@perch/local/ports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3 } from '../services/media/src/storage/s3.ts';

// A real S3 gateway over a folder: it checks signatures.
const credentials = { accessKeyId: 'perch', secretAccessKey: randomBytes(20).toString('hex') };
const region = 'us-east-1';
let dir: string;
let part: Part;
let endpoint: string;

beforeAll(async () => {
  const search = engineSearch(readConfig(process.env), (line) => console.log(line));
  const programs = await findEngine(s3Engine, search);
  dir = await mkdtemp(join(tmpdir(), 'perch-s3-'));
  await mkdir(join(dir, 'data'));
  await mkdir(join(dir, 'sidecar'));
  const { port } = await freePorts({ port: 0 });
  endpoint = `http://127.0.0.1:${port}`;
  part = await startPart({
    name: 'versitygw',
    command: programs['server'] ?? '',
    args: [
      '--port',
      `127.0.0.1:${port}`,
      'posix',
      '--sidecar',
      join(dir, 'sidecar'),
      join(dir, 'data'),
    ],
    env: {
      PATH: process.env['PATH'] ?? '',
      ROOT_ACCESS_KEY: credentials.accessKeyId,
      ROOT_SECRET_KEY: credentials.secretAccessKey,
    },
    logFile: join(dir, 'log'),
    ready: answers,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  const admin = new S3Client({ region, endpoint, credentials, forcePathStyle: true });
  await admin.send(new CreateBucketCommand({ Bucket: 'media' }));
}, 900_000);
afterAll(async () => {
  await part?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function answers(): Promise<void> {
  while (!(await fetch(endpoint).catch(() => null)))
    await new Promise((resolve) => setTimeout(resolve, 100));
}

test('keeps a file of many parts byte for byte, and forgets it when told', async () => {
  const storage = openS3({ bucket: 'media', region, endpoint, credentials });
  await storage.check();
  const bytes = randomBytes(20_000_000);
  await storage.put('big', Readable.from(chunks(bytes)));
  expect((await buffer(await storage.get('big'))).equals(bytes)).toBe(true);
  const part = await buffer(await storage.get('big', { start: 9_000_000, end: 9_000_010 }));
  expect(part.equals(bytes.subarray(9_000_000, 9_000_010))).toBe(true);
  await storage.remove('big');
  await storage.remove('big');
  await expect(storage.get('big')).rejects.toThrow();
});

test('a stream that breaks off leaves nothing', async () => {
  const storage = openS3({ bucket: 'media', region, endpoint, credentials });
  const breaking = Readable.from(
    (async function* () {
      yield randomBytes(9_000_000);
      throw new Error('gone');
    })(),
  );
  await expect(storage.put('half', breaking)).rejects.toThrow('gone');
  await expect(storage.get('half')).rejects.toThrow();
});

test('a wrong secret or bucket shows in the health check', async () => {
  const wrong = { ...credentials, secretAccessKey: 'wrong' };
  await expect(
    openS3({ bucket: 'media', region, endpoint, credentials: wrong }).check(),
  ).rejects.toThrow();
  await expect(
    openS3({ bucket: 'nowhere', region, endpoint, credentials }).check(),
  ).rejects.toThrow();
});

function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
