/** Every request is for a name that is served, whatever its method, and what changes something comes from no foreign page. */
import type { FastifyInstance } from 'fastify';
import { BerthError } from '../../src/base/errors.ts';
import type { ServerCounters } from '../metrics/metrics-families.ts';
import type { Refusals } from './refusals.ts';
import { hostRefusal, type ServedNames } from './served-names.ts';
import { listeningPort } from './upgrade.ts';

/** Authority in the target of a request that was written for a proxy; undefined in any other. */
const authorityOf = (url: string): string | undefined => /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1];

/**
 * Guard all routes that are registered from now on, health and metrics too: a scraper that connects by address has that address
 * as Host.
 */
export function guardNames(
  app: FastifyInstance,
  names: ServedNames,
  counters: ServerCounters,
  refusals: Refusals,
): void {
  const refuse = (from: string, reason: 'host' | 'origin', text: string): BerthError => {
    const code = reason === 'host' ? 'BERTH_HOST' : 'BERTH_ORIGIN';
    counters.add('http_foreign_total', 1, reason);
    refusals.refused(from, { actor: 'http', action: 'request', result: code });
    return new BerthError(code, text, { field: reason });
  };
  app.addHook('onRequest', (request, _reply, next) => {
    const { host, origin } = request.headers;
    const { socket, url = '' } = request.raw;
    for (const name of [host, authorityOf(url) ?? host]) {
      if (names.allowsHost(name, socket)) continue;
      next(refuse(request.ip, 'host', hostRefusal(name)));
      return;
    }
    // A page of another site can send a POST without asking; its Origin gives it away.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads || origin === undefined || names.allowsOrigin(origin, listeningPort(app), socket)) {
      next();
      return;
    }
    const text = `Origin ${origin} is not on the list; see server.origins and server.names.`;
    next(refuse(request.ip, 'origin', text));
  });
}
