/** Cylinder, frustum and capsule in a plate with a hole: closed forms, other kernels where they hold, rays, derivative, gap, frames, what is a plate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { makeKernel, overlapMethods } from '../../../src/overlap/make-kernel.ts';
import { RayKernel } from '../../../src/overlap/rays.ts';
import type { BooleanShape, CellShape, Placed } from '../../../src/shapes/cell-model.ts';
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

const R = 0.025;
const H = 0.04;
const at = <S>(
  shape: S,
  position: Placed<S>['position'] = [0, 0, 0],
  orientation: Placed<S>['orientation'] = [0, 0, 0, 1],
): Placed<S> => ({ shape, position, orientation });
/** A plate of 0.2 x 0.2 m with a hole; the middle of its thickness is the origin. */
const plate = (thick = H, hole: Placed<CellShape>['position'] = [0, 0, 0]): BooleanShape => ({
  kind: 'boolean',
  common: [at({ kind: 'box', size: [0.2, 0.2, thick] })],
  without: [at({ kind: 'cylinder', radius: R, length: 2 * thick }, hole)],
});
const PLATE = plate();
const HERE = place([0, 0, 0], [0, 0, 0]);
const CYLINDER = { kind: 'cylinder', radius: 0.024, length: 0.08 } as const;
const WIDE = { kind: 'cylinder', radius: 0.03, length: 0.08 } as const;
const FRUSTUM = { kind: 'frustum', radius: 0.024, topRadius: 0.018, length: 0.08 } as const;
const CAPSULE = { kind: 'capsule', radius: 0.024, length: 0.05 } as const;
const BUOY = { kind: 'capsule', radius: 0.03, length: 0.03 } as const;
const inPlate = (shape: CellShape, pose: Float64Array): Metrics =>
  measure(makeKernel(shape, PLATE, 'closed-form'), pose, HERE);
const close = (got: number, want: number, tolerance: number, what: string): void =>
  assert.ok(
    Math.abs(got - want) <= tolerance * Math.abs(want),
    `${what}: ${got}, expected ${want}`,
  );

/** Wall, face, edge, both walls, wedged between edges with its tip in the hole and under it, end over the edge, and a wide body around the hole, m and rad. */
const POSES: readonly (readonly [string, CellShape, Float64Array])[] = [
  ['wall', CYLINDER, place([0, 0, 0.3], [0.0011, 0.0002, 0])],
  ['wall at the face', CYLINDER, place([0.01, -0.012, 0.4], [0.0012, 0.0001, 0.025])],
  ['two walls', CYLINDER, place([0.01, 0.057, 0], [0.0001, 0.0003, 0.002])],
  ['two walls at two faces', CYLINDER, place([0.02, 0.06, 0], [0.0001, 0.0005, 0])],
  ['pushed across its tilt', CYLINDER, place([0.005, 0.048, 0], [0.0002, 0.0014, 0.013])],
  ['wedged, tip in the hole', CYLINDER, place([0.01, 0.055, 0], [-0.0002, 0.0001, 0.03])],
  ['wedged, tip under the plate', CYLINDER, place([0.01, 0.061, 0], [0.0003, 0.0001, 0.018])],
  ['wedged cone', FRUSTUM, place([Math.PI - 0.05, 0.06, 0], [0.0045, 0.0032, 0.048])],
  ['face', CYLINDER, place([0.01, 0.02, 0], [0.055, 0.01, H / 2 + 0.0403])],
  ['end over the hole', CYLINDER, place([0.1, 0.04, 0], [0.015, -0.008, H / 2 + 0.0402])],
  ['edge', FRUSTUM, place([Math.PI - 0.05, 0.04, 0], [0.006, 0.002, 0.066])],
  ['edge of the end', FRUSTUM, place([0.1, 0.05, 0], [0.003, 0.002, 0.0165])],
  ['capsule, one end in the hole', CAPSULE, place([0, 0, 0.3], [0.0011, 0.0002, 0.03])],
  ['capsule, wedged', CAPSULE, place([0.01, 0.06, 0], [0.0001, 0.0003, 0.002])],
  ['capsule, wedged, its end in the hole', CAPSULE, place([0.01, 0.055, 0], [-0.0002, 0, 0.03])],
  ['capsule over the edge', CAPSULE, place([0.1, 0.1, 0], [0.012, -0.008, 0.058])],
  ['end of a capsule at the wall', CAPSULE, place([0, 0.15, 0], [0.0033, 0.0005, 0.028])],
  ['capsule in the edge all around', BUOY, place([0.1, 0.05, 0], [0.0003, 0.0002, 0.0513])],
  ['around the hole', WIDE, place([0.02, -0.01, 0], [0.004, 0.002, H / 2 + 0.0395])],
  ['across the hole', WIDE, place([0.1, 0.15, 0], [0.02, 0.01, H / 2 + 0.041])],
];

