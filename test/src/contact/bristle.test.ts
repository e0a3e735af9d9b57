/** Bristle friction: function-level pins of `Gonthier 2007`, saturation, the regularised direction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TangentialBristle } from '../../../src/contact/friction/tangential-bristle.ts';
import { directionFactor } from '../../../src/contact/friction/direction.ts';
import { KINEMATICS, NORMAL, SLIP } from '../../../src/contact/pair.ts';
import { type BristleModel, CONTACT_READOUT, ContactReadout } from '../../../src/index.ts';

const MODEL: BristleModel = {
  kind: 'bristle',
  stiction: 0.15,
  coulomb: 0.12,
  bristleStiffness: 1e5,
  bristleDamping: Math.sqrt(1e5),
  viscousDamping: 0,
  stribeckVelocity: 0.1,
  dwellTime: 0.75,
  velocityTolerance: 1e-3,
  startsSticking: false,
};

function evaluate(
  model: BristleModel,
  slip: readonly [number, number],
  z: readonly [number, number],
  dwell: number,
  load: number,
): TangentialBristle {
  const law = new TangentialBristle(model, {
    states: new Float64Array(4),
    rates: new Float64Array(4),
    internals: new Float64Array(0),
  });
  const k = new Float64Array(KINEMATICS);
  k[NORMAL + 2] = 1;
  k.set(slip, SLIP);
  law.states.set([...z, 0, dwell]);
  law.evaluate(k, Float64Array.of(0, 0, 0, 0, 0, load));
  return law;
}

function near(got: number, want: number): void {
  assert.ok(
    Math.abs(got - want) <= 1e-10 * Math.max(1e-2, Math.abs(want)),
    `${got} against ${want}`,
  );
}

// slip, z, s_dw, force, z', s_dw', s, sigma_2; fn 20 N
const PINS = [
  [
    [1e-4, 2e-4],
    [3e-7, -1e-7],
    0.5,
    [-1.23245113977, -1.06490927952],
    [9.99993055217e-5, 1.99999717838e-4],
    0.666660000017,
    0.999995000012,
    0,
  ],
  [
    [0.05, -0.02],
    [1e-6, 0],
    0.25,
    [-2.36965937689, 0.941920611051],
    [5.84482794703e-5, -1.48930725299e-4],
    0.664351423438,
    0.748263567579,
    0,
  ],
  [
    [0.4, 0.3],
    [1e-6, 5e-7],
    0,
    [-1.92, -1.44],
    [-1.26491106401e-5, 6.9570108523e-5],
    1.85e-11,
    1.3888e-11,
    0,
  ],
  [[5e-4, 0], [1.3e-6, 0], 1, [-3, 0], [6.32455532034e-5, 0], -0.00790559533006, 0.999975000312, 0],
  [
    [0.02, 0.01],
    [1.6e-6, 1e-6],
    0.4,
    [-2.36237356633, -1.18845443302],
    [-1.3307282347e-4, -1.286328486e-4],
    0.734972566001,
    0.951229424501,
    0.01,
  ],
] as const;

test('five independent evaluations to 1e-10', () => {
  for (const [slip, z, dwell, force, rate, dwellRate, stick, sigma2] of PINS) {
    const law = evaluate({ ...MODEL, viscousDamping: sigma2 }, slip, z, dwell, 20);
    near(law.force[0], force[0]);
    near(law.force[1], force[1]);
    near(law.rates[0], rate[0]);
    near(law.rates[1], rate[1]);
    near(law.rates[3], dwellRate);
    const readout = new Float64Array(CONTACT_READOUT.length);
    law.read(readout);
    near(readout[ContactReadout.stick], stick);
  }
});

test('the force never leaves the friction cone, explicit or implicit', () => {
  const speed = fc.double({ min: -1, max: 1, noNaN: true });
  const bend = fc.double({ min: -1e-5, max: 1e-5, noNaN: true });
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(speed, speed, bend, bend, unit, unit, (vx, vy, zx, zy, dwell, share) => {
      const load = 100 * share;
      const law = evaluate(MODEL, [vx, vy], [zx, zy], dwell, load);
      const limit = (0.12 + 0.03 * dwell) * load * (1 + 1e-12) + 1e-150; // squares of tiny loads underflow
      if (!(Math.sqrt(law.force[0] ** 2 + law.force[1] ** 2) <= limit)) return false;
      const k = new Float64Array(KINEMATICS);
      k[NORMAL + 2] = 1;
      k.set([vx, vy], SLIP);
      law.prepare(k, Float64Array.of(1e-3));
      law.solve(k, Float64Array.of(1, 0, 0, 0, 1, 0), Float64Array.of(2, 0.3, 1.5, 1, 1e-3, load));
      return Math.sqrt(law.force[0] ** 2 + law.force[1] ** 2) <= limit;
    }),
  );
});

test('the implicit solution becomes the explicit one as the step goes to zero', () => {
  for (const [slip, z, dwell, force] of PINS) {
    const law = evaluate(MODEL, slip, z, dwell, 20);
    const explicit = [law.force[0], law.force[1]];
    const k = new Float64Array(KINEMATICS);
    k[NORMAL + 2] = 1;
    k.set(slip, SLIP);
    law.prepare(k, Float64Array.of(1e-10));
    law.solve(k, Float64Array.of(1, 0, 0, 0, 1, 0), Float64Array.of(1, 0, 1, 1, 1e-10, 20));
    // the difference is of the order h times the fastest rate, 1e-10 × 6e3
    for (const a of [0, 1]) assert.ok(Math.abs(law.force[a] - explicit[a]) < 1e-5, String(force));
  }
});

test('the regularised direction is odd, C1 at the tolerance and finite at zero', () => {
  const magnitude = (v: number): number => v * directionFactor(Math.abs(v), 1e-3);
  for (const [r, want] of [
    [0, 0],
    [0.25, 0.3671875],
    [0.5, 0.6875],
    [0.75, 0.9140625],
    [1, 1],
    [7, 1],
  ] as const) {
    assert.ok(Math.abs(magnitude(r * 1e-3) - want) < 1e-12);
    assert.equal(magnitude(-r * 1e-3), -magnitude(r * 1e-3));
  }
  // slope 0 at r = 1: the cubic leaves 1 by (3/2) (1 − r)² only
  const r = 1 - 1e-4;
  assert.ok(1 - magnitude(r * 1e-3) < 1.51e-8);
});
