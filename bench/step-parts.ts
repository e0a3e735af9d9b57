/**
 * Where the time of a step goes (`npm run bench:parts -- [SECONDS] [SCENE,…]`), for scenes of `bench:step`. First by a clock around every
 * call into the kernels, less what the clock takes: what is left is JavaScript. Then by a sampling profile, functions by part; what V8 puts
 * into another function counts for that one.
 */
import { Session } from 'node:inspector/promises';
import { loadavg } from 'node:os';
import { contactKernels } from '../config/contact-kernels.ts';
import type { ContactKernels } from '../src/contact/contact-loops.ts';
import { formatTable } from '../test/fixtures/table.ts';
import { timedBerth } from './step/timed.ts';

/** How long each scene is run for each table, s, after as long a time for V8. */
const SECONDS = Number(process.argv[2] ?? '2');
const ALL =
  'ball,box level,box slope,box stiff,pairs virtual,pairs rest,pairs slide,receptacle rest,receptacle slide,receptacle 1e9,torus';
const SCENES = (process.argv[3] ?? ALL).split(',');
const INTERVAL_US = 100;
const BLOCK = 500;

/** Parts of a step: the first whose files or functions match. */
const PARTS: readonly (readonly [part: string, match: RegExp])[] = [
  ['overlap of cells', /kernels\/(clip-replay|cells)\/|src\/overlap\/|cellular\//],
  ['velocities at the contacts', /kernels\/contact\/(measureVelocity|placeContact)/],
  ['friction', /kernels\/(bristle|rate-friction|elementary)\//],
  ['rolling', /kernels\/(rolling|drag)\//],
  ['normal law', /kernels\/(normal-law\/|contact\/computeElastic)/],
  [
    'phases and mobility',
    /kernels\/contact\/(computePhase|computeMobility|addMobility|form|measureRocking)/,
  ],
  ['wrench and slope of a contact', /kernels\/contact\/(respond|combine|computeSlope|pressNormal)/],
  ['Newton: sums, matrix, factors', /kernels\/(newton|lu)\//],
  ['loops, ledger, read-out, finite check', /kernels\//],
  ['calls into kernels', /Wrapper|js-to-wasm/],
  ['JavaScript of bodies, pairs and step', /dist\/src\/|\/src\/.*[.]ts/],
];
const REST = 'bench, V8 and machine';

function partOf(name: string, url: string): string {
  const place = `${url} ${name}`;
  return PARTS.find(([, match]) => match.test(place))?.[0] ?? REST;
}

/** Shares of the parts of one scene, and its µs a step. */
async function profile(scene: string): Promise<{ shares: Map<string, number>; us: number }> {
  const timed = timedBerth(scene);
  const block = timed.block || BLOCK;
  let steps = 0;
  const run = (seconds: number): number => {
    const begin = performance.now();
    let busy = 0;
    steps = 0;
    while (performance.now() - begin < 1000 * seconds) {
      timed.prepare();
      const start = performance.now();
      timed.run(block);
      busy += performance.now() - start;
      steps += block;
    }
    return (1000 * busy) / steps;
  };
  run(SECONDS);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  const us = run(SECONDS);
  const { profile: result } = await session.post('Profiler.stop');
  session.disconnect();
  const names = new Map(
    result.nodes.map(({ id, callFrame }) => [id, partOf(callFrame.functionName, callFrame.url)]),
  );
  const shares = new Map<string, number>();
  let all = 0;
  result.samples?.forEach((id, k) => {
    const part = names.get(id) ?? REST;
    const time = result.timeDeltas?.[k] ?? 0;
    shares.set(part, (shares.get(part) ?? 0) + time);
    all += time;
  });
  for (const [part, time] of shares) shares.set(part, time / all);
  return { shares, us };
}

/** Calls into the kernels by what they do. */
const CALLS: Readonly<Record<string, string>> = {
  measureCells: 'placements, clips, velocities',
  computePhases: 'sub-steps',
  computeCellPhases: 'sub-steps',
  gather: 'onset, loss, which touch',
  settleCells: 'onset, loss, which touch',
  prepareContacts: 'laws at the start of the step',
  solveImposedContacts: 'contacts of bodies that do not yield',
  solveIsland: "Newton's method",
  accountContacts: 'ledger and energies',
  storeEnergies: 'ledger and energies',
  advanceContacts: 'states of the laws',
  writeReadouts: 'read-outs, finite check',
  writeCellReadouts: 'read-outs, finite check',
  areFinite: 'read-outs, finite check',
};
const JAVASCRIPT = 'JavaScript: bodies, search, islands, new clips';
const PARTS_OF_CALLS = [...new Set(Object.values(CALLS)), JAVASCRIPT];
const SUM = 'sum';

type Exports = ReturnType<ContactKernels['on']>;
const spent = new Map<string, number>();
let clocked = false;
let calls = 0;

/** Times every call. */
function clockCalls(kernels: ContactKernels): void {
  const on = kernels.on.bind(kernels);
  kernels.on = (memory) => {
    const exports = on(memory);
    if (!clocked) return exports;
    const timed = Object.entries(exports).map(([name, call]) => {
      const part = CALLS[name] ?? JAVASCRIPT;
      const inner = call as (...args: number[]) => number;
      return [
        name,
        (...args: number[]) => {
          calls++;
          const start = performance.now();
          const result = inner(...args);
          spent.set(part, (spent.get(part) ?? 0) + performance.now() - start - CLOCK_MS);
          return result;
        },
      ];
    });
    return Object.fromEntries(timed) as Exports;
  };
}

/** What the clock adds to what it times, ms. */
const CLOCK_MS = Math.min(
  ...Array.from({ length: 1000 }, () => {
    let sum = 0;
    for (let k = 0; k < 100; k++) {
      const start = performance.now();
      sum += performance.now() - start;
    }
    return sum / 100;
  }),
);

/** µs a step by part, each from its fastest tenth of the blocks: what the machine takes for others is left out. */
function measureCalls(scene: string): Map<string, number> {
  clocked = true;
  const timed = timedBerth(scene);
  const block = timed.block || 50;
  const blocks: Map<string, number>[] = [];
  for (const begin = performance.now(); performance.now() - begin < 2000 * SECONDS; ) {
    timed.prepare();
    spent.clear();
    calls = 0;
    const start = performance.now();
    timed.run(block);
    let rest = performance.now() - start - 2 * calls * CLOCK_MS;
    for (const time of spent.values()) rest -= time;
    blocks.push(new Map([...spent, [JAVASCRIPT, (spent.get(JAVASCRIPT) ?? 0) + rest]]));
  }
  blocks.splice(0, Math.floor(blocks.length / 2));
  const parts = new Map<string, number>();
  let all = 0;
  for (const part of PARTS_OF_CALLS) {
    const sorted = blocks.map((one) => one.get(part) ?? 0).sort((x, y) => x - y);
    const time = (1000 * sorted[Math.floor(sorted.length / 10)]) / block;
    parts.set(part, time);
    all += time;
  }
  return parts.set(SUM, all);
}

clockCalls(contactKernels()!);
console.log(`load ${loadavg()[0].toFixed(1)}`);
const clock = SCENES.map(measureCalls);
console.log(
  formatTable(
    ['µs a step', ...SCENES],
    [...PARTS_OF_CALLS, SUM].map((part) => [
      part,
      ...clock.map((parts) => (parts.get(part) ?? 0).toFixed(2)),
    ]),
  ),
);
clocked = false;
const found: Awaited<ReturnType<typeof profile>>[] = [];
for (const scene of SCENES) found.push(await profile(scene));
const rows = [...PARTS.map(([part]) => part), REST].map((part) => [
  part,
  ...found.map(({ shares }) => `${(100 * (shares.get(part) ?? 0)).toFixed(0)} %`),
]);
rows.push(['µs a step, sampled', ...found.map(({ us }) => us.toFixed(2))]);
console.log(formatTable(['part of a step', ...SCENES], rows));
