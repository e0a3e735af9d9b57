/**
 * Pair `freeform`: equivalence with the closed-form pairs (T23), hand-over between face, edge and vertex (T24), gaps against a search of
 * dense samples, the radius of the onset.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreeformPair, FREEFORM } from '../../../src/contact/freeform/freeform-pair.ts';
import type { ContactPair } from '../../../src/contact/pair.ts';
import { GAP, KINEMATICS, NORMAL, POINT } from '../../../src/contact/pair.ts';
import { equivalentRadius } from '../../../src/contact/pairs/elliptic-contact.ts';
import { pairDefinition } from '../../../src/contact/registry.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import type {
  FreeformPairModel,
  PairModel,
  SurfaceShape,
  SurfaceSide,
  SurfaceSpec,
  Triple,
} from '../../../src/model/contact-spec.ts';
import { conePatch, torusPatch } from '../../../server/validation/surface-samples.ts';

interface Pose {
  readonly state: Float64Array;
  readonly rotation: Float64Array;
}

function pose(position: readonly number[], turn: readonly number[] = [0, 0, 0, 1]): Pose {
  const state = new Float64Array(13);
  const length = Math.hypot(...turn);
  state.set(position);
  state.set(
    turn.map((value) => value / length),
    3,
  );
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { state, rotation };
}

function measure(pair: ContactPair, i: Pose, j: Pose): Float64Array {
  const kinematics = new Float64Array(KINEMATICS);
  pair.compute(i, j, kinematics);
  return kinematics;
}

const off = (a: Float64Array, b: Float64Array, at: number): number =>
  Math.max(...[0, 1, 2].map((k) => Math.abs(a[at + k] - b[at + k])));

/** A place in the world from one in the frame of a body. */
const toWorld = ({ state, rotation: r }: Pose, [x, y, z]: readonly number[]): Triple => [
  state[0] + r[0] * x + r[1] * y + r[2] * z,
  state[1] + r[3] * x + r[4] * y + r[5] * z,
  state[2] + r[6] * x + r[7] * y + r[8] * z,
];

const ballOf = (radius: number, center: Triple = [0, 0, 0]): SurfaceSide => ({
  kind: 'ball',
  radius,
  center,
});
const facesOf = (...faces: readonly SurfaceSpec[]): SurfaceSide => ({ kind: 'faces', faces });
const freeform = (surfacesI: SurfaceSide, surfacesJ: SurfaceSide): FreeformPairModel => ({
  kind: 'freeform',
  surfacesI,
  surfacesJ,
});

const R = 0.05;
const SLOPE = Math.tan(0.6);

/** Shapes with the closed-form pair of a ball on them, and a point of the ball's centre at a distance from them. */
const EQUAL: readonly {
  readonly faces: readonly SurfaceSpec[];
  readonly closed: PairModel;
  readonly at: (distance: number) => Triple;
}[] = [
  {
    faces: [{ shape: conePatch(0.1, SLOPE, 0.3, 1), sign: 1 }],
    closed: {
      kind: 'sphere-cone',
      radius: R,
      center: [0, 0, 0],
      apex: [0, 0, -0.1 / SLOPE],
      axis: [0, 0, -1],
      apexAngle: 1.2,
    },
    at: (distance) => {
      const r = 0.1 + 0.15 * SLOPE + (R + distance) * Math.cos(0.6);
      return [r * Math.cos(0.3), r * Math.sin(0.3), 0.15 - (R + distance) * Math.sin(0.6)];
    },
  },
  {
    faces: [{ shape: conePatch(0.2, 0, 0.3, 1) }],
    closed: {
      kind: 'sphere-cylinder',
      radius: R,
      center: [0, 0, 0],
      axisPoint: [0, 0, 0.1],
      axis: [0, 0, 1],
      cylinderRadius: 0.2,
      side: 'outside',
    },
    at: (distance) => [
      (0.2 + R + distance) * Math.cos(0.3),
      (0.2 + R + distance) * Math.sin(0.3),
      0.11,
    ],
  },
  {
    faces: [{ shape: conePatch(0.2, 0, 0.3, 1), sign: -1 }],
    closed: {
      kind: 'sphere-cylinder',
      radius: R,
      center: [0, 0, 0],
      axisPoint: [0, 0, 0.1],
      axis: [0, 0, 1],
      cylinderRadius: 0.2,
      side: 'inside',
    },
    at: (distance) => [
      (0.2 - R - distance) * Math.cos(0.3),
      (0.2 - R - distance) * Math.sin(0.3),
      0.11,
    ],
  },
  {
    faces: [{ shape: torusPatch(0, 0.2, 1) }],
    closed: {
      kind: 'sphere-sphere',
      radius: R,
      center: [0, 0, 0],
      radiusJ: 0.2,
      centerJ: [0, 0, 0],
    },
    at: (distance) => {
      const r = 0.2 + R + distance;
      return [
        r * Math.cos(0.4) * Math.cos(0.3),
        r * Math.cos(0.4) * Math.sin(0.3),
        r * Math.sin(0.4),
      ];
    },
  },
  {
    faces: [{ shape: { kind: 'plane' }, trim: { u: [-0.5, 0.5], v: [-0.5, 0.5] } }],
    closed: { kind: 'sphere-plane', radius: R, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 },
    at: (distance) => [0.1, -0.2, R + distance],
  },
];

