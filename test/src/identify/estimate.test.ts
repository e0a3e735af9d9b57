/** Least squares within bounds and intervals, against closed forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify, type Identification } from '../../../src/identify/estimate.ts';
import type { Parameter } from '../../../src/identify/parameter.ts';
import { Random } from '../../../src/math/random.ts';

const linear = (name: string, start: number, low: number, high: number): Parameter => ({
  name,
  unit: '1',
  start,
  low,
  high,
  logarithmic: false,
});

/** Fits a curve to y at the places x. */
function fit(
  parameters: readonly Parameter[],
  x: readonly number[],
  y: readonly number[],
  curve: (x: number, p: Float64Array) => number,
  robust = false,
): Identification {
  return identify({
    parameters,
    rows: x.length,
    residuals: (p, out) => {
      for (let i = 0; i < x.length; i++) out[i] = y[i] - curve(x[i], p);
    },
    robust,
    confidence: 0.95,
  });
}

const line = (x: number, [a, b]: Float64Array): number => a + b * x;

test('a straight line: values and intervals of the closed form', () => {
  const random = new Random(3);
  const n = 40;
  const x = Array.from({ length: n }, (_, i) => i / 10);
  const y = x.map((at) => 2 - 0.7 * at + 0.1 * random.gaussian());
  const result = fit([linear('a', 0, -10, 10), linear('b', 0, -10, 10)], x, y, line);
  const mean = (of: readonly number[]): number => of.reduce((s, v) => s + v, 0) / n;
  const [mx, my] = [mean(x), mean(y)];
  const sxx = x.reduce((s, v) => s + (v - mx) ** 2, 0);
  const slope = x.reduce((s, v, i) => s + (v - mx) * (y[i] - my), 0) / sxx;
  const offset = my - slope * mx;
  const variance = x.reduce((s, v, i) => s + (y[i] - offset - slope * v) ** 2, 0) / (n - 2);
  const t = 2.0243941639; // Student's 97.5 % quantile with 38 freedoms
  const errors = [Math.sqrt(variance * (1 / n + mx ** 2 / sxx)), Math.sqrt(variance / sxx)];
  for (const [j, wanted] of [offset, slope].entries()) {
    const { value, low, high } = result.estimates[j];
    // the differences of a linear model are exact but for rounding, 1e-16/1e-5
    assert.ok(Math.abs(value - wanted) < 1e-9, `${value} ${wanted}`);
    assert.ok(Math.abs((high - low) / (2 * t * errors[j]) - 1) < 1e-7);
  }
  assert.equal(result.converged, true);
  assert.equal(result.correlated, false);
});

test('Rosenbrock: the minimum inside, and the one at a bound', () => {
  const residuals = ([x, y]: Float64Array, out: Float64Array): void => {
    out[0] = 10 * (y - x * x);
    out[1] = 1 - x;
    out[2] = 0;
  };
  const search = (high: number): Identification =>
    identify({
      parameters: [linear('x', -1.2, -2, high), linear('y', 1, -2, 2)],
      rows: 3,
      residuals,
      robust: false,
      confidence: 0.95,
    });
  const inside = search(2);
  assert.ok(Math.abs(inside.values[0] - 1) < 1e-9 && Math.abs(inside.values[1] - 1) < 1e-9);
  // with x ≤ 1/2 the sum is (1 − x)² + 100 (y − x²)², least at x = 1/2, y = 1/4
  const bounded = search(0.5);
  assert.equal(bounded.values[0], 0.5);
  assert.ok(Math.abs(bounded.values[1] - 0.25) < 1e-9);
  assert.equal(bounded.estimates[0].status, 'at-bound');
  assert.equal(bounded.estimates[1].status, 'identified');
});

test('a parameter without effect and a product are named, what else there is keeps its interval', () => {
  const random = new Random(5);
  const x = Array.from({ length: 50 }, (_, i) => i / 50);
  const y = x.map((at) => 6 * at + 1 + 0.01 * random.gaussian());
  const factor = (name: string, start: number): Parameter => ({
    ...linear(name, start, 0.1, 100),
    logarithmic: true,
  });
  const parameters = [
    factor('k', 2),
    factor('g', 2),
    linear('c', 0, -5, 5),
    linear('idle', 0, -1, 1),
  ];
  const result = fit(parameters, x, y, (at, [k, g, c]) => k * g * at + c);
  assert.deepEqual(
    result.estimates.map(({ status }) => status),
    ['combined', 'combined', 'identified', 'no-effect'],
  );
  const [k, g, c] = result.estimates;
  assert.ok(Math.abs((k.value * g.value) / 6 - 1) < 0.01);
  // k goes up by what g goes down
  assert.deepEqual(
    k.combination.map(({ name }) => name),
    ['k', 'g'],
  );
  assert.ok(Math.abs(k.combination[0].change / k.combination[1].change + 1) < 1e-3);
  assert.ok(g.low === 0 || g.low === -Infinity || g.high === Infinity);
  assert.ok(c.low < 1 && c.high > 1 && c.high - c.low < 0.02);
});

test('outliers hardly move the line with the loss of Huber', () => {
  const random = new Random(8);
  const x = Array.from({ length: 200 }, (_, i) => i / 20);
  const y = x.map((at, i) => 1 + at + 0.01 * random.gaussian() + (i % 10 === 0 ? 1 : 0));
  const parameters = [linear('a', 0, -10, 10), linear('b', 0, -10, 10)];
  const squares = fit(parameters, x, y, line);
  const robust = fit(parameters, x, y, line, true);
  assert.ok(squares.values[0] > 1.05);
  // 10 % of contamination on one side shifts Huber's mean by about 0.1 · 1.345 σ / 0.9
  assert.ok(Math.abs(robust.values[0] - 1) < 0.005, String(robust.values[0]));
  assert.ok(robust.outliers >= 20);
});

test('residuals that follow each other widen the interval as for a mean', () => {
  const random = new Random(11);
  const n = 2000;
  const noise: number[] = [];
  for (let i = 0; i < n; i++) noise.push(0.8 * (noise[i - 1] ?? 0) + random.gaussian());
  const x = noise.map((_, i) => i);
  const result = fit([linear('mean', 0, -10, 10)], x, noise, (_, [mean]) => mean);
  assert.equal(result.correlated, true);
  assert.ok(Math.abs(result.correlation - 0.8) < 0.05);
  const { low, high } = result.estimates[0];
  // standard error of the mean of an AR(1): 1/((1 − 0.8) √n), from the measured ρ within 15 %
  const wanted = (2 * 1.961) / (0.2 * Math.sqrt(n));
  assert.ok(Math.abs((high - low) / wanted - 1) < 0.3, `${high - low} ${wanted}`);
});

test('bounds that leave nothing to search are refused by name', () => {
  const data = [
    [1, 2, 3],
    [1, 2, 3],
  ] as const;
  const one =
    (parameter: Parameter): (() => unknown) =>
    () =>
      fit([parameter], data[0], data[1], (x, [a]) => a * x);
  assert.throws(one(linear('mu', 0, 1, 1)), /mu\.low/);
  assert.throws(one(linear('mu', 3, 0, 1)), /mu\.start.*from 0 to 1/);
  assert.throws(one({ ...linear('k', 1, 0, 2), logarithmic: true }), /k\.low.*logarithm/);
  assert.throws(() => fit([linear('a', 0, -1, 1)], [1], [1], line), /rows/);
});
