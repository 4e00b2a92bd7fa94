import { Readable } from 'node:stream';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import {
  checkUrl,
  type Network,
  pinnedAgent,
  type Target,
  UnsafeUrl,
} from '@perch/proto/public-network';
import { request } from 'undici';

/** Why a URL can not be used; never which address it led to. */
type Reason = UnsafeUrl['reason'] | 'unreachable' | 'too_many_redirects' | 'bad_status' | 'timeout';

/**
 * Fetches a caller's URL without being led astray: HTTPS on its own port only, every address checked and
 * then connected to as checked, also after each redirect; no cookies, no credentials, a time limit for
 * all of it. Throws `media_url_rejected` with the reason. The caller counts the bytes.
 */
export async function safeFetch(
  text: string,
  network: Network,
): Promise<{ body: Readable; type: string | null }> {
  const signal = AbortSignal.timeout(limits.mediaFetchTimeoutMs);
  let url = text;
  for (let redirects = 0; redirects <= limits.mediaRedirects; redirects++) {
    const response = await get(await checked(url, network), network, signal);
    const { statusCode, headers, body } = response;
    if (statusCode >= 300 && statusCode < 400 && typeof headers['location'] === 'string') {
      await body.dump();
      url = new URL(headers['location'], url).href;
      continue;
    }
    if (statusCode !== 200) {
      await body.dump();
      throw rejected('bad_status', `the URL answered ${statusCode}`);
    }
    const type = headers['content-type'];
    return { body: untilTimeout(body, signal), type: typeof type === 'string' ? type : null };
  }
  throw rejected('too_many_redirects', `it redirects more than ${limits.mediaRedirects} times`);
}

/** The URL with the one address that may be connected to. */
async function checked(text: string, network: Network): Promise<Target> {
  return checkUrl(text, network).catch((error: unknown) => {
    throw error instanceof UnsafeUrl ? rejected(error.reason, error.message) : error;
  });
}

async function get(target: Target, network: Network, signal: AbortSignal) {
  const dispatcher = pinnedAgent(target, network);
  try {
    return await request(target.url, {
      dispatcher,
      signal,
      headers: {
        'accept-encoding': 'identity',
        accept: 'image/*, video/*',
        'user-agent': 'Perch-Media/1',
      },
    });
  } catch {
    throw signal.aborted ? tooSlow() : rejected('unreachable', 'its host does not answer');
  } finally {
    // Ends when the body has been read.
    dispatcher.close().catch(() => undefined);
  }
}

/** The body, failing with the reason when the time for all of it is over or the other side gives up. */
function untilTimeout(body: Readable, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      try {
        yield* body;
      } catch {
        throw signal.aborted ? tooSlow() : rejected('unreachable', 'it broke off');
      }
    })(),
    { objectMode: false },
  );
}

function tooSlow(): Fault {
  return rejected('timeout', `it took longer than ${limits.mediaFetchTimeoutMs / 1000} s`);
}

function rejected(reason: Reason, detail: string): Fault {
  return new Fault('media_url_rejected', { detail, reason });
}
