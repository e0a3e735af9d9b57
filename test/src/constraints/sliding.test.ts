/** Sliding contacts in a system: restored states, a point that is lost, starts that do not fit. Rows and motion: `berth validate sliding-contact`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ballInBowl, camFollower } from '../../../server/validation/cam-models.ts';
import { makeSystem } from '../../../src/system/system.ts';

test('a restored run of the cam goes on bit by bit, parameters of the surfaces included', () => {
  for (const integrator of ['rk4', 'implicit-contact'] as const) {
    const made = makeSystem(camFollower(false, { integrator }));
    for (let k = 0; k < 10; k++) made.step(1e-3);
    const kept = made.state.slice();
    for (let k = 0; k < 10; k++) made.step(1e-3);
    const hash = made.hash();
    made.restore(kept);
    for (let k = 0; k < 10; k++) made.step(1e-3);
    assert.equal(made.hash(), hash);
  }
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
