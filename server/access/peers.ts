/**
 * The peer of a request: the address of the connection, or, where a proxy of `server.trust_proxy` has the connection, the newest
 * address in X-Forwarded-For that is none of those proxies. From any other address that header is ignored.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Settings } from '../../config/settings.ts';
import { peerOf } from '../../hil/access/connection-places.ts';
import { BerthError } from '../../src/base/errors.ts';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** @throws BerthError naming the entry of server.trust_proxy that is no address */
function readProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address, bits] = entry.split('/');
    const most = isIPv6(address) ? 128 : 32;
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !fits || entry.split('/').length > 2) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `server.trust_proxy: "${entry}" is neither an address nor a network such as 10.0.0.0/8`,
        { field: 'server.trust_proxy' },
      );
    }
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** Fewest bits of a network that can be meant: 10.0.0.0/8, fc00::/7. */
const LEAST_BITS = { ipv4: 8, ipv6: 7 } as const;

/** Networks among the proxies that are too large: every client in them can choose its address by a header. */
export function trustWarnings({ server }: Settings): string[] {
  return server.trust_proxy.flatMap((entry) => {
    const [address, bits] = entry.split('/');
    if (bits === undefined || Number(bits) >= LEAST_BITS[familyOf(address)]) return [];
    return [
      `server.trust_proxy: ${entry} believes everybody's X-Forwarded-For, so that limits and delays by address bind nobody; name the proxy's own address`,
    ];
  });
}

export class Peers {
  /** Proxies whose header counts. */
  readonly proxies: BlockList;

  constructor({ server }: Settings) {
    this.proxies = readProxies(server.trust_proxy);
  }

  /** Whether the header of this address counts. */
  isProxy(address: string): boolean {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(plain) !== 0 && this.proxies.check(plain, familyOf(plain));
  }

  /** Name of the peer that a request comes from. */
  of(request: IncomingMessage): string {
    let address = request.socket.remoteAddress ?? '';
    const header = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
    for (let hop = hops.pop(); hop !== undefined && this.isProxy(address); hop = hops.pop()) {
      if (isIP(hop.trim()) === 0) break;
      address = hop.trim();
    }
    return peerOf(address);
  }
}
