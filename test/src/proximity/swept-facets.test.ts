/** Moving facets: first touch and swept distance against closed forms, samples and each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { BodyPath } from '../../../src/proximity/body-path.ts';
import {
  SweptFacets,
  TOUCH_GAP,
  TOUCH_NORMAL,
  TOUCH_PART,
  TOUCH_POINT,
} from '../../../src/proximity/swept-facets.ts';
import { boxSurface } from '../../../src/shapes/faceted-shapes.ts';
import type { FacetedSurface } from '../../../src/shapes/facets.ts';
import { poseOf, treeOf } from '../../../server/validation/faceted-bodies.ts';
import type { Point } from '../../../server/validation/plain-triangles.ts';
import { randomMotion, TOUCH_TOLERANCE } from '../../fixtures/swept-motions.ts';

const ONE = Float64Array.of(1);
const cell = (value: number): Float64Array => Float64Array.of(value);

/** A path from a place along a travel, with a turn, rad. */
function send(path: BodyPath, from: Point, travel: Point, turn: Point = [0, 0, 0]): void {
  const { state, rotation } = poseOf(from);
  path.follow(Float64Array.of(...state, ...travel, ...turn), rotation, ONE);
}

function scene(a: FacetedSurface, b: FacetedSurface): SweptFacets {
  return new SweptFacets(treeOf(a), treeOf(b));
}

const near = (got: number, want: number, tolerance: number, what: string): void => {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want}`);
};

test('a cube that flies 10 m in the step through a plate of 1 mm touches it at the closed-form time, and a miss is none', () => {
  const moving = scene(boxSurface([0.02, 0.02, 0.02]), boxSurface([1, 1, 1e-3]));
  send(moving.pathB, [0, 0, 0], [0, 0, 0]);
  for (const [slide, lift] of [
    [0, 4],
    [3, 4.5],
  ]) {
    send(moving.pathA, [-slide * 0.4495, 0, lift], [slide, 0, -10]);
    assert.ok(moving.findTouch(cell(0)));
    near(moving.touch[TOUCH_PART], (lift - 0.0105) / 10, 1e-9, 'part');
    near(moving.touch[TOUCH_NORMAL + 2], 1, 1e-12, 'normal');
    near(moving.touch[TOUCH_POINT + 2], 5e-4, 1e-8, 'height');
  }
  send(moving.pathA, [0.52, 0, 4], [0, 0, -10]);
  assert.equal(moving.findTouch(cell(0)), false);
  moving.measureSwept();
  near(moving.swept[0], 0.01, 1e-12, 'swept distance beside the plate');
});

test('a triangle jumps over a plate: nothing at both ends, 0 between them, and the swept distance beside it is exact', () => {
  const triangle = {
    vertices: [-6e-3, -5e-3, 0, -6e-3, 5e-3, 0, -4e-3, 0, 8e-3],
    polygons: [[0, 1, 2]],
  };
  for (const [aside, distance] of [
    [0, 0],
    [0.03, 5e-3],
  ]) {
    const moving = scene(triangle, boxSurface([1e-3, 0.04, 0.04]));
    send(moving.pathA, [0, 0, 0], [0.01, 0, 0]);
    send(moving.pathB, [0, aside, 0], [0, 0, 0]);
    moving.measureSwept();
    near(moving.swept[0], distance, 1e-15, 'swept');
    assert.equal(moving.findTouch(cell(2e-3)), distance === 0);
  }
});

test('a rod turns past a pin: the angle at touch is that of plane geometry, the bound of the whole is below the distance', () => {
  const rod = boxSurface([0.2, 4e-3, 4e-3]);
  const moved = { ...rod, vertices: rod.vertices.map((x, k) => (k % 3 === 0 ? x + 0.1 : x)) };
  const moving = scene(moved, boxSurface([4e-3, 4e-3, 4e-3]));
  const at = 0.15 * Math.SQRT1_2;
  send(moving.pathA, [0, 0, 0], [0, 0, 0], [0, 0, Math.PI / 2]);
  send(moving.pathB, [at, at, 0], [0, 0, 0]);
  assert.ok(moving.findTouch(cell(1e-3)));
  // the corner (at + 2 mm, at − 2 mm) of the pin is 2 + 1 mm from the axis of the rod
  const [x, y] = [at + 2e-3, at - 2e-3];
  const angle = Math.atan2(y, x) - Math.asin(3e-3 / Math.hypot(x, y));
  near((moving.touch[TOUCH_PART] * Math.PI) / 2, angle, 1e-7, 'angle');
  assert.ok(moving.queries < 30, `${moving.queries} queries`);
  moving.measureSwept();
  assert.ok(moving.swept[0] <= 0);
  assert.ok(Number.isNaN(moving.swept[1]));
});

test('a screw has the poses of both ends and its axis; a line is straight', () => {
  const from = poseOf([1, 0, 0]);
  const to = poseOf([0, 1, 0.5], [0, 0, Math.PI / 2]);
  const path = new BodyPath();
  for (const screw of [true, false]) {
    path.join(from.state, from.rotation, to.state, screw);
    path.place(ONE);
    for (let a = 0; a < 3; a++) near(path.state[a], to.state[a], 1e-15, `place ${a}`);
    for (let a = 0; a < 9; a++) near(path.rotation[a], to.rotation[a], 1e-15, `rotation ${a}`);
    path.place(cell(0.5));
    // about the z axis through the origin: the origin of the body stays 1 m from it
    near(Math.hypot(path.state[0], path.state[1]), screw ? 1 : Math.SQRT1_2, 1e-15, 'radius');
    near(path.state[2], 0.25, 1e-15, 'height');
  }
});

test('bodies that move together do not meet, and a pair within the standoff touches at once', () => {
  const moving = scene(boxSurface([0.1, 0.1, 0.1]), boxSurface([0.1, 0.1, 0.1]));
  send(moving.pathA, [0, 0, 0.102], [30, 0, 0]);
  send(moving.pathB, [0, 0, 0], [30, 0, 0]);
  assert.equal(moving.findTouch(cell(1e-3)), false);
  assert.ok(moving.queries <= 2);
  assert.ok(moving.findTouch(cell(3e-3)));
  assert.equal(moving.touch[TOUCH_PART], 0);
  near(moving.touch[TOUCH_GAP], -1e-3, 1e-15, 'gap');
});

test('random motions: no crossing unseen, and a touch told is one (10⁴ of them in the long test)', () => {
  const random = new Random(331);
  let touched = 0;
  for (let n = 0; n < 60; n++) {
    const { touches, least, before, there } = randomMotion(random, 40, n % 3 > 0);
    assert.ok(touches || least > -TOUCH_TOLERANCE, `motion ${n}: unseen, ${least} m`);
    assert.ok(before > -TOUCH_TOLERANCE, `motion ${n}: too late, ${before} m`);
    if (touches) assert.ok(there <= TOUCH_TOLERANCE, `motion ${n}: ${there} m at the touch`);
    touched += touches ? 1 : 0;
  }
  assert.ok(touched > 10 && touched < 50, `${touched} touches`);
});
