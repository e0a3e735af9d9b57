/** Ball in a bore and ball on an edge: convergence, derivative, limits, sums, independent integration. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SphereBore } from '../../../src/overlap/sphere-bore.ts';
import { SphereCap } from '../../../src/overlap/sphere-cap.ts';
import { SphereSquareEdge } from '../../../src/overlap/sphere-edge.ts';
import {
  type Column,
  column,
  columns,
  integrate,
  join,
  near,
  same,
  slope,
} from '../../fixtures/overlap/columns.ts';

const R = 0.1;

/** Part of a disc of radius a out of a disc of radius b, centres d apart: circles' lens area taken away. */
function outside(a: number, b: number, d: number): number {
  const whole = Math.PI * a * a;
  if (d >= a + b) return whole;
  if (d <= b - a) return 0;
  const x = (d * d + a * a - b * b) / (2 * d);
  const own = a * a * Math.acos(x / a) - x * Math.sqrt(a * a - x * x);
  const y = d - x;
  const its = b * b * Math.acos(y / b) - y * Math.sqrt(b * b - y * y);
  return whole - own - its;
}

test('bore: two-fold numerical integration over columns gives the same', () => {
  for (const [bore, h] of [
    [1, 1e-5],
    [1, 0.001],
    [1, 0.0025],
    [1, 0.04],
    [0.15, 0.002],
    [0.12, 0.001],
    [20, 0.03],
  ]) {
    // in a plane along the bore the columns run from the ball up to the wall; x in place of y is the outer variable here
    const e = bore - R + h;
    const end = Math.sqrt(((h * (2 * R - h)) / (2 * e)) * (2 * bore - (h * (2 * R - h)) / (2 * e)));
    const s = Math.sqrt((bore - end) * (bore + end));
    const q = (x: number): number =>
      Math.sqrt(
        Math.max(0, (2 * e * (end - x) * (end + x)) / (Math.sqrt(bore * bore - x * x) + s)),
      );
    const chord = (x: number): number => Math.sqrt(bore * bore - x * x) - e;
    const want = columns(
      -end,
      end,
      q,
      // heights from the line of the wall at this x, then from the centre
      (y, x) => {
        const [half, b] = [q(x), chord(x)];
        const square = b * b + half * half;
        return -((half - y) * (half + y)) / (Math.sqrt(square - y * y) + b) - b;
      },
      (_y, x) => -chord(x),
    );
    const got = column(new SphereBore(R, bore), h);
    const [yy, xx, zz] = want.second;
    // 1e-10: heights are differences of numbers of the size R, (R/h) 1e-16 = 1e-12 at the thinnest, and its square in the moments
    same(
      got,
      {
        ...want,
        centroid: [0, 0, want.centroid[2]],
        area: got.area,
        second: [xx, yy, zz, 0, 0, 0],
      },
      1e-10,
      R,
    );
    if (h >= 1e-3) near(got.second[2], zz, 1e-9, `S_zz, bore ${bore}, depth ${h}`);
  }
});

test('bore: the volume at any depth is that of slices along the axis', () => {
  for (const bore of [0.13, 1]) {
    for (const h of [0.02, 0.08, 0.1, 0.13, 0.19, 0.2]) {
      const e = bore - R + h;
      const slice = (y: number): number => outside(Math.sqrt(R * R - y * y), bore, e);
      // beyond `whole` the slices of the ball are all outside, beyond `none` none is
      const whole = h > R ? Math.sqrt(R * R - (h - R) ** 2) : R;
      const none = h < R ? Math.sqrt(R * R - (R - h) ** 2) : whole;
      const volume = 2 * (integrate(0, none, slice) + (h > R ? integrate(whole, R, slice) : 0));
      // 1e-8: statement 11
      near(column(new SphereBore(R, bore), h).volume, volume, 1e-8, `bore ${bore}, depth ${h}`);
    }
  }
});

