/** Cap and lens: derivative, limits, sums, independent integration. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SphereCap, SphereLens } from '../../../src/overlap/sphere-cap.ts';
import {
  column,
  integrate,
  join,
  near,
  same,
  slope,
  type Column,
} from '../../fixtures/overlap/columns.ts';

const ball = (radius: number, z = 0): Column => {
  const volume = (4 / 3) * Math.PI * radius ** 3;
  const moment = (volume * radius * radius) / 5;
  return { volume, area: 0, centroid: [0, 0, z], second: [moment, moment, moment, 0, 0, 0] };
};

/** A body of revolution of which the section at the height z over `from` has the squared radius `square`. */
function revolution(
  from: number,
  to: number,
  square: (above: number, below: number) => number,
): Column {
  const over = (f: (s: number, z: number) => number): number =>
    integrate(from, to, (z, above, below) => f(square(above, below), z));
  const volume = over((s) => Math.PI * s);
  const cz = over((s, z) => Math.PI * s * z) / volume;
  const across = over((s) => (Math.PI * s * s) / 4);
  const along = over((s, z) => Math.PI * s * (z - cz) ** 2);
  return { volume, area: 0, centroid: [0, 0, cz], second: [across, across, along, 0, 0, 0] };
}

test('dV/dh is the area, over the whole depth', () => {
  const lens = new SphereLens(0.1, 0.05);
  for (let k = 1; k < 40; k++) {
    const h = (0.2 * k) / 40;
    // order 4 with a step of h/1000: truncation 1e-12 (none for a cubic), rounding 1e-16 V/(A step) = 1e-13
    near(
      slope(new SphereCap(0.1), [h], 0, 1e-3 * h),
      column(new SphereCap(0.1), h).area,
      1e-11,
      `cap ${h}`,
    );
    near(slope(lens, [h / 2], 0, 2e-5 * h), column(lens, h / 2).area, 1e-9, `lens ${h / 2}`);
  }
});

test('half a ball, a whole one, and none', () => {
  const cap = new SphereCap(2);
  const half = column(cap, 2);
  // centroid 3 R/8 from the middle, moments 2/5 and 83/320 M R²
  near(half.volume, (16 / 3) * Math.PI, 1e-15, 'V');
  near(half.area, 4 * Math.PI, 1e-15, 'A_c');
  near(half.centroid[2], -0.75, 1e-15, 'centroid');
  near(2 * half.second[0], 0.4 * half.volume * 4, 1e-15, 'J_nn');
  near(half.second[0] + half.second[2], (83 / 320) * half.volume * 4, 1e-15, 'J_tt');
  for (const depth of [4, 5, Infinity]) same(column(cap, depth), ball(2), 1e-15, 2);
  for (const depth of [0, -0, -1e-3, -Infinity]) {
    const none = column(cap, depth);
    assert.deepEqual([none.volume, none.area, ...none.centroid, ...none.second], Array(11).fill(0));
  }
  assert.ok(Number.isNaN(column(cap, Number.NaN).volume));
  assert.ok(Number.isNaN(column(new SphereLens(1, 2), Number.NaN).volume));
});

test('the radius of gyration of a thin cap goes to a/√3, and digits do not get lost', () => {
  for (let h = 0.1; h > 1e-12; h /= 10) {
    const { volume, second } = column(new SphereCap(1), h);
    const a = Math.sqrt(h * (2 - h));
    // r²/(a²/3) = 3 (20 − 15 h + 3 h²)/(10 (3 − h)(2 − h))
    const ratio = Math.sqrt((2 * second[0]) / volume) / (a / Math.sqrt(3));
    // = (1 + h/12 + 0.053 h² + …), its root 1 + h/24 + 0.026 h² + …
    near(ratio, 1 + h / 24, 0.03 * h * h + 1e-15, `h ${h}`);
    // paraboloid: variance of the height h²/18
    near(second[2] / volume, (h * h) / 18, h, `height, h ${h}`);
  }
});

test('caps and lenses are what numerical integration over discs gives', () => {
  for (const h of [1e-6, 1e-3, 0.0025, 0.05, 0.1, 0.17, 0.2]) {
    const want = revolution(0, h, (above, below) => above * (below + (0.2 - h)));
    const centroid = [0, 0, want.centroid[2] - 0.1];
    const got = column(new SphereCap(0.1), h);
    // 1e-13: rounding of about a hundred terms
    same(got, { ...want, centroid, area: got.area }, 1e-13, 0.1);
    near(got.second[2], want.second[2], 1e-13, `S_zz at ${h}`);
  }
  for (const [r, other, depth] of [
    [0.1, 0.05, 0.002],
    [0.1, 0.05, 0.07],
    [0.05, 0.1, 0.09],
    [1, 1, 1.5],
  ]) {
    const d = r + other - depth;
    const x = (d * d + r * r - other * other) / (2 * d);
    const own = revolution(-r, -x, (above, below) => above * (2 * r - (r - x) + below));
    const h = other - (d - x);
    const its = revolution(-x, other - d, (above, below) => below * (2 * other - h + above));
    const got = column(new SphereLens(r, other), depth);
    same(got, join(own, its, got.area), 1e-11, r);
  }
});

test('a lens is the sum of its caps and has the volume of another computation', () => {
  for (const [r, other, depth] of [
    [0.1, 0.1, 0.005],
    [0.1, 0.05, 0.002],
    [0.3, 0.2, 0.39],
    [1, 3, 1.9],
    [1, 1, 1.999],
  ]) {
    const d = r + other - depth;
    const got = column(new SphereLens(r, other), depth);
    const sum = r + other;
    const volume = (Math.PI * depth ** 2 * (d * d + 2 * d * sum - 3 * (r - other) ** 2)) / (12 * d);
    near(got.volume, volume, 1e-10, 'independent volume');
    const x = (d * d + r * r - other * other) / (2 * d);
    const own = column(new SphereCap(r), r - x);
    const its = column(new SphereCap(other), other - d + x);
    // the cap of the other ball points up, at the distance d below
    const turned = { ...its, centroid: [0, 0, -d - its.centroid[2]] };
    same(got, join(own, turned, Math.PI * (r * r - x * x)), 1e-10, r);
  }
});

test('one ball in another, and a ball as large as a plane', () => {
  same(column(new SphereLens(1, 3), 2), ball(1), 1e-15, 1);
  same(column(new SphereLens(1, 3), 2.5), ball(1), 1e-15, 1);
  same(column(new SphereLens(3, 1), 2.5), ball(1, -1.5), 1e-15, 1);
  same(column(new SphereLens(1, 1), 2), ball(1), 1e-15, 1);
  // continuous there: A_c falls as the root of what is left, V and S as its 3/2 power
  near(column(new SphereLens(1, 3), 2 - 1e-9).volume, ball(1).volume, 1e-12, 'nearly nested');
  const depth = 0.01;
  const cap = column(new SphereCap(0.1), depth);
  const large = column(new SphereLens(0.1, 1e7), depth);
  // curvature of the other ball: R/R_2 = 1e-8
  same(large, cap, 1e-7, 0.1);
});

test('a radius is above zero', () => {
  for (const radius of [0, -1, Number.NaN, Infinity]) {
    assert.throws(() => new SphereCap(radius), { code: 'BERTH_PARAMETER_RANGE' });
    assert.throws(() => new SphereLens(1, radius), { code: 'BERTH_PARAMETER_RANGE' });
    assert.throws(() => new SphereLens(radius, 1), { code: 'BERTH_PARAMETER_RANGE' });
  }
});
