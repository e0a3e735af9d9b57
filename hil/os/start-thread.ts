/** Starts a worker thread on an entry module beside its caller, from compiled files and from source alike. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Node 20 keeps module hooks per thread, so a worker on a `.ts` entry has to register tsx for itself; compiled entries are
 * started as they are.
 */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  const load = `import('tsx/esm/api').then((tsx) => {
    tsx.register();
    return import(${JSON.stringify(entry.href)});
  });`;
  return new Worker(load, { ...options, eval: true });
}
