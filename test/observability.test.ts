import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type OperatorView, operatorView } from './operator-view.ts';
import { type Perch, startPerch } from './perch.ts';

const repo = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${repo}${path}`, 'utf8');
const Rule = z.strictObject({
  alert: z.string().regex(/^Perch[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().regex(/^\d+[smh]$/),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string().min(10), runbook: z.string() }),
});
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })),
});
const Dashboard = z.looseObject({
  panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })),
});
const rules = Rules.parse(parse(read('deploy/observability/alerts.yaml'))).groups.flatMap(
  (group) => group.rules,
);
const pages = readdirSync(`${repo}docs/operating/incidents`);
const charts = Dashboard.parse(JSON.parse(read('deploy/observability/dashboard.json'))).panels;

/** The metrics that a PromQL expression asks for; throws where it is none. */
function metricsOf(expr: string): string[] {
  const names: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`);
      if (type.name === 'Identifier') names.push(expr.slice(from, to));
    },
  });
  return names;
}

let view: OperatorView;
let perch: Perch;

beforeAll(async () => {
  view = await operatorView();
  perch = await startPerch(view.env);
}, 120_000);
afterAll(() => perch?.stop(), 60_000);

test('every alert has its incident page, which names its metrics, where to look and what to do', () => {
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, expr, annotations } of rules) {
    const page = read(annotations.runbook);
    expect(page, alert).toMatch(new RegExp(`^# ${alert}\n`));
    for (const part of ['\n## How to look\n', '\n## What to do\n']) expect(page).toContain(part);
    expect(metricsOf(expr).length, alert).toBeGreaterThan(0);
    for (const metric of metricsOf(expr))
      expect(page, alert).toContain(metric.replace(/_bucket$/, ''));
  }
  const runbooks = rules.map((rule) => rule.annotations.runbook.split('/').at(-1));
  expect(runbooks.sort()).toEqual(pages.sort());
});

test('every metric of the alerts, the dashboard and the docs is one that Perch has', async () => {
  const user = await perch.user(5);
  const { account_id } = await user.account();
  const body = { account_id, tweets: [{ text: 'measured' }], publish_now: true };
  const { id } = (await user.api('POST', '/posts', body)).body;
  await expect.poll(async () => (await user.api('GET', `/posts/${id}`)).body.status).toBe('posted');
  const all = await Promise.all(view.names.map((name) => view.metricNames(name)));
  const known = new Set(all.flat());
  const has = (metric: string) =>
    known.has(metric) || known.has(metric.replace(/_(bucket|count|sum)$/, ''));
  const exprs = [...rules, ...charts.flatMap((chart) => chart.targets)].map((one) => one.expr);
  const docs = ['metrics.md', 'health.md', ...pages.map((page) => `incidents/${page}`)].flatMap(
    (page) =>
      read(`docs/operating/${page}`).match(/\b(perch|nodejs|process)_[a-z0-9_]*[a-z0-9]/g) ?? [],
  );
  const unknown = [...exprs.flatMap(metricsOf), ...docs].filter((metric) => !has(metric));
  expect([...new Set(unknown)]).toEqual([]);
  // And what an operator must find is in the docs.
  const told = docs.join(' ');
  expect([...known].filter((name) => name.startsWith('perch_') && !told.includes(name))).toEqual(
    [],
  );
});

test('one post leaves its marks: lateness, end, send, requests and calls; and no label names anybody', async () => {
  const posts = await view.metrics('posts');
  expect(posts.get('perch_post_lateness_seconds_count')).toBe(1);
  expect(posts.get('perch_posts_ended_total{status="posted",code="none"}')).toBe(1);
  expect(posts.get('perch_posts_overdue')).toBe(0);
  expect(posts.get('perch_pollers{queue="platforms"}')).toBeGreaterThan(0);
  const accounts = await view.metrics('accounts');
  const send = 'platform="sandbox",step="tweet",outcome="published",code="none"';
  expect(accounts.get(`perch_sends_total{${send}}`)).toBe(1);
  const gateway = await view.metrics('gateway');
  const request = 'method="POST",route="/api/v1/posts",status="201"';
  expect(gateway.get(`perch_http_request_seconds_count{${request}}`)).toBe(1);
  for (const name of view.names)
    expect([...(await view.metrics(name)).keys()].join('\n')).not.toMatch(
      /(post|acc|user|key|med)_[0-9a-z]{20}/,
    );
});

test('what strangers ask for makes no new series', async () => {
  for (let index = 0; index < 5; index++) await fetch(`${perch.url}/nothing/${index}`);
  const routes = [...(await view.metrics('gateway')).keys()].filter(
    (key) => key.startsWith('perch_http_request_seconds_count') && key.includes('404'),
  );
  expect(routes).toEqual([
    'perch_http_request_seconds_count{method="GET",route="none",status="404"}',
  ]);
});
