/** Clipping against closed forms: plates, wedges, corners, whole bodies; gap and vector area of the column. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { BoxEdge, BoxFlat } from '../../../src/overlap/box.ts';
import { Polyhedron } from '../../../src/overlap/polyhedron.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { makePolytope } from '../../../src/overlap/polytope.ts';
import { column, near } from '../../fixtures/overlap/columns.ts';
import {
  ball,
  box,
  differences,
  halfSpace,
  type Overlap,
  overlap,
  overlapOf,
  placed,
  polytope,
  spread,
} from '../../fixtures/overlap/clip-samples.ts';

const HERE = placed([0, 0, 0], [0, 0, 0]);
/** Rounding of corners of size 1: relative to an overlap of thickness h it is 1/h larger, see docs/theory/clipping.md. */
const ROUNDING = 4e-16;

/** Compares with what a form gives in the frame of the plane, at a point of the world. */
function sameAs(got: Overlap, form: ReturnType<typeof column>, shift: number[], tolerance: number) {
  const centroid = form.centroid.map((value, k) => value + shift[k]);
  const [volume, place, moments] = differences(got, { ...got, ...form, centroid });
  assert.ok(volume < tolerance, `volume off by ${volume}`);
  assert.ok(place < tolerance, `centroid off by ${place}`);
  assert.ok(moments < tolerance, `moments off by ${moments}`);
  near(got.area, form.area, tolerance, 'area');
}

test('a box flat on the half-space: closed form to rounding over the depth', () => {
  for (const depth of [1e-6, 1e-4, 0.01, 0.3, 0.49]) {
    const at = placed([0, 0, 0], [1, 2, 0.25 - depth]);
    const got = overlapOf(box(0.3, 0.4, 0.5), halfSpace(), at, HERE);
    const tolerance = 10 * ROUNDING * (0.5 / depth);
    sameAs(got, column(new BoxFlat(0.3, 0.4, 0.5), depth), [1, 2, 0], tolerance);
    near(-got.gap, depth, tolerance, 'depth');
    assert.ok(Math.abs(got.vectorArea[2] - 0.12) < 1e-15, 'out of the half-space, towards the box');
  }
});

test('box flat on a larger box: as on the half-space', () => {
  const at = placed([0, 0, 0], [0.1, -0.05, 0.5 + 0.25 - 0.002]);
  const got = overlapOf(box(0.3, 0.4, 0.5), box(1, 1, 1), at, HERE);
  const form = column(new BoxFlat(0.3, 0.4, 0.5), 0.002);
  sameAs(got, form, [0.1, -0.05, 0.5], 1e-12);
});

test('an edge in the plane: closed form, and an independent wedge', () => {
  for (const [depth, tilt] of [
    [0.002, (2 * Math.PI) / 180],
    [0.03, 0.3],
    [0.1, 1.1],
  ]) {
    // the edge x = 0.1, z = −0.25 (in the frame of the box) is turned to the bottom, its middle over the origin
    const cos = Math.cos(tilt);
    const sin = Math.sin(tilt);
    const turned = placed([tilt, 0, 0], [0, 0, 0]);
    const edge = [0, -0.3, -0.25];
    const y = cos * edge[1] - sin * edge[2];
    const z = sin * edge[1] + cos * edge[2];
    turned[10] = -y;
    turned[11] = -z - depth;
    const got = overlapOf(box(0.2, 0.6, 0.5), halfSpace(), turned, HERE);
    // the face at the angle `tilt` to the plane goes to +y, as in the form
    sameAs(got, column(new BoxEdge(0.2, 0.6, 0.5), depth, tilt), [0, 0, 0], 1e-11);
    if (depth === 0.002) {
      near(got.volume, 1.146846962e-5, 5e-10, 'independent volume');
      near(got.centroid[1], 0.01906755501, 5e-10, 'independent centroid');
      near(got.centroid[2], -6.666666667e-4, 5e-10, 'independent centroid');
    }
  }
});

test('a corner of a cube deep in the half-space is the tetrahedron', () => {
  // turned so that the diagonal stands upright: three equal edges, V = (√3 h)³/6 for the depth h
  const angle = Math.acos(1 / Math.sqrt(3));
  const turn = [angle / Math.SQRT2, -angle / Math.SQRT2, 0];
  const lowest = -Math.sqrt(3) / 2;
  for (const depth of [1e-3, 0.1, 0.5]) {
    const at = placed(turn, [0, 0, -lowest - depth]);
    const got = overlapOf(box(1, 1, 1), halfSpace(), at, HERE);
    near(got.volume, (Math.sqrt(3) * depth) ** 3 / 6, 1e-12, 'volume');
    near(got.area, (9 * depth * depth) / Math.sqrt(12), 1e-12, 'area');
    near(got.centroid[2], -depth / 4, 1e-12, 'centroid');
    // second moment along the height of a tetrahedron: 3/80 V h²
    near(got.second[2], (3 / 80) * got.volume * depth * depth, 1e-11, 'moment');
    near(-got.gap, depth, 1e-12, 'depth');
  }
});

