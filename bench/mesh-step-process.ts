/** Runs one subject of the mesh benchmark in a process of its own: what V8 has seen and what is in the caches is of this subject alone. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Running, SETTLE, type Size } from './mesh/ring-scene.ts';
import { type Answer, QUIET_B, SUBJECTS, type SubjectName } from './mesh/subjects.ts';

/** Steps of a round, and the time after which it ends, ms. */
const STEPS = 50;
const ROUND_MS = 200;
/** Most time for the way to rest, ms: a subject that is slower is measured on its way. */
const SETTLE_MS = 6_000;
/** Steps between two measurements of the heap, at most and in a time, ms; most windows and most time for them, ms. */
const HEAP_STEPS = 500;
const HEAP_WINDOW_MS = 400;
const HEAP_WINDOWS = 40;
/** Windows of the engines of others, which allocate and need not be quiet. */
const OTHERS_WINDOWS = 4;
const HEAP_MS = 45_000;

const [name, size] = JSON.parse(process.argv[2]) as [SubjectName, Size];
const say = (answer: Answer): void => {
  process.send!(answer);
};

const collect = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

function settle(run: Running): void {
  const end = performance.now() + SETTLE_MS;
  for (let n = 0; n < SETTLE && performance.now() < end; n++) run.step();
}

/** Bytes that so many steps leave on the heap. */
function grownBy(run: Running, steps: number): number {
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < steps; n++) run.step();
  return process.memoryUsage().heapUsed - before;
}

/**
 * Bytes that a step leaves on the heap, in the quietest window: V8 still compiles in the first ones. What a measurement itself leaves is
 * taken off: the least growth over no step.
 */
function heapBytes(run: Running): number {
  const end = performance.now() + HEAP_MS;
  const start = performance.now();
  run.step();
  const one_ms = Math.max(1e-3, performance.now() - start);
  const steps = Math.max(20, Math.min(HEAP_STEPS, Math.floor(HEAP_WINDOW_MS / one_ms)));
  let least = Number.POSITIVE_INFINITY;
  let own = Number.POSITIVE_INFINITY;
  const windows = name.startsWith('Berth') ? HEAP_WINDOWS : OTHERS_WINDOWS;
  for (let n = 0; n < windows && performance.now() < end && !(least < QUIET_B); n++) {
    collect();
    own = Math.min(own, grownBy(run, 0));
    least = Math.min(least, (grownBy(run, steps) - own) / steps);
  }
  return Math.max(0, least);
}

function round(run: Running): number[] {
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (times.length < STEPS && performance.now() < end) {
    const before = process.cpuUsage();
    run.step();
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return times;
}

const start = performance.now();
const run = await SUBJECTS[name].make(size);
run.step();
const made_s = (performance.now() - start) / 1e3;
settle(run);
say({
  kind: 'ready',
  words: run.words,
  made_s,
  heap_B: heapBytes(run),
  contacts: run.contacts(),
  height: run.height(),
  missed: run.missed(),
});
process.on('message', (message) => {
  if (message === 'round') say({ kind: 'round', times_us: round(run) });
  else process.exit(0);
});
