/** The gate of the sockets: origin, path, sub-protocol, ticket and role are checked before anything is upgraded. */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { BERTH_ERRORS, type BerthErrorCode } from '../../src/base/errors.ts';
import type { AccessControl, Grant } from './auth.ts';
import { type Role, roleAtLeast } from '../../hil/contract/roles.ts';
import type { ServerCounters, SocketReject } from '../metrics/metrics-families.ts';
import type { Peers } from './peers.ts';
import type { Refusals } from './refusals.ts';
import { hostRefusal, type ServedNames } from './served-names.ts';
import { CloseCode } from './socket.ts';
import { SOCKET_PATHS, type SocketProtocol } from '../contract/socket-paths.ts';

/** Time in which a client has to answer that it closes. */
const GOODBYE_MS = 500;

const CAPACITY: Readonly<Record<SocketProtocol, number>> = {
  operator: 16,
  telemetry: 64,
  foxglove: 16,
};

/** Sockets of each path where descriptors are very few: one operator, and another for a take-over. */
const LEAST_SOCKETS = 2;

/** Sockets of each path, of so many connections that the service may have: two thirds of those, and no more than all need. */
export function socketCapacity(connections: number): Record<SocketProtocol, number> {
  const all = Object.values(CAPACITY).reduce((sum, places) => sum + places);
  const share = Math.min(1, (2 / 3) * (connections / all));
  const places = (most: number): number => Math.max(LEAST_SOCKETS, Math.floor(share * most));
  return {
    operator: places(CAPACITY.operator),
    telemetry: places(CAPACITY.telemetry),
    foxglove: places(CAPACITY.foxglove),
  };
}

/** Share of the places of a path that one client may have: others find one. */
const PEER_SHARE = 0.75;

/** A message over `maxPayload` closes with our own code. */
class BerthSocket extends WebSocket {
  override close(code?: number, data?: string | Buffer): void {
    super.close(code === 1009 ? CloseCode.TOO_BIG : code, data);
  }
}

/** Longest part of a request that goes to a log. */
const LOGGED_CHARACTERS = 200;

/** Codes of the reasons for which a socket is not upgraded. */
const CODES = {
  host: 'BERTH_HOST',
  path: 'BERTH_PATH',
  origin: 'BERTH_ORIGIN',
  protocol: 'BERTH_PROTOCOL',
  ticket: 'BERTH_TICKET',
  role: 'BERTH_ROLE',
  capacity: 'BERTH_CAPACITY',
} as const satisfies Partial<Record<SocketReject, BerthErrorCode>>;

interface Refusal {
  readonly reason: keyof typeof CODES;
  readonly message: string;
}

/** Answer in plain HTTP and end. */
function refuse(
  socket: Duplex,
  { message, reason }: Refusal,
  code: BerthErrorCode = CODES[reason],
): void {
  const { status } = BERTH_ERRORS[code];
  const body = JSON.stringify({ code, message, field: reason });
  socket.once('finish', () => socket.destroy()); // also when the client keeps its side open
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export interface SocketHandlers {
  readonly operator: (socket: WebSocket, role: Role) => void;
  readonly telemetry: (socket: WebSocket, role: Role) => void;
  readonly foxglove: (socket: WebSocket, role: Role) => void;
}

/** Port the server really listens on. */
export function listeningPort(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo | null)?.port ?? 0;
}

/**
 * Attach all sockets to the HTTP server; `foxglove` names the pages that may use /foxglove, null when it is not served.
 * @returns what ends the sockets whose key is right no more, and counts them
 */
