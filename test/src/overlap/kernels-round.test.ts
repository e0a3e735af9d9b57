/** Round bodies and ellipsoids on a half-space, at any tilt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { CylinderLying, CylinderStanding } from '../../../src/overlap/cylinder.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { column, near } from '../../fixtures/overlap/columns.ts';
import {
  agree,
  measure,
  type Metrics,
  outOf,
  place,
  randomPlacement,
  revolvedUnderPlane,
  slopeOfVolume,
  within,
} from '../../fixtures/overlap/kernel-frames.ts';

const PLANE = { kind: 'half-space' } as const;
const CYLINDER = { kind: 'cylinder', radius: 0.05, length: 0.2 } as const;
const FRUSTUM = { kind: 'frustum', radius: 0.06, topRadius: 0.02, length: 0.1 } as const;
const CONE = { kind: 'frustum', radius: 0.06, topRadius: 0, length: 0.1 } as const;
const CAPSULE = { kind: 'capsule', radius: 0.05, length: 0.2 } as const;
const ELLIPSOID = { kind: 'ellipsoid', size: [0.1, 0.16, 0.3] } as const;
const GROUND = place([0, 0, 0], [0, 0, 0]);

/** Placement with the axis turned by `tilt` about −y, so that x gets deeper, at the depth `depth` of the deepest point. */
function sunk(shape: CellShape, tilt: number, depth: number): [Float64Array, number] {
  const kernel = makeKernel(shape, PLANE, 'closed-form');
  const placement = place([0, tilt, 0], [0, 0, 0]);
  const height = -measure(kernel, placement, GROUND).gap - depth;
  placement[11] = height;
  return [placement, height];
}

/** Where radius and section change their form, and the radius. */
const PROFILES: readonly [CellShape, readonly number[], (z: number) => number][] = [
  [CYLINDER, [-0.1, 0.1], () => 0.05],
  [FRUSTUM, [0, 0.1], (z) => 0.06 - 0.4 * z],
  [CONE, [0, 0.1], (z) => 0.06 - 0.6 * z],
  [
    CAPSULE,
    [-0.15, -0.1, 0.1, 0.15],
    (z) => {
      const beyond = Math.max(Math.abs(z) - 0.1, 0);
      return Math.sqrt((0.05 - beyond) * (0.05 + beyond));
    },
  ],
];

test('independent integration over sections gives the same volume, centroid and moments', () => {
  for (const [shape, breaks, radius] of PROFILES) {
    const kernel = makeKernel(shape, PLANE, 'auto');
    // the slope of FRUSTUM and CONE is met from either side: 0.3805, 0.5404 rad from the side
    for (const tilt of [0.02, 0.4, 1.2, 2.4]) {
      for (const depth of [0.0008, 0.01, 0.06]) {
        const [placement, height] = sunk(shape, tilt, depth);
        const got = measure(kernel, placement, GROUND);
        if (got.area === 0) continue;
        // ends of the cut part, where the outer integrand has its roots
        const cuts = [...breaks];
        for (let k = 1; k < breaks.length; k++) {
          for (const side of [-1, 1]) {
            const f = (z: number): number =>
              height + Math.cos(tilt) * z + side * Math.sin(tilt) * radius(z);
            const N = 64;
            for (let n = 0; n < N; n++) {
              let a = breaks[k - 1] + ((breaks[k] - breaks[k - 1]) * n) / N;
              let b = breaks[k - 1] + ((breaks[k] - breaks[k - 1]) * (n + 1)) / N;
              if (f(a) * f(b) > 0) continue;
              for (let round = 0; round < 60; round++) {
                const m = 0.5 * (a + b);
                if (f(a) * f(m) <= 0) b = m;
                else a = m;
              }
              cuts.push(a);
            }
          }
        }
        cuts.sort((a, b) => a - b);
        const want = revolvedUnderPlane(cuts, radius, tilt, height);
        const metrics: Metrics = {
          ...want,
          area: got.area,
          gap: got.gap,
          vectorArea: [-Math.sin(tilt), 0, Math.cos(tilt)].map((n) => n * got.area),
        };
        // the outer range ends at the result of a root finder, 1e-16 off 0.1: 1e-12 of a patch 1 mm
        // high
        agree(got, outOf(placement, metrics), 1e-10, 0.1, `${shape.kind}, ${tilt}, ${depth}`);
      }
    }
  }
});

