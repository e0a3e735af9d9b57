/** Hysteretic normal law: damping factor table, impacts and restitution, against `Gonthier 2007, (3.18)–(3.25) and 5.1.1`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dampingFactor,
  hertzSpherePlane,
  hertzSphereSphere,
  makeSystem,
} from '../../../src/index.ts';
import type { IntegratorKind, SystemModel } from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

// 40-digit bisection, rounded to 12 digits
const TABLE: readonly (readonly [number, number])[] = [
  [0.01, 1],
  [0.05, 0.999999984077],
  [0.1, 0.99981593975],
  [0.15, 0.996319750921],
  [0.2, 0.983833343158],
  [0.25, 0.960201509945],
  [0.3, 0.926124594339],
  [0.35, 0.883182197083],
  [0.4, 0.832999265659],
  [0.45, 0.777001587409],
  [0.5, 0.716375266636],
  [0.55, 0.65208776937],
  [0.6, 0.584923026488],
  [0.65, 0.515515590758],
  [0.7, 0.444379796886],
  [0.75, 0.371933488676],
  [0.8, 0.298516962692],
  [0.85, 0.224407995171],
  [0.9, 0.149833755617],
  [0.95, 0.074980275023],
  [0.975, 0.037497596506],
  [0.99, 0.0149998484883],
  [0.999, 0.00149999984985],
  [1, 0],
];

test('damping factor equals the table by 40-digit bisection to 1e-11', () => {
  for (const [e, d] of TABLE) assert.ok(Math.abs(dampingFactor(e) - d) < 1e-11, `e = ${e}`);
});

test('damping factor falls with e and refuses e outside (0, 1]', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.03, max: 0.998, noNaN: true }), (e) => {
      return dampingFactor(e) > dampingFactor(e + 1e-3);
    }),
  );
  for (const e of [0, -0.1, 1.01, Number.NaN]) {
    assert.throws(() => dampingFactor(e), { code: 'BERTH_PARAMETER_RANGE' });
  }
});

test('Hertz stiffness of known materials', () => {
  assert.ok(Math.abs(hertzSpherePlane(0.025, 70e9, 0.33, 70e9, 0.33) / 8.2804e9 - 1) < 1e-4);
  assert.ok(Math.abs(hertzSphereSphere(0.01, 0.01, 70e9, 0.33, 70e9, 0.33) / 3.7031e9 - 1) < 1e-4);
});

interface Impact {
  readonly e: number;
  readonly exponent?: number;
  readonly mass?: number;
  readonly speed?: number;
  readonly damping?: 'exact' | 'hunt-crossley' | 'lankarani-nikravesh';
  readonly phase?: number;
}

/** Returned restitution of a central impact with about `steps` steps a contact. */
function restitution(integrator: IntegratorKind, steps: number, impact: Impact): number {
  const { e, exponent = 1.5, mass = 2, speed = 0.5, damping = 'exact', phase = 0.3 } = impact;
  const stiffness = 1e6;
  const n = exponent + 1;
  const depth = Math.pow((n * mass * speed * speed) / (2 * stiffness), 1 / n);
  const h = (3.2 * depth) / speed / steps;
  const model: SystemModel = system({
    integrator,
    step: h,
    bodies: [
      body('ball', 'dynamic', {
        mass,
        position: [0, 0, 0.1 + phase * speed * h],
        velocity: [0, 0, -speed],
      }),
      body('ground', 'fixed'),
    ],
    contacts: [
      contact('ball', 'ground', {
        normalLaw: {
          kind: 'hysteretic',
          stiffness,
          exponent,
          restitution: e,
          smallVelocity: 1e-3,
          relaxationTime: 0,
          damping,
        },
      }),
    ],
  });
  const run = makeSystem(model);
  const out = new Float64Array(40);
  for (let k = 0; k < 12 * steps; k++) {
    assert.equal(run.step(h), 0);
    run.readContact(0, out, 0);
    assert.ok(out[3] >= 0, 'the contact never pulls');
    if (k > steps && out[0] === 0) break;
  }
  run.readBody(0, out, 0);
  return out[9] / speed;
}

test('an impact returns e to 1e-6 for every exponent, mass and speed (RK4, 2000 steps a contact)', () => {
  for (const e of [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95]) {
    for (const exponent of [1, 1.5, 2]) {
      const got = restitution('rk4', 2000, { e, exponent });
      assert.ok(Math.abs(got - e) < 1e-6, `e ${e} p ${exponent}: ${got}`);
    }
  }
  assert.ok(Math.abs(restitution('rk4', 2000, { e: 0.5, mass: 40, speed: 2 }) - 0.5) < 1e-6);
});

test('Hunt–Crossley and Lankarani–Nikravesh return what they are known to return', () => {
  const known = [
    [0.1, 0.515833, 0.665265],
    [0.5, 0.662962, 0.725241],
    [0.9, 0.909016, 0.913177],
  ] as const;
  for (const [e, hc, ln] of known) {
    assert.ok(Math.abs(restitution('rk4', 2000, { e, damping: 'hunt-crossley' }) - hc) < 1e-5);
    assert.ok(
      Math.abs(restitution('rk4', 2000, { e, damping: 'lankarani-nikravesh' }) - ln) < 1e-5,
    );
  }
});

test('the implicit step returns e within 0.002 from 10 steps a contact on, at every phase of touch', () => {
  for (const e of [0.1, 0.5, 0.9, 0.95]) {
    for (const steps of [10, 15, 20, 50]) {
      for (const phase of [0.05, 0.35, 0.65, 0.95]) {
        const got = restitution('implicit-contact', steps, { e, phase });
        assert.ok(Math.abs(got - e) < 0.002, `e ${e}, ${steps} steps, phase ${phase}: ${got}`);
      }
    }
  }
});