test('the same as rays of 16 nodes', () => {
  for (const [name, shape, pose] of POSES) {
    const got = inPlate(shape, pose);
    const want = measure(new RayKernel(shape, PLATE, { nodes: 16 }), pose, HERE);
    assert.ok(want.volume > 0, name);
    // the stated bound; rays of 16 nodes leave up to 3e-7 themselves
    close(got.volume, want.volume, 1e-6, `V ${name}`);
    const size = Math.max(...want.second.map(Math.abs));
    for (let k = 0; k < 9; k++) {
      assert.ok(Math.abs(got.second[k] - want.second[k]) < 1e-5 * size, `S ${k} ${name}`);
    }
    for (let k = 0; k < 3; k++) {
      assert.ok(Math.abs(got.centroid[k] - want.centroid[k]) < 1e-5 * R, `centroid ${k} ${name}`);
    }
  }
});

test('the vector area is minus the gradient of the volume', () => {
  for (const [name, shape, pose] of POSES) {
    const got = inPlate(shape, pose);
    const step = Math.min(1e-6, -got.gap / 20);
    const slope = slopeOfVolume(makeKernel(shape, PLATE, 'closed-form'), pose, HERE, step);
    for (let k = 0; k < 3; k++) {
      const text = `${name} ${k}: ${got.vectorArea[k]}, ${slope[k]}`;
      // differences of volumes that are good to 3e-7, over steps of 1/20 of a depth
      assert.ok(Math.abs(got.vectorArea[k] - slope[k]) < 1e-4 * got.area, text);
    }
  }
});

test('flat on the face around the hole: a ring of the depth', () => {
  for (const depth of [1e-9, 1e-6, 1e-3]) {
    for (const x of [0, 0.003]) {
      const got = inPlate(WIDE, place([0, 0, 0.7], [x, 0, H / 2 + 0.04 - depth]));
      const area = Math.PI * (WIDE.radius ** 2 - R ** 2);
      // the hole stays inside the rim; depths are differences of centimetres
      close(got.volume, area * depth, 1e-9 + 1e-17 / depth, `V ${depth}`);
      close(got.area, area, 1e-9, 'A');
      close(got.vectorArea[2], area, 1e-9, 'A_z');
      close(-got.gap, depth, 1e-9 + 1e-17 / depth, 'depth');
      // the centre of what is left: the hole is off by −x
      const inner = Math.PI * R ** 2;
      assert.ok(Math.abs(got.centroid[0] - x - (inner * x) / area) < 1e-9 * R, 'x');
      close(got.centroid[2] + 1, 1 + H / 2 - depth / 2, 1e-15, 'z');
    }
  }
});

test('a capsule stands on the face: a cap of its ball, at any tilt', () => {
  const { radius: r, length } = CAPSULE;
  for (const tilt of [0, 1e-3, 0.1, 1]) {
    for (const depth of [1e-6, 1e-4]) {
      const height = H / 2 + 0.5 * length * Math.cos(tilt) + r - depth;
      const got = inPlate(CAPSULE, place([0, tilt, 0], [0.055, 0.003, height]));
      // a depth is a difference of centimetres
      close(got.volume, (Math.PI * depth ** 2 * (3 * r - depth)) / 3, 1e-15 / depth, 'V');
      close(got.vectorArea[2], Math.PI * depth * (2 * r - depth), 1e-15 / depth, 'A_z');
      close(-got.gap, depth, 1e-15 / depth, 'depth');
    }
  }
});

