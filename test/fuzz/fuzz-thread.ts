/** Runs one fuzzer in a worker thread, which the main thread ends when an input takes too long or too much memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { BerthError } from '../../src/base/errors.ts';
import { Random } from '../../src/math/random.ts';
import { Mutator } from './mutate.ts';
import { kindOf } from './target.ts';
import { FUZZERS } from './targets.ts';

/** Handed to the thread. */
export interface FuzzThreadData {
  readonly name: string;
  readonly seed: number;
  readonly seconds: number;
  /** One input to try instead. */
  readonly input: Uint8Array | null;
  /** Number of the present input and its length, then its bytes. */
  readonly present: SharedArrayBuffer;
}

/** Report at the end of the thread. */
export interface FuzzReport {
  readonly inputs: number;
  readonly seconds: number;
  /** Different outcomes. */
  readonly outcomes: number;
  readonly slowest_ms: number;
  /** Most bytes of array buffers held after an input, above those before the first. */
  readonly most_bytes: number;
  /** What was thrown; '' for nothing. */
  readonly fault: string;
}

/** An input of some kilobytes may cost so much, bytes: a replay takes 25 MB of rings, and the collector fetches them late. */
const MOST_BYTES = 600e6;
/** Collections before what is held counts, and the time that each has for its sweep, ms. */
const SWEEPS = 10;
const SWEEP_MS = 100;
/** Inputs between two looks at the memory. */
const LOOK_EVERY = 32;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const data = workerData as FuzzThreadData;
const header = new Int32Array(data.present, 0, 2);
const bytes = new Uint8Array(data.present, 8);

/** Give one input to the decoder. @returns its outcome @throws what is no answer */
async function tryInput(
  run: (input: Uint8Array) => string | Promise<string>,
  input: Uint8Array,
): Promise<string> {
  const length = Math.min(input.length, bytes.length);
  bytes.set(input.subarray(0, length));
  header[1] = length;
  Atomics.add(header, 0, 1);
  try {
    // not awaited without need: a promise for each of a million inputs would be most of the work
    const outcome = run(input);
    return typeof outcome === 'string' ? outcome : await outcome;
  } catch (error) {
    if (error instanceof BerthError) return kindOf(`${error.code} ${error.message}`);
    throw error;
  }
}

async function fuzz(): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), `berth-fuzz-`));
  let [inputs, slowest_ms, most_bytes, fault] = [0, 0, 0, ''];
  const outcomes = new Set<string>();
  let begin = performance.now();
  try {
    const target = await FUZZERS[data.name](folder);
    const run = (input: Uint8Array): string | Promise<string> => target.run(input);
    const mutator = new Mutator(target, new Random(data.seed));
    for (const input of data.input === null ? target.corpus : [data.input]) {
      outcomes.add(await tryInput(run, input));
    }
    const before = process.memoryUsage().arrayBuffers;
    begin = performance.now();
    let now = begin;
    while (data.input === null && now - begin < 1000 * data.seconds) {
      const input = mutator.next();
      const start = performance.now();
      const outcome = await tryInput(run, input);
      now = performance.now();
      slowest_ms = Math.max(slowest_ms, now - start);
      if (!outcomes.has(outcome)) {
        outcomes.add(outcome);
        mutator.keep(input);
      }
      if (++inputs % LOOK_EVERY > 0 && now - start < 1) continue;
      most_bytes = Math.max(most_bytes, process.memoryUsage().arrayBuffers - before);
      if (most_bytes <= MOST_BYTES) continue;
      // what a replay leaves is large and waits long for the collector, which sweeps it beside the program
      for (let i = 0; i < SWEEPS && most_bytes > MOST_BYTES; i++) {
        collect();
        await new Promise((resolve) => setTimeout(resolve, SWEEP_MS));
        most_bytes = process.memoryUsage().arrayBuffers - before;
      }
      if (most_bytes > MOST_BYTES) throw new Error(`${most_bytes} bytes held`);
    }
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - begin) / 1000;
  return { inputs, seconds, outcomes: outcomes.size, slowest_ms, most_bytes, fault };
}

parentPort!.postMessage(await fuzz());
