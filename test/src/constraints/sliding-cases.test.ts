/** Sliding contact: the lift of cams of 100, 200 and 400 points, other parameters of the same surfaces, a ball that rolls, a point that is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import type { SlidingModel, SurfaceSpec } from '../../../src/index.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { CONSTRAINT_READOUT, makeSystem } from '../../../src/system/system.ts';
import { CAM, camLaw } from '../../../server/validation/cam-law.ts';
import { ballInBowl, camFollower, camSurface } from '../../../server/validation/cam-models.ts';
import { draws } from '../../../server/validation/constraint-motion.ts';
import { body } from '../../fixtures/models.ts';
import { torusPatch } from '../../../server/validation/surface-samples.ts';

const row = new Float64Array(CONSTRAINT_READOUT.length);
const state = new Float64Array(13);

/** Largest errors of way, speed and acceleration of the follower of the driven cam each 0.1° from the beginning of the rise: m, m/s, m/s². */
function liftErrors(count: number): readonly number[] {
  const step = 1 / 18000;
  const made = makeSystem(camFollower(true, { integrator: 'rk4', step }, count));
  const largest = [0, 0, 0];
  for (let k = 0; k <= 100; k++) {
    const [s, s1, s2] = camLaw((k * Math.PI) / 1800);
    made.readBody(1, state, 0);
    made.readConstraint(2, row, 0);
    const way = state[1] - 0.042;
    const push = row[1] - CAM.preload - CAM.stiffness * way;
    const errors = [way - s, state[8] - s1 * CAM.rate, push / CAM.mass - 9.81 - s2 * CAM.rate ** 2];
    errors.forEach((error, a) => {
      largest[a] = Math.max(largest[a], Math.abs(error));
    });
    if (k < 100) assert.equal(made.step(step), 0);
  }
  return largest;
}

test('way, speed and acceleration of the follower of a cam of 200 points, and how they fall with 100, 200 and 400 (T9, T10)', () => {
  const [coarse, middle, fine] = [100, 200, 400].map(liftErrors);
  const [ds, dv, da] = middle;
  assert.ok(ds < 6e-9 && dv < 2e-5 && da < 0.13, middle.join());
  // the acceleration has corners at the junctions of the law: of second, third and first order of what is left
  for (const [a, ratio, spread] of [
    [0, 8, 1.5],
    [1, 4, 0.7],
    [2, 2.2, 0.4],
  ]) {
    assert.ok(Math.abs(coarse[a] / middle[a] - ratio) < spread, `${a}: ${coarse[a] / middle[a]}`);
    assert.ok(Math.abs(middle[a] / fine[a] - ratio) < spread, `${a}: ${middle[a] / fine[a]}`);
  }
});

/** Gap, J and Q of a sliding contact of two bodies at the places and velocities. */
function rowOf(
  first: SurfaceSpec,
  second: SurfaceSpec,
  start: SlidingModel['start'],
  motions: readonly (readonly number[])[],
): readonly number[] {
  const bodies = motions.map((motion) => {
    const made = new RigidBody(
      body('', 'dynamic'),
      new Float64Array(BODY_STATE),
      new Float64Array(BODY_STATE),
    );
    made.state.set(motion);
    made.refresh();
    return made;
  });
  const model: SlidingModel = {
    kind: 'sliding',
    name: 'touch',
    first: { body: 'a', surface: first },
    second: { body: 'b', surface: second },
    start,
  };
  const made = makeConstraint(
    model,
    bodies[0],
    bodies[1],
    new Float64Array(1),
    new Float64Array(4),
  );
  const gap = new Float64Array(1);
  const jacobian = new Float64Array(12);
  const curvature = new Float64Array(1);
  made.writeGaps(gap, 0);
  made.writeRows(jacobian, new Float64Array(1), 0);
  made.writeCurvature(curvature, 0);
  return [...gap, ...jacobian, ...curvature];
}

test('a ball that rolls, slips and spins on a plane has Q = 0, whichever is first (E2)', () => {
  const plane: SurfaceSpec = { shape: { kind: 'plane' } };
  const ball: SurfaceSpec = {
    shape: { kind: 'sphere', radius: 0.2 },
    orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], // u = v = 0 is below
  };
  const still = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  for (const spin of [
    [0, 5, 0],
    [3, -2, 7],
  ]) {
    for (const speed of [
      [1, 0],
      [-0.4, 2],
    ]) {
      const moving = [0.1, 0.2, 0.2, 0, 0, 0, 1, ...speed, 0, ...spin];
      const one = rowOf(ball, plane, [0, 0, 0.1, 0.2], [moving, still]);
      const other = rowOf(plane, ball, [0.1, 0.2, 0, 0], [still, moving]);
      for (const values of [one, other]) {
        assert.ok(Math.abs(values[0]) < 1e-15 && Math.abs(values[13]) < 1e-12, values.join());
      }
    }
  }
});

