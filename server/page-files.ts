/** Where the status page and its one library come from: beside this file, and from the installed package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../config/paths.ts';

/** The page's own files; `build-assets` copies them beside the compiled server. */
export const PAGE_FOLDER = fileURLToPath(new URL('./page/', import.meta.url));
/** Browser build of the MessagePack library, copied to `page/vendor/` by the build. */
export const MSGPACK_FILE = join(
  packageRoot(),
  'node_modules/@msgpack/msgpack/dist.umd/msgpack.min.js',
);
export const MSGPACK_NAME = 'msgpack.min.js';

/** Serve `/` and its files. */
export async function servePage(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: PAGE_FOLDER,
    index: ['index.html'],
    cacheControl: false,
    schemaHide: true,
  });
  if (existsSync(join(PAGE_FOLDER, MSGPACK_NAME))) return;
  app.get(`/${MSGPACK_NAME}`, { schema: { hide: true } }, (_request, reply) =>
    reply.sendFile(MSGPACK_NAME, join(MSGPACK_FILE, '..')),
  );
}
