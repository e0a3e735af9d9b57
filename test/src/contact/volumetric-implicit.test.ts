/**
 * The implicit step of the volumetric bristle and of the foundation's rolling resistance, on a body that slides, spins and rolls under
 * a constant load: it converges to the explicit evaluation, and stays dissipative where that is unstable.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  INERTIA,
  KINEMATICS,
  LOAD,
  MOBILITY,
  NORMAL,
  RESISTANCE,
  SLIP,
  SPIN,
  STEP,
  VOLUME,
} from '../../../src/contact/pair.ts';
import { VolumetricRolling } from '../../../src/contact/rolling/volumetric.ts';
import type { VolumetricBristleModel } from '../../../src/model/volumetric-spec.ts';
import { FRICTION, frictionLaw, kinematicsOf } from '../../fixtures/volumetric-laws.ts';

const RADIUS = 0.0128;
const LOAD_N = 9.81;
/** kg, and kg m² about the normal. */
const MASS = 1;
const TURNING = 4e-3 * RADIUS;

function below(value: number, limit: number, what: string): void {
  assert.ok(value <= limit, `${what}: ${value} is not below ${limit}`);
}

interface Run {
  readonly v: [number, number];
  w: number;
  readonly states: Float64Array;
  force: number;
  energyRise: number;
}

/** Marches (v, w, z, theta, s_dw) from a start with the load and a constant push (N, N, N m). */
function march(
  model: VolumetricBristleModel,
  start: readonly [number, number, number],
  push: readonly [number, number, number],
  duration: number,
  h: number,
  implicit: boolean,
  bent: readonly number[] = [],
): Run {
  const law = frictionLaw(model);
  law.begin();
  law.states.set(bent);
  const k = kinematicsOf([start[0], start[1]], start[2], RADIUS);
  const mobility = new Float64Array(MOBILITY);
  mobility[0] = 1 / MASS;
  mobility[2] = 1 / MASS;
  mobility[STEP] = h;
  mobility[LOAD] = LOAD_N;
  const inertia = Float64Array.of(50, 3, 2, 3, 60, 1, 2, 1, 1 / TURNING);
  const basis = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const timing = Float64Array.of(h);
  let energyRise = 0;
  const energy = (): number => {
    const x = law.states;
    const kinetic = MASS * (k[SLIP] ** 2 + k[SLIP + 1] ** 2) + TURNING * k[SPIN + 2] ** 2;
    const bend = x[0] ** 2 + x[1] ** 2 + (RADIUS * x[3]) ** 2;
    return 0.5 * kinetic + 0.5 * LOAD_N * model.bristleStiffness * bend;
  };
  for (let n = 0; n < Math.round(duration / h); n++) {
    const before = energy();
    if (implicit) {
      law.prepare(k, timing);
      k[SLIP] += (h * push[0]) / MASS;
      k[SLIP + 1] += (h * push[1]) / MASS;
      k[SPIN + 2] += (h * push[2]) / TURNING;
      law.solve(k, basis, mobility);
      law.solveSpin(k, inertia, mobility);
    } else {
      law.evaluate(k, mobility);
      k[SLIP] += (h * push[0]) / MASS;
      k[SLIP + 1] += (h * push[1]) / MASS;
      k[SPIN + 2] += (h * push[2]) / TURNING;
    }
    k[SLIP] += (h * law.force[0]) / MASS;
    k[SLIP + 1] += (h * law.force[1]) / MASS;
    k[SPIN + 2] += (h * law.torque[2]) / TURNING;
    law.advance(timing);
    energyRise = Math.max(energyRise, energy() - before);
  }
  return {
    v: [k[SLIP], k[SLIP + 1]],
    w: k[SPIN + 2],
    states: law.states,
    force: Math.hypot(law.force[0], law.force[1]),
    energyRise,
  };
}

/** Distance of two runs, in the slip of the rim, m/s. */
function apart(a: Run, b: Run): number {
  return Math.hypot(a.v[0] - b.v[0], a.v[1] - b.v[1], RADIUS * (a.w - b.w));
}

