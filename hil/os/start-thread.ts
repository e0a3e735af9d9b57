/** Starts a worker thread on an entry module in the caller's folder, from compiled files or from source. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a worker. Node 20 keeps module hooks per thread, so a worker with a `.ts` entry registers tsx itself. */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  const load = `import('tsx/esm/api').then((tsx) => {
    tsx.register();
    return import(${JSON.stringify(entry.href)});
  });`;
  return new Worker(load, { ...options, eval: true });
}