test('a ball on NURBS patches has gap, normal and point of the closed-form pairs to 1e-13 (T23)', () => {
  const random = new Random(23);
  for (const { faces, closed, at } of EQUAL) {
    const definition = pairDefinition(closed);
    const own = new FreeformPair(freeform(ballOf(R), facesOf(...faces)));
    const form = definition.make(closed);
    for (let k = 0; k < 40; k++) {
      const j = pose([0.3, -0.2, 0.1], [0.3, -0.2, 0.5, 0.7]);
      const noise = [0, 1, 2].map(() => 0.02 * (random.uniform() - 0.5));
      const center = at(0.01 * (random.uniform() - 0.5)).map((x, a) => x + noise[a]);
      const i = pose(toWorld(j, center), [0.1, 0.2, -0.4, 0.8]);
      const a = measure(own, i, j);
      const b = measure(form, i, j);
      assert.ok(Math.abs(a[GAP] - b[GAP]) < 1e-13, `${closed.kind}: gap ${a[GAP]} and ${b[GAP]}`);
      assert.ok(off(a, b, NORMAL) < 1e-13, `${closed.kind}: normal`);
      // the closed forms but that of two spheres act at the deepest point of the ball, this pair in the middle of the gap
      for (let c = 0; c < 3; c++) {
        const toMiddle = closed.kind === 'sphere-sphere' ? 0 : 0.5 * b[GAP];
        const middle = b[POINT + c] - toMiddle * b[NORMAL + c];
        assert.ok(Math.abs(a[POINT + c] - middle) < 1e-13, `${closed.kind}: point`);
      }
    }
  }
});

const PLATE: SurfaceSpec = {
  shape: { kind: 'plane' },
  trim: { u: [-0.3, 0.3], v: [-0.2, 0.2] },
};

/** Distance of a point from the plate, and the direction. */
function fromPlate([x, y, z]: readonly number[]): { distance: number; normal: Triple } {
  const [dx, dy] = [Math.abs(x) - 0.3, Math.abs(y) - 0.2].map((d) => Math.max(0, d));
  const d = [dx * Math.sign(x), dy * Math.sign(y), z];
  const distance = Math.hypot(...d);
  const [a, b, c] = d.map((value) => value / distance);
  return { distance, normal: [a, b, c] };
}

test('gap and normal of a ball go over the face, the edges and the corners of a plate as the distance does, to 1e-13 (T24)', () => {
  const j = pose([0.1, 0.2, 0.3], [0.2, -0.1, 0.4, 0.9]);
  const pair = new FreeformPair(freeform(ballOf(R), facesOf(PLATE)));
  const kinds = new Set<number>();
  for (let k = 0; k <= 600; k++) {
    const angle = (k / 600) * 2 * Math.PI * 5;
    const far = 0.2 + (0.25 * k) / 600;
    const center = [
      far * Math.cos(angle),
      far * Math.sin(angle),
      0.045 + 0.02 * Math.sin(7 * angle),
    ];
    const a = measure(pair, pose(toWorld(j, center)), j);
    const exact = fromPlate(center);
    kinds.add(pair.solver.j.kind);
    assert.ok(Math.abs(a[GAP] - (exact.distance - R)) < 1e-13);
    const [x, y, z] = toWorld({ ...j, state: new Float64Array(13) }, exact.normal);
    assert.ok(off(a, Float64Array.of(0, x, y, z), NORMAL) < 1e-12);
  }
  assert.deepEqual([...kinds].sort(), [0, 1, 2]);
});

test('a patch of a sphere goes over face, edges and corners of a plate as the sphere does', () => {
  const patch: SurfaceSpec = {
    shape: torusPatch(0, R, 1.2),
    orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], // its middle looks down
  };
  const j = pose([0.1, 0.2, 0.3], [0.2, -0.1, 0.4, 0.9]);
  const pair = new FreeformPair(freeform(facesOf(patch), facesOf(PLATE)));
  const kinds = new Set<string>();
  for (let k = 0; k <= 1000; k++) {
    const angle = (k / 1000) * 2 * Math.PI * 3;
    const far = 0.2 + (0.18 * k) / 1000;
    // at the corners the patch is 17 mm away or more: its border is at 69° from its middle
    const center = [
      far * Math.cos(angle),
      far * Math.sin(angle),
      0.049 + 0.002 * Math.sin(7 * angle),
    ];
    const exact = fromPlate(center);
    if (exact.normal[2] < Math.cos(0.9)) continue;
    const world = toWorld(j, center);
    const a = measure(pair, pose(world, [0.2, -0.1, 0.4, 0.9]), j);
    kinds.add(`${pair.solver.i.kind}-${pair.solver.j.kind}`);
    assert.ok(
      Math.abs(a[GAP] - (exact.distance - R)) < 1e-13,
      `at ${k}: ${a[GAP]} ${exact.distance - R}`,
    );
    const [x, y, z] = toWorld({ ...j, state: new Float64Array(13) }, exact.normal);
    assert.ok(off(a, Float64Array.of(0, x, y, z), NORMAL) < 1e-11);
  }
  assert.ok(kinds.has('2-2') && kinds.has('2-1'), [...kinds].join());
});

