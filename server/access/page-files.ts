/** Where the console comes from: the folder that its build fills. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../config/paths.ts';

const CONSOLE_FOLDER = join(packageRoot(), 'dist', 'console');
const NOT_BUILT = 'The console was not built: run "npm run build" and load this page again.\n';

/** Serve `/` and its files; without a build one sentence about that, with status 503. */
export async function pageFiles(app: FastifyInstance): Promise<void> {
  if (!existsSync(join(CONSOLE_FOLDER, 'index.html'))) {
    app.get('/', { schema: { hide: true } }, (_request, reply) =>
      reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT),
    );
    return;
  }
  await app.register(fastifyStatic, {
    root: CONSOLE_FOLDER,
    index: ['index.html'],
    cacheControl: false,
    schemaHide: true,
  });
}