export function attachSockets(
  app: FastifyInstance,
  access: AccessControl,
  names: ServedNames,
  counters: ServerCounters,
  refusals: Refusals,
  peers: Peers,
  capacity: Readonly<Record<SocketProtocol, number>>,
  handlers: SocketHandlers,
  foxglove: readonly string[] | null,
): () => number {
  const log: FastifyBaseLogger = app.log;
  const servers = Object.fromEntries(
    Object.values(SOCKET_PATHS).map(({ protocol, subprotocols, maximumPayload }) => [
      protocol,
      new WebSocketServer({
        noServer: true,
        maxPayload: maximumPayload,
        perMessageDeflate: false,
        clientTracking: true,
        handleProtocols: (offered) => subprotocols.find((name) => offered.has(name)) ?? false,
        WebSocket: BerthSocket,
      }),
    ]),
  ) as Record<SocketProtocol, WebSocketServer>;

  /** Sockets that each client has. */
  const held = Object.fromEntries(
    Object.keys(capacity).map((protocol) => [protocol, new Map<string, number>()]),
  ) as Record<SocketProtocol, Map<string, number>>;
  const hold = (protocol: SocketProtocol, peer: string, socket: WebSocket): void => {
    const mine = held[protocol];
    mine.set(peer, (mine.get(peer) ?? 0) + 1);
    socket.once('close', () => {
      const left = (mine.get(peer) ?? 1) - 1;
      if (left > 0) mine.set(peer, left);
      else mine.delete(peer);
    });
  };

  const check = (request: IncomingMessage, url: URL, peer: string): Refusal | Grant => {
    const { host } = request.headers;
    if (!names.allowsHost(host, request.socket)) {
      return { reason: 'host', message: hostRefusal(host) };
    }
    const known = Object.hasOwn(SOCKET_PATHS, url.pathname);
    const path = known ? SOCKET_PATHS[url.pathname] : undefined;
    if (path === undefined) {
      const names = Object.keys(SOCKET_PATHS).join(', ');
      return { reason: 'path', message: `Sockets are at ${names}.` };
    }
    const live = path.protocol === 'foxglove';
    if (live && foxglove === null) {
      const message = 'The live view is off; see foxglove.enabled.';
      return { reason: 'path', message };
    }
    const origin = request.headers.origin;
    // The live view only sends; a desktop application, which sends no origin, may read what a page of the service may.
    const allowed =
      origin === undefined
        ? live
        : names.allowsOrigin(origin, listeningPort(app), request.socket) ||
          (live && foxglove!.includes(origin));
    if (!allowed) {
      const list = live ? 'foxglove.origins' : 'server.origins';
      const message = `Origin ${origin ?? 'missing'} is not on the list; see ${list} and server.names.`;
      return { reason: 'origin', message };
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',');
    if (!offered.some((name) => path.subprotocols.includes(name.trim()))) {
      const message = `Sub-protocol ${path.subprotocols.join(' or ')} must be offered.`;
      return { reason: 'protocol', message };
    }
    // Foxglove cannot ask for tickets: it is served where no key is needed.
    const grant: Grant | null =
      live && access.keyless
        ? { role: 'viewer', print: '' }
        : access.redeemTicket(url.searchParams.get('ticket'));
    if (grant === null) {
      const message = 'Ticket missing, used or expired: ask for one at POST /api/tickets.';
      return { reason: 'ticket', message };
    }
    const { role } = grant;
    if (!roleAtLeast(role, path.role)) {
      const message = `The role ${role} may not use ${url.pathname}.`;
      return { reason: 'role', message };
    }
    const most = Math.ceil(PEER_SHARE * capacity[path.protocol]);
    if ((held[path.protocol].get(peer) ?? 0) >= most) {
      const message = `At most ${most} clients of one address at ${url.pathname}.`;
      return { reason: 'capacity', message };
    }
    if (servers[path.protocol].clients.size >= capacity[path.protocol]) {
      const message = `At most ${capacity[path.protocol]} clients at ${url.pathname}.`;
      return { reason: 'capacity', message };
    }
    return grant;
  };

  /** By what each socket came in. */
  const grants = new WeakMap<WebSocket, Grant>();

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    let url: URL;
    try {
      url = new URL(request.url ?? '/', 'http://localhost');
    } catch {
      counters.add('ws_rejects_total', 1, 'path');
      const malformed = { reason: 'path', message: 'The address is malformed.' } as const;
      refuse(socket, malformed, 'BERTH_BAD_REQUEST');
      return;
    }
    const peer = peers.of(request);
    const verdict = check(request, url, peer);
    if ('reason' in verdict) {
      counters.add('ws_rejects_total', 1, verdict.reason);
      const { reason } = verdict;
      const detail = {
        path: url.pathname.slice(0, LOGGED_CHARACTERS),
        origin: request.headers.origin?.slice(0, LOGGED_CHARACTERS) ?? null,
      };
      const entry = { actor: 'http', action: 'upgrade', result: reason, detail };
      if (refusals.refused(peer, entry)) log.warn({ reason, ...detail }, 'socket refused');
      refuse(socket, verdict);
      return;
    }
    const { protocol } = SOCKET_PATHS[url.pathname];
    servers[protocol].handleUpgrade(request, socket, head, (client) => {
      hold(protocol, peer, client);
      grants.set(client, verdict);
      handlers[protocol](client, verdict.role);
    });
  });

  // Clients are asked to close; one that has not answered in time is cut off, for the HTTP server waits for every connection.
  app.addHook('preClose', (done) => {
    const clients = Object.values(servers).flatMap((server) => [...server.clients]);
    setTimeout(() => {
      for (const client of clients) client.terminate();
    }, GOODBYE_MS).unref();
    done();
  });
  // What the end of each brings about is done before anything else closes: authority ends, and the audit log has it.
  app.addHook('onClose', async () => {
    const ends = Object.values(servers).map(
      (server) => new Promise((resolve) => server.close(resolve)),
    );
    await Promise.all(ends);
  });
  return () => {
    let ended = 0;
    for (const client of Object.values(servers).flatMap((server) => [...server.clients])) {
      const grant = grants.get(client);
      if (grant === undefined || access.holds(grant)) continue;
      ended++;
      client.close(CloseCode.TICKET, 'The key of this socket has been changed.');
      setTimeout(() => client.terminate(), GOODBYE_MS).unref();
    }
    return ended;
  };
}
