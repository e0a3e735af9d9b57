/** Statistics of studies beside OpenTURNS (Debian's python3-openturns), where it is installed: the same samples, another program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { sobolDesign } from '../../../src/study/designs.ts';
import { rateInterval, runsForTolerance } from '../../../src/study/intervals.ts';
import { normalQuantile } from '../../../src/study/normal.ts';
import { rankCorrelation } from '../../../src/study/rank-correlation.ts';
import { saltelliDesign, sobolIndices } from '../../../src/study/sobol-indices.ts';

/** Debian's own interpreter: another one before it in the path does not see Debian's packages. */
const PYTHON = '/usr/bin/python3';
const installed = spawnSync(PYTHON, ['-c', 'import openturns']).status === 0;
const skip = installed ? false : 'python3-openturns is not installed';

const SCRIPT = `
import json, sys
import openturns as ot
given = json.load(sys.stdin)
x, y = ot.Sample(given['points']), ot.Sample([[v] for v in given['values']])
jansen = ot.JansenSensitivityAlgorithm(x, y, given['pairs'])
k, n = given['hits'], given['runs']
low, high = ot.Beta(k, n - k + 1, 0.0, 1.0), ot.Beta(k + 1, n - k, 0.0, 1.0)
plane, heights = ot.Sample(given['plane']), ot.Sample([[v] for v in given['heights']])
print(json.dumps({
    'first': list(jansen.getFirstOrderIndices()), 'total': list(jansen.getTotalOrderIndices()),
    'rate': [low.computeQuantile(0.025)[0], high.computeQuantile(0.975)[0]],
    'wilks': [ot.Wilks.ComputeSampleSize(0.95, 0.95, i) for i in (0, 1, 2)],
    'normal': ot.Normal().computeQuantile(given['level'])[0],
    'ranks': ot.CorrelationAnalysis(plane, heights).computeSpearmanCorrelation()[0],
}))
`;

interface Answer {
  readonly first: readonly number[];
  readonly total: readonly number[];
  readonly rate: readonly number[];
  readonly wilks: readonly number[];
  readonly normal: number;
  readonly ranks: number;
}

test('indices of Sobol, Clopper and Pearson, Wilks, normal quantile, rank correlation', {
  skip,
}, () => {
  const [pairs, d] = [2048, 3];
  const { count, points } = saltelliDesign(sobolDesign(pairs, 2 * d, 2026));
  const rows = Array.from({ length: count }, (_, i) => [...points.subarray(d * i, d * (i + 1))]);
  const values = rows.map(([a, b, c]) => a + 2 * b * b + 3 * b * c);
  const random = new Random(5);
  const plane = Array.from({ length: 200 }, () => [random.uniform()]);
  const heights = plane.map(([u]) => u + random.uniform());
  const [hits, runs, level] = [37, 400, 0.975];
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', SCRIPT], {
    input: JSON.stringify({ points: rows, values, pairs, hits, runs, level, plane, heights }),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const answer = JSON.parse(stdout) as Answer;

  const indices = sobolIndices(Float64Array.from(values), d, 10, 0.95, 1);
  for (const [k, { first, total }] of indices.entries()) {
    // the same estimate of Jansen; their variance is of sample A alone, which differs by some 1/√n of these nets at most
    assert.ok(Math.abs(total - answer.total[k]) < 0.01, `total ${k}: ${total}, ${answer.total[k]}`);
    // two estimates of one share: each is off by less than 0.02 at 2,048 pairs
    assert.ok(Math.abs(first - answer.first[k]) < 0.02, `first ${k}: ${first}, ${answer.first[k]}`);
  }
  const { low, high } = rateInterval(hits, runs, 0.95);
  assert.ok(Math.abs(low - answer.rate[0]) < 1e-9, `${low}, ${answer.rate[0]}`);
  assert.ok(Math.abs(high - answer.rate[1]) < 1e-9, `${high}, ${answer.rate[1]}`);
  assert.equal(runsForTolerance(0.95, 0.95), answer.wilks[0]);
  assert.deepEqual(answer.wilks, [59, 93, 124]);
  assert.ok(Math.abs(normalQuantile(level) - answer.normal) < 1e-9);
  const ranks = rankCorrelation(
    Float64Array.from(plane, ([u]) => u),
    Float64Array.from(heights),
    0.95,
  );
  assert.ok(ranks !== null);
  assert.ok(Math.abs(ranks.value - answer.ranks) < 1e-9, `${ranks.value}, ${answer.ranks}`);
});
