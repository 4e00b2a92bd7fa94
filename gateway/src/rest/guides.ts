import { readFileSync } from 'node:fs';
import { faults, unseenByCallers } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { WebhookEventType } from '@perch/proto/webhooks';

const mebibyte = 1_048_576;
const dayMs = 86_400_000;

/** What the guides say in numbers and lists: what the code goes by. */
const values: Record<string, unknown> = {
  ...limits,
  mediaMiB: limits.mediaBytes / mebibyte,
  jsonMiB: limits.jsonBodyBytes / mebibyte,
  idempotencyDays: limits.idempotencyKeptMs / dayMs,
  webhookEvents: WebhookEventType.options.map((type) => `\`${type}\``).join(', '),
};

/** The guides that stand before the operations at `/docs`. Throws where they name a value that is not there. */
export function guides(): string {
  const text = readFileSync(new URL('./guides.md', import.meta.url), 'utf8');
  const filled = text.replaceAll(/{{(\w+)}}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`guides.md: there is no ${name}`);
    return String(values[name]);
  });
  return `${filled}\n${errorReference()}`;
}

/** Every code, from the table of faults. */
function errorReference(): string {
  const rows = Object.entries(faults)
    .filter(([code]) => !unseenByCallers.has(code))
    .map(([code, { status, title, retryable }]) => {
      return `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : 'no'} |`;
    })
    .sort();
  return `# Errors

Every failure is a problem by RFC 9457, \`application/problem+json\`: \`code\` is stable and what programs go by, \`detail\` is for a
person, \`errors[]\` names each broken field by its JSON pointer, \`request_id\` is for asking us. \`retryable\` says whether the
identical request can succeed later; then \`Retry-After\` says when.

| status | code | meaning | the same again later |
|---|---|---|---|
${rows.join('\n')}`;
}
