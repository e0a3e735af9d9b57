/**
 * Time of one query of two convex shapes in microseconds, by pair: 10 mm apart, touching within the smoothing radius, and
 * 20 mm deep with overlapping cores. With it the mean number of support points.
 */
import { everySweep } from '../test/fixtures/convex-models.ts';
import { formatTable } from '../test/fixtures/table.ts';

const POSES = 50;
const QUERIES = 2000;
const ROUNDS = 5;
const cases = [
  ['10 mm apart', 1e-2],
  ['0.1 mm deep', -1e-4],
  ['20 mm deep', -2e-2],
] as const;

const columns = cases.map(([, gap]) => everySweep(gap, POSES));
const rows = columns[0].map((first, n) => [
  first.name,
  ...columns.map((sweeps) => {
    const sweep = sweeps[n];
    const rounds = QUERIES / POSES;
    let best = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 2 * rounds; k++) sweep.run();
    for (let round = 0; round < ROUNDS; round++) {
      const start = process.hrtime.bigint();
      for (let k = 0; k < rounds; k++) sweep.run();
      best = Math.min(best, Number(process.hrtime.bigint() - start) / (1000 * QUERIES));
    }
    return `${best.toFixed(2)} us, ${sweep.count().iterations.toFixed(1)}`;
  }),
]);
console.log(formatTable(['pair', ...cases.map(([name]) => name)], rows));
