import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '@perch/local/config';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PythonTool, pythonWith } from '../python.ts';
import { type Chart, kubernetes, type Manifest, openChart } from './render.ts';

const run = promisify(execFile);
const ci = Boolean(process.env['CI']);
const validator: PythonTool = {
  name: 'kubernetes-validate',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  check: ['-c', 'import kubernetes_validate'],
};
const everything = {
  operator: { enabled: true },
  autoscaling: { lateness: { enabled: true } },
  monitoring: { dashboards: true },
  otel: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' },
};

let chart: Chart;
let manifests: Manifest[];

beforeAll(async () => {
  chart = await openChart();
  manifests = await chart.render(everything);
}, 900_000);
afterAll(() => chart?.remove());

const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const component = (manifest: Manifest) => manifest.metadata.name.replace(/^perch-/, '');
/** Every pod that the chart asks for. */
const pods = () =>
  [...ofKind('Deployment'), ...ofKind('Job')].map((owner) => ({
    name: `${owner.kind} ${component(owner)}`,
    labels: owner['spec'].template.metadata.labels as Record<string, string>,
    spec: owner['spec'].template.spec,
  }));
const envOf = (pod: { spec: { containers: { env: { name: string; value?: string }[] }[] } }) =>
  Object.fromEntries(pod.spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []);

test('helm finds no fault with the chart', async () => {
  expect(await chart.lint()).toContain('0 chart(s) failed');
});

test('every manifest keeps to the schemas of Kubernetes, to the last field', async ({ skip }) => {
  const python = await pythonWith(validator, readConfig(process.env).cacheDir, console.log).catch(
    (error: Error) => (ci ? Promise.reject(error) : skip(error.message)),
  );
  const dir = await mkdtemp(join(tmpdir(), 'perch-manifests-'));
  const validate = async (text: string) => {
    await writeFile(join(dir, 'all.yaml'), text);
    const args = ['-m', 'kubernetes_validate', '-k', kubernetes, '--strict'];
    return run(python, [...args, join(dir, 'all.yaml')]);
  };
  const text = await chart.renderText(everything);
  await validate(text);
  // A mistake is really found.
  await expect(validate(text.replace('minReadySeconds:', 'minReadySecs:'))).rejects.toThrow();
  await rm(dir, { recursive: true });
}, 360_000);

test.each([
  ['a value that nobody knows', { replicaCount: 3 }, /replicaCount/],
  ['an unknown component', { components: { poster: {} } }, /poster/],
  ['a public URL without a scheme', { publicUrl: 'perch.example.com' }, /publicUrl/],
  ['no public URL', { publicUrl: '' }, /publicUrl/],
  ['no bucket', { media: { s3: { bucket: '' } } }, /bucket/],
  ['replicas as text', { components: { posts: { replicas: '3' } } }, /replicas/],
  ['no replica at all', { components: { posts: { replicas: 0 } } }, /replicas/],
  ['a Secret by value', { secrets: { accounts: { DATABASE_URL: 'x' } } }, /accounts/],
  [
    'a password among settings',
    { components: { posts: { env: { DATABASE_URL: 'x' } } } },
    /DATABASE_URL/,
  ],
  [
    'keys among settings',
    { components: { accounts: { env: { PERCH_TOKEN_KEYS: 'x' } } } },
    /PERCH_TOKEN_KEYS/,
  ],
  ['an ingress for no host', { ingress: { enabled: true, host: '' } }, /host/],
  ['a port out of range', { networkPolicy: { nats: { port: 70_000 } } }, /port/],
  ['a stop too short to end a send', { stopSeconds: 3 }, /stopSeconds/],
  [
    'databases that may be anywhere',
    { networkPolicy: { databases: { posts: { to: [] } } } },
    /posts.to/,
  ],
  ['no Temporal', { temporal: { address: '' } }, /temporal.address/],
])('%s is refused, and named', async (_, values, complaint) => {
  await expect(chart.render(values)).rejects.toThrow(complaint);
});

