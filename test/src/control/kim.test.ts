/**
 * What the composite controller does to a flexible arm and where it ends: feedback of the true tip, sampling rates, both of a plant that
 * was built independently of the controller. The figures of the whole run are in the cases `kim-lqr`, `kim-impedance`, `kim-composite`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KimOptions, meanBetween, runKim } from '../../../server/validation/kim-run.ts';
import { ARM_SIZE, PlanarArm } from '../../../server/validation/planar-arm.ts';
import { Random } from '../../../src/math/random.ts';

const random = new Random(99);

test('the arm: Jacobian, its bias and energy agree with differences', () => {
  const arm = new PlanarArm(0);
  const other = new PlanarArm(0);
  for (let round = 0; round < 20; round++) {
    const q = Float64Array.from(
      { length: ARM_SIZE },
      (_, i) => (i < 3 ? 2 : 0.3) * random.gaussian(),
    );
    const u = Float64Array.from({ length: ARM_SIZE }, () => 0.5 * random.gaussian());
    arm.evaluate(q, u);
    const h = 1e-5;
    const moved = (sign: number): Float64Array => q.map((x, i) => x + sign * h * u[i]);
    other.evaluate(moved(1), u);
    const ahead = [...other.tip, ...other.tipVelocity];
    other.evaluate(moved(-1), u);
    for (let a = 0; a < 2; a++) {
      const velocity = (ahead[a] - other.tip[a]) / (2 * h);
      const acceleration = (ahead[2 + a] - other.tipVelocity[a]) / (2 * h);
      // central differences: h² times third derivatives of metres a s³, some tens here
      assert.ok(Math.abs(velocity - arm.tipVelocity[a]) < 1e-6, `velocity ${velocity}`);
      assert.ok(Math.abs(acceleration - arm.jacobianBias[a]) < 1e-6, `bias ${acceleration}`);
    }
  }
});

test('free motion without damping conserves energy', () => {
  const arm = new PlanarArm(0);
  const y = Float64Array.of(0, 0.5, 2, 0.1, -0.05, 0.02, 0.4, -0.9, 0.3, 0.2);
  const none = new Float64Array(3);
  const rates = (state: Float64Array): Float64Array => {
    const out = new Float64Array(10);
    arm.evaluate(state.slice(0, 5), state.slice(5));
    out.set(state.slice(5));
    const acceleration = new Float64Array(5);
    arm.accelerate(none, none, false, acceleration);
    out.set(acceleration, 5);
    return out;
  };
  rates(y);
  const start = arm.energy;
  const h = 1e-3;
  const along = (k: Float64Array, c: number): Float64Array => y.map((x, i) => x + c * h * k[i]);
  for (let n = 0; n < 3000; n++) {
    const k1 = rates(y);
    const k2 = rates(along(k1, 0.5));
    const k3 = rates(along(k2, 0.5));
    const k4 = rates(along(k3, 1));
    for (let i = 0; i < 10; i++) y[i] += (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  rates(y);
  // Runge–Kutta 4 at 1 ms and 21 rad/s: (ωh)⁵/120 · 3000 steps ≈ 1e-7 of the elastic part at most
  assert.ok(Math.abs(arm.energy / start - 1) < 1e-8, `energy ${arm.energy} from ${start} J`);
});

/** Does the run stay bounded? Otherwise when it blew up. */
function outcome(options: KimOptions): number {
  return runKim(options).divergedAt;
}

test('feedback of the true tip blows up without the fast loop and not with it, in free motion', () => {
  const alone = outcome({ feedback: 'tip', stateCost: 0, contactStiffness: 0, duration: 6 });
  // 2.8 s in the independent run
  assert.ok(alone > 2 && alone < 4, `blew up at ${alone} s`);
  assert.equal(outcome({ feedback: 'tip', contactStiffness: 0, duration: 14 }), Infinity);
});

test('feedback of the true tip presses on a soft face and fails on a stiff one; rigid kinematics does not', () => {
  const soft = runKim({ feedback: 'tip', contactStiffness: 1e3, duration: 24 });
  assert.equal(soft.divergedAt, Infinity);
  const force = meanBetween(soft, soft.force, 22, 24);
  // the law controls the tip, so only the face yields: 15/(1 + 80/1000) = 13.9 N
  assert.ok(Math.abs(force - 13.9) < 0.3, `force ${force} N`);
  const stiff = outcome({ feedback: 'tip', duration: 12 });
  // 8.7 s in the independent run
  assert.ok(stiff > 7 && stiff < 10, `blew up at ${stiff} s`);
  const rigid = runKim({ stateCost: 0, duration: 24 });
  assert.equal(rigid.divergedAt, Infinity, 'rigid kinematics without the fast loop');
});

test('higher gains need a higher control rate', () => {
  const fast = { stiffnessFactor: 100, dampingFactor: 10, contactStiffness: 0, duration: 4 };
  const rows: [number, number, boolean][] = [
    [10, 1e-3, true],
    [100, 1e-3, false],
    [100, 0.5e-3, true],
    [1000, 0.5e-3, false],
    [1000, 0.1e-3, true],
  ];
  for (const [stateCost, controlPeriod, bounded] of rows) {
    const at = outcome({ ...fast, stateCost, controlPeriod });
    assert.equal(
      at === Infinity,
      bounded,
      `Q = ${stateCost} at ${1 / controlPeriod} Hz: blew up at ${at} s`,
    );
  }
  // with the gains of the source all three run at 1 kHz
  for (const stateCost of [10, 100, 1000]) {
    assert.equal(outcome({ stateCost, contactStiffness: 0, duration: 4 }), Infinity);
  }
});
