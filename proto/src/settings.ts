import type { z } from 'zod';

/** A start that can not go on because the settings are wrong; its message lists every mistake. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Reads one process's settings from its environment; an empty variable counts as absent. */
export function parseSettings<T extends z.ZodType>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const mistakes = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    const missing = issue.code === 'invalid_type' && given[name] === undefined;
    return `  ${name}: ${missing ? 'is not set' : issue.message}`;
  });
  throw new SettingsError(`These settings need a change:\n${mistakes.join('\n')}`);
}