test('every pod keeps to PodSecurity restricted, has a read-only root and no token of the cluster', () => {
  expect(pods()).toHaveLength(11);
  for (const { name, spec } of pods()) {
    expect(spec.automountServiceAccountToken, name).toBe(false);
    expect(spec.hostNetwork ?? spec.hostPID ?? spec.hostIPC ?? false, name).toBe(false);
    expect(spec.securityContext, name).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const volume of spec.volumes) expect(Object.keys(volume), name).toContain('emptyDir');
    for (const container of spec.containers) {
      expect(container.securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources, name).toMatchObject({
        requests: { cpu: expect.anything(), memory: expect.anything() },
        limits: { memory: expect.anything() },
      });
    }
  }
});

test('no secret is in a manifest, and each deployable is given its own Secret alone', () => {
  expect(ofKind('Secret')).toEqual([]);
  for (const { spec, labels } of pods()) {
    const name = labels['app.kubernetes.io/component'] ?? '';
    const [container] = spec.containers;
    const owner = `perch-${name.replace(/^migrate-/, '').replace(/-worker$/, '')}`;
    const named = JSON.stringify(container).match(
      /"(secretRef|secretKeyRef)":\{"name":"[^"]+"|"key":"[^"]+","name":"[^"]+"/g,
    );
    for (const one of named ?? []) expect(one).toContain(`"${owner}"`);
    // A migration needs its database and nothing else.
    if (name.startsWith('migrate-')) {
      expect(container.envFrom).toBeUndefined();
      expect(container.env.filter((entry: { valueFrom?: unknown }) => entry.valueFrom)).toEqual([
        { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: owner, key: 'DATABASE_URL' } } },
      ]);
    }
  }
});

/** The policies that choose a pod with these labels. */
function policiesOf(labels: Record<string, string>): Manifest[] {
  return ofKind('NetworkPolicy').filter((policy) =>
    Object.entries(policy['spec'].podSelector.matchLabels).every(
      ([key, value]) => labels[key] === value,
    ),
  );
}
const ingressOf = (labels: Record<string, string>) =>
  policiesOf(labels).flatMap((policy) => policy['spec'].ingress ?? []);
const egressOf = (labels: Record<string, string>) =>
  policiesOf(labels).flatMap((policy) => policy['spec'].egress ?? []);
const portsOf = (rules: { ports: { port: string | number }[] }[]) =>
  rules.flatMap((rule) => rule.ports.map(({ port }) => port));

test('every pod starts from nothing in and nothing out but names of hosts', () => {
  for (const { name, labels } of pods()) {
    const deny = policiesOf(labels).find((policy) => component(policy) === 'default-deny');
    expect(deny?.['spec'].policyTypes, name).toEqual(['Ingress', 'Egress']);
    expect(deny?.['spec'].ingress, name).toBeUndefined();
    expect(portsOf(deny?.['spec'].egress), name).toEqual([53, 53]);
  }
});

test('only the gateway is public; media gives bytes to the gateway and accounts, and nobody calls the others', () => {
  for (const { name, labels } of pods()) {
    const ports = portsOf(ingressOf(labels)).filter((port) => port !== 'health');
    if (name === 'Deployment gateway') expect(ports).toEqual(['http', 'operator']);
    else expect(ports, name).toEqual(name === 'Deployment media' ? ['bytes'] : []);
    // Nothing but the gateway's public port takes from anywhere.
    for (const rule of ingressOf(labels)) expect(rule.from, name).toBeDefined();
    if (name === 'Deployment media')
      expect(ingressOf(labels)[0].from[0].podSelector.matchExpressions).toEqual([
        {
          key: 'app.kubernetes.io/component',
          operator: 'In',
          values: ['gateway', 'accounts', 'accounts-worker'],
        },
      ]);
  }
});

test('the operators’ port is in no Ingress, and open to those alone who are let in', async () => {
  const [ingress] = ofKind('Ingress');
  expect(JSON.stringify(ingress?.['spec'])).not.toContain('operator');
  const backends = ingress?.['spec'].rules.flatMap(
    (rule: { http: { paths: { backend: unknown }[] } }) =>
      rule.http.paths.map(({ backend }) => backend),
  );
  expect(backends).toEqual([{ service: { name: 'perch-gateway', port: { name: 'http' } } }]);
  const [operator] = ofKind('Service').filter((service) => component(service) === 'operator');
  expect(operator?.['spec']).toMatchObject({
    type: 'ClusterIP',
    ports: [{ targetPort: 'operator' }],
  });
  const closed = await chart.render({
    operator: { enabled: true },
    networkPolicy: { operatorFrom: [] },
  });
  const rules = closed.filter((manifest) => manifest.kind === 'NetworkPolicy');
  expect(JSON.stringify(rules)).not.toContain('"operator"}');
});