test('the implicit step converges to the explicit evaluation with first order', () => {
  const cases = [
    // slides and spins down together; pulled out of rest; spins while pushed
    { start: [0.02, -0.01, 2], push: [0, 0, 0], duration: 0.02 },
    { start: [0, 0, 0], push: [1.2, 0, 0], duration: 0.02 },
    { start: [0, 0, 1], push: [0.2, 0.1, 1e-4], duration: 0.02 },
  ] as const;
  for (const { start, push, duration } of cases) {
    // sigma_1 f_n/m = 3100 1/s: an explicit step of 5e-7 s resolves it to 2e-3
    const reference = march(FRICTION, start, push, duration, 5e-7, false);
    const errors = [2e-4, 1e-4, 5e-5, 2.5e-5].map((h) =>
      apart(march(FRICTION, start, push, duration, h, true), reference),
    );
    const size = Math.max(1e-3, Math.hypot(...reference.v, RADIUS * reference.w));
    assert.ok(errors[0] < 0.05 * size, `${errors[0]} m/s of ${size}`);
    assert.ok(errors[3] < 0.01 * size, `${errors[3]} m/s of ${size}`);
    assert.ok(errors[3] < 0.35 * errors[0] + 2e-4 * size, `errors ${errors.join(', ')}`);
  }
});

test('against bodies that do not yield, a vanishing step gives force, moment and rates of the explicit evaluation, any state', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
      fc.double({ min: -6, max: -1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ([vx, vy, rim, zx, zy, zr], decade, dwell) => {
        const speed = 10 ** decade;
        const bend = 0.08 / 1e5;
        const model = { ...FRICTION, viscousDamping: 0.3 };
        const states = [zx * bend, zy * bend, 0, (zr * bend) / RADIUS, dwell];
        const k = kinematicsOf([vx * speed, vy * speed], (rim * speed) / RADIUS, RADIUS);
        const mobility = new Float64Array(MOBILITY);
        mobility[STEP] = 1e-9;
        mobility[LOAD] = 5;
        const slow = frictionLaw(model);
        slow.states.set(states);
        slow.evaluate(k, mobility);
        const quick = frictionLaw(model);
        quick.states.set(states);
        quick.prepare(k, Float64Array.of(1e-9));
        quick.solve(k, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), mobility);
        quick.solveSpin(k, new Float64Array(9), mobility);
        // what differs is of the order h σ0/σ1 = 3e-7 of the bristle's 0.08 load, and of the same part of its rate
        for (let a = 0; a < 3; a++) {
          below(Math.abs(quick.force[a] - slow.force[a]), 1e-6 * 5, 'force');
          below(Math.abs(quick.rates[a] - slow.rates[a]), 1e-6 * (1e-3 + speed), "z'");
        }
        below(Math.abs(quick.torque[2] - slow.torque[2]), 1e-6 * 5 * RADIUS, 'torque');
        below(Math.abs(quick.rates[3] - slow.rates[3]), (1e-6 * (1e-3 + speed)) / RADIUS, "theta'");
      },
    ),
    { numRuns: 500 },
  );
});

test('a bristle that sticks out of the tangent plane is laid into it', () => {
  const bent = [3e-7, -2e-7, 5e-7, 1e-5, 0.5];
  const flat = [3e-7, -2e-7, 0, 1e-5, 0.5];
  const k = kinematicsOf([2e-4, 1e-4], 0.02, RADIUS);
  const mobility = new Float64Array(MOBILITY);
  mobility[LOAD] = 2;
  const [one, other] = [bent, flat].map((states) => {
    const law = frictionLaw(FRICTION);
    law.states.set(states);
    law.evaluate(k, mobility);
    return law;
  });
  assert.deepEqual([...one.force], [...other.force]);
  one.prepare(k, Float64Array.of(1e-3));
  assert.deepEqual([...one.states], flat);
});

