/**
 * Pair `freeform`: a patch over face, edges and corners, gaps against a search of dense samples, the radius of the onset. Beside the closed-form
 * pairs: `berth validate freeform-surfaces`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreeformPair, FREEFORM } from '../../../src/contact/freeform/freeform-pair.ts';
import type { ContactPair } from '../../../src/contact/pair.ts';
import { GAP, KINEMATICS, NORMAL, POINT } from '../../../src/contact/pair.ts';
import { equivalentRadius } from '../../../src/contact/pairs/elliptic-contact.ts';
import { Random } from '../../../src/math/random.ts';
import type {
  FreeformPairModel,
  SurfaceShape,
  SurfaceSide,
  SurfaceSpec,
  Triple,
} from '../../../src/model/contact-spec.ts';
import {
  fromPlate,
  PLATE,
  pose,
  type Pose,
  SMALL_BALL,
  toWorld,
} from '../../../server/validation/freeform-equals.ts';
import { torusPatch } from '../../../server/validation/surface-samples.ts';

function measure(pair: ContactPair, i: Pose, j: Pose): Float64Array {
  const kinematics = new Float64Array(KINEMATICS);
  pair.compute(i, j, kinematics);
  return kinematics;
}

const off = (a: Float64Array, b: Float64Array, at: number): number =>
  Math.max(...[0, 1, 2].map((k) => Math.abs(a[at + k] - b[at + k])));

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

test('a patch of a sphere goes over face, edges and corners of a plate as the sphere does', () => {
  const patch: SurfaceSpec = {
    shape: torusPatch(0, SMALL_BALL, 1.2),
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
      Math.abs(a[GAP] - (exact.distance - SMALL_BALL)) < 1e-13,
      `at ${k}: ${a[GAP]} ${exact.distance - SMALL_BALL}`,
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