test('a capsule over the edge: the gap is a bound of the distance of its ball, and ends with it', () => {
  for (const aside of [0.002, 0.004, 0.012]) {
    const at = (distance: number): Metrics => {
      const radius = CAPSULE.radius + distance;
      const height = H / 2 + Math.sqrt(radius ** 2 - (R - aside) ** 2);
      return inPlate(CAPSULE, place([0, 0, 0], [aside, 0, height + 0.5 * CAPSULE.length]));
    };
    for (const distance of [1e-9, 1e-6, 1e-3]) {
      const { gap, volume } = at(distance);
      assert.ok(volume === 0 && gap <= distance + 1e-15, `${aside}, ${distance}: ${gap}`);
      assert.ok(gap > distance * Math.SQRT1_2 - 1e-15, `${aside}, ${distance}: ${gap}`);
      const inside = at(-distance);
      assert.ok(inside.volume > 0 && inside.gap < 0, `${aside}, ${-distance}: ${inside.gap}`);
    }
  }
});

test('between the faces it is the wall of an endless bore, beside the hole a half-space', () => {
  const deep = plate(0.3);
  const bore = makeKernel(CYLINDER, { kind: 'bore', radius: R }, 'closed-form');
  for (const pose of [
    place([0, 0, 0.3], [0.0011, 0.0002, 0]),
    place([0.001, 0.02, 0], [0.0004, 0.0002, 0.01]),
    place([0.01, 0.057, 0], [0.0001, 0.0003, 0.002]),
  ]) {
    const got = measure(makeKernel(CYLINDER, deep, 'closed-form'), pose, HERE);
    agree(got, measure(bore, pose, HERE), 1e-8, 1, 'wall');
  }
  const face = place([0, 0, 0], [0, 0, H / 2]);
  const floor = makeKernel(CYLINDER, { kind: 'half-space' }, 'closed-form');
  for (const tilt of [0, 1e-9, 1e-4, 0.1]) {
    const low = 0.04 * Math.cos(tilt) + CYLINDER.radius * Math.sin(tilt);
    const pose = place([0, tilt, 0], [0.06, 0.01, H / 2 + low - 1e-4]);
    const got = inPlate(CYLINDER, pose);
    const want = measure(floor, pose, face);
    // a depth is a difference of centimetres
    close(got.volume, want.volume, 1e-6, `V ${tilt}`);
    close(-got.gap, -want.gap, 1e-9, `depth ${tilt}`);
    for (let k = 0; k < 3; k++) {
      assert.ok(Math.abs(got.vectorArea[k] - want.vectorArea[k]) < 1e-6 * want.area, `A ${tilt}`);
    }
  }
});

