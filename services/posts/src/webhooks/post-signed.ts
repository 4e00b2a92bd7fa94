import { checkUrl, type Network, pinnedAgent, UnsafeUrl } from '@perch/proto/public-network';
import type { WebhookAttempt } from '@perch/proto/webhooks';
import { request } from 'undici';

const timeoutMs = 15_000;

/** Sends one signed body and tells what came of it; never follows a redirect, never throws. */
export async function postSigned(
  network: Network,
  message: { url: string; headers: Record<string, string>; body: string },
): Promise<Pick<WebhookAttempt, 'status_code' | 'error'>> {
  try {
    const target = await checkUrl(message.url, network);
    const dispatcher = pinnedAgent(target, network);
    try {
      const { statusCode, body } = await request(target.url, {
        dispatcher,
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...message.headers,
          'content-type': 'application/json',
          'user-agent': 'Perch-Webhooks/1',
        },
        body: message.body,
      });
      await body.dump({ limit: 65_536 }).catch(() => undefined);
      const taken = statusCode >= 200 && statusCode < 300;
      return { status_code: statusCode, error: taken ? null : `it answered ${statusCode}` };
    } finally {
      dispatcher.destroy().catch(() => undefined);
    }
  } catch (error) {
    // Never which address it led to, nor what is there.
    const why = error instanceof UnsafeUrl ? error.message : 'it does not answer';
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { status_code: null, error: late ? `no answer within ${timeoutMs / 1_000} s` : why };
  }
}
