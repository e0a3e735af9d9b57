/** `/openapi.json`: a text that is made when it is first asked for and kept, for the routes do not change while the service runs. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Serve it. */
export function serveApiDocument(app: FastifyInstance): void {
  let text: Buffer | null = null;
  let tag = '';
  app.get(
    '/openapi.json',
    { config: { role: 'anyone' }, schema: { hide: true } },
    (request, reply) => {
      if (text === null) {
        text = Buffer.from(JSON.stringify(app.swagger()));
        tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
      }
      void reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );
}
