/** Sliding contact of two surfaces: the row against differences, a cam against its law, a ball in a bowl, what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeConstraint } from '../../../src/constraints/make-constraint.ts';
import { advanceQuaternion } from '../../../src/math/quaternion.ts';
import type { SlidingModel, SystemModel, Triple } from '../../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';
import { CONSTRAINT_READOUT, makeSystem, type System } from '../../../src/system/system.ts';
import { camForce, camLaw } from '../../../server/validation/cam-law.ts';
import { ballInBowl, BOWL, camFollower } from '../../../server/validation/cam-models.ts';
import { attitude, draws } from '../../../server/validation/constraint-motion.ts';
import { body, system } from '../../fixtures/models.ts';

const row = new Float64Array(CONSTRAINT_READOUT.length);
const state = new Float64Array(13);
const energy = new Float64Array(7);
const UNIT_TIME = Float64Array.of(1);

/** A torus from outside on another one: four different curvatures, turned against each other. */
const TORI: SlidingModel = {
  kind: 'sliding',
  name: 'tori',
  first: {
    body: 'a',
    surface: { shape: { kind: 'torus', majorRadius: 0.3, minorRadius: 0.1 } },
  },
  second: {
    body: 'b',
    surface: {
      shape: { kind: 'torus', majorRadius: 0.5, minorRadius: 0.2 },
      orientation: [0.6, 0, 0, 0.8],
    },
  },
  start: [0.3, 0.2, 0.1, 0.4],
};

test('J v and J a − Q of two tori against differences of their gap, at a gap of 0', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const draw = draws(seed);
    const turn = attitude(draw);
    const bodies = [turn, turn].map((orientation, k) => {
      const [x, y, z, w] = orientation;
      // the first stands on the x axis of both, which the common attitude turns
      const far = k === 0 ? 1.15 : 0;
      const place: Triple = [
        far * (1 - 2 * (y * y + z * z)),
        far * 2 * (x * y + z * w),
        far * 2 * (x * z - y * w),
      ];
      // half a turn about z shows the second the outside of the first
      const own: typeof orientation = k === 0 ? [y, -x, w, -z] : orientation;
      return new RigidBody(
        body('', 'dynamic', { position: place, orientation: own }),
        new Float64Array(BODY_STATE),
        new Float64Array(BODY_STATE),
      );
    });
    const parameters = new Float64Array(4);
    const model: SlidingModel = { ...TORI, start: [0, 0, 0, 0] };
    const sliding = makeConstraint(model, bodies[0], bodies[1], new Float64Array(1), parameters);
    const gap = new Float64Array(1);
    const jacobian = new Float64Array(12);
    const drift = new Float64Array(1);
    const curvature = new Float64Array(1);
    sliding.writeGaps(gap, 0);
    sliding.writeRows(jacobian, drift, 0);
    for (let a = 0; a < 3; a++) bodies[0].state[a] -= gap[0] * jacobian[a];
    sliding.writeGaps(gap, 0);
    assert.ok(Math.abs(gap[0]) < 1e-15, `${gap[0]}`);
    // velocities on the row: the tangential ones are free
    const velocity = draw(12);
    const acceleration = draw(12);
    sliding.writeRows(jacobian, drift, 0);
    const along = velocity.reduce((sum, v, a) => sum + v * jacobian[a], 0);
    for (let a = 0; a < 3; a++) velocity[a] -= along * jacobian[a];
    const starts = bodies.map((one) => one.state.slice());
    const gapAt = (t: number): number => {
      bodies.forEach((one, b) => {
        const at = (a: number): number =>
          t * velocity[6 * b + a] + 0.5 * t * t * acceleration[6 * b + a];
        for (let a = 0; a < 3; a++) one.state[a] = starts[b][a] + at(a);
        const way = Float64Array.of(at(3), at(4), at(5));
        advanceQuaternion(one.state, 3, starts[b], 3, way, 0, UNIT_TIME);
        one.refresh();
      });
      sliding.writeGaps(gap, 0);
      return gap[0];
    };
    const h = 1e-3; // h⁴ c⁽⁶⁾/90 ≈ 1e-9 with derivatives of curvatures of 10 1/m; rounding 1e-16/h²
    const [p, q, r, s, t] = [-2, -1, 0, 1, 2].map((k) => gapAt(k * h));
    gapAt(0);
    bodies.forEach((one, b) => {
      one.state.set(velocity.slice(6 * b, 6 * b + 6), 7);
    });
    sliding.writeCurvature(curvature, 0);
    const first = (p - 8 * q + 8 * s - t) / (12 * h);
    const second = (-p - t + 16 * (q + s) - 30 * r) / (12 * h * h);
    const expected = acceleration.reduce((sum, v, a) => sum + v * jacobian[a], -curvature[0]);
    assert.ok(Math.abs(first) < 1e-8, `${first}`);
    assert.ok(Math.abs(second - expected) < 1e-5, `${second} ${expected}`);
  }
});

