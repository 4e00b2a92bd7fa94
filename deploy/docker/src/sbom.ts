import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Component {
  type: 'library' | 'platform';
  name: string;
  version: string;
  purl: string;
  'bom-ref': string;
  licenses?: { expression: string }[];
}

/**
 * A CycloneDX 1.6 document of what an image really holds: every package that is installed under `app`, and Node.
 * Read from the files themselves, for npm's own list leaves out what it takes for a peer or a workspace's alone.
 */
export async function sbomOf(
  app: string,
  image: { name: string; version: string },
): Promise<string> {
  const components = new Map<string, Component>();
  for (const manifest of await installed(join(app, 'node_modules'))) {
    const component = componentOf(manifest);
    components.set(component['bom-ref'], component);
  }
  const node = { name: 'node', version: process.versions.node };
  const nodeRef = `pkg:generic/node@${node.version}`;
  components.set(nodeRef, { type: 'platform', ...node, purl: nodeRef, 'bom-ref': nodeRef });
  const sorted = [...components.values()].sort((a, b) => a.purl.localeCompare(b.purl));
  return JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'container', ...image } },
      components: sorted,
    },
    null,
    2,
  );
}

interface Manifest {
  name: string;
  version: string;
  license?: unknown;
}

function componentOf({ name, version, license }: Manifest): Component {
  // Package URLs want the @ of a scope escaped.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = typeof license === 'string' ? { licenses: [{ expression: license }] } : {};
  return { type: 'library', name, version, purl, 'bom-ref': purl, ...licenses };
}

/** Every package of a node_modules folder and of those inside it; what is linked there is ours. */
async function installed(folder: string): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    if (entry.name.startsWith('@')) found.push(...(await installed(path)));
    else {
      const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => null);
      if (manifest !== null) found.push(JSON.parse(manifest));
      found.push(...(await installed(join(path, 'node_modules'))));
    }
  }
  return found;
}
