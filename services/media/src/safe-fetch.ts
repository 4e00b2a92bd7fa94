import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

/** What a fetch of a caller's URL may reach; tests give others. */
export interface Network {
  /** All addresses of a host. */
  resolve(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  port: number;
  /** Certificates to trust beside the system's. */
  ca?: string;
}

/** The internet, without anything private. */
export const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
  port: 443,
};

/** Why a URL can not be used; never which address it led to. */
type Reason =
  | 'not_https'
  | 'private_address'
  | 'unresolvable'
  | 'unreachable'
  | 'too_many_redirects'
  | 'bad_status'
  | 'timeout';

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

interface Target {
  url: URL;
  address: string;
}

/** The URL with the one address that may be connected to. */
async function checked(text: string, network: Network): Promise<Target> {
  const url = URL.parse(text);
  const port = url?.port === '' ? 443 : Number(url?.port);
  if (url?.protocol !== 'https:' || port !== network.port || url.username || url.password) {
    throw rejected(
      'not_https',
      'it must be a plain https URL on the usual port, without credentials',
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await network.resolve(host).catch(() => []);
  const [address] = addresses;
  if (!address) throw rejected('unresolvable', 'its host can not be found');
  // One private address among many is an attack, not an accident.
  if (!addresses.every(network.isPublic))
    throw rejected('private_address', 'its host is not on the public internet');
  return { url, address };
}

async function get({ url, address }: Target, network: Network, signal: AbortSignal) {
  const dispatcher = new Agent({
    connect: {
      // What was checked is what is connected to, whatever the name says by now.
      lookup: (_host, options, done) => {
        const family = isIP(address);
        if (options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
      timeout: 10_000,
      ...(network.ca && { ca: network.ca }),
    },
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
    pipelining: 0,
  });
  try {
    return await request(url, {
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

/** Whether an address is global unicast, also behind every form of IPv4 in IPv6. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // 64:ff9b::/96, 6to4 and Teredo can lead back to IPv4 inside; ipaddr.js gives them ranges of their own.
  return address.range() === 'unicast';
}

function tooSlow(): Fault {
  return rejected('timeout', `it took longer than ${limits.mediaFetchTimeoutMs / 1000} s`);
}

function rejected(reason: Reason, detail: string): Fault {
  return new Fault('media_url_rejected', { detail, reason });
}
