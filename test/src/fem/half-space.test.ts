/** Love's depth in closed form and by quadrature; forces of a contact against all sets that there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loveDepth } from '../../../src/fem/half-space.ts';
import { normalForces } from '../../../src/fem/normal-contact.ts';
import { gaussLegendre } from '../../../src/math/quadrature.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { Random } from '../../../src/math/random.ts';

test('under the middle of a square of side 2 a the depth is 2 ln(1 + √2)/(π E* a)', () => {
  const a = 0.3;
  const exact = (2 * Math.log(1 + Math.SQRT2)) / (Math.PI * 5 * a);
  assert.ok(Math.abs(loveDepth(0, 0, a, a, 5) / exact - 1) < 1e-14);
});

test('outside it is the integral of point loads, and far away that of one', () => {
  const { nodes, weights } = gaussLegendre(30);
  for (const [x, y] of [
    [1, 0.2],
    [-0.9, 1.4],
    [0.2, -3],
  ]) {
    let sum = 0;
    for (const [i, u] of nodes.entries()) {
      for (const [j, v] of nodes.entries()) {
        const distance = Math.sqrt((x - 0.4 * u) ** 2 + (y - 0.7 * v) ** 2);
        sum += (weights[i] * weights[j]) / 4 / distance;
      }
    }
    assert.ok(Math.abs(loveDepth(x, y, 0.4, 0.7, 2) / (sum / (2 * Math.PI)) - 1) < 1e-10);
  }
  assert.ok(Math.abs(loveDepth(300, 400, 0.4, 0.7, 2) * 2 * Math.PI * 500 - 1) < 1e-6);
});

test('forces are those of the one set of points that pushes and leaves no overlap', () => {
  const random = new Random(11);
  for (let round = 0; round < 60; round++) {
    const n = 1 + (round % 7);
    const root = Float64Array.from({ length: n * n }, () => 2 * random.uniform() - 1);
    const c = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        c[n * i + j] = i === j ? 0.5 : 0;
        for (let k = 0; k < n; k++) c[n * i + j] += root[n * i + k] * root[n * j + k];
      }
    }
    const gaps = Float64Array.from({ length: n }, () => 2 * random.uniform() - 1.2);
    const forces = normalForces(c, gaps);
    let matches = 0;
    for (let set = 0; set < 1 << n; set++) {
      const active = Array.from({ length: n }, (_, i) => i).filter((i) => (set >> i) & 1);
      const m = active.length;
      const a = new Float64Array(m * m);
      const f = Float64Array.from(active, (i) => -gaps[i]);
      for (const [r, i] of active.entries()) {
        for (const [s, j] of active.entries()) a[m * r + s] = c[n * i + j];
      }
      const pivots = new Int32Array(m);
      factorize(a, m, pivots);
      solveFactored(a, m, pivots, f, 0);
      const all = new Float64Array(n);
      for (const [r, i] of active.entries()) all[i] = f[r];
      const overlaps = all.some((force, i) => {
        let gap = gaps[i];
        for (let j = 0; j < n; j++) gap += c[n * i + j] * all[j];
        return force < 0 || gap < -1e-12;
      });
      if (overlaps) continue;
      matches++;
      assert.ok(forces?.every((force, i) => Math.abs(force - all[i]) < 1e-11));
    }
    assert.ok(matches >= 1);
  }
});