test('sphere over sphere in closed form: Q = −v²/(R1 + R2), whichever is first (E1, T7, T15)', () => {
  for (const swapped of [false, true]) {
    const [still, moving] = [0, 0.042].map(
      (height) =>
        new RigidBody(
          body('', 'dynamic', { position: [0, height, 0], velocity: [height === 0 ? 0 : 1, 0, 0] }),
          new Float64Array(BODY_STATE),
          new Float64Array(BODY_STATE),
        ),
    );
    const large = { body: 'still', surface: { shape: { kind: 'sphere', radius: 0.03 } } } as const;
    const small = {
      body: 'moving',
      surface: { shape: { kind: 'sphere', radius: 0.012 } },
    } as const;
    const up = [Math.PI / 2, 0] as const;
    const down = [-Math.PI / 2, 0] as const;
    const model: SlidingModel = swapped
      ? { ...TORI, first: small, second: large, start: [...down, ...up] }
      : { ...TORI, first: large, second: small, start: [...up, ...down] };
    const sliding = makeConstraint(
      model,
      swapped ? moving : still,
      swapped ? still : moving,
      new Float64Array(1),
      new Float64Array(4),
    );
    const curvature = new Float64Array(1);
    sliding.writeCurvature(curvature, 0);
    assert.ok(Math.abs(curvature[0] + 1 / 0.042) < 1e-12, `${curvature[0]}`);
  }
});

test('force of a driven cam at seven angles within 0.06 N of the law, with its junction at 0 (T12)', () => {
  const made = makeSystem(camFollower(true, { integrator: 'rk4', step: 1 / 1200 }));
  const forceAt = (): number => {
    made.readConstraint(2, row, 0);
    return Math.hypot(row[0], row[1], row[2]);
  };
  // da of 0.1152 m/s² at the junctions, 0.5 kg
  assert.ok(Math.abs(forceAt() - 44.963) < 1e-3, `${forceAt()}`);
  const law = new Map([
    [30, 55.951],
    [60, 66.231],
    [90, 74.526],
    [135, 84.905],
    [210, 66.231],
    [300, 44.905],
  ]);
  for (let k = 1; k <= 200; k++) {
    assert.equal(made.step(1 / 1200), 0);
    const printed = law.get(1.5 * k);
    if (printed === undefined) continue;
    const closed = camForce((1.5 * k * Math.PI) / 180);
    assert.ok(Math.abs(closed - printed) < 6e-4);
    assert.ok(Math.abs(forceAt() - closed) < 1e-3, `${1.5 * k}°: ${forceAt()} ${closed}`);
  }
});

/** Angle of the cam after 0.4 s, largest balance over 4.93 J, largest distance of the follower from the law of that angle. */
function freeRun(parts: Partial<SystemModel> & { step: number }): readonly number[] {
  const made = makeSystem(camFollower(false, parts));
  let angle = 0;
  let balance = 0;
  let off = 0;
  for (let k = Math.round(0.4 / parts.step); k > 0; k--) {
    assert.equal(made.step(parts.step), 0);
    made.readBody(0, state, 0);
    const turn = 2 * Math.atan2(state[5], state[6]);
    angle = turn + 2 * Math.PI * Math.round((angle - turn) / (2 * Math.PI));
    made.readBody(1, state, 0);
    off = Math.max(off, Math.abs(state[1] - 0.042 - camLaw(angle)[0]));
    made.readEnergy(energy, 0);
    balance = Math.max(balance, Math.abs(energy[6]) / 4.93);
  }
  return [angle, balance, off];
}

