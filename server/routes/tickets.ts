/** Single-use tickets: a credential buys one, one buys a socket. */
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { clientName } from '../../hil/access/tls.ts';
import { audited } from '../audit/audit-sink.ts';
import { type AccessControl, TICKET_LIFE_S } from '../access/auth.ts';
import { ROLES } from '../../hil/contract/roles.ts';
import { ErrorSchema } from '../contract/errors.ts';
import type { Peers } from '../access/peers.ts';
import type { Refusals } from '../access/refusals.ts';

export const ticketRoutes =
  (access: AccessControl, refusals: Refusals, peers: Peers): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.post(
      '/api/tickets',
      {
        config: { role: 'viewer' },
        schema: {
          summary: 'A ticket for one socket, good for 30 s.',
          body: Type.Object({ role: Type.Enum([...ROLES]) }, { additionalProperties: false }),
          response: {
            200: Type.Object({ ticket: Type.String(), expires_in: Type.Number() }),
            400: ErrorSchema,
            401: ErrorSchema,
            403: ErrorSchema,
          },
        },
      },
      (request) => {
        const { role } = request.body;
        const { authorization } = request.headers;
        const certificate = clientName(request.raw.socket);
        const detail = certificate === null ? { role } : { role, certificate };
        return audited(refusals.of(peers.of(request.raw)), 'http', 'ticket', detail, () => ({
          ticket: access.issueTicket(role, authorization),
          expires_in: TICKET_LIFE_S,
        }));
      },
    );
    done();
  };