test('the database of tokens is reached from accounts and its migrations alone; each database by its owner', () => {
  const addresses = {
    accounts: '10.20.1.1/32',
    credits: '10.20.1.2/32',
    media: '10.20.1.3/32',
    posts: '10.20.1.4/32',
  };
  for (const { name, labels } of pods()) {
    const reached = JSON.stringify(egressOf(labels));
    const owner = (labels['app.kubernetes.io/component'] ?? '').replace(/^migrate-|-worker$/g, '');
    for (const [service, address] of Object.entries(addresses))
      expect(reached.includes(address), `${name} to the database of ${service}`).toBe(
        service === owner,
      );
  }
});

test('the internet is reached by who must, never what is inside by that way', () => {
  for (const { name, labels } of pods()) {
    const world = egressOf(labels)
      .flatMap((rule) => rule.to)
      .filter((peer) => peer.ipBlock?.cidr === '0.0.0.0/0' && peer.ipBlock.except);
    const may = ['accounts', 'accounts-worker', 'posts-worker', 'media'].map(
      (one) => `Deployment ${one}`,
    );
    expect(world.length > 0, name).toBe(may.includes(name));
    for (const { ipBlock } of world)
      expect(ipBlock.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
  }
});

test('a rolling update starts a new pod first, and gives the old one the time that its work may take', () => {
  expect(ofKind('Deployment')).toHaveLength(7);
  for (const deployment of ofKind('Deployment')) {
    const { spec } = deployment['spec'].template;
    const env = envOf({ spec });
    expect(deployment['spec'].strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    const needs = Number(env['PERCH_STOP_SECONDS']) + Number(env['PERCH_DRAIN_SECONDS'] ?? 0);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needs);
    expect(spec.containers[0]).toMatchObject({
      startupProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      livenessProbe: { httpGet: { path: '/healthz' } },
    });
    expect(spec.topologySpreadConstraints).toHaveLength(2);
    expect(ofKind('PodDisruptionBudget').map(component)).toContain(component(deployment));
    expect(ofKind('HorizontalPodAutoscaler').map(component)).toContain(component(deployment));
  }
  const gateway = pods().find(({ name }) => name === 'Deployment gateway');
  expect(gateway && envOf(gateway)).toMatchObject({ PERCH_DRAIN_SECONDS: '8' });
});

test('answering and working scale apart, and starts leave the tables to the jobs before them', () => {
  const roles = pods().flatMap((pod) => {
    const env = envOf(pod);
    return env['PERCH_ROLE']
      ? [[pod.labels['app.kubernetes.io/component'], env['PERCH_ROLE']]]
      : [];
  });
  expect(Object.fromEntries(roles)).toEqual({
    accounts: 'serve',
    'accounts-worker': 'work',
    posts: 'serve',
    'posts-worker': 'work',
  });
  for (const pod of pods()) {
    if (pod.name.startsWith('Deployment') && pod.labels['perch.example/database'])
      expect(envOf(pod)['PERCH_MIGRATE_AT_START']).toBe('false');
  }
  expect(ofKind('Job').map(component)).toEqual(
    ['accounts', 'credits', 'media', 'posts'].map((service) => `migrate-${service}`),
  );
  for (const job of ofKind('Job'))
    expect(job.metadata['annotations' as 'labels']).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
  const late = ofKind('HorizontalPodAutoscaler').filter((one) => one['spec'].metrics.length > 1);
  expect(late.map(component)).toEqual(['accounts-worker', 'posts-worker']);
});

test('the bundled engines are let in when they are asked for', async () => {
  const bundled = await chart.render({
    nats: { enabled: true },
    temporal: { enabled: true, address: '' },
    networkPolicy: { nats: { to: [] }, temporal: { to: [] } },
  });
  const policy = bundled.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'perch-posts',
  );
  expect(JSON.stringify(policy?.['spec'].egress)).toContain('"app.kubernetes.io/name":"temporal"');
  const posts = bundled.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'perch-posts',
  );
  expect(envOf(posts?.['spec'].template)['TEMPORAL_ADDRESS']).toBe('perch-temporal-frontend:7233');
});
