/**
 * Places of an HTTP server: how many connections there may be, in all and from one peer. A connection that comes when all are
 * taken is not turned away. The connection that has been silent for longest is closed, of the peer in question, or of the peer
 * that has most. So a crowd of silent or slow connections cannot keep out a request that is sent at once, such as a STOP. A
 * connection that became a WebSocket leaves: sockets have places of their own.
 */
import type { Server } from 'node:http';
import { type BlockList, isIP, isIPv6, type Socket } from 'node:net';

/** Limits of one server. */
export interface PlaceLimits {
  readonly total: number;
  readonly perPeer: number;
}

/** The part of an IPv6 address that its owner does not choose: a /64, as text. */
function prefixOf(address: string): string {
  const [left, right] = address.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Name of a peer by its address: IPv4 as it is, also inside IPv6; of IPv6 the network of 64 bits. */
export function peerOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const plain = address
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain) || plain === '::1') return plain;
  return prefixOf(plain);
}

/** Peer of a connection, and its name there: the same for the TLS socket on it. */
function nameOf({ remoteAddress, remotePort }: Socket): [peer: string, name: string] {
  return [peerOf(remoteAddress), `${remoteAddress ?? ''} ${remotePort ?? 0}`];
}

export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #proxies: BlockList;
  readonly #evicted: () => void;
  /** Connections of each peer, the one that has been silent for longest first. */
  readonly #peers = new Map<string, Map<string, Socket>>();
  #count = 0;

  /**
   * @param proxies addresses whose connections are of many peers: only the total counts for them
   * @param evicted called with each connection that is closed
   */
  constructor(limits: PlaceLimits, proxies: BlockList, evicted: () => void) {
    this.#limits = limits;
    this.#proxies = proxies;
    this.#evicted = evicted;
  }

  /** Connections that hold a place. */
  get count(): number {
    return this.#count;
  }

  /** Watch over a server. */
  attach(server: Server): void {
    server.on('connection', (socket) => this.#take(socket));
    server.on('request', (request) => this.#touch(request.socket));
    server.on('upgrade', (request) => this.#leave(...nameOf(request.socket)));
  }

  #take(socket: Socket): void {
    const [peer, name] = nameOf(socket);
    const proxied = this.#isProxy(socket.remoteAddress ?? '');
    const mine = this.#peers.get(peer);
    if (!proxied && (mine?.size ?? 0) >= this.#limits.perPeer) this.#evict(peer);
    else if (this.#count >= this.#limits.total) this.#evict(this.#largest());
    // the last of its connections may just have gone, and the peer with it
    const places = this.#peers.get(peer) ?? new Map<string, Socket>();
    this.#peers.set(peer, places.set(name, socket));
    this.#count++;
    socket.once('close', () => this.#leave(peer, name));
  }

  #isProxy(address: string): boolean {
    if (isIP(address) === 0) return false;
    return this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Peer with most connections. */
  #largest(): string {
    let [name, most] = ['', 0];
    for (const [peer, { size }] of this.#peers) {
      if (size > most) [name, most] = [peer, size];
    }
    return name;
  }

  /** Let go of the connection that has asked for nothing for longest. */
  #evict(peer: string): void {
    for (const [name, socket] of this.#peers.get(peer) ?? []) {
      this.#leave(peer, name);
      this.#evicted();
      socket.destroy();
      return;
    }
  }

  /** A request came: now it is the others' turn to go. */
  #touch(connection: Socket): void {
    const [peer, name] = nameOf(connection);
    const mine = this.#peers.get(peer);
    const socket = mine?.get(name);
    if (mine === undefined || socket === undefined) return;
    mine.delete(name);
    mine.set(name, socket);
  }

  #leave(peer: string, name: string): void {
    const mine = this.#peers.get(peer);
    if (mine?.delete(name) !== true) return;
    this.#count--;
    if (mine.size === 0) this.#peers.delete(peer);
  }
}
