import { Stripe } from 'stripe';

const timeoutMs = 8_000;

/** Stripe's own client, of the API at `url`. */
export function openStripe(secretKey: string, url: string): Stripe {
  const { protocol, hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'perch' },
  });
}
