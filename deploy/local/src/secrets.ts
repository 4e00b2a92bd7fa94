import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Secrets = z.object({
  /** Of the embedded PostgreSQL's superuser. */
  postgresPassword: z.string(),
  natsToken: z.string(),
  /** Encrypts the tokens of connected accounts: `<key id>:<32 bytes in base64>`. */
  tokenKeys: z.string(),
  /** Encrypts the secrets of webhook endpoints, in the same form. */
  webhookKeys: z.string(),
  /** Signs the media service's internal URLs. */
  mediaSecret: z.string(),
});
export type Secrets = z.infer<typeof Secrets>;

/** The secrets of this installation, made at the first start and readable by its owner alone. */
export async function loadSecrets(home: string): Promise<Secrets> {
  const file = join(home, 'secrets.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return Secrets.parse(JSON.parse(kept));
  const secrets: Secrets = {
    postgresPassword: randomBytes(24).toString('hex'),
    natsToken: randomBytes(24).toString('hex'),
    tokenKeys: `k1:${randomBytes(32).toString('base64')}`,
    webhookKeys: `k1:${randomBytes(32).toString('base64')}`,
    mediaSecret: randomBytes(32).toString('hex'),
  };
  await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}
