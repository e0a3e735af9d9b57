/** Minima where a search from one start ends in another one: a swing of unknown frequency, an answer in steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify, type Problem } from '../../../src/identify/estimate.ts';
import { evolve } from '../../../src/identify/evolution.ts';
import { Random } from '../../../src/math/random.ts';

/** A swing of 7 rad/s, searched from 2 rad/s: the loss has a minimum wherever a lobe more or less fits into the data. */
function swing(starts: number, robust = false): Problem {
  const random = new Random(5);
  const time = Array.from({ length: 120 }, (_, i) => i / 30);
  const measured = time.map((t) => Math.sin(7 * t) + 0.05 * random.gaussian());
  return {
    parameters: [
      { name: 'frequency', unit: 'rad/s', start: 2, low: 0.5, high: 30, logarithmic: true },
      { name: 'size', unit: '1', start: 1, low: 0.1, high: 5, logarithmic: false },
    ],
    rows: time.length,
    residuals: ([frequency, size], out) => {
      for (const [i, t] of time.entries()) out[i] = measured[i] - size * Math.sin(frequency * t);
    },
    robust,
    confidence: 0.95,
    starts,
  };
}

for (const robust of [false, true]) {
  test(`one start ends in a minimum that is not the least, many find it, ${robust ? 'Huber' : 'squares'}`, (t) => {
    const one = identify(swing(0, robust));
    assert.ok(Math.abs(one.values[0] - 7) > 1 && one.converged);
    const many = identify(swing(12, robust));
    t.diagnostic(`${many.values.join(' ')}: ${many.agreeing} of ${many.starts}, ${many.evolved}`);
    const [{ low, high }] = many.estimates;
    assert.ok(low < 7 && 7 < high && high - low < 0.1);
    assert.equal(many.starts, 13);
    assert.deepEqual(identify(swing(12, robust)).values, many.values);
  });
}

test('an answer in steps has no derivative: the evolution strategy finds what no start does', (t) => {
  const truth = [0.62, 0.31];
  const stepped = (p: ArrayLike<number>, x: number): number =>
    Math.round(400 * (p[0] * x + p[1] * x * x)) / 400;
  const x = Array.from({ length: 60 }, (_, i) => i / 30);
  const problem: Problem = {
    parameters: ['a', 'b'].map((name) => ({
      ...{ name, unit: '1', start: 0.05, low: 0, high: 1, logarithmic: false },
    })),
    rows: x.length,
    residuals: (p, out) => {
      for (const [i, at] of x.entries()) out[i] = stepped(truth, at) - stepped(p, at);
    },
    robust: false,
    confidence: 0.95,
  };
  assert.ok(Math.abs(identify(problem).values[0] - truth[0]) > 0.1);
  const found = identify({ ...problem, starts: 4 });
  t.diagnostic(`${found.values.join(' ')}, ${found.agreeing} of ${found.starts}`);
  assert.equal(found.evolved, true);
  // a step of 1/400 at x = 2
  for (const [j, value] of found.values.entries()) assert.ok(Math.abs(value - truth[j]) < 0.01);
});

test('evolution: the valley of Rosenbrock, and a minimum at a bound', () => {
  const valley = (p: Float64Array): number => 100 * (p[1] - p[0] ** 2) ** 2 + (1 - p[0]) ** 2;
  const box = [Float64Array.of(-2, -2), Float64Array.of(2, 2)] as const;
  const bottom = evolve(Float64Array.of(-1.2, 1), ...box, valley, 3);
  // the loss at a way of 1e-7 of the range along the valley
  assert.ok(Math.abs(bottom[0] - 1) < 1e-4 && Math.abs(bottom[1] - 1) < 1e-4, bottom.join(' '));
  const edge = evolve(Float64Array.of(0, 0), ...box, (p) => (p[0] - 3) ** 2 + p[1] ** 2, 3);
  assert.ok(Math.abs(edge[0] - 2) < 1e-6 && Math.abs(edge[1]) < 1e-4, edge.join(' '));
  const lone = evolve(
    Float64Array.of(-1),
    Float64Array.of(-2),
    Float64Array.of(2),
    ([x]) => (x - 0.7) ** 2,
    3,
  );
  assert.ok(Math.abs(lone[0] - 0.7) < 1e-5, `${lone[0]}`);
});