test('lying and standing cylinders are those of the closed forms, and a slight tilt goes over into them', () => {
  const kernel = makeKernel(CYLINDER, PLANE, 'auto');
  for (const depth of [1e-6, 0.002, 0.03, 0.07]) {
    const lying = column(new CylinderLying(0.05, 0.2), depth);
    const standing = column(new CylinderStanding(0.05, 0.2), depth);
    for (const slant of [0, 1e-12, 1e-9]) {
      // V changes by the slant times half the length over the depth, at most
      const tolerance = 1e-13 + 0.2 * (slant / depth) + 1e-16 / depth;
      const [down] = sunk(CYLINDER, Math.PI / 2 + slant, depth);
      const lies = measure(kernel, down, GROUND);
      near(lies.volume, lying.volume, tolerance * 2, `lying ${depth} ${slant}`);
      near(lies.area, lying.area, tolerance * 2, 'A_c lying');
      near(lies.second[0], lying.second[0], tolerance * 3, 'along the axis');
      near(lies.second[4], lying.second[1], tolerance * 3, 'across');
      near(lies.second[8], lying.second[2], tolerance * 8, 'height');
      const [up] = sunk(CYLINDER, slant, depth);
      const stands = measure(kernel, up, GROUND);
      near(stands.volume, standing.volume, tolerance, `standing ${depth} ${slant}`);
      near(stands.area, standing.area, tolerance, 'A_c standing');
      near(stands.second[0], standing.second[0], tolerance * 2, 'xx');
      near(stands.second[8], standing.second[2], tolerance * 8, 'zz');
    }
  }
});

test('an ellipsoid with equal axes is a ball, and its volume has the vector area as slope', () => {
  const round = makeKernel({ kind: 'ellipsoid', size: [0.2, 0.2, 0.2] }, PLANE, 'auto');
  const ball = makeKernel({ kind: 'sphere', radius: 0.1 }, PLANE, 'auto');
  const random = new Random(5);
  for (let n = 0; n < 50; n++) {
    const i = randomPlacement(random, 0.05);
    const want = measure(ball, i, GROUND);
    agree(measure(round, i, GROUND), want, 1e-13, 0.1, `ball ${n}`);
  }
});

test('minus the gradient of V is the vector area, the normal of the plane', () => {
  const random = new Random(7);
  for (const shape of [CYLINDER, FRUSTUM, CONE, CAPSULE, ELLIPSOID]) {
    const kernel = makeKernel(shape, PLANE, 'auto');
    let cut = 0;
    for (let n = 0; n < 200; n++) {
      const i = randomPlacement(random, 0.06);
      const j = randomPlacement(random, 0.06);
      const got = measure(kernel, i, j);
      if (got.area < 1e-4) continue;
      cut++;
      // a step of 1e-5 m over a depth of mm: 1e-9; where a rim enters the third derivative is not bounded, and 1e-6 is left
      const slope = slopeOfVolume(kernel, i, j, 1e-5);
      for (let k = 0; k < 3; k++) {
        const off = Math.abs(slope[k] - got.vectorArea[k]);
        assert.ok(
          off < 1e-6 * got.area,
          `${shape.kind} ${n}: ${slope.join(' ')}, ${got.vectorArea.join(' ')}`,
        );
      }
      for (let k = 0; k < 3; k++) near(got.vectorArea[k], got.area * j[3 * k + 2], 1e-12, 'normal');
    }
    assert.ok(cut > 60, `${shape.kind} ${cut}`);
  }
});

test('what is under a plane and what is over it make the whole body', () => {
  const random = new Random(11);
  const wholes: readonly [CellShape, number][] = [
    [CYLINDER, Math.PI * 0.05 ** 2 * 0.2],
    [FRUSTUM, (Math.PI * 0.1 * (0.06 ** 2 + 0.06 * 0.02 + 0.02 ** 2)) / 3],
    [CONE, (Math.PI * 0.1 * 0.06 ** 2) / 3],
    [CAPSULE, Math.PI * 0.05 ** 2 * 0.2 + (4 / 3) * Math.PI * 0.05 ** 3],
    [ELLIPSOID, ((4 / 3) * Math.PI * 0.1 * 0.16 * 0.3) / 8],
  ];
  const over = place([Math.PI, 0, 0], [0, 0, 0]);
  for (const [shape, volume] of wholes) {
    const kernel = makeKernel(shape, PLANE, 'auto');
    const all = place([0.3, 0.2, 0.1], [0, 0, -9]);
    const whole = measure(kernel, all, GROUND);
    near(whole.volume, volume, 1e-13, `${shape.kind} as a whole`);
    assert.equal(whole.area, 0);
    for (let n = 0; n < 300; n++) {
      const i = randomPlacement(random, 0.08);
      const below = measure(kernel, i, GROUND);
      const above = measure(kernel, i, over);
      // both by quadrature; a sum of positive terms
      near(below.volume + above.volume, volume, 1e-13, `${shape.kind} ${n}`);
      assert.ok(Math.abs(below.area - above.area) < 1e-12 * 0.03, `${below.area} ${above.area}`);
      for (let k = 0; k < 3; k++) {
        const first = below.volume * below.centroid[k] + above.volume * above.centroid[k];
        assert.ok(Math.abs(first / volume - centerOf(shape, i)[k]) < 1e-13, 'centroid');
      }
    }
  }
});