test('free run of the cam: angle after 0.4 s, energy and height, by rk4 and by RATTLE (T11, T20)', () => {
  const [exact, , height] = freeRun({ integrator: 'rk4', step: 1e-3 });
  assert.ok(Math.abs(exact - 12.2025368) < 6e-8, `${exact}`);
  assert.ok(height < 6e-9, `${height}`);
  const [coarse, loss] = freeRun({ integrator: 'rk4', step: 2e-3 });
  assert.ok(Math.abs(coarse - 12.2025335) < 2e-7 && loss < 1.6e-6, `${coarse} ${loss}`);
  const [angle, bound, above] = freeRun({ step: 1e-3 });
  assert.ok(Math.abs(angle - 12.2025418) < 1e-7, `${angle}`);
  assert.ok(bound < 1.6e-5 && above < 6e-9, `${bound} ${above}`);
  const [fine, half] = freeRun({ step: 5e-4 });
  assert.ok(Math.abs(fine - 12.2025381) < 1e-7 && half < 4e-6, `${fine} ${half}`);
});

test('a ball that goes round in a bowl is a conical pendulum: force, way and height (T22)', () => {
  const step = 1e-3;
  const made: System = makeSystem(ballInBowl({ integrator: 'rk4', step }));
  const length = BOWL.radius - BOWL.ball;
  const rate = Math.sqrt(9.81 / (length * Math.cos(BOWL.tilt)));
  assert.ok(Math.abs((2 * Math.PI) / rate - 1.180703) < 5e-7);
  for (let k = 0; k < 1000; k++) made.step(step);
  made.readConstraint(0, row, 0);
  assert.ok(Math.abs(Math.hypot(row[0], row[1], row[2]) - 9.81 / Math.cos(BOWL.tilt)) < 1e-8);
  made.readBody(0, state, 0);
  const angle = Math.atan2(state[1], state[0]) + 2 * Math.PI;
  // 1e-6 of the period is 5e-6 rad in a second
  assert.ok(Math.abs(angle - rate) < 1e-8, `${angle} ${rate}`);
  assert.ok(Math.abs(state[2] + length * Math.cos(BOWL.tilt)) < 1e-11, `${state[2]}`);
});

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

test('line contact, surface contact, crossing surfaces and no common normal are refused by name (T14)', () => {
  const refused = (
    first: SlidingModel['first'],
    second: SlidingModel['second'],
    start: SlidingModel['start'],
    message: RegExp,
  ): void => {
    assert.throws(
      () =>
        makeSystem(
          system({
            bodies: [body('a', 'dynamic', { position: [0.3, 0, 0] }), body('b', 'dynamic')],
            constraints: [{ kind: 'sliding', name: 'touch', first, second, start }],
          }),
        ),
      message,
    );
  };
  const cylinder = (name: string, radius: number, sign: 1 | -1 = 1): SlidingModel['first'] => ({
    body: name,
    surface: { shape: { kind: 'cylinder', radius }, sign },
  });
  const sphere = (name: string, radius: number, sign: 1 | -1 = 1): SlidingModel['first'] => ({
    body: name,
    surface: { shape: { kind: 'sphere', radius }, sign },
  });
  // a ball larger than its bowl touches where it crosses it: radii 0.5 in 0.2, centres 0.3 apart
  refused(
    sphere('a', 0.5),
    sphere('b', 0.2, -1),
    [Math.PI, 0, Math.PI, 0],
    /touch to touch in a point, got surfaces that cross/,
  );
  refused(
    sphere('a', 0.1),
    sphere('b', 0.2),
    [0, 0, 0, 0],
    /touch to start where its surfaces have a common normal/,
  );
  refused(
    cylinder('a', 0.1),
    cylinder('b', 0.2),
    [Math.PI, 0, 0, 0],
    /touch to touch in a point, got line contact along \(0, 0, 1\): the sums/,
  );
  // both turned so that their axes lie along y
  const lying = (name: string, radius: number): SlidingModel['first'] => ({
    body: name,
    surface: {
      shape: { kind: 'cylinder', radius },
      orientation: [0.5, 0.5, -0.5, 0.5], // z to −y
    },
  });
  refused(
    lying('a', 0.1),
    lying('b', 0.2),
    [Math.PI / 2, 0, -Math.PI / 2, 0],
    /got line contact along \(0, 1, 0\): the sums/,
  );
});
