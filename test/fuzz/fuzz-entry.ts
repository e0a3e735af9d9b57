/**
 * Fuzzers of every decoder (`npm run test:fuzz`): each in a thread of its own, which is ended when one input takes too long or the
 * heap outgrows its limit. Exit 1 when anything but a refusal came out; the input is kept in a file, which `--input` tries again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startThread } from '../../hil/os/start-thread.ts';
import type { FuzzReport, FuzzThreadData } from './fuzz-thread.ts';
import { FUZZERS } from './targets.ts';

const USAGE = `Usage: node dist/test/fuzz/fuzz-entry.js [NAME …] [--seconds N] [--seed N] [--input FILE]

  NAME          part of a fuzzer's name; all when left out
  --seconds N   in all, shared alike (default 60)
  --seed N      of all inputs (default: another at every run)
  --input FILE  give this one input to the fuzzer named, and no other`;

/** No input may take longer, s: the slowest takes milliseconds, a stall of a shared machine seconds. */
const MOST_S = 10;
/** Start of a thread, with the making of its valid inputs, s. */
const START_S = 60;
/** Largest heap of a thread, MB: recordings and models take some ten. */
const HEAP_MB = 512;
const LARGEST_INPUT = 4 << 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    input: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const names = Object.keys(FUZZERS).filter(
  (name) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (!(seconds > 0) || !Number.isInteger(seed) || names.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const given = values.input === undefined ? null : new Uint8Array(readFileSync(values.input));

interface Result extends FuzzReport {
  readonly present: SharedArrayBuffer;
}

/** Run one fuzzer to its end, whatever that is. */
async function run(name: string, share_s: number): Promise<Result> {
  const present = new SharedArrayBuffer(8 + LARGEST_INPUT);
  const header = new Int32Array(present, 0, 2);
  const workerData: FuzzThreadData = { name, seed, seconds: share_s, input: given, present };
  const file = new URL(`./fuzz-thread${extname(import.meta.url)}`, import.meta.url);
  const begin = performance.now();
  const worker = startThread(file, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let report: FuzzReport | null = null;
  let running = true;
  const ended = (fault: string): void => {
    running = false;
    const used_s = (performance.now() - begin) / 1000;
    const nothing = { outcomes: 0, slowest_ms: NaN, most_bytes: NaN };
    report ??= { inputs: Atomics.load(header, 0), seconds: used_s, fault, ...nothing };
  };
  worker.on('message', (message: FuzzReport) => (report = message));
  worker.on('error', (error: unknown) => ended(String(error)));
  worker.on('exit', () => ended('the thread ended'));
  let [seen, since] = [-1, begin];
  while (running) {
    await delay(100);
    const now = Atomics.load(header, 0);
    if (now !== seen) [seen, since] = [now, performance.now()];
    else if (
      report === null &&
      performance.now() - since > 1000 * (seen === 0 ? START_S : MOST_S)
    ) {
      ended(`input ${seen} takes longer than ${MOST_S} s`);
      await worker.terminate();
    }
  }
  return { ...(report as unknown as FuzzReport), present };
}

console.log(`seed ${seed}, ${seconds} s`);
let failed = 0;
for (const name of names) {
  const before = process.memoryUsage.rss();
  const { inputs, fault, present, ...r } = await run(name, seconds / names.length);
  const grown = ((process.memoryUsage.rss() - before) / 1e6).toFixed(0);
  const rate = Math.round(inputs / r.seconds);
  console.log(
    `${name.padEnd(18)} ${inputs} inputs, ${rate}/s, ${r.outcomes} outcomes, slowest ${r.slowest_ms.toFixed(1)} ms, buffers ${(r.most_bytes / 1e6).toFixed(1)} MB, process +${grown} MB`,
  );
  if (fault === '') continue;
  failed++;
  const length = new Int32Array(present, 4, 1)[0];
  const path = join(tmpdir(), `berth-fuzz-${name}-${seed}-${inputs}.bin`);
  writeFileSync(path, new Uint8Array(present, 8, length).slice());
  console.log(`   FAULT: ${fault.replaceAll('\n', '\n   ')}`);
  console.log(`   again: npm run test:fuzz -- ${name} --input ${path}`);
}
console.log(`${names.length - failed} of ${names.length} fuzzers found nothing`);
process.exitCode = failed === 0 ? 0 : 1;
