/** Poses that leave a search without a direction, and contacts between flat sides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { Bench, direction } from './bench.ts';
import { TRUTHS, type Vector } from './shape-truths.ts';

const NAMES = Object.keys(TRUTHS);
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function answered(bench: Bench, what: string): void {
  const s = bench.query.distance[0];
  const n = bench.normal();
  assert.ok(Number.isFinite(s), `${what}: ${s}`);
  assert.ok(Math.abs(Math.hypot(...n) - 1) < 1e-12, `${what}: |n| = ${Math.hypot(...n)}`);
  const { a, b } = bench.points();
  for (const value of [...a, ...b]) assert.ok(Number.isFinite(value), what);
}

test('coinciding centres, parallel axes and stacked vertices have a finite answer with a unit normal', () => {
  const random = new Random(1);
  const offsets: Vector[] = [
    [0, 0, 0],
    [1e-300, 0, 0],
    [1e-16, 0, 0],
    [0, 1e-9, 0],
    [0, 0, 0.1],
    [0.1, 0, 0],
    [0.15, 0.1, 0],
    [0.3, 0, 0],
    [0, 0, 1],
    [0.3, 0.2, 0.1],
  ];
  for (const first of NAMES) {
    for (const second of NAMES) {
      const bench = new Bench(TRUTHS[first], TRUTHS[second]);
      for (const turned of [false, true]) {
        if (turned) bench.turn(random);
        for (const offset of offsets) {
          bench.at(offset);
          answered(bench, `${first} – ${second} at ${offset.join(', ')}`);
        }
        // the centres of the cores together, not the origins
        const { rotationA, rotationB, coreA, coreB } = bench.space;
        const world = (r: Float64Array, p: Float64Array): number[] =>
          [0, 1, 2].map((k) => r[3 * k] * p[0] + r[3 * k + 1] * p[1] + r[3 * k + 2] * p[2]);
        const a = world(rotationA, coreA.center);
        bench.at(world(rotationB, coreB.center).map((value, k) => value - a[k]));
        answered(bench, `${first} in ${second}`);
        // half a turn about z: the same directions again
        rotationA.set([-1, 0, 0, 0, -1, 0, 0, 0, 1]);
        rotationB.set(IDENTITY);
        bench.at([0, 0, 0.05]);
        answered(bench, `${first} on ${second}`);
      }
    }
  }
});

test('concentric bodies have their depth', () => {
  const depth = (a: string, b: string): number => -new Bench(TRUTHS[a], TRUTHS[b]).at([0, 0, 0]);
  // two balls: sum of the radii; ball in box: half the thinnest side and the radius; box in box: the same axes
  assert.ok(Math.abs(depth('sphere', 'sphere') - 0.2) < 1e-15);
  assert.ok(Math.abs(depth('sphere', 'box') - 0.15) < 1e-15);
  assert.ok(Math.abs(depth('box', 'sharp box') - 0.15) < 1e-14);
  assert.ok(Math.abs(depth('capsule', 'capsule') - 0.1) < 1e-15);
  assert.ok(Math.abs(depth('ellipsoid', 'box') - 0.1) < 1e-12);
  // about the axis of a cylinder all sides are equally deep: 1e-5 of the scale, see expansion.ts
  assert.ok(Math.abs(depth('sphere', 'cylinder') - 0.2) < 1e-5);
});

test('a pose that is not a number neither throws nor looks like a contact', () => {
  for (const first of NAMES) {
    for (const second of NAMES) {
      const bench = new Bench(TRUTHS[first], TRUTHS[second]);
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e308]) {
        const s = bench.at([bad, 0, 0]);
        assert.ok(!(s < 0), `${first} – ${second}: ${s}`);
      }
      bench.space.rotationA[4] = Number.NaN;
      const s = bench.at([0.1, 0, 0]);
      assert.ok(!(s < 0), `${first} – ${second}, rotation: ${s}`);
      // and the next good pose is answered
      bench.space.rotationA.set(IDENTITY);
      bench.at([0.05, 0.1, 0.02]);
      answered(bench, `${first} – ${second}`);
      assert.ok(bench.errors().slab < 1e-11);
    }
  }
});

test('flat on flat: distance and normal do not see which point of the faces was chosen', () => {
  const random = new Random(2);
  const pairs = [
    ['box', 'box', 0.05 + 0.05],
    ['box', 'sharp box', 0.05 + 0.1],
    ['cylinder', 'box', 0.15 + 0.05],
    ['cylinder', 'cylinder', 0.3],
    ['beam', 'box', 0.025 + 0.05],
    ['cone', 'box', 0.05],
  ] as const;
  for (const [first, second, height] of pairs) {
    const bench = new Bench(TRUTHS[first], TRUTHS[second]);
    for (let n = 0; n < 300; n++) {
      const gap = 1e-3 * (random.uniform() - 0.5);
      // level, or tilted by up to 1e-9 rad: the corner then moves by 3e-10 m
      const tilt = n < 100 ? 0 : 1e-9 * (random.uniform() - 0.5);
      bench.space.rotationA.set([1, 0, tilt, 0, 1, 0, -tilt, 0, 1]);
      const s = bench.at([
        0.1 * (random.uniform() - 0.5),
        0.1 * (random.uniform() - 0.5),
        height + gap,
      ]);
      assert.ok(!bench.query.deep, 'the smoothing spheres keep the cores apart');
      assert.ok(
        Math.abs(s - gap) < (tilt === 0 ? 1e-14 : 1e-9),
        `${first} on ${second}: ${s - gap}`,
      );
      assert.ok(Math.abs(bench.normal()[2] - 1) < 1e-12);
      // the point lies on both faces
      const { a, b } = bench.points();
      const want =
        first === 'cone'
          ? 0
          : -height + (second === 'sharp box' ? 0.1 : second === 'cylinder' ? 0.15 : 0.05);
      assert.ok(Math.abs(a[2] - want) < 2e-10, `${first}: ${a[2]}, ${want}`);
      assert.ok(bench.b.outside(b) < 1e-12);
    }
  }
});

test('a box face over an edge and a corner: the normal stays on the face until the smoothing sphere takes over', () => {
  // a ball sliding over the edge of a rounded box: its normal turns with the rounding, never jumps
  const bench = new Bench(TRUTHS['sphere'], TRUTHS['box']);
  const radius = 0.1 + 1e-3;
  let before: Vector | null = null;
  for (let k = 0; k <= 2000; k++) {
    const x = 0.148 + 2e-6 * k;
    bench.at([x, 0.02, 0.05 + 0.1 - 1e-4]);
    const n = bench.normal();
    // the centre of the ball from the edge of the core, at (0.149, 0.049)
    const u = Math.max(0, x - 0.149);
    const v = 0.1499 - 0.049;
    const want = [u / Math.hypot(u, v), 0, v / Math.hypot(u, v)];
    want.forEach((value, axis) => assert.ok(Math.abs(n[axis] - value) < 1e-12));
    if (before !== null)
      assert.ok(Math.hypot(n[0] - before[0], n[2] - before[2]) < 1.1 * (2e-6 / radius) + 1e-12);
    before = n;
  }
});

test('random directions of the first try do not matter: 3000 poses of thin bodies', () => {
  const random = new Random(3);
  const plate = [0.5 - 1e-5, 0.5 - 1e-5, 5e-4 - 1e-5];
  const rod = [1e-3 - 1e-5, 0.5 - 1e-5];
  const thin = new Bench(
    {
      ...TRUTHS['box'],
      smoothing: 1e-5,
      shape: { kind: 'box', size: [1, 1, 1e-3] },
      support: (n) => plate.reduce((sum, half, k) => sum + half * Math.abs(n[k]), 1e-5),
    },
    {
      ...TRUTHS['cylinder'],
      smoothing: 1e-5,
      shape: { kind: 'cylinder', radius: 1e-3, length: 1 },
      support: (n) => rod[0] * Math.hypot(n[0], n[1]) + rod[1] * Math.abs(n[2]) + 1e-5,
    },
  );
  let deep = 0;
  for (let n = 0; n < 3000; n++) {
    thin.turn(random);
    const p = direction(random).map((value) => value * 0.7 * random.uniform());
    const s = thin.at(p);
    if (thin.query.deep) deep++;
    answered(thin, `${n}`);
    const slab = thin.slab(thin.normal());
    // a needle 500 times as long as it is thick: 1e-14 of rounding over a lever of 500
    assert.ok(Math.abs(slab - s) < 1e-11, `${n}: ${s}, ${slab}, deep ${thin.query.deep}`);
  }
  assert.ok(deep > 100, `${deep} deep`);
});