test('bore: dV/dh is the area; paraboloid, plane and whole ball are limits', () => {
  for (const h of [0.001, 0.0025, 0.03, 0.09, 0.12, 0.15, 0.18]) {
    const form = new SphereBore(R, 1);
    near(slope(form, [h], 0, 1e-3 * h), column(form, h).area, 1e-8, `dV/dh at ${h}`);
  }
  const across = R / (1 - R);
  // of the wall, over the height of the paraboloid: R/(R_c − R)
  const rise = R / (1 - R);
  let before = 1;
  for (let h = 1e-2; h > 1e-10; h /= 10) {
    const { volume, second, centroid } = column(new SphereBore(R, 1), h);
    const limit = Math.PI * h * h * Math.sqrt(across * R);
    // the ratio nears 1 in proportion to h/R
    const short = 1 - volume / limit;
    assert.ok(short > 0 && short < 0.5 * (h / R) && short < before, `${h}: ${short}`);
    before = short;
    near(second[0], (volume * across * h) / 3, h / R, 'S_xx');
    near(second[1], (volume * R * h) / 3, h / R, 'S_yy');
    const zz = volume * h * h * (1 / 18 + rise / 36 + (5 * rise * rise) / 144);
    near(second[2], zz, h / R, 'S_zz');
    const beyond = h * (1 / 3 - rise / 6);
    assert.ok(Math.abs(h - R - centroid[2] - beyond) < (h * h) / R + 1e-16, 'centroid');
  }
  const cap = column(new SphereCap(R), 0.0025);
  // curvature of the wall: relative change of the order R/R_c
  same(column(new SphereBore(R, 1e8), 0.0025), cap, 1e-8, R);
  same(column(new SphereBore(R, 1), 0.2), column(new SphereCap(R), 0.2 * 2), 1e-13, R);
  same(column(new SphereBore(R, 1), 9), column(new SphereCap(R), 0.2 * 2), 1e-13, R);
  assert.equal(column(new SphereBore(R, 1), 0).volume, 0);
  assert.ok(Number.isNaN(column(new SphereBore(R, 1), Number.NaN).volume));
});

test('bore and edge: the error falls geometrically with the number of nodes', () => {
  const forms: [string, (count: number) => Column][] = [
    ['bore', (count) => column(new SphereBore(R, 1, count), 0.0025)],
    ['edge', (count) => column(new SphereSquareEdge(R, count), 0.005, 0.097)],
    ['cut cap', (count) => column(new SphereSquareEdge(R, count), -0.01, 0.0975)],
    ['edge deep in the ball', (count) => column(new SphereSquareEdge(R, count), 0.02, -0.03)],
  ];
  for (const [name, make] of forms) {
    const fine = make(64);
    const error = (count: number): number => {
      const got = make(count);
      return Math.max(
        Math.abs(got.volume / fine.volume - 1),
        Math.abs(got.second[0] / fine.second[0] - 1),
        Math.abs(got.second[2] / fine.second[2] - 1),
      );
    };
    const errors = [3, 6, 12, 24].map(error);
    assert.ok(errors[0] > 1e-6, `${name}: three nodes are not enough, ${errors.join(' ')}`);
    assert.ok(errors[1] < 0.1 * errors[0] && errors[2] < 0.1 * errors[1], errors.join(' '));
    // the independent quadrature gives 12 digits for 24 nodes
    assert.ok(errors[3] < 1e-12, `${name}: ${errors.join(' ')}`);
  }
});

test('edge: two-fold numerical integration over columns gives the same', () => {
  for (const [y, z] of [
    [-0.01, 0.0975],
    [-0.02, 0.097],
    [0, 0.09],
    [0.005, 0.097],
    [0.05, 0.08],
    [0.08, 0.05],
    [0.0997, 0.001],
  ]) {
    const a = Math.sqrt((R - z) * (R + z));
    const want = columns(
      -a,
      Math.min(a, -y),
      (at) => Math.sqrt(Math.max(0, (a - at) * (a + at))),
      (x, at) => -Math.sqrt(Math.max(z * z, R * R - at * at - x * x)),
      () => -z,
    );
    const got = column(new SphereSquareEdge(R), y, z);
    // 1e-9: heights are differences of numbers of the size R, and they enter squared
    same(got, { ...want, area: got.area }, 1e-9, R);
    near(got.second[2], want.second[2], 1e-8, `S_zz at ${y}, ${z}`);
    const mixed = Math.abs(got.second[5] - want.second[5]);
    assert.ok(mixed < 1e-8 * Math.sqrt(want.second[1] * want.second[2]), `S_yz at ${y}, ${z}`);
  }
});

