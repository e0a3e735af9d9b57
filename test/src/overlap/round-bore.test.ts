/** Cylinder, frustum and capsule in a bore: closed forms, sums, derivative, limits, frames, both orders. Another quadrature: round-bore.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { makeKernel, overlapMethods } from '../../../src/overlap/make-kernel.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import {
  agree,
  measure,
  type Metrics,
  outOf,
  place,
  randomPlacement,
  slopeOfVolume,
  within,
} from '../../fixtures/overlap/kernel-frames.ts';
import { BORE, close, cylinder, HOLE, inBore, R } from './bore-bodies.ts';

/** Depth beyond which two arcs meet in a section, and a smooth range may be short, m. */
const DEEP = 5e-3;
const frustum = (radius: number, topRadius: number, length: number): CellShape => ({
  kind: 'frustum',
  radius,
  topRadius,
  length,
});
const capsule = (radius: number, length: number): CellShape => ({
  kind: 'capsule',
  radius,
  length,
});

/** Volumes and first moments of several metrics as one. */
function total(parts: readonly Metrics[]): { volume: number; first: number[]; area: number[] } {
  const sum = (value: (part: Metrics) => number): number =>
    parts.reduce((all, part) => all + value(part), 0);
  return {
    volume: sum((part) => part.volume),
    first: [0, 1, 2].map((k) => sum((part) => part.volume * part.centroid[k])),
    area: [0, 1, 2].map((k) => sum((part) => part.vectorArea[k])),
  };
}

test('a cylinder along the bore: a lune of two circles times its length', () => {
  const length = 0.1;
  for (const [r, depth] of [
    [0.0295, 1e-6],
    [0.0295, 1e-4],
    [0.02, 1e-5],
    [0.02, 2e-3],
    [0.005, 3e-3],
  ]) {
    const e = R - r + depth;
    // angles of the common chord from either middle: their difference loses digits with the depth
    const x = (e * e + R * R - r * r) / (2 * e);
    const h = Math.sqrt((R - x) * (R + x));
    const [rim, wall] = [Math.atan2(h, x - e), Math.atan2(h, x)];
    const area = r * r * rim - R * R * wall + e * h;
    const got = inBore(cylinder(r, length), place([0, 0, 0], [e, 0, 0.02]));
    const lost = (64 * Number.EPSILON * R * R) / area;
    close(got.volume, area * length, 1e-11 + lost, `V ${r} ${depth}`);
    // the wall between the ends of the chord, towards the axis
    close(got.vectorArea[0], -2 * h * length, 1e-11 + (1e-16 * R) / depth, `A ${r} ${depth}`);
    close(-got.gap, depth, (4 * Number.EPSILON * R) / depth, 'depth');
    close(got.second[8], (got.volume * length * length) / 12, 1e-12, 'S_zz');
    assert.ok(Math.abs(got.centroid[2] - 0.02) < 1e-15 && Math.abs(got.centroid[1]) < 1e-15);
  }
});

test('halves of a cylinder and of a frustum add up to the whole, wherever they are cut', () => {
  const random = new Random(8);
  const draw = (scale: number): number => scale * (2 * random.uniform() - 1);
  let met = 0;
  for (let n = 0; n < 300; n++) {
    const scale = 10 ** (-3 * random.uniform());
    const at = place(
      [draw(0.3 * scale), draw(0.3 * scale), draw(3)],
      [draw(0.006), draw(0.006), draw(0.01)],
    );
    const cut = 0.02 + 0.06 * random.uniform();
    const up = within(at, place([0, 0, 0], [0, 0, cut]));
    const [base, top, length] = [0.027, 0.022 + (n % 2) * 0.005, 0.1];
    const between = base + ((top - base) * cut) / length;
    const shift = (z: number): Float64Array => within(at, place([0, 0, 0], [0, 0, z]));
    const whole =
      top === base
        ? inBore(cylinder(base, length), shift(length / 2))
        : inBore(frustum(base, top, length), at);
    const halves =
      top === base
        ? [
            inBore(cylinder(base, cut), shift(cut / 2)),
            inBore(cylinder(base, length - cut), shift((cut + length) / 2)),
          ]
        : [
            inBore(frustum(base, between, cut), at),
            inBore(frustum(between, top, length - cut), up),
          ];
    const got = total(halves);
    const want = total([whole]);
    if (!(want.volume > 1e-14) || whole.gap < -DEEP) continue;
    met++;
    const depth = -whole.gap;
    // the areas of both walls are opposite
    const surface = halves.reduce((sum, { area }) => sum + area, 0);
    // the stated bound, and rounding of the depth
    const tolerance = 1e-6 + (1e-14 * R) / depth;
    close(got.volume, want.volume, tolerance, `V ${n}, depth ${depth}`);
    for (let k = 0; k < 3; k++) {
      assert.ok(
        Math.abs(got.first[k] - want.first[k]) <= tolerance * want.volume * 0.1,
        `first ${n}`,
      );
      assert.ok(
        Math.abs(got.area[k] - want.area[k]) <= 1e-5 * surface,
        `area ${n}: ${got.area[k] - want.area[k]} of ${surface}, ${depth} deep`,
      );
    }
  }
  assert.ok(met > 100, `${met}`);
});

