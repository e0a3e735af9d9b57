/**
 * Limits of what a crowd can do to the HTTP face: a rate for each client and key, and a key before a body is read. Each connection
 * that does not finish what it began is ended. What makes the robot safe (STOP, HOLD), what ends that (CLEAR), tickets, and health
 * have no rate. With the right key they are served whatever the load of others, from the same address or behind the same proxy.
 */
import type { IncomingMessage, ServerOptions } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessControl } from './auth.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import type { Peers } from './peers.ts';
import type { Refusals } from './refusals.ts';

/** Requests of one client and key in a minute; a scrape every second and a page fit many times over. */
const REQUESTS_PER_MINUTE = 3000;
/**
 * A client over its rate gets the answer so much later, ms: a client that waits for it cannot take the thread that serves
 * operators.
 */
const REFUSAL_MS = 20;
/** Clients and keys that are counted apart; the one with the oldest request makes room for another. */
const CLIENTS_APART = 4096;
/** Served with the right key, however often. */
const UNLIMITED = new Set([
  '/api/session/stop',
  '/api/session/hold',
  '/api/session/clear',
  '/api/tickets',
]);
/** Served without a key or a rate: they cost next to nothing. */
const OPEN = new Set(['/health', '/ready']);

/** A request is here with its body, 16 KiB at most, within this, ms; a connection that sends nothing ends as well. */
const REQUEST_MS = 5000;
/** A connection over which nothing moves is cut after this, ms, also while it does not read its answer. */
const IDLE_MS = 30_000;

/** For Fastify: when what began is cut off. */
export const REQUEST_TIMES = {
  requestTimeout: REQUEST_MS,
  connectionTimeout: IDLE_MS,
  keepAliveTimeout: IDLE_MS,
} as const;

/** For Node's server, the same. */
export const SERVER_TIMES: ServerOptions = {
  headersTimeout: REQUEST_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 1000,
};

/** The same over TLS, whose own handshake comes before all that; Node gives it 120 s. */
export const TLS_TIMES: ServerOptions & { handshakeTimeout: number } = {
  ...SERVER_TIMES,
  handshakeTimeout: REQUEST_MS,
};

/** What the guard works with. */
export interface GuardParts {
  readonly access: AccessControl;
  readonly peers: Peers;
  readonly refusals: Refusals;
  readonly counters: ServerCounters;
}

/** Guard all routes that are registered from now on. */
export async function guardRequests(app: FastifyInstance, parts: GuardParts): Promise<void> {
  const { access, peers, refusals, counters } = parts;
  /** What was found of the key of a request: its role, or why there is none. */
  const keys = new WeakMap<IncomingMessage, string | Error>();
  const roleOf = ({ raw, headers }: FastifyRequest): string | Error => {
    let found = keys.get(raw);
    if (found === undefined) {
      try {
        found = access.roleOf(headers.authorization);
      } catch (error) {
        found = error as Error;
      }
      keys.set(raw, found);
    }
    return found;
  };
  const refused = new WeakSet<IncomingMessage>();
  app.addHook('onSend', (request, _reply, _payload, next) => {
    if (refused.has(request.raw)) setTimeout(next, REFUSAL_MS);
    else next();
  });
  await app.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: '1 minute',
    cache: CLIENTS_APART,
    keyGenerator: (request) => {
      const role = roleOf(request);
      return `${typeof role === 'string' ? role : ''}@${peers.of(request.raw)}`;
    },
    allowList: (request, key) => {
      const { url = '' } = request.routeOptions;
      return OPEN.has(url) || (UNLIMITED.has(url) && !key.startsWith('@'));
    },
    onExceeded: ({ raw }) => {
      refused.add(raw);
      counters.add('http_rejects_total', 1, 'rate');
    },
    errorResponseBuilder: (_request, context) =>
      new BerthError('BERTH_RATE', `At most ${context.max} requests a minute.`),
  });
  // after the rate, before the body: a client without a key must not make the service wait for one
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const role = reads ? '' : roleOf(request);
    if (typeof role === 'string') {
      next();
      return;
    }
    // the route of the tickets, which writes down itself what it refuses, is not reached
    if (request.routeOptions.url === '/api/tickets') {
      const entry = { actor: 'http', action: 'ticket', result: 'BERTH_AUTH' };
      refusals.refused(peers.of(request.raw), entry);
    }
    // what of the body is still on its way is not waited for
    void reply.header('connection', 'close');
    next(role);
  });
}
