/** Where the status page and its libraries come from: beside this file, and from the installed packages. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../config/paths.ts';

/** The page's own files; `build-assets` copies them beside the compiled server. */
export const PAGE_FOLDER = fileURLToPath(new URL('./page/', import.meta.url));
/** Browser builds of the libraries that the page loads; the build copies them beside the page. */
export const LIBRARIES: readonly { readonly name: string; readonly from: string }[] = [
  library('@msgpack/msgpack/dist.umd/msgpack.min.js'),
  library('three/build/three.module.js'),
  library('three/build/three.core.js'), // imported by the one above
];

function library(path: string): { name: string; from: string } {
  return { name: basename(path), from: join(packageRoot(), 'node_modules', path) };
}

/** Serve `/` and its files. */
export async function servePage(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: PAGE_FOLDER,
    index: ['index.html'],
    cacheControl: false,
    schemaHide: true,
  });
  for (const { name, from } of LIBRARIES) {
    if (existsSync(join(PAGE_FOLDER, name))) continue;
    app.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile(name, dirname(from)),
    );
  }
}