test('at 1 ms, where the explicit step is unstable, energy never rises without a push', () => {
  // The bristle at 1 ms: h f_n σ1 W = 3.1 for the slip and 3e4 s⁻¹ h for the spin, beyond 2. Bristles start bent within their limits.
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
      fc.double({ min: -5, max: -1, noNaN: true }),
      ([vx, vy, rim, zx, zy, zr], decade) => {
        const speed = 10 ** decade;
        const bend = (0.5 * 0.05) / 1e5;
        const run = march(
          FRICTION,
          [vx * speed, vy * speed, (rim * speed) / RADIUS],
          [0, 0, 0],
          0.2,
          1e-3,
          true,
          [zx * bend, zy * bend, 0, (zr * bend) / RADIUS, 0],
        );
        // rounding of the kinetic energy
        assert.ok(run.energyRise <= 1e-15 + 1e-14 * speed * speed, `rose by ${run.energyRise} J`);
      },
    ),
    { numRuns: 300 },
  );
});

test('at 1 ms pure sliding and pure spinning slow down at the Coulomb rate', () => {
  const slid = march(FRICTION, [0.2, 0, 0], [0, 0, 0], 0.1, 1e-3, true);
  // the first step starts from s = 0: the bristle damper gives mu_C at once. One correction of the direction factor leaves (h a/v)²
  // of the deceleration a, here (0.49/150)² = 1.1e-5 at the most, and 6e-4 for the faster spin
  assert.ok(Math.abs(slid.v[0] - (0.2 - 0.05 * LOAD_N * 0.1)) < 1.1e-5 * 0.05, `${slid.v[0]}`);
  const start = 0.2 / RADIUS;
  const slowing = (0.05 * RADIUS * LOAD_N) / TURNING;
  const spun = march(FRICTION, [0, 0, start], [0, 0, 0], 0.05, 1e-3, true);
  assert.ok(Math.abs(spun.w - (start - slowing * 0.05)) < 6e-4 * slowing * 0.05, `${spun.w}`);
});

test('at 1 ms a push below stiction holds, with the bristles at the deflection of the push', () => {
  const run = march(FRICTION, [0, 0, 0], [0.3, 0, 1e-3], 0.4, 1e-3, true);
  assert.ok(Math.hypot(...run.v) < 1e-9 && Math.abs(run.w) < 1e-7, `${run.v[0]}, ${run.w}`);
  assert.ok(Math.abs(run.states[0] - 0.3 / (LOAD_N * 1e5)) < 1e-12);
  assert.ok(Math.abs(run.states[3] - 1e-3 / (RADIUS ** 2 * LOAD_N * 1e5)) < 1e-9);
});

test('fast spin takes the friction of sliding away: the slip follows a push like a viscous one', () => {
  // C_v = v/v_avg for v << r w: force mu f_n v/(r w), so a held push gives v = push r w/(mu f_n); spin kept up by its own push
  const rim = 0.1;
  const hold = 0.05 * RADIUS * LOAD_N;
  const run = march(FRICTION, [0, 0, rim / RADIUS], [0.02, 0, hold], 0.5, 1e-3, true);
  const speed = (0.02 * RADIUS * run.w) / (0.05 * LOAD_N);
  // second order in v/(r w) = 0.04 and the exponential approach (time constant m r w/(mu f_n) = 0.2 s, part e^-2.4)
  assert.ok(Math.abs(run.v[0] / speed - (1 - Math.exp(-0.5 / 0.204))) < 0.02, `${run.v[0]}`);
});

