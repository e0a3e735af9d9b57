/** Thread that reads recordings for the page: files are large, and the main thread serves operators. */
import { parentPort } from 'node:worker_threads';
import { statSync } from 'node:fs';
import { readFileSummary } from '../../hil/recording/file-summary.ts';
import { readFrames, readScene } from './read-frames.ts';
import type { ReaderAnswer, ReaderRequest, Summarized } from './reader-messages.ts';

const port = parentPort!;
/** Summaries by path, for size and time of change. */
const known = new Map<string, { readonly mark: string; readonly of: Summarized }>();

function summarize(path: string): Summarized {
  try {
    const { size, mtimeMs } = statSync(path);
    const mark = `${size} ${mtimeMs}`;
    const before = known.get(path);
    if (before?.mark === mark) return before.of;
    const of = { summary: readFileSummary(path) };
    known.set(path, { mark, of });
    return of;
  } catch (error) {
    return { trouble: (error as Error).message };
  }
}

function answer(request: ReaderRequest): unknown {
  if (request.kind === 'scene') return readScene(request.path);
  if (request.kind === 'frames') {
    return readFrames(request.path, request.from_s, request.to_s, request.hz);
  }
  const all = request.paths.map(summarize);
  for (const path of known.keys()) if (!request.paths.includes(path)) known.delete(path);
  return all;
}

/** Requests are answered one after the other. */
let turn: Promise<unknown> = Promise.resolve();
port.on('message', (request: ReaderRequest) => {
  const { id } = request;
  turn = turn
    .then(() => answer(request))
    .then(
      (value): ReaderAnswer => ({ id, ok: true, value }),
      (error: unknown): ReaderAnswer => ({ id, ok: false, message: (error as Error).message }),
    )
    .then((message) => port.postMessage(message));
});
