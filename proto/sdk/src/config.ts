/** Where Perch is, and the key to it. */
export interface Config {
  url: string;
  /** Null where none is set. */
  apiKey: string | null;
}

/** Reads and checks the environment; throws what is wrong with it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const url = env['PERCH_URL'] || 'http://localhost:3000';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error('PERCH_URL must be an address like https://perch.example');
  }
  return { url, apiKey: env['PERCH_KEY'] || null };
}