/** A bumpy plate of degree 3 with simple knots, 1 × 1 m. */
function bumps(random: Random, height: number): SurfaceShape {
  const count = 7;
  const knots = [0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4];
  return {
    kind: 'nurbs',
    degreeU: 3,
    degreeV: 3,
    knotsU: knots,
    knotsV: knots,
    points: Array.from({ length: count }, (_, i) =>
      Array.from(
        { length: count },
        (__, k): Triple => [
          i / (count - 1) - 0.5,
          k / (count - 1) - 0.5,
          height * random.uniform(),
        ],
      ),
    ),
  };
}

test('a search finds the least distance of a ball from a bumpy plate: none of 14,641 samples is nearer', () => {
  const random = new Random(5);
  for (let n = 0; n < 3; n++) {
    const face = { shape: bumps(random, 0.3) };
    const model = freeform(ballOf(0), facesOf(face));
    const { surface } = new FreeformPair(model).solver.j.body.faces[0];
    const samples: number[][] = [];
    const out = new Float64Array(18);
    for (let u = 0; u <= 120; u++) {
      for (let v = 0; v <= 120; v++) {
        surface.evaluate(Float64Array.of(u / 30, v / 30), out);
        samples.push([...out.subarray(0, 3)]);
      }
    }
    for (let k = 0; k < 10; k++) {
      const center: Triple = [
        random.uniform() - 0.5,
        random.uniform() - 0.5,
        0.32 + 0.3 * random.uniform(),
      ];
      const a = measure(new FreeformPair(model), pose(center), pose([0, 0, 0]));
      const least = Math.min(
        ...samples.map(([x, y, z]) => Math.hypot(x - center[0], y - center[1], z - center[2])),
      );
      assert.ok(a[GAP] <= least + 1e-12 && a[GAP] > least - 0.01, `${a[GAP]} and ${least}`);
    }
  }
});

test('what is followed over a path is what a new search finds at each pose', () => {
  const random = new Random(11);
  const model = freeform(
    facesOf({ shape: torusPatch(0.09, 0.04, 1.2) }),
    facesOf({ shape: bumps(random, 0.12) }),
  );
  const followed = new FreeformPair(model);
  let searches = 0;
  for (let k = 0; k < 400; k++) {
    const t = k / 400;
    const i = pose(
      [0.3 * Math.cos(5 * t), 0.3 * Math.sin(7 * t), 0.26 + 0.01 * Math.sin(20 * t)],
      [0, 0.7 + 0.2 * Math.sin(9 * t), 0.1, 0.7],
    );
    const j = pose([0, 0, 0]);
    followed.search.counts[0] = 0;
    const a = measure(followed, i, j);
    if (followed.search.counts[0] > 0) searches++;
    if (k % 16 !== 0) continue;
    const b = measure(new FreeformPair(model), i, j);
    assert.ok(Math.abs(a[GAP] - b[GAP]) < 1e-12, `at ${k}: ${a[GAP]} and ${b[GAP]}`);
    assert.ok(off(a, b, POINT) < 1e-9);
  }
  assert.ok(searches < 100, `${searches} searches`);
});

test('the radius at onset is that of the elliptic contact of crossed cylinders, and of a ball in a bore', () => {
  const half = { u: [-1, 1], v: [-0.2, 0.2] } as const;
  const cylinder = (radius: number): SurfaceSpec => ({
    shape: { kind: 'cylinder', radius },
    trim: half,
  });
  const cases: readonly (readonly [SurfaceSide, SurfaceSide, readonly number[], number])[] = [
    // axes across: the first one turned by 90° about x and to the other side
    [
      facesOf({ ...cylinder(0.1), orientation: [0, Math.SQRT1_2, Math.SQRT1_2, 0] }),
      facesOf(cylinder(0.03)),
      [0.1299, 0, 0],
      equivalentRadius(1 / 0.1, 1 / 0.03),
    ],
    [
      ballOf(0.08),
      facesOf({ ...cylinder(0.1), sign: -1 }),
      [0.0201, 0, 0],
      equivalentRadius(1 / 0.08 - 1 / 0.1, 1 / 0.08),
    ],
  ];
  for (const [surfacesI, surfacesJ, at, expected] of cases) {
    const model = freeform(surfacesI, surfacesJ);
    const pair = new FreeformPair(model);
    const a = measure(pair, pose(at), pose([0, 0, 0]));
    assert.ok(Math.abs(a[GAP] + 1e-4) < 1e-12, `gap ${a[GAP]}`);
    pair.freezeRadius();
    const radius = pair.factor[0] ** 2 * FREEFORM.effectiveRadius(model);
    assert.ok(Math.abs(radius / expected - 1) < 1e-6, `${radius} and ${expected}`);
  }
});
