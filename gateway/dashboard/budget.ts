import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What a page may weigh, in kilobytes of 1,000 bytes after gzip. */
export interface Budget {
  /** All script that any page needs at its first load: the entry, its own part, and what both import. */
  firstLoadKb: number;
  /** All style of a page, in the same sense. */
  styleKb: number;
}

/** Parts that stand around other pages, so that they are loaded with any of them. */
const around = ['shell'];

/** Fails the build when the first load of any page is over the budget, and prints the heaviest pages. */
export function budget(limit: Budget): Plugin {
  return {
    name: 'perch:budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      const pages = weigh(bundle);
      const heaviest = pages.toSorted((a, b) => b.scriptKb - a.scriptKb);
      for (const page of heaviest.slice(0, 3))
        this.info(
          `${page.name}: ${page.scriptKb} kB script, ${page.styleKb} kB style at first load`,
        );
      const over = pages.filter(
        (page) => page.scriptKb > limit.firstLoadKb || page.styleKb > limit.styleKb,
      );
      if (over.length > 0)
        this.error(
          `over ${limit.firstLoadKb} kB script or ${limit.styleKb} kB style at first load: ${over
            .map((page) => `${page.name} (${page.scriptKb}, ${page.styleKb})`)
            .join(', ')}`,
        );
    },
  };
}

/** The first load of each page: what the entry and that page's part import, each file once. */
export function weigh(
  bundle: Rolldown.OutputBundle,
): { name: string; scriptKb: number; styleKb: number }[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('the build has no entry');
  return chunks
    .filter((chunk) => chunk.isEntry || chunk.isDynamicEntry)
    .map((page) => {
      const files = new Set<string>();
      const frames = chunks.filter(({ name }) => around.includes(name));
      for (const chunk of [entry, ...frames, page]) reach(chunk.fileName, bundle, files);
      return {
        name: page.name,
        scriptKb: kilobytes(
          [...files].filter((file) => file.endsWith('.js')),
          bundle,
        ),
        styleKb: kilobytes(
          [...files].filter((file) => file.endsWith('.css')),
          bundle,
        ),
      };
    });
}

function reach(fileName: string, bundle: Rolldown.OutputBundle, into: Set<string>): void {
  if (into.has(fileName)) return;
  into.add(fileName);
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk') return;
  for (const imported of chunk.imports) reach(imported, bundle, into);
  for (const css of chunk.viteMetadata?.importedCss ?? []) into.add(css);
}

function kilobytes(files: string[], bundle: Rolldown.OutputBundle): number {
  const bytes = files.map((name) => {
    const file = bundle[name];
    if (!file) return 0;
    return gzipSync(file.type === 'chunk' ? file.code : file.source).byteLength;
  });
  return Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1_000);
}