function centerOf(shape: CellShape, placement: Float64Array): number[] {
  let z = 0;
  if (shape.kind === 'frustum') {
    const { radius: a, topRadius: b, length } = shape;
    z = (length * (a * a + 2 * a * b + 3 * b * b)) / (4 * (a * a + a * b + b * b));
  }
  return [0, 1, 2].map((k) => placement[9 + k] + z * placement[3 * k + 2]);
}

test('touch, tips, planes through the apex and along a generator give numbers', () => {
  const slope = Math.atan2(0.06, 0.1);
  for (const shape of [CYLINDER, FRUSTUM, CONE, CAPSULE, ELLIPSOID]) {
    const kernel = makeKernel(shape, PLANE, 'auto');
    for (const tilt of [
      0,
      1e-15,
      slope,
      Math.PI / 2 - slope,
      Math.PI / 2,
      Math.PI / 2 + slope,
      3,
      Math.PI,
    ]) {
      for (const depth of [-1, -1e-17, 0, 1e-300, 1e-17, 1e-12, 1e-9, 0.01, 0.05, 0.1, 0.2, 9]) {
        const [placement] = sunk(shape, tilt, depth);
        const got = measure(kernel, placement, GROUND);
        assert.ok(got.volume >= 0 && got.area >= 0, `${shape.kind} ${tilt} ${depth}`);
        if (depth <= -1e-9) assert.equal(got.volume, 0);
        if (depth >= 1e-9) assert.ok(got.volume > 0);
      }
    }
    const [through] = sunk(CONE, 1, 0.03);
    // apex exactly in the plane
    through[11] = -0.1 * through[8];
    assert.ok(measure(makeKernel(CONE, PLANE, 'auto'), through, GROUND).volume > 0);
  }
});

test('frame, order and scale do not matter', () => {
  const random = new Random(13);
  for (const shape of [CYLINDER, FRUSTUM, CONE, CAPSULE, ELLIPSOID]) {
    const kernel = makeKernel(shape, PLANE, 'auto');
    const swapped = makeKernel(PLANE, shape, 'auto');
    const tiny = makeKernel(scaled(shape, 1e-3), PLANE, 'auto');
    for (let n = 0; n < 40; n++) {
      const i = randomPlacement(random, 0.06);
      const j = randomPlacement(random, 0.02);
      const got = measure(kernel, i, j);
      if (got.volume < 1e-9) continue;
      const other = measure(swapped, j, i);
      assert.deepEqual(
        other,
        { ...got, vectorArea: got.vectorArea.map((a) => 0 - a) },
        'the same bits but for the sign',
      );
      const frame = randomPlacement(random, 1);
      const moved = measure(kernel, within(frame, i), within(frame, j));
      // 1 m away: rounding of 1e-16 m against depths of 1 mm and more
      agree(moved, outOf(frame, got), 1e-11, 0.1, `${shape.kind} moved ${n}`);
      const shrunk = measure(tiny, shrink(i), shrink(j));
      near(shrunk.volume, got.volume * 1e-9, 1e-12, 'V scaled');
      near(shrunk.second[0], got.second[0] * 1e-15, 1e-10, 'S scaled');
    }
  }
});

function shrink(placement: Float64Array): Float64Array {
  return placement.map((x, k) => (k < 9 ? x : x * 1e-3));
}

function scaled(shape: CellShape, by: number): CellShape {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(shape)) {
    if (Array.isArray(value)) out[key] = value.map((x: number) => x * by);
    else out[key] = typeof value === 'number' ? value * by : value;
  }
  return out as unknown as CellShape;
}

test('a plane close to the apex of a cone loses no digits', () => {
  const kernel = makeKernel(CONE, PLANE, 'auto');
  const over = place([Math.PI, 0, 0], [0, 0, 0]);
  const volume = (Math.PI * 0.1 * 0.06 ** 2) / 3;
  for (const tilt of [0.9, 1.2, 1.4, 1.7, 2]) {
    for (const off of [1e-4, 1e-6, 1e-8, -1e-8, -1e-6, -1e-4]) {
      const i = place([0, tilt, 0], [0, 0, 0]);
      i[11] = -0.1 * i[8] + off;
      const both = measure(kernel, i, GROUND).volume + measure(kernel, i, over).volume;
      near(both, volume, 1e-13, `${tilt} ${off}`);
    }
  }
});