test('the same in any frame and in both orders, over and under the plate, the hole off the middle of its cell', () => {
  const random = new Random(21);
  const half = Math.SQRT1_2;
  // the box stands on its side, and the hole is drilled against its axis
  const turned: BooleanShape = {
    kind: 'boolean',
    common: [at({ kind: 'box', size: [H, 0.2, 0.2] }, [0.1, 0, 0.02])],
    without: [
      at({ kind: 'cylinder', radius: R, length: 0.1 }, [0.11, 0.01, 0.02], [0, -half, 0, half]),
    ],
  };
  const moved = plate(H, [0, 0.01, 0]);
  // moved: z is the axis of the hole; turned: x is, and its plate is centred at x = 0.1
  const change = place([0, Math.PI / 2, 0], [0.1, 0, 0.02]);
  const over = place([0, Math.PI, 0], [0, 0, 0]);
  for (const [name, shape, pose] of POSES) {
    const own = inPlate(shape, pose);
    const kernel = makeKernel(shape, moved, 'auto');
    const swapped = makeKernel(moved, shape, 'auto');
    assert.equal(kernel.method, 'closed-form');
    const shifted = within(place([0, 0, 0], [0, 0.01, 0]), pose);
    for (let n = 0; n < 3; n++) {
      const frame = randomPlacement(random, 1);
      const got = measure(kernel, within(frame, shifted), frame);
      const want = outOf(within(frame, place([0, 0, 0], [0, 0.01, 0])), own);
      // 1 m away: 1e-16 m of a depth of 1e-4 m, and its square in S
      agree(got, want, 1e-8, 1, `${name}, frame ${n}`);
      const back = measure(swapped, frame, within(frame, shifted));
      assert.deepEqual(
        { ...back, vectorArea: back.vectorArea.map((x) => 0 - x) },
        { ...got, vectorArea: got.vectorArea.map((x) => x + 0) },
      );
    }
    const standing = measure(
      makeKernel(shape, turned, 'closed-form'),
      within(change, shifted),
      HERE,
    );
    close(standing.volume, own.volume, 1e-8, `${name}, drilled the other way`);
    const under = measure(makeKernel(shape, PLATE, 'closed-form'), within(over, pose), HERE);
    agree(under, outOf(over, own), 1e-8, 1, `${name}, from below`);
  }
});

test('apart, the gap is a bound of the distance; touch has no jump', () => {
  const above = inPlate(CYLINDER, place([0, 0, 0], [0.04, 0, H / 2 + 0.05]));
  close(above.gap, 0.01, 1e-12, 'over the face');
  const inside = inPlate(CYLINDER, place([0, 0, 0], [0.0004, 0, 0.01]));
  close(inside.gap, 0.0006, 1e-12, 'in the hole');
  // tilted: the lower end, 0.04 m from the middle
  const tilted = inPlate(CYLINDER, place([0, 0.01, 0], [0, 0, 0.05]));
  const lower = R - 0.04 * Math.sin(0.01) - CYLINDER.radius * Math.cos(0.01);
  assert.ok(tilted.gap > 0.99 * lower && tilted.gap <= lower + 1e-15, `${tilted.gap}`);
  // entering the hole: the bound goes on
  const gaps = [-1e-6, 1e-6].map(
    (z) => inPlate(CYLINDER, place([0, 0, 0], [0.0004, 0, H / 2 + 0.04 + z])).gap,
  );
  assert.ok(Math.abs(gaps[0] - gaps[1]) < 1e-5 && gaps[0] > 5e-4, gaps.join(' '));
  const touch = inPlate(CYLINDER, place([0, 0, 0], [0.001 + 1e-9, 0, 0]));
  close(-touch.gap, 1e-9, 1e-6, 'depth');
  assert.ok(touch.volume > 0 && touch.volume < 1e-14, `${touch.volume}`);
});

/**
 * Largest distance from the axis of the hole that the wall of a body has between the faces, m: along a line of the wall it is convex, so that
 * it is largest at an end of what is between the faces.
 */
function outermost(shape: typeof CYLINDER | typeof FRUSTUM, pose: Float64Array): number {
  const cone = shape.kind === 'frustum';
  const ends = cone ? [0, shape.length] : [-0.5 * shape.length, 0.5 * shape.length];
  const radii = [shape.radius, cone ? shape.topRadius : shape.radius];
  let most = 0;
  for (let n = 0; n < LINES; n++) {
    const angle = (2 * Math.PI * n) / LINES;
    const [p, q] = ends.map((z, k) => {
      const [u, v] = [radii[k] * Math.cos(angle), radii[k] * Math.sin(angle)];
      return [0, 1, 2].map(
        (r) => pose[3 * r] * u + pose[3 * r + 1] * v + pose[3 * r + 2] * z + pose[9 + r],
      );
    });
    const cuts = [-H / 2, H / 2].map((face) => (face - p[2]) / (q[2] - p[2]));
    const from = Math.max(0, Math.min(...cuts));
    const to = Math.min(1, Math.max(...cuts));
    if (!(to >= from)) continue;
    for (const t of [from, to]) {
      most = Math.max(most, Math.hypot(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])));
    }
  }
  return most;
}
/** Lines of a wall; the outermost one is missed by less than r (π/n)²/2 and, where an end or a face cuts, by the step of 100 µm times its slope. */
const LINES = 1500;

