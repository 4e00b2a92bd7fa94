import { stdSerializers } from 'pino';

/** Fields whose name alone says that nobody may read them. */
const secretName =
  /authorization|cookie|secret|token|password|passwd|credential|signature|api[-_]?key|private[-_]?key|^(access|refresh|client)[-_]?key/i;
/** Names that only look so: ids and counts that tell nothing. */
const harmlessName = /^(idempotency_key|key_id|keyId|token_type|tokens)$/;

/** Secrets that can be known by their looks, wherever in a line they stand. */
const secretLooks: [RegExp, string][] = [
  // Our own API keys, with their fixed prefixes (seed §5), and webhook secrets.
  [/perch_(live|test)_[A-Za-z0-9_-]+/g, 'perch_$1_[secret]'],
  [/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[secret]'],
  [/\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [secret]'],
  // JSON Web Tokens, of platforms and identity providers.
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '[secret]'],
  // Who and by what password, in a URL.
  [/:\/\/[^/@\s"]+@/g, '://[secret]@'],
];

const censor = '[secret]';
/** What is nested deeper, or longer, is not worth a log. */
const maxDepth = 6;
const maxItems = 50;
const maxTextLength = 4_000;

/** A log entry without what is named like a secret, at any depth; errors with their causes. */
export function withoutSecrets(entry: Record<string, unknown>): Record<string, unknown> {
  return cleanFields(entry, 0, new Set());
}

/** A line of a log without what looks like a secret. */
export function withoutSecretsInText(line: string): string {
  return secretLooks.reduce((text, [looks, instead]) => text.replace(looks, instead), line);
}

function cleanFields(fields: object, depth: number, seen: Set<object>): Record<string, unknown> {
  const names = Object.entries(fields).slice(0, maxItems);
  return Object.fromEntries(
    names.map(([name, value]) => [
      name,
      isSecret(name, value) ? censor : clean(value, depth + 1, seen),
    ]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  return secretName.test(name) && !harmlessName.test(name);
}

function clean(value: unknown, depth: number, seen: Set<object>): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextLength);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (seen.has(value)) return '[again]';
  if (depth > maxDepth) return '[deep]';
  // The way down alone: the same thing twice side by side is no circle.
  const path = new Set(seen).add(value);
  if (value instanceof Error) return cleanFields(stdSerializers.err(value), depth, path);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${value.byteLength} bytes]`;
  if (Array.isArray(value))
    return value.slice(0, maxItems).map((item) => clean(item, depth + 1, path));
  if (value instanceof Map) return cleanFields(Object.fromEntries(value), depth, path);
  if (value instanceof Headers) return cleanFields(Object.fromEntries(value), depth, path);
  return cleanFields(value, depth, path);
}
