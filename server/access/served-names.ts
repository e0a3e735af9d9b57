/**
 * Names that this service answers to: what a request's Host may be, and which pages are its own. A page of another site can have
 * its own name lead to our address (DNS rebinding) and then read as if it were ours; its Host gives it away. So a name counts
 * only if it leads here by our settings, and an address only if the connection came to it.
 */
import type { Socket } from 'node:net';
import type { Settings } from '../../config/settings.ts';
import { usesTls } from '../../hil/access/tls.ts';
import { BerthError } from '../../src/base/errors.ts';
import { isLoopback } from './addresses.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** A name with its port; '' for none. */
interface Place {
  readonly name: string;
  readonly port: string;
}

/** Host or authority as it was sent; null for what is none. */
function readPlace(text: string): Place | null {
  const found = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/i.exec(text);
  if (found === null) return null;
  // the root of the names may be written out: localhost. is localhost
  return { name: found[1].toLowerCase().replace(/\.$/, ''), port: found[2] ?? '' };
}

/** An address as it stands in a Host: IPv6 in brackets, IPv4 as it is also where it came in over IPv6. */
function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return plain.includes(':') ? `[${plain.toLowerCase()}]` : plain.toLowerCase();
}

export class ServedNames {
  readonly #origins: readonly string[];
  /** Names that lead here, and those with a port of their own. */
  readonly #public: readonly Place[];
  readonly #host: string;
  readonly #secure: boolean;
  /** Listens on loopback only. */
  readonly #onLoopback: boolean;

  /** @throws BerthError naming the entry of server.names that is no name */
  constructor({ server }: Settings) {
    this.#origins = server.origins;
    this.#host = hostOf(server.host);
    this.#secure = usesTls(server.tls);
    this.#onLoopback = isLoopback(server.host);
    this.#public = server.names.map((entry) => {
      const place = readPlace(entry);
      if (place !== null) return place;
      const text = `server.names: "${entry}" is no name; allowed: a name as in an address, such as berth.example.org, with a port where it is another`;
      throw new BerthError('BERTH_MISMATCH', text, { field: 'server.names' });
    });
  }

  /** Whether a request with this Host, on this connection, is for us. */
  allowsHost(host: string | undefined, socket: Pick<Socket, 'localAddress'>): boolean {
    const place = readPlace(host ?? '');
    return place !== null && this.#isServed(place.name, socket);
  }

  #isServed(name: string, { localAddress = '' }: Pick<Socket, 'localAddress'>): boolean {
    if (this.#public.some((one) => one.name === name) || name === this.#host) return true;
    if (name === hostOf(localAddress)) return true;
    // a client that reaches the loopback address is on this machine, or comes through a proxy on it; a service on loopback is
    // reached by nothing else
    const loopback = this.#onLoopback || isLoopback(localAddress.replace(/^::ffff:/i, ''));
    return loopback && LOOPBACK_NAMES.includes(name);
  }

  /** Whether pages of this origin may talk to us: those of server.origins, and our own under every name that is served. */
  allowsOrigin(origin: string, port: number, socket: Pick<Socket, 'localAddress'>): boolean {
    if (this.#origins.includes(origin)) return true;
    const found = /^(https?):\/\/([^/]+)$/.exec(origin);
    const place = readPlace(found?.[2] ?? '');
    if (found === null || place === null) return false;
    const secure = found[1] === 'https';
    const at = place.port === '' ? (secure ? 443 : 80) : Number(place.port);
    if (secure === this.#secure && at === port && this.#isServed(place.name, socket)) return true;
    // behind a proxy: under a public name, at the port that is written with it or the usual one, and TLS may be the proxy's
    return this.#public.some(
      ({ name, port: own }) =>
        name === place.name &&
        at === (own === '' ? (secure ? 443 : 80) : Number(own)) &&
        (secure || !this.#secure),
    );
  }
}

/** Text of the refusal of another name. */
export function hostRefusal(host: string | undefined): string {
  const shown =
    host === undefined ? 'Host is missing' : `Host ${host.slice(0, 100)} is not served here`;
  return `${shown}; see server.names, beside the addresses that the service listens on.`;
}
