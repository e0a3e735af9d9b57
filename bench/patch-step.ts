/**
 * Time of a step of an elastic face with 8, 16 and 32 points that push, of which the body yields, with friction and without: µs, p50 and p99, sweeps,
 * and steps that did not settle. A flat face is pressed and slides along a closed path; the kinds are measured in turn in one process.
 */
import { gridPatch, patchOf } from '../test/fixtures/patch-models.ts';
import { formatTable } from '../test/fixtures/table.ts';

const WARM = 2000;
const STEPS = 4000;
const BLOCKS = 5;

interface Run {
  readonly name: readonly string[];
  readonly patch: ReturnType<typeof patchOf>;
  readonly blocks: { times: Float64Array; sweeps: number; unsettled: number; active: number }[];
}

/** n × n points of which the columns below `wide` lie on the face, the others 1 mm above it. */
function runOf(n: number, wide: number, friction: number): Run {
  const model = gridPatch(n, 2e-3, 7e7, (x) => (x < 2e-3 * (wide - n / 2) ? 0 : 1e-3));
  const patch = patchOf(model, 1e-3, { static: friction, sliding: 0.75 * friction }, 32);
  patch.problem.moves[0] = 1;
  for (let a = 0; a < 6; a++) patch.problem.mobility[7 * a] = a < 3 ? 1e-7 : 1e-3;
  return { name: [String(n * wide), friction > 0 ? 'friction' : 'none'], patch, blocks: [] };
}

function block({ patch, blocks }: Run, steps: number, kept: boolean): void {
  const times = new Float64Array(steps);
  let [sweeps, unsettled, active] = [0, 0, 0];
  for (let k = 0; k < steps; k++) {
    const angle = (2 * Math.PI * k) / 500;
    patch.pose[0] = 3e-5 * Math.cos(angle);
    patch.pose[1] = 3e-5 * Math.sin(2 * angle);
    patch.pose[2] = -2e-4 + 2e-5 * Math.sin(3 * angle);
    const from = process.hrtime.bigint();
    patch.step();
    times[k] = Number(process.hrtime.bigint() - from) / 1e3;
    const { readout } = patch.problem;
    sweeps += readout[1];
    unsettled += readout[2];
    active += readout[0];
  }
  if (kept) blocks.push({ times: times.sort(), sweeps, unsettled, active });
}

const runs = [0.3, 0].flatMap((friction) => [
  runOf(4, 2, friction),
  runOf(4, 4, friction),
  runOf(8, 4, friction),
]);
for (const run of runs) block(run, WARM, false);
for (let b = 0; b < BLOCKS; b++) for (const run of runs) block(run, STEPS, true);
const rows = runs.map(({ name, blocks }) => {
  const best = (part: number): string =>
    Math.min(...blocks.map(({ times }) => times[Math.floor(part * STEPS)])).toFixed(1);
  const [{ sweeps, active }] = blocks;
  const unsettled = blocks.reduce((sum, one) => sum + one.unsettled, 0);
  return [
    ...name,
    (active / STEPS).toFixed(1),
    best(0.5),
    best(0.99),
    (sweeps / STEPS).toFixed(1),
    String(unsettled),
  ];
});
console.log(
  formatTable(['points', 'law', 'push', 'p50 µs', 'p99 µs', 'sweeps', 'unsettled'], rows),
);
