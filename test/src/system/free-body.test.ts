/**
 * A free rigid body keeps momentum, angular momentum and energy, and frames are right-handed: hil-anchors 9.4, test 38. Angular momentum
 * and energy are computed here from the states, not by the library.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntegratorKind } from '../../../src/index.ts';
import {
  multiplyQuaternion,
  normalizeQuaternion,
  rotationOf,
} from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { body, system } from '../../fixtures/models.ts';

const MASS = 12;
const INERTIA = [0.4, 0.9, 1.1] as const;
const DURATION_S = 60;
const STEP_S = 1e-3;

/** Rotation by explicit formulas of Rodrigues: v + 2 q × (q × v + w v). */
function rotate(q: ArrayLike<number>, at: number, v: readonly number[]): number[] {
  const u = [q[at], q[at + 1], q[at + 2]];
  const w = q[at + 3];
  const inner = cross(u, v).map((value, i) => value + w * v[i]);
  return cross(u, inner).map((value, i) => v[i] + 2 * value);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Momentum, angular momentum about the world origin, kinetic energy. */
function invariants(x: Float64Array): { vector: number[]; energy: number } {
  const velocity = [x[7], x[8], x[9]];
  const back = [-x[3], -x[4], -x[5], x[6]];
  const w = rotate(back, 0, [x[10], x[11], x[12]]);
  const spin = rotate(
    x,
    3,
    INERTIA.map((value, i) => value * w[i]),
  );
  const momentum = velocity.map((value) => MASS * value);
  const orbit = cross([x[0], x[1], x[2]], momentum);
  const energy =
    (MASS * velocity.reduce((sum, v) => sum + v * v, 0)) / 2 +
    INERTIA.reduce((sum, value, i) => sum + value * w[i] * w[i], 0) / 2;
  return { vector: [...momentum, ...spin.map((value, i) => value + orbit[i])], energy };
}

/** Worst drift of the body over the duration, relative to the length of the vector and to the energy. */
function drift(integrator: IntegratorKind, step_s = STEP_S): { vector: number; energy: number } {
  const run = makeSystem(
    system({
      integrator,
      bodies: [
        body('b', 'dynamic', {
          mass: MASS,
          inertia: [...INERTIA, 0, 0, 0],
          position: [0.3, -0.2, 0.1],
          velocity: [0.02, 0.05, -0.01],
          // about the middle axis, which tumbles
          angularVelocity: [0.05, 1.5, 0.03],
        }),
      ],
    }),
  );
  const x = new Float64Array(13);
  run.readBody(0, x, 0);
  const start = invariants(x);
  const size = Math.hypot(...start.vector);
  let vector = 0;
  let energy = 0;
  let turned = false;
  const every = Math.round(0.1 / step_s);
  for (let n = 1; n <= DURATION_S / step_s; n++) {
    run.step(step_s);
    if (n % every !== 0) continue;
    run.readBody(0, x, 0);
    const now = invariants(x);
    vector = Math.max(vector, Math.hypot(...now.vector.map((v, i) => v - start.vector[i])) / size);
    energy = Math.max(energy, Math.abs(now.energy / start.energy - 1));
    turned ||= rotate([-x[3], -x[4], -x[5], x[6]], 0, [x[10], x[11], x[12]])[1] < -1;
  }
  assert.ok(turned, 'it has tumbled over');
  return { vector, energy };
}

test('38: a free body that tumbles for 60 s: momentum and energy to 1e-9', (t) => {
  // order 4: (|w| h)⁴ = 5e-12 a radian, over 90 rad; rounding of 60,000 steps is 1e-13
  const fine = drift('rk4');
  assert.ok(fine.vector < 1e-9 && fine.energy < 1e-9, JSON.stringify(fine));
  // the step of the loop: impulses act on the momentum, which is exact; its energy is of the second order in |w| h = 1.5e-3
  const loop = drift('implicit-contact');
  assert.ok(loop.vector < 1e-9, JSON.stringify(loop));
  assert.ok(loop.energy < (1.5 * STEP_S) ** 2 / 12, JSON.stringify(loop));
  const coarse = drift('implicit-contact', 4 * STEP_S);
  const order = Math.log(coarse.energy / loop.energy) / Math.log(4);
  assert.ok(Math.abs(order - 2) < 0.05, `order ${order}`);
  const text = ({ vector, energy }: typeof fine): string =>
    `momentum ${vector.toExponential(1)}, energy ${energy.toExponential(1)}`;
  t.diagnostic(
    `acceptance 38: drift in 60 s: Runge–Kutta ${text(fine)}; step of the loop ${text(loop)}`,
  );
});

test('38: frames there and back to 1e-12, right-handed, whatever the turn', (t) => {
  const random = new Random(38);
  const q = new Float64Array(12);
  const r = new Float64Array(9);
  let worst = 0;
  const off = (a: readonly number[], b: readonly number[]): void =>
    a.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - b[i]))));
  for (let n = 0; n < 1000; n++) {
    for (let i = 0; i < 8; i++) q[i] = random.gaussian();
    normalizeQuaternion(q, 0);
    normalizeQuaternion(q, 4);
    const v = [random.gaussian(), random.gaussian(), random.gaussian()];
    const there = rotate(q, 0, v);
    off(rotate([-q[0], -q[1], -q[2], q[3]], 0, there), v);
    // the library's matrix: the same turn, columns that are a right-handed frame
    rotationOf(r, q, 0);
    off(
      [0, 1, 2].map((i) => r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2]),
      there,
    );
    const column = (k: number): number[] => [r[k], r[3 + k], r[6 + k]];
    off(cross(column(0), column(1)), column(2));
    // a product is the second turn first
    multiplyQuaternion(q, 8, q, 0, q, 4);
    off(rotate(q, 8, v), rotate(q, 0, rotate(q, 4, v)));
  }
  // lengths up to 5, a dozen roundings each
  assert.ok(worst < 1e-12, String(worst));
  t.diagnostic(`acceptance 38: frames to ${worst.toExponential(1)}`);
});