test('other parameters of the same two surfaces change nothing of the row (T16)', () => {
  // outside of two tori: the closed form, and rational patches with parameters of their own
  const draw = draws(16);
  const a = [1.1, 0, 0, 0, 0, 1, 0, ...draw(6)];
  const b = [0, 0, 0, 0, 0, 0, 1, ...draw(6)];
  const closed = (majorRadius: number, minorRadius: number): SurfaceSpec => ({
    shape: { kind: 'torus', majorRadius, minorRadius },
  });
  const exact = rowOf(closed(0.3, 0.1), closed(0.5, 0.2), [0, 0, 0, 0], [a, b]);
  for (const half of [0.7, 1.2]) {
    const patches = [torusPatch(0.3, 0.1, half), torusPatch(0.5, 0.2, half)].map(
      (shape): SurfaceSpec => ({ shape }),
    );
    const values = rowOf(patches[0], patches[1], [0.5, 0.5, 0.5, 0.5], [a, b]);
    values.forEach((value, k) => {
      assert.ok(Math.abs(value - exact[k]) < 1e-10, `${k}: ${value} ${exact[k]}`);
    });
  }
  // knots three times as far apart from another origin
  const shape = camSurface(100);
  const knots = shape.knotsU.map((knot) => 3 * knot - 7);
  const end = (values: readonly number[], at: number): Float64Array => {
    const model = camFollower(false, { integrator: 'rk4' }, 100);
    const constraints = (model.constraints ?? []).map((one) =>
      one.kind === 'sliding'
        ? ({
            ...one,
            second: { ...one.second, surface: { shape: { ...shape, knotsU: values }, sign: -1 } },
            start: [-Math.PI / 2, 0, at, 0.5],
          } as const)
        : one,
    );
    const made = makeSystem({ ...model, constraints });
    for (let k = 0; k < 30; k++) made.step(1e-3);
    made.readBody(0, state, 0);
    return state.slice();
  };
  const [one, other] = [end(shape.knotsU, 5), end(knots, 8)];
  one.forEach((value, k) => assert.ok(Math.abs(value - other[k]) < 1e-10, `${k}`));
});

test('flat faces and equal spheres are refused as surface contact (T14)', () => {
  const plane: SurfaceSpec = { shape: { kind: 'plane' } };
  const up = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  const over = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  assert.throws(() => rowOf(plane, plane, [0, 0, 0, 0], [over, up]), /got surface contact/);
  const sphere = (sign: 1 | -1): SurfaceSpec => ({ shape: { kind: 'sphere', radius: 0.3 }, sign });
  assert.throws(() => rowOf(sphere(1), sphere(-1), [0, 0, 0, 0], [up, up]), /got surface contact/);
});

test('a ball that leaves the border of its bowl fails the step by name, in every method, and a state that is no number does not', () => {
  for (const integrator of ['implicit-contact', 'rk4', 'dormand-prince'] as const) {
    const model = ballInBowl({ integrator });
    const constraints = (model.constraints ?? []).map((one) =>
      one.kind === 'sliding'
        ? {
            ...one,
            // 20° of its way around
            second: {
              ...one.second,
              surface: { ...one.second.surface, trim: { u: [-0.1, 0.35] as const } },
            },
          }
        : one,
    );
    const made = makeSystem({ ...model, constraints });
    let steps = 0;
    assert.equal(made.lostConstraint, -1);
    while (made.step(1e-3) === 0 && steps < 200) steps++;
    // 0.35 rad at 5.3216 rad/s: 65.8 ms
    assert.ok(steps === 65 || steps === 66, `${steps} steps by ${integrator}`);
    assert.equal(made.lostConstraint, 0);
    assert.ok(made.state.every(Number.isFinite));
    const other = makeSystem(model);
    other.setExternalWrench(0, Float64Array.of(NaN, 0, 0, 0, 0, 0), 0);
    assert.equal(other.step(1e-3), 1);
    assert.equal(other.lostConstraint, -1, integrator);
  }
});

test('velocities that constraints do not allow are named with what they are changed by', () => {
  const model = camFollower(true);
  assert.deepEqual(makeSystem(model).startChanges, []);
  const [cam, follower] = model.bodies;
  const changed = makeSystem({
    ...model,
    bodies: [cam, { ...follower, velocity: [0.3, 0.4, 0], angularVelocity: [0, 0, 2] }],
  }).startChanges;
  assert.equal(changed.length, 1);
  assert.equal(changed[0].name, 'follower');
  // guide and cam hold all of it
  assert.ok(Math.abs(changed[0].linear - 0.5) < 1e-6 && Math.abs(changed[0].angular - 2) < 1e-12);
});