test('edge: two quarter spaces make a half space, in every pose', () => {
  const form = new SphereSquareEdge(R);
  const cap = new SphereCap(R);
  const flip = (one: Column, axis: 1 | 2): Column => ({
    ...one,
    centroid: one.centroid.map((value, k) => (k === axis ? -value : value)),
    second: one.second.map((value, k) => (k === 5 ? -value : value)),
  });
  // the cap under the side face lies along y
  const lying = ({ volume, area, centroid, second: [across, , along] }: Column): Column => ({
    volume,
    area,
    centroid: [0, centroid[2], 0],
    second: [across, along, across, 0, 0, 0],
  });
  for (let j = -12; j <= 12; j++) {
    for (let k = -12; k <= 12; k++) {
      const y = 0.0093 * j;
      const z = 0.0091 * k;
      const here = column(form, y, z);
      const other = column(form, -y, z);
      const below = column(form, y, -z);
      // 1e-8: statement 11; the worst poses have the edge near the middle of the ball
      const top = column(cap, R - z);
      if (top.volume > 0) same(join(here, flip(other, 1), top.area), top, 1e-8, R);
      const side = lying(column(cap, R - y));
      if (side.volume > 0) same(join(here, flip(below, 2), side.area), side, 1e-8, R);
    }
  }
});

test('edge: the area is the length of −∂V/∂(y, z)', () => {
  const form = new SphereSquareEdge(R);
  for (const [y, z] of [
    [-0.01, 0.0975],
    [0.005, 0.097],
    [0.05, 0.08],
    [-0.03, -0.02],
    [0.03, -0.02],
    [0.02, -0.15],
    [-0.15, 0.03],
  ]) {
    const across = slope(form, [y, z], 0, 1e-5);
    const down = slope(form, [y, z], 1, 1e-5);
    // steps of R/10000: truncation (step/h)^4, below 1e-8 where the overlap is 2 mm deep
    const area = Math.sqrt(across * across + down * down);
    near(column(form, y, z).area, area, 1e-7, `${y}, ${z}`);
    assert.ok(across <= 1e-12 && down <= 1e-12, 'moving out takes volume away');
  }
});

test('edge: nothing apart from it, a whole ball inside, and no number for no number', () => {
  const form = new SphereSquareEdge(R);
  for (const [y, z] of [
    [0.1, -1],
    [-1, 0.1],
    [0.08, 0.061],
    [1, 1],
    [0, Infinity],
    [Infinity, 0],
  ]) {
    const none = column(form, y, z);
    assert.deepEqual([none.volume, none.area, ...none.second], Array(8).fill(0), `${y}, ${z}`);
  }
  same(column(form, -0.3, -0.2), column(new SphereCap(R), 0.2), 1e-14, R);
  for (const [y, z] of [
    [Number.NaN, 0.09],
    [0.05, Number.NaN],
    [-0.05, Number.NaN],
    [Number.NaN, -0.09],
  ]) {
    assert.ok(Number.isNaN(column(form, y, z).volume));
  }
  // a touch of the edge alone: a corner of 1e-7 of the radius has positive volume and moments
  const reach = R * (1 - 1e-7);
  const { volume, second } = column(form, 0.6 * reach, 0.8 * reach);
  assert.ok(volume > 0 && second[0] > 0 && second[1] > 0 && second[2] > 0);
  assert.ok(second[1] * second[2] >= second[5] * second[5]);
});

test('a bore is wider than its ball, and sizes are above zero', () => {
  for (const make of [
    () => new SphereBore(0, 1),
    () => new SphereBore(1, 1),
    () => new SphereBore(1, 0.5),
    () => new SphereBore(1, Number.NaN),
    () => new SphereBore(0.1, 1, 0),
    () => new SphereSquareEdge(-1),
    () => new SphereSquareEdge(1, 1.5),
  ]) {
    assert.throws(make, { code: 'BERTH_PARAMETER_RANGE' });
  }
});
