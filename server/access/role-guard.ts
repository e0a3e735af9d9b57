/**
 * Roles of the HTTP face: every route states in its options the role that may use it, `config: { role: 'operator' }`, and one hook
 * holds to it. A route that states nothing cannot be registered. The role of a socket stands in SOCKET_PATHS, which the upgrade
 * reads.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessControl } from './auth.ts';
import { type Role, ROLES } from '../../hil/contract/roles.ts';

/** Weakest role that may use a route; `anyone` needs no key. */
export type RouteRole = Role | 'anyone';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Weakest role that may use this route; registration fails without it. */
    role?: RouteRole;
  }
  interface FastifyRequest {
    /** Role of the key of this request; null where the route is open to anyone. */
    role: Role | null;
  }
}

/** A route from before the guard states no role: only the strongest may use it. */
const STRONGEST = ROLES[ROLES.length - 1];

/** Guard all routes that are registered from now on. The role is asked for once a request fits its schema. */
export function guardRoles(app: FastifyInstance, access: AccessControl): void {
  app.decorateRequest('role', null);
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.role !== undefined) return;
    throw new Error(`${String(method)} ${url} states no role in its options: config: { role }.`);
  });
  app.addHook('preHandler', (request, _reply, next) => {
    const needed = request.routeOptions.config.role ?? (request.is404 ? 'anyone' : STRONGEST);
    if (needed !== 'anyone') {
      request.role = access.requireRole(request.headers.authorization, needed);
    }
    next();
  });
}

/** Name of the client in the audit log: `http:operator`. */
export const actorOf = ({ role }: FastifyRequest): string => `http:${role ?? 'anyone'}`;
