import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';

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
  const port = url?.port === '' ? 443 : Number(url?.port);
  if (url?.protocol !== 'https:' || port !== network.port || url.username || url.password) {
    const what = 'it must be a plain https URL on the usual port, without credentials';
    throw new UnsafeUrl('not_https', what);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await network.resolve(host).catch(() => []);
  const [address] = addresses;
  if (!address) throw new UnsafeUrl('unresolvable', 'its host can not be found');
  // One private address among many is an attack, not an accident.
  if (!addresses.every(network.isPublic))
    throw new UnsafeUrl('private_address', 'its host is not on the public internet');
  return { url, address };
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
