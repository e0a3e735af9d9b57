/**
 * Cost of a step with volumetric contact (`npm run bench:volumetric`): a box payload cut into cells
 * on a tray cut into cells, with 1 to 100 pairs in contact, and with cells without contact. Also the time of 12 pairs by part,
 * and bytes left on the heap. `virtual` runs as the loop does, with a measured motion of the payload; `free` is a sliding box
 * with the implicit step. Interleaved rounds time every step.
 */
import { Session } from 'node:inspector/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { digits } from './rounds.ts';
import { formatTable } from '../test/fixtures/table.ts';
import { crowdedTray, CUTS, cutTray, type Motion, Mover } from './volumetric-scenes.ts';

const USAGE = 'Usage: node dist/bench/volumetric-step.js [--quick]';
const CROWDS = [4, 20, 40, 100];
/** Steps of a scene in a round. */
const STEPS = 20;
const HEAP_STEPS = 2000;
const MOTIONS: readonly Motion[] = ['virtual', 'free'];

interface Timed {
  readonly name: string;
  readonly pairs: number;
  readonly mover: Mover;
  readonly times: Float64Array;
}

function steps(mover: Mover, count: number): void {
  for (let n = 0; n < count; n++) {
    mover.prepare();
    mover.step();
  }
}

function time(scenes: readonly Timed[], rounds: number): void {
  for (const { mover } of scenes) steps(mover, 3000);
  for (let round = 0; round < rounds; round++) {
    for (const { mover, times } of scenes) {
      for (let n = 0; n < STEPS; n++) {
        mover.prepare();
        const start = performance.now();
        mover.step();
        times[round * STEPS + n] = 1000 * (performance.now() - start);
      }
    }
  }
  for (const { name, pairs, mover, times } of scenes) {
    if (mover.pairs() !== pairs) throw new Error(`${name}: ${mover.pairs()} pairs, not ${pairs}`);
    times.sort();
  }
}

const quantile = (times: Float64Array, q: number): number => times[Math.floor(q * times.length)];

const collect = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Bytes that a step leaves on the heap, in the quietest of three blocks. */
function heapBytes(mover: Mover): number {
  let least = Number.POSITIVE_INFINITY;
  for (let block = 0; block < 3; block++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    steps(mover, HEAP_STEPS);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / HEAP_STEPS);
  }
  return Math.max(0, least);
}

/** Part of a step by source file, and by function where a file has several; a frame that is not listed belongs to its caller. */
const PARTS: readonly (readonly [part: string, file: RegExp, name?: RegExp])[] = [
  ['broad phase and placements', /broad-phase|cell-placements|cell-bounds|orient/],
  ['overlap', /overlap\/(clip|polytope|kernels|rays|voxels)/],
  ['normal', /contact-normal|symmetric-eigen/],
  ['read-out', /./, /^(writeReadout|read|readContact|readEnergy)$/],
  [
    'laws',
    /./,
    /^(prepareImplicit|computeElastic|advance|computeMobility|computePhase|respond|computeSlope)$/,
  ],
  ['solve', /contact-newton|contact-islands|contact-sweeps|implicit-contact|math\/lu/],
  ['ledger', /energy-ledger/],
  ['pool: new, found, lost', /cell-contact/],
  ['rest of the step', /system|dynamics|stepper|tool-drive|body|contact-list/],
];

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[] | undefined;
}

/** Share of each part in the samples of a run, in the order of PARTS. */
async function shares(mover: Mover, count: number): Promise<number[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  steps(mover, count);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node): [number, ProfileNode] => [node.id, node]));
  const partOf = new Map<number, number>();
  const visit = (id: number, above: number): void => {
    const node = nodes.get(id)!;
    const { url, functionName } = node.callFrame;
    const found = PARTS.findIndex(
      ([, file, name]) =>
        /\/src\//.test(url) && file.test(url) && (name === undefined || name.test(functionName)),
    );
    const part = found >= 0 ? found : above;
    partOf.set(id, part);
    for (const child of node.children ?? []) visit(child, part);
  };
  visit(profile.nodes[0].id, -1);
  const sums = PARTS.map(() => 0);
  let total = 0;
  for (const id of profile.samples ?? []) {
    const part = partOf.get(id) ?? -1;
    if (part < 0) continue;
    sums[part]++;
    total++;
  }
  return sums.map((sum) => sum / total);
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
if (process.argv.length > 2 && !values.quick) {
  console.error(USAGE);
  process.exit(2);
}
const rounds = values.quick ? 25 : 100;
const make = (name: string, pairs: number, mover: Mover): Timed => ({
  name,
  pairs,
  mover,
  times: new Float64Array(rounds * STEPS),
});
console.log(`Load ${loadavg()[0].toFixed(1)} before; ${rounds * STEPS} steps of each scene.\n`);

const counts = Object.keys(CUTS).map(Number);
const touching = MOTIONS.flatMap((motion) =>
  counts.map((pairs) => make(motion, pairs, new Mover(cutTray(motion, pairs)))),
);
time(touching, rounds);
console.log(
  formatTable(
    ['pairs in contact', 'p50, µs a step', 'p99', 'p50 a pair', 'ratio', 'sub-steps', 'heap, B'],
    touching.map(({ name, pairs, mover, times }) => {
      const p50 = quantile(times, 0.5);
      return [
        `${name}, ${pairs}`,
        digits(p50),
        digits(quantile(times, 0.99)),
        digits(p50 / pairs),
        digits(p50 / quantile(touching[0].times, 0.5)),
        String(mover.run.substeps),
        heapBytes(mover).toFixed(1),
      ];
    }),
  ),
);

const crowds = MOTIONS.flatMap((motion) =>
  CROWDS.map((cells) =>
    make(`${motion}, ${cells} x ${cells}`, 4, new Mover(crowdedTray(motion, cells))),
  ),
);
time(crowds, rounds);
console.log(
  `\n${formatTable(
    ['cells, 4 pairs in contact', 'p50, µs a step', 'p99', 'ratio'],
    crowds.map(({ name, times }) => [
      name,
      digits(quantile(times, 0.5)),
      digits(quantile(times, 0.99)),
      digits(quantile(times, 0.5) / quantile(crowds[0].times, 0.5)),
    ]),
  )}`,
);

const columns: string[][] = [];
for (const motion of MOTIONS) {
  const mover = new Mover(cutTray(motion, 12));
  steps(mover, 3000);
  const parts = await shares(mover, values.quick ? 10_000 : 40_000);
  columns.push(parts.map((part) => `${(100 * part).toFixed(0)} %`));
}
console.log(
  `\n${formatTable(
    ['part of the step, 12 pairs', ...MOTIONS],
    PARTS.map(([name], k) => [name, ...columns.map((column) => column[k])]),
  )}`,
);
