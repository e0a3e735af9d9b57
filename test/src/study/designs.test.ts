/** Designs: what each promises of its points, and that a seed gives the same ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Design,
  gridDesign,
  latinHypercube,
  morrisDesign,
  randomDesign,
  sobolDesign,
} from '../../../src/study/designs.ts';
import { correlate } from '../../../src/study/correlation.ts';
import { normalQuantile } from '../../../src/study/normal.ts';
import { SOBOL_DIMENSIONS, SobolDimension } from '../../../src/study/sobol-sequence.ts';

const column = ({ count, dimensions, points }: Design, j: number): number[] =>
  Array.from({ length: count }, (_, i) => points[dimensions * i + j]);

test('a grid has every combination once, ends included, the last dimension fastest', () => {
  const { count, points } = gridDesign([2, 3, 1]);
  assert.equal(count, 6);
  assert.deepEqual([...points.subarray(0, 9)], [0, 0, 0.5, 0, 0.5, 0.5, 0, 1, 0.5]);
  const rows = new Set(
    Array.from({ length: 6 }, (_, i) => points.subarray(3 * i, 3 * i + 3).join()),
  );
  assert.equal(rows.size, 6);
});

test('a Latin hypercube has one point in each interval of each dimension', () => {
  const design = latinHypercube(37, 5, 2007);
  for (let j = 0; j < 5; j++) {
    const cells = column(design, j).map((u) => Math.floor(37 * u));
    assert.deepEqual(
      cells.sort((a, b) => a - b),
      [...Array(37).keys()],
    );
  }
});

test('2^m points of Sobol, scrambled or not, have one in each dyadic interval of each dimension', () => {
  for (let j = 0; j < SOBOL_DIMENSIONS; j++) {
    const dimension = new SobolDimension(j, 7);
    for (const point of [
      (n: number) => dimension.plain(n) / 2 ** 32,
      (n: number) => dimension.point(n),
    ]) {
      const cells = Array.from({ length: 256 }, (_, n) => Math.floor(256 * point(n)));
      assert.deepEqual(
        cells.sort((a, b) => a - b),
        [...Array(256).keys()],
        `dimension ${j}`,
      );
    }
  }
});

test('the first eight points of the first three dimensions are those that Joe and Kuo print', () => {
  // the output of the program in their Notes on generating Sobol' sequences (2008), in the order of the Gray code
  const eighths = [0, 1, 2].map((j) => {
    const dimension = new SobolDimension(j, 0);
    return Array.from({ length: 8 }, (_, n) => (8 * dimension.plain(n ^ (n >>> 1))) / 2 ** 32);
  });
  assert.deepEqual(eighths, [
    [0, 4, 6, 2, 3, 7, 5, 1],
    [0, 4, 2, 6, 3, 7, 1, 5],
    [0, 4, 2, 6, 5, 1, 7, 3],
  ]);
});

test('scrambling keeps the balance of pairs of dimensions: elementary boxes hold equal numbers', () => {
  // dimensions 1 and 2 are a (0, m, 2)-net: every elementary box of area 2^-m has one point of 2^m
  const design = sobolDesign(64, 2, 99);
  for (let k = 0; k <= 6; k++) {
    const boxes = new Set(
      Array.from({ length: 64 }, (_, i) => {
        const [x, y] = [design.points[2 * i], design.points[2 * i + 1]];
        return `${Math.floor(x * 2 ** k)} ${Math.floor(y * 2 ** (6 - k))}`;
      }),
    );
    assert.equal(boxes.size, 64, `2^${k} by 2^${6 - k}`);
  }
});

test('scrambled points integrate a smooth function with an error that falls faster than 1/n', () => {
  // mean of Π (1 + (u_j − 1/2)) is 1; the variance of scrambled nets is O(n^-3 log^(d-1) n) (Owen 1997)
  const spread = (n: number): number => {
    let square = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { points } = sobolDesign(n, 3, seed);
      let sum = 0;
      for (let i = 0; i < n; i++)
        sum += (0.5 + points[3 * i]) * (0.5 + points[3 * i + 1]) * (0.5 + points[3 * i + 2]);
      square += (sum / n - 1) ** 2;
    }
    return Math.sqrt(square / 20);
  };
  const order = Math.log2(spread(64) / spread(1024)) / 4;
  assert.ok(order > 1.2, `order ${order}`);
});

test('Morris: each trajectory moves every dimension once, by Δ, within the grid', () => {
  const [d, levels] = [4, 6];
  const { count, points } = morrisDesign(9, d, levels, 5);
  assert.equal(count, 45);
  for (let t = 0; t < 9; t++) {
    const moved = new Set<number>();
    for (let k = 0; k <= d; k++) {
      const i = t * (d + 1) + k;
      for (let j = 0; j < d; j++) {
        const level = points[d * i + j] * (levels - 1);
        assert.ok(
          Math.abs(level - Math.round(level)) < 1e-12 && level > -1e-9 && level < levels - 1 + 1e-9,
        );
        if (k > 0 && points[d * i + j] !== points[d * (i - 1) + j]) {
          moved.add(j);
          const step = Math.abs(points[d * i + j] - points[d * (i - 1) + j]);
          assert.ok(Math.abs(step - 0.6) < 1e-12, `${step}`);
        }
      }
      assert.equal(moved.size, k);
    }
  }
});

test('a seed gives the same bits, another one other points', () => {
  for (const make of [randomDesign, latinHypercube, sobolDesign]) {
    assert.deepEqual(make(33, 3, 4).points, make(33, 3, 4).points);
    assert.notDeepEqual(make(33, 3, 4).points, make(33, 3, 5).points);
  }
});

test('correlated scores have the correlation that was asked for, and each dimension stays uniform', () => {
  const n = 4096;
  const rho = -0.8;
  const correlated = correlate(
    'correlation',
    sobolDesign(n, 2, 3),
    Float64Array.of(1, rho, rho, 1),
  );
  const [x, y] = [0, 1].map((j) => column(correlated, j).map(normalQuantile));
  const dot = (a: number[], b: number[]): number =>
    a.reduce((sum, each, i) => sum + each * b[i], 0);
  const found = dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
  // the error of a correlation from n independent pairs is (1 − ρ²)/√n = 0.006; nets are better
  assert.ok(Math.abs(found - rho) < 0.006, `${found}`);
  for (const scores of [x, y]) assert.ok(Math.abs(dot(scores, scores) / n - 1) < 0.02);
});

test('bad arguments are named', () => {
  assert.throws(() => latinHypercube(0, 2, 1), /count/);
  assert.throws(() => morrisDesign(2, 2, 5, 1), /levels/);
  assert.throws(() => new SobolDimension(SOBOL_DIMENSIONS, 1), /dimension/);
  const impossible = Float64Array.of(1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1);
  assert.throws(
    () => correlate('correlation', latinHypercube(4, 3, 1), impossible),
    /correlation.*positive definite/s,
  );
});
