import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { engineSearch, readConfig } from '@perch/local/config';
import { helmEngine } from '@perch/local/engine-list';
import { findEngine } from '@perch/local/engines';
import { parseAllDocuments, stringify } from 'yaml';

const run = promisify(execFile);
const chartDir = fileURLToPath(new URL('../../deploy/helm/perch', import.meta.url));
/** The version whose rules the manifests are held to; that of the API server in go.mod too. */
export const kubernetes = '1.36';

/** An object of Kubernetes, its parts not looked into. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into manifests as a cluster's operator would.
  [field: string]: any;
}

/** The chart, ready to be rendered. */
export interface Chart {
  dir: string;
  /** What `helm lint --strict` says; rejects when it finds fault. */
  lint(): Promise<string>;
  /** Its objects with these values on top of `examples/production.yaml`; rejects with Helm's complaint. */
  render(values?: object): Promise<Manifest[]>;
  /** The same as text. */
  renderText(values?: object): Promise<string>;
  remove(): Promise<void>;
}

/** Helm wants every dependency at hand, even one that is off: empty charts stand in, for the real ones are elsewhere. */
const standIns = { nats: '2.12.6', temporal: '1.6.0' };

/** A copy of the chart in a folder of its own. */
export async function openChart(): Promise<Chart> {
  const search = engineSearch(readConfig(process.env), (line) => console.log(line));
  const helm = (await findEngine(helmEngine, search))['helm'] ?? '';
  const work = await mkdtemp(join(tmpdir(), 'perch-chart-'));
  const dir = join(work, 'perch');
  await cp(chartDir, dir, { recursive: true, dereference: true });
  for (const [name, version] of Object.entries(standIns)) {
    await mkdir(join(dir, 'charts', name), { recursive: true });
    await writeFile(
      join(dir, 'charts', name, 'Chart.yaml'),
      stringify({ apiVersion: 'v2', name, version }),
    );
  }
  const example = join(dir, 'examples/production.yaml');
  let renders = 0;
  const renderText = async (values: object = {}) => {
    const file = join(work, `values-${++renders}.yaml`);
    await writeFile(file, stringify(values));
    const args = ['template', 'perch', dir, '--namespace', 'perch', '-f', example, '-f', file];
    const { stdout } = await run(helm, [...args, '--kube-version', kubernetes], {
      maxBuffer: 16_000_000,
    });
    return stdout;
  };
  return {
    dir,
    lint: async () => (await run(helm, ['lint', '--strict', dir, '-f', example])).stdout,
    renderText,
    render: async (values) => {
      const documents = parseAllDocuments(await renderText(values));
      return documents.flatMap((document) => {
        const manifest: Manifest | null = document.toJS();
        return manifest ? [manifest] : [];
      });
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}