test('near an edge the gap ends where they touch, in a taper, at a tip and at a wall', () => {
  const random = new Random(8);
  let edges = 0;
  for (let n = 0; n < 32; n++) {
    const shape = n % 2 === 0 ? FRUSTUM : CYLINDER;
    const [tilt, turn, side] = [0.12 * random.uniform(), 6.3 * random.uniform(), random.uniform()];
    const [a, b] = [tilt * Math.cos(turn), tilt * Math.sin(turn)];
    // half of them with the tip in the hole
    const height = n % 4 < 2 ? 0.02 + 0.02 * random.uniform() : 0.05 + 0.01 * random.uniform();
    const at = (x: number): Float64Array =>
      shape === FRUSTUM
        ? place([Math.PI + a, b, 0], [x, 0.002 * (side - 0.5), height + 0.02])
        : place([a, b, 0], [x, 0.0005 * (side - 0.5), height]);
    let [low, high] = [0, 0.05];
    if (outermost(shape, at(low)) >= R) continue;
    while (high - low > 1e-7) {
      const middle = 0.5 * (low + high);
      if (outermost(shape, at(middle)) >= R) high = middle;
      else low = middle;
    }
    // 10 µm before the place there is a gap, which is no more than that; 10 µm behind it none
    const before = inPlate(shape, at(low - 1e-5));
    const behind = inPlate(shape, at(low + 1e-5));
    assert.ok(before.volume === 0 && before.gap > 0, `${n}: ${before.gap} before`);
    assert.ok(before.gap < 1.01e-5, `${n}: ${before.gap} before`);
    assert.ok(behind.volume > 0 && behind.gap < 0, `${n}: ${behind.gap} behind`);
    edges++;
  }
  assert.ok(edges > 15, `${edges} poses`);
});

test('a plate is a box with one cylinder square through two faces and inside the others', () => {
  const box = at({ kind: 'box', size: [0.2, 0.2, H] } as const);
  const hole = at({ kind: 'cylinder', radius: R, length: H } as const);
  const methods = (common: BooleanShape['common'], without: BooleanShape['without']): string =>
    overlapMethods(CYLINDER, { kind: 'boolean', common, without })[0];
  assert.equal(methods([box], [hole]), 'closed-form');
  assert.equal(methods([box], [at({ ...hole.shape, length: 0.03 })]), 'rays', 'blind');
  assert.equal(methods([box], [at(hole.shape, [0, 0, 1e-4])]), 'rays', 'not through');
  assert.equal(methods([box], [at(hole.shape, [0.08, 0, 0])]), 'rays', 'open at a side');
  assert.equal(methods([box], [at(hole.shape, [0, 0, 0], [1e-4, 0, 0, 1])]), 'rays', 'askew');
  assert.equal(methods([box], [hole, at(hole.shape, [0.06, 0, 0])]), 'rays', 'two holes');
  assert.equal(methods([box, box], [hole]), 'rays', 'two boxes');
});

test('over a side of the plate, and lying, rays serve', () => {
  for (const pose of [
    place([0, 0.02, 0], [0.09, 0, H / 2 + 0.039]),
    place([0, 1.4, 0], [0.075, 0, H / 2 + 0.0294]),
  ]) {
    const got = inPlate(CYLINDER, pose);
    const rays = measure(makeKernel(CYLINDER, PLATE, 'rays'), pose, HERE);
    assert.ok(rays.volume > 0, 'contact');
    assert.deepEqual(got, rays);
  }
});
