import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch as undiciFetch } from 'undici';

/** What a request to a user's URL may reach; tests give others. */
export interface Network {
  /** All addresses of a host. */
  resolve(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  port: number;
  /** Certificates to trust beside the system's. */
  ca?: string;
  /** Whether `http://localhost:<any port>` may be reached too, for trying things out on one machine. */
  loopback?: boolean;
}

/** The internet, without anything private. */
export const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
  port: 443,
};

/** Why a URL may not be requested; never which address it led to. */
export class UnsafeUrl extends Error {
  readonly reason: 'not_https' | 'private_address' | 'unresolvable';
  constructor(reason: UnsafeUrl['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A URL with the one address that may be connected to. */
export interface Target {
  url: URL;
  address: string;
}

/** Checks a user's URL: HTTPS on its own port, no credentials, every address public. Throws {@link UnsafeUrl}. */
export async function checkUrl(text: string, network: Network): Promise<Target> {
  const url = URL.parse(text);
  if (network.loopback && url && isLoopback(url)) return { url, address: '127.0.0.1' };
  if (!url) throw new UnsafeUrl('not_https', 'it is no URL');
  checkShape(url, network);
  const [first] = await resolvePublic(hostOf(url), network);
  return { url, address: first?.address ?? '' };
}

/** Connects to the address that was checked, whatever the name says by now. Close it after its one request. */
export function pinnedAgent({ address }: Target, network: Network): Agent {
  return new Agent({
    connect: {
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
}

/** How long a server that a user named may keep silent. */
const silentMs = 30_000;

/**
 * `fetch` to servers that users name: every address is checked when it is connected to, and redirects are not
 * followed. Rejects with {@link UnsafeUrl}.
 */
export function publicFetch(network: Network): typeof fetch {
  const agent = new Agent({
    connect: {
      lookup: (host, options, done) => {
        resolvePublic(host, network).then(
          (addresses) => {
            const [first] = addresses;
            if (options.all) done(null, addresses);
            else done(null, first?.address ?? '', first?.family ?? 4);
          },
          (error: Error) => done(error, []),
        );
      },
      timeout: 10_000,
      ...(network.ca && { ca: network.ca }),
    },
    headersTimeout: silentMs,
    bodyTimeout: silentMs,
  });
  return async (input, init) => {
    const request = new Request(input, { ...init, redirect: 'manual' });
    const url = new URL(request.url);
    // A request's own signal follows the one it was given only until the request is collected, so that one is passed on.
    const signal = init?.signal ?? request.signal;
    if (network.loopback && isLoopback(url)) return fetch(request, { signal });
    checkShape(url, network);
    // The address of a literal is not looked up on connecting, so it is checked here.
    if (isIP(hostOf(url))) await resolvePublic(hostOf(url), network);
    const { method } = request;
    // A request's own body is a stream, of which no length is sent.
    const given = init?.body;
    const isWhole = typeof given === 'string' || given instanceof Uint8Array;
    const body = isWhole ? given : request.body;
    try {
      // Of the same version as its agent, which Node's own fetch is not.
      const answer = await undiciFetch(url, {
        method,
        headers: [...request.headers],
        signal,
        redirect: 'manual',
        dispatcher: agent,
        ...(body && { body, duplex: 'half' }),
      });
      const { status, statusText } = answer;
      return new Response(answer.body, { status, statusText, headers: [...answer.headers] });
    } catch (error) {
      throw error instanceof TypeError && error.cause instanceof UnsafeUrl ? error.cause : error;
    }
  };
}

async function resolvePublic(
  host: string,
  network: Network,
): Promise<{ address: string; family: number }[]> {
  const addresses = isIP(host) ? [host] : await network.resolve(host).catch(() => []);
  if (addresses.length === 0) throw new UnsafeUrl('unresolvable', 'its host can not be found');
  // One private address among many is an attack, not an accident.
  if (!addresses.every(network.isPublic))
    throw new UnsafeUrl('private_address', 'its host is not on the public internet');
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

function checkShape(url: URL, network: Network): void {
  const port = url.port === '' ? 443 : Number(url.port);
  if (url.protocol === 'https:' && port === network.port && !url.username && !url.password) return;
  const what = 'it must be a plain https URL on the usual port, without credentials';
  throw new UnsafeUrl('not_https', what);
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether an address is global unicast, also behind every form of IPv4 in IPv6. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // 64:ff9b::/96, 6to4 and Teredo can lead back to IPv4 inside; ipaddr.js gives them ranges of their own.
  return address.range() === 'unicast';
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '127.0.0.1');
}
