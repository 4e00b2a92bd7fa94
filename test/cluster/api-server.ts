import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { request } from 'node:https';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '@perch/local/config';
import { type Part, printed, startPart } from '@perch/local/part';
import { freePorts } from '@perch/local/ports';
import { z } from 'zod';
import type { Manifest } from './render.ts';

const run = promisify(execFile);
const module = fileURLToPath(new URL('.', import.meta.url));
/** That of go.mod. */
const version = '1.36.3';

/** What the server said to one request. */
export interface Answer {
  status: number;
  /** Its `Warning` headers: deprecated APIs, and what PodSecurity would object to. */
  warnings: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a cluster's operator would.
  body: any;
}

/** A real kube-apiserver on a real etcd, with no controllers and no nodes: what it takes, a cluster takes. */
export interface ApiServer {
  request(method: string, path: string, body?: object): Promise<Answer>;
  /** Server-side apply as a rehearsal: admission, defaults and validation, and nothing is kept. */
  rehearse(manifest: Manifest, namespace: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts both; builds the API server with Go where it is not in the cache yet, in about ten minutes. */
export async function startApiServer(): Promise<ApiServer> {
  const program = await findApiServer();
  const dir = await mkdtemp(join(tmpdir(), 'perch-cluster-'));
  const ports = await freePorts({ etcd: 0, peers: 0, api: 0 });
  const token = randomBytes(24).toString('hex');
  const etcd = await startEtcd(dir, ports);
  let part: Part;
  try {
    part = await startServer({ program, dir, ports, token });
  } catch (error) {
    await etcd.stop();
    throw error;
  }
  const ca = await readFile(join(dir, 'certs/apiserver.crt'));
  const ask: ApiServer['request'] = (method, path, body) =>
    send({ method, path, ca, token, port: ports.api, ...(body && { body }) });
  const paths = new Map<string, Promise<Map<string, Resource>>>();
  const resourceOf = async ({ apiVersion, kind }: Manifest) => {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = paths.get(base) ?? discover(ask, base);
    paths.set(base, known);
    const resource = (await known).get(kind);
    if (!resource) throw new Error(`the server has no ${kind} in ${apiVersion}`);
    return { base, ...resource };
  };
  return {
    request: ask,
    rehearse: async (manifest, namespace) => {
      const { base, name, namespaced } = await resourceOf(manifest);
      const within = namespaced ? `/namespaces/${namespace}` : '';
      const query = '?dryRun=All&fieldManager=perch&force=true';
      return ask('PATCH', `${base}${within}/${name}/${manifest.metadata.name}${query}`, manifest);
    },
    stop: async () => {
      await part.stop();
      await etcd.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const Resources = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});
type Resource = z.infer<typeof Resources>['resources'][number];

async function discover(ask: ApiServer['request'], base: string): Promise<Map<string, Resource>> {
  const { resources } = Resources.parse((await ask('GET', base)).body);
  const whole = resources.filter(({ name }) => !name.includes('/'));
  return new Map(whole.map((resource) => [resource.kind, resource]));
}

function send(options: {
  method: string;
  path: string;
  body?: object;
  ca: Buffer;
  token: string;
  port: number;
}): Promise<Answer> {
  const { method, path, body, ca, token, port } = options;
  // JSON is YAML, the one language that a server-side apply is written in.
  const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, ca }, (response) => {
      const warnings = [response.headers['warning'] ?? []].flat().map(String);
      const isJson = response.headers['content-type']?.includes('json');
      text(response).then(
        (said) =>
          resolve({
            status: response.statusCode ?? 0,
            warnings,
            body: isJson ? JSON.parse(said) : said,
          }),
        reject,
      );
    });
    call.once('error', reject).end(body && JSON.stringify(body));
  });
}

function startEtcd(dir: string, ports: { etcd: number; peers: number }): Promise<Part> {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.peers}`;
  return startPart({
    name: 'etcd',
    command: 'etcd',
    args: [
      ...['--data-dir', join(dir, 'etcd'), '--unsafe-no-fsync'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ],
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: join(dir, 'etcd.log'),
    ready: (child) => printed(child, 'ready to serve client requests'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  }).catch((cause: unknown) => {
    throw new Error('etcd is needed on PATH (Debian and Ubuntu: etcd-server)', { cause });
  });
}

async function startServer(options: {
  program: string;
  dir: string;
  ports: { etcd: number; api: number };
  token: string;
}): Promise<Part> {
  const { dir, ports, token } = options;
  const key = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const keyFile = join(dir, 'service-accounts.key');
  await writeFile(keyFile, key.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const tokens = join(dir, 'tokens.csv');
  await writeFile(tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const ca = join(dir, 'certs/apiserver.crt');
  const ready = async () => {
    for (;;) {
      const answer = await readFile(ca)
        .then((file) => send({ method: 'GET', path: '/readyz', ca: file, token, port: ports.api }))
        .catch(() => null);
      if (answer?.status === 200) return;
      await setTimeout(200);
    }
  };
  return startPart({
    name: 'kube-apiserver',
    command: options.program,
    args: [
      `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
      `--secure-port=${ports.api}`,
      ...['--bind-address=127.0.0.1', `--cert-dir=${join(dir, 'certs')}`],
      ...['--authorization-mode=RBAC', `--token-auth-file=${tokens}`],
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${keyFile}`,
      `--service-account-signing-key-file=${keyFile}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      // The cache asks more of etcd than Debian's can tell.
      '--watch-cache=false',
    ],
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: join(dir, 'api-server.log'),
    ready,
    stopSignal: 'SIGKILL',
    stopTimeoutMs: 5_000,
  });
}

/** The setting, the cache, else built there with Go from the module beside this file. */
async function findApiServer(): Promise<string> {
  const set = process.env['PERCH_KUBE_APISERVER_DIR'];
  if (set) return join(set, 'kube-apiserver');
  const { cacheDir } = readConfig(process.env);
  const home = join(cacheDir, 'engines', `kube-apiserver-${version}-${platform()}-${arch()}`);
  const program = join(home, 'kube-apiserver');
  if (await isRunnable(program)) return program;
  await mkdir(join(home, '..'), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  console.log(`kube-apiserver ${version}: building it with Go, about ten minutes, once`);
  try {
    const named = `-s -w -X k8s.io/component-base/version.gitVersion=v${version}`;
    const args = ['build', `-ldflags=${named}`, '-o', join(work, 'kube-apiserver')];
    await run('go', [...args, 'k8s.io/kubernetes/cmd/kube-apiserver'], {
      cwd: module,
      maxBuffer: 64_000_000,
    });
    await rename(work, home).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return program;
}

function isRunnable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
