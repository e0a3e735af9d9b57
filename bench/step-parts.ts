/**
 * Where the time of a step goes (`npm run bench:parts`): a sampling profile of scenes of `bench:step`, their functions by part. What V8
 * puts into another function counts for that one.
 */
import { Session } from 'node:inspector/promises';
import { formatTable } from '../test/fixtures/table.ts';
import { timedBerth } from './step/timed.ts';

/** Scenes, and how long each is sampled, s, after as long a time for V8. */
const SCENES = (process.argv[3] ?? 'ball,box level,pairs virtual,pairs rest,receptacle rest').split(
  ',',
);
const SECONDS = Number(process.argv[2] ?? '4');
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

const found: Awaited<ReturnType<typeof profile>>[] = [];
for (const scene of SCENES) found.push(await profile(scene));
const rows = [...PARTS.map(([part]) => part), REST].map((part) => [
  part,
  ...found.map(({ shares }) => `${(100 * (shares.get(part) ?? 0)).toFixed(0)} %`),
]);
rows.push(['µs a step, sampled', ...found.map(({ us }) => us.toFixed(2))]);
console.log(formatTable(['part of a step', ...SCENES], rows));