test('the vector area is minus the gradient of the volume', () => {
  const poses: readonly (readonly [CellShape, Float64Array, number])[] = [
    [cylinder(0.0295, 0.1), place([0, 0, 0.4], [0.0005, 0.0003, 0]), 1e-6],
    [cylinder(0.0295, 0.1), place([0.005, 0.01, 0.4], [0.0002, 0.0001, 0]), 1e-6],
    [cylinder(0.02, 0.1), place([0.1, 0.3, 0], [0.004, 0.001, 0.01]), 1e-6],
    [frustum(0.0295, 0.02, 0.1), place([0, 0.02, 0], [0.002, 0, 0]), 1e-6],
    [frustum(0.032, 0.02, 0.1), place([0.01, 0.02, 0], [0.002, 0.001, 0]), 1e-6],
    [capsule(0.028, 0.06), place([0.02, 0.01, 0], [0.003, 0.001, 0]), 1e-6],
    [capsule(0.01, 0.06), place([0.3, 0.5, 0], [0.006, 0.001, 0]), 1e-6],
  ];
  for (const [shape, at, step] of poses) {
    const got = inBore(shape, at);
    assert.ok(got.volume > 0, JSON.stringify(shape));
    const slope = slopeOfVolume(makeKernel(shape, BORE, 'closed-form'), at, HOLE, step);
    for (let k = 0; k < 3; k++) {
      assert.ok(
        Math.abs(got.vectorArea[k] - slope[k]) < 2e-5 * got.area,
        `${JSON.stringify(shape)} ${k}: ${got.vectorArea[k]}, ${slope[k]}`,
      );
    }
  }
});

test('a capsule is its cylinder and two half balls; a short one is a ball', () => {
  const ball = makeKernel({ kind: 'sphere', radius: 0.02 }, BORE, 'closed-form');
  for (const depth of [1e-5, 1e-3, 5e-3]) {
    for (const tilt of [0, 0.01, 0.4, 1.2]) {
      const at = place([0, tilt, 0], [0.01 + depth, 0, 0]);
      const got = inBore(capsule(0.02, 1e-13), at);
      // its ends are 5e-14 m deeper at most, of 1e-5 m, and the depth itself is rounded in 1e-16 m
      agree(got, measure(ball, at, HOLE), 3e-8, R, `depth ${depth}, tilt ${tilt}`);
    }
  }
  // the deeper end of a long one is a whole ball in the wall
  const at = place([0, 0.9, 0], [0, 0, 0]);
  const half = 0.013;
  const end = within(at, place([0, 0, 0], [0, 0, half]));
  const other = within(at, place([0, 0, 0], [0, 0, -half]));
  const balls = [end, other].map((one) => measure(ball, one, HOLE));
  const got = inBore(capsule(0.02, 2 * half), at);
  assert.ok(balls.every(({ volume }) => volume > 0));
  close(got.volume, total(balls).volume, 1e-9, 'two balls');
  close(-got.gap, -balls[0].gap, 1e-12, 'depth');
});

test('the same in any frame and in both orders, the bore either way round', () => {
  const random = new Random(21);
  for (const [shape, at] of [
    [cylinder(0.0295, 0.1), place([0.001, 0.002, 0], [0.0005, 0.0002, 0])],
    [frustum(0.0295, 0.02, 0.1), place([0, 0.02, 0], [0.002, 0, 0])],
    [capsule(0.028, 0.06), place([0.02, 0.01, 0], [0.003, 0.001, 0])],
  ] as const) {
    const kernel = makeKernel(shape, BORE, 'auto');
    const swapped = makeKernel(BORE, shape, 'auto');
    assert.equal(kernel.method, 'closed-form');
    assert.equal(overlapMethods(BORE, shape)[0], 'closed-form');
    const own = measure(kernel, at, HOLE);
    const about = measure(kernel, at, place([Math.PI, 0, 0], [0, 0, 0.3]));
    agree(about, own, 1e-9, R, 'turned over');
    for (let n = 0; n < 5; n++) {
      const frame = randomPlacement(random, 1);
      const got = measure(kernel, within(frame, at), within(frame, HOLE));
      // the frame is 1 m away and the depth 1e-5 m: 1e-16/1e-5 of V, its square of S
      agree(got, outOf(frame, own), 1e-8, 1, `frame ${n}`);
      const back = measure(swapped, within(frame, HOLE), within(frame, at));
      assert.deepEqual(
        { ...back, vectorArea: back.vectorArea.map((x) => 0 - x) },
        { ...got, vectorArea: got.vectorArea.map((x) => x + 0) },
      );
    }
  }
});

test('apart, the gap is the distance of the deepest point from the wall; touch has no jump', () => {
  const at = place([0, 0.2, 0], [0, 0, 0]);
  const got = inBore(cylinder(0.02, 0.05), at);
  // the rim towards +x: 0.025 sin 0.2 + 0.02 cos 0.2
  close(got.gap, R - 0.025 * Math.sin(0.2) - 0.02 * Math.cos(0.2), 1e-13, 'gap');
  assert.equal(got.volume, 0);
  const moved = inBore(cylinder(0.02, 0.05), place([0, 0.2, 0], [got.gap + 1e-9, 0, 0]));
  close(-moved.gap, 1e-9, 1e-6, 'depth');
  assert.ok(moved.volume > 0 && moved.volume < 1e-17);
});

test('a body that is driven into the wall to its axis is measured by rays, at the same depth', () => {
  const shape = cylinder(0.01, 0.05);
  const at = place([0, 0.1, 0], [0.031, 0, 0]);
  const got = inBore(shape, at);
  const rays = measure(makeKernel(shape, BORE, 'rays'), at, HOLE);
  close(got.volume, rays.volume, 1e-12, 'V');
  close(-got.gap, 0.031 + 0.025 * Math.sin(0.1) + 0.01 * Math.cos(0.1) - R, 1e-12, 'depth');
});

test('a capsule as wide as the bore has no closed form', () => {
  assert.ok(!overlapMethods(capsule(0.03, 0.1), BORE).includes('closed-form'));
  assert.ok(overlapMethods(cylinder(0.03, 0.1), BORE).includes('closed-form'));
});
