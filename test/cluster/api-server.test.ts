import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type Chart, type Manifest, openChart } from './render.ts';

// `npm run test:cluster`: the API server takes ten minutes to build the first time.
const wanted = Boolean(process.env['PERCH_TEST_CLUSTER']);
const namespace = 'perch';
const restricted = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
};

describe.runIf(wanted)('on a real API server', () => {
  let server: ApiServer;
  let chart: Chart;
  let manifests: Manifest[];

  beforeAll(async () => {
    chart = await openChart();
    manifests = await chart.render({ monitoring: { dashboards: true } });
    server = await startApiServer();
    const labels = restricted;
    await server.request('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels } });
    // Pods name it; no controller is here to make it.
    await server.request('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
      metadata: { name: 'default' },
    });
  }, 1_800_000);
  afterAll(async () => {
    await server?.stop();
    await chart?.remove();
  });

  test('every object of the chart is taken, without a warning', async () => {
    expect(manifests.length).toBeGreaterThan(35);
    for (const manifest of manifests) {
      const { status, warnings, body } = await server.rehearse(manifest, namespace);
      const name = `${manifest.kind} ${manifest.metadata.name}`;
      expect([name, status, body.message]).toEqual([name, 201, undefined]);
      expect([name, warnings]).toEqual([name, []]);
    }
  });

  test('admission lets every pod into a namespace labelled restricted, and a laxer one not', async () => {
    const owners = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    expect(owners).toHaveLength(11);
    for (const owner of owners) {
      const name = owner.metadata.name;
      const { labels } = owner['spec'].template.metadata;
      const spec = { ...owner['spec'].template.spec };
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec };
      const taken = await server.rehearse(pod, namespace);
      expect([name, taken.status, taken.body.message]).toEqual([name, 201, undefined]);
      const lax = structuredClone(pod);
      lax.spec.containers[0].securityContext.allowPrivilegeEscalation = true;
      const refused = await server.rehearse(lax, namespace);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        expect.stringContaining('violates PodSecurity "restricted'),
      ]);
    }
  });

  test('the server tells a mistake from a manifest', async () => {
    const [policy] = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    const wrong = structuredClone(policy) as Manifest;
    wrong['spec'].egress[0].ports[0].protocol = 'PIGEON';
    expect((await server.rehearse(wrong, namespace)).status).toBe(422);
  });
});