test('one inside the other: the whole of it, no vector area, in either order', () => {
  const random = new Random(3);
  const large = box(4, 4, 4);
  for (let n = 0; n < 200; n++) {
    const small = ball(4 + (n % 30), 0.7, random);
    const hull = convexHull(
      Array.from({ length: small.corners.length / 3 }, (_, v) => [
        small.corners[3 * v],
        small.corners[3 * v + 1],
        small.corners[3 * v + 2],
      ]),
    );
    const moved = Float64Array.from(hull.points.flat());
    const form = column(new Polyhedron(hull.faces), ...moved);
    const center = spread(random, 0.5);
    const at = placed([0, 0, 0], center);
    for (const got of [
      overlapOf(small, large, at, HERE),
      overlapOf(large, small, HERE, at),
      overlapOf(small, halfSpace(), placed([0, 0, 0], [center[0], center[1], -2]), HERE),
    ]) {
      near(got.volume, form.volume, 1e-13, 'volume');
      assert.ok(got.vectorArea.every((value) => value === 0));
      assert.equal(got.area, 0);
      const largest = Math.max(...form.second);
      got.second.forEach((s, k) => assert.ok(Math.abs(s - form.second[k]) < 1e-13 * largest));
    }
  }
});

test('apart: the gap is the distance near touch, and a bound of it far away', () => {
  const unit = box(1, 1, 1);
  for (const gap of [1e-9, 1e-3, 0.1, 1, 10]) {
    const over = placed([0, 0, 0.3], [0.2, 0.1, 1 + gap]);
    for (const got of [overlapOf(unit, unit, over, HERE), overlapOf(unit, unit, HERE, over)]) {
      assert.equal(got.volume, 0);
      assert.ok(got.gap <= gap + 1e-12, `${got.gap} is no more than ${gap}`);
      if (gap < 0.1) assert.ok(Math.abs(got.gap - gap) < 1e-12, `${got.gap} is ${gap}`);
      else assert.ok(got.gap > 0.3 * gap - 0.1, `${got.gap} grows with ${gap}`);
    }
    const high = placed([0, 0, 0.3], [3, 4, 0.5 + gap]);
    assert.ok(Math.abs(overlapOf(unit, halfSpace(), high, HERE).gap - gap) < 1e-12);
  }
  // crossed edges: no face separates them
  const edgeUp = placed([Math.PI / 4, 0, 0], [0, 0, 0]);
  const edgeDown = placed([0, Math.PI / 4, 0], [0, 0, Math.SQRT2 + 1e-3]);
  assert.ok(Math.abs(overlapOf(unit, unit, edgeDown, edgeUp).gap - 1e-3) < 1e-12);
});

test('the gap is continuous through touch and away', () => {
  const random = new Random(8);
  const step = 1e-3;
  for (let n = 0; n < 60; n++) {
    const a = n % 2 === 0 ? box(1, 1, 1) : ball(12, 0.8, random);
    const b = ball(9, 0.8, random);
    const turn = spread(random, 3);
    const kernel = new ClipKernel(a, b);
    const at = (x: number): Overlap => overlap(kernel, placed(turn, [x, 0.1, -0.2]), HERE);
    let previous = at(0.9);
    for (let x = 0.9 + step; x < 3; x += step) {
      const here = at(x);
      if (previous.gap > 0) {
        // a distance changes by no more than the step; the blend adds the change of its weight, at most 10 times that
        assert.ok(Math.abs(here.gap - previous.gap) < 11 * step);
      }
      previous = here;
    }
  }
});

test('a polytope has the faces of its shape: coplanar triangles of a hull are one', () => {
  const cube = polytope({
    kind: 'mesh',
    vertices: [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) => [-1, 0.3, 1].map((z): [number, number, number] => [x, y, z])),
    ),
  });
  assert.equal(cube.planes.length / 4, 6);
  for (let f = 0; f < 6; f++) assert.ok(Math.abs(cube.planes[4 * f + 3] - 1) < 1e-15);
  const prism = polytope({
    kind: 'mesh',
    vertices: Array.from({ length: 24 }, (_, k): [number, number, number] => [
      Math.cos((Math.PI * k) / 6),
      Math.sin((Math.PI * k) / 6),
      k < 12 ? 0 : 1,
    ]),
  });
  assert.deepEqual(
    [prism.corners.length / 3, prism.edges.length / 4, prism.planes.length / 4],
    [24, 36, 14],
  );
  // Euler, and every face closes
  for (const shape of [cube, prism, box(1, 2, 3), ball(50, 1, new Random(2))]) {
    const edges = shape.edges.length / 4;
    assert.equal(shape.corners.length / 3 - edges + shape.planes.length / 4, 2);
    assert.equal(shape.loops.length, 2 * edges);
    assert.equal(shape.loopStart.length, shape.planes.length / 4 + 1);
  }
});

test('only shapes with flat faces are polytopes', () => {
  assert.equal(makePolytope({ kind: 'sphere', radius: 1 }), null);
  assert.equal(makePolytope({ kind: 'cylinder', radius: 1, length: 1 }), null);
  const flat = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
  ] as const;
  assert.equal(makePolytope({ kind: 'mesh', vertices: flat }), null);
  assert.throws(() => new ClipKernel(halfSpace(), halfSpace()), { code: 'BERTH_PARAMETER_RANGE' });
});