function rollingColumns(
  u: readonly number[],
  stiff: number,
): [Float64Array, Float64Array, Float64Array] {
  const k = new Float64Array(KINEMATICS);
  const length = Math.hypot(u[0], u[1], u[2] + 1.5);
  k[NORMAL] = u[0] / length;
  k[NORMAL + 1] = u[1] / length;
  k[NORMAL + 2] = (u[2] + 1.5) / length;
  k[VOLUME] = 2e-6;
  // an inertia of unit-density mass points: J = Σ (|p|² 1 − p pᵀ)
  const points = [u.slice(0, 3), u.slice(3, 6), u.slice(6, 9)];
  const sum = (f: (p: readonly number[]) => number): number =>
    points.reduce((total, p) => total + 1e-10 * f(p), 0);
  k.set(
    [
      sum((p) => p[1] ** 2 + p[2] ** 2),
      sum((p) => p[0] ** 2 + p[2] ** 2),
      sum((p) => p[0] ** 2 + p[1] ** 2),
      sum((p) => -p[0] * p[1]),
      sum((p) => -p[0] * p[2]),
      sum((p) => -p[1] * p[2]),
    ],
    INERTIA,
  );
  k.set(u.slice(9, 12), SPIN);
  const mobility = new Float64Array(MOBILITY);
  mobility[STEP] = 1e-3;
  mobility[RESISTANCE] = stiff;
  // inverse inertia: positive definite
  const [a, b, c] = [u[2], u[5], u[8]];
  const inertia = Float64Array.of(
    100 + 50 * a * a,
    50 * a * b,
    50 * a * c,
    50 * a * b,
    100 + 50 * b * b,
    50 * b * c,
    50 * a * c,
    50 * b * c,
    100 + 50 * c * c,
  );
  return [k, mobility, inertia];
}

const twelve = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: 12,
  maxLength: 12,
});

test('the rolling moment is (B/V) J_v w_t for a principal axis, across the normal and against the turning for any', () => {
  const [k, mobility] = rollingColumns([0, 0, -0.5, 0.3, 0, 0, 0, 0.4, 0, 2, -3, 7], 40);
  const law = new VolumetricRolling();
  law.evaluate(k, mobility);
  // the points make J_v diagonal, the normal is z
  for (let a = 0; a < 2; a++) {
    const want = -(40 / 2e-6) * k[INERTIA + a] * k[SPIN + a];
    assert.ok(Math.abs(law.torque[a] - want) < 1e-14 * Math.abs(want));
  }
  assert.ok(Math.abs(law.torque[2]) < 1e-18);
  fc.assert(
    fc.property(twelve, (u) => {
      const [column, m] = rollingColumns(u, 40);
      const any = new VolumetricRolling();
      any.evaluate(column, m);
      let along = 0;
      let power = 0;
      for (let a = 0; a < 3; a++) {
        along += any.torque[a] * column[NORMAL + a];
        power += any.torque[a] * column[SPIN + a];
      }
      assert.ok(Math.abs(along) < 1e-16, `${along} N m about the normal`);
      assert.ok(power < 1e-17, `${power} W`);
    }),
  );
});

test('the implicit rolling step solves its equation, tends to the explicit one and dissipates at any stiffness', () => {
  fc.assert(
    fc.property(twelve, fc.double({ min: -2, max: 8, noNaN: true }), (u, decade) => {
      const [k, mobility, inertia] = rollingColumns(u, 10 ** decade);
      const law = new VolumetricRolling();
      law.solve(k, inertia, mobility);
      const torque = [...law.torque];
      const after = [0, 1, 2].map(
        (a) => k[SPIN + a] + 1e-3 * torque.reduce((sum, t, b) => sum + inertia[3 * a + b] * t, 0),
      );
      // the mean velocity of the step does the work
      const work = torque.reduce((sum, t, a) => sum + t * (k[SPIN + a] + after[a]), 0);
      assert.ok(work <= 1e-12 * Math.abs(torque[0] + torque[1] + torque[2]) + 1e-17, `${work}`);
      const check = new VolumetricRolling();
      k.set(after, SPIN);
      check.evaluate(k, mobility);
      // after is what is left of a difference when the step is stiff: 1e-16 of w times the drag
      const drag = (10 ** decade / 2e-6) * 1e-10 * 6;
      for (let a = 0; a < 3; a++) {
        assert.ok(Math.abs(check.torque[a] - torque[a]) < 1e-13 * drag, `${check.torque[a]}`);
      }
    }),
  );
});

test('no overlap, no rolling moment', () => {
  const [k, mobility, inertia] = rollingColumns([0, 0, 1, 1, 0, 0, 0, 1, 0, 2, 3, 4], 40);
  k[VOLUME] = 0;
  const law = new VolumetricRolling();
  law.solve(k, inertia, mobility);
  assert.ok(law.torque.every((t) => Math.abs(t) === 0));
});
