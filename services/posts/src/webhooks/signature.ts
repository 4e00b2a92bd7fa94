import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret of an endpoint, as Standard Webhooks writes it. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The headers that let a receiver verify a delivery; signed by each secret that is valid at the moment. */
export function signedHeaders(
  secrets: string[],
  message: { id: string; atMs: number; body: string },
): Record<string, string> {
  const seconds = Math.floor(message.atMs / 1_000);
  const signed = `${message.id}.${seconds}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
