import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { natsEngine, temporalEngine } from '@perch/local/engine-list';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig as gateway } from '../../gateway/src/config.ts';
import { readConfig as accounts } from '../../services/accounts/src/config.ts';
import { readConfig as credits } from '../../services/credits/src/config.ts';
import { readConfig as media } from '../../services/media/src/config.ts';
import { readConfig as posts } from '../../services/posts/src/config.ts';
import { type Chart, openChart } from '../cluster/render.ts';

// A setting that a process can not start without must be given wherever we say how to run it.
const configs = { gateway, accounts, credits, media, posts };
const names = Object.keys(configs) as (keyof typeof configs)[];
const path = (file: string) => fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).optional(),
      read_only: z.boolean().optional(),
    }),
  ),
});
let compose: z.infer<typeof Compose>;
let chart: Chart;

beforeAll(async () => {
  compose = Compose.parse(parse(await readFile(path('compose.yaml'), 'utf8'), { merge: true }));
  chart = await openChart();
}, 900_000);
afterAll(() => chart?.remove());

/** Secrets in the form that each must have. */
const secrets: Record<string, string> = {
  PERCH_TOKEN_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  PERCH_WEBHOOK_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  PERCH_MEDIA_SECRET: 'x'.repeat(48),
};

/** Compose's `${NAME}` and `${NAME:-default}`. */
function filled(text: string): string {
  return text.replace(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, fallback) => secrets[name] ?? fallback ?? 'secret',
  );
}

test.each(names)('compose gives %s every setting that it needs', (name) => {
  const env = Object.entries(compose.services[name]?.environment ?? {});
  const config = configs[name](Object.fromEntries(env.map(([key, value]) => [key, filled(value)])));
  expect(config.natsUrl).toContain('@nats:4222');
  expect(compose.services[name]?.read_only).toBe(true);
});

test('compose pins every engine, to the version that is tested here', () => {
  const images = Object.values(compose.services).map(({ image }) => image);
  for (const image of images)
    expect(image).toMatch(/^perch\/(gateway|accounts|credits|media|posts)$|:\d+\.\d+(\.\d+)?$/);
  expect(images).toContain(`nats:${natsEngine.version}`);
  expect(images).toContain(`temporalio/server:${temporalEngine.version}`);
});

test('the secrets that compose asks for are those that its command makes', async () => {
  const asked = (await readFile(path('compose.yaml'), 'utf8')).matchAll(/\$\{(\w+)[}:]/g);
  const optional = ['PORT', 'PERCH_PUBLIC_URL', 'PERCH_LOG_LEVEL'];
  const needed = new Set(
    [...asked].map(([, name = '']) => name).filter((name) => !optional.includes(name)),
  );
  const made = (await readFile(path('compose/secrets.sh'), 'utf8')).matchAll(/^(\w+)=\$\(/gm);
  expect([...made].map(([, name]) => name).toSorted()).toEqual([...needed].toSorted());
});

test('the chart gives every pod the settings that it needs, with the Secrets that its README names', async () => {
  const readme = await readFile(path('helm/perch/README.md'), 'utf8');
  const manifests = await chart.render();
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  expect(deployments).toHaveLength(7);
  for (const { spec } of deployments.map((deployment) => deployment['spec'].template)) {
    const [container] = spec.containers;
    const secret: string = container.envFrom[0].secretRef.name;
    const row = new RegExp(`^\\| \`${secret}\` \\|(.*)\\|$`, 'm').exec(readme)?.[1] ?? '';
    const kept = [...row.matchAll(/`(\w+)`/g)].map(([, key = '']) => [
      key,
      secrets[key] ?? (key === 'DATABASE_URL' ? 'postgres://u:p@db/x' : 'nats://t@nats:4222'),
    ]);
    const env = container.env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value,
    ]);
    const name = names.find((one) => secret === `perch-${one}`);
    expect(name, secret).toBeDefined();
    if (name) configs[name](Object.fromEntries([...kept, ...env]));
  }
});
