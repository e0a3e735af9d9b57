/**
 * Time of one query of two convex shapes in microseconds, by pair: 10 mm apart, touching within the smoothing radius, and
 * 20 mm deep with overlapping cores. With it the mean number of support points.
 */
import { SHAPES, Sweep } from '../test/src/convex-models.ts';
import { formatTable } from './table.ts';

const POSES = 50;
const QUERIES = 2000;
const ROUNDS = 5;
const cases = [
  ['10 mm apart', 1e-2],
  ['0.1 mm deep', -1e-4],
  ['20 mm deep', -2e-2],
] as const;

const shapes = Object.values(SHAPES);
const rows: string[][] = [];
for (const [n, first] of shapes.entries()) {
  for (const second of shapes.slice(n)) {
    const row = [`${first.kind} – ${second.kind}`];
    for (const [, gap] of cases) {
      const sweep = new Sweep(first, second, gap, POSES);
      const rounds = QUERIES / POSES;
      let best = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 2 * rounds; k++) sweep.run();
      for (let round = 0; round < ROUNDS; round++) {
        const start = process.hrtime.bigint();
        for (let k = 0; k < rounds; k++) sweep.run();
        best = Math.min(best, Number(process.hrtime.bigint() - start) / (1000 * QUERIES));
      }
      row.push(`${best.toFixed(2)} us, ${sweep.count().iterations.toFixed(1)}`);
    }
    rows.push(row);
  }
}
console.log(formatTable(['pair', ...cases.map(([name]) => name)], rows));
