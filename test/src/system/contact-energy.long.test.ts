/**
 * No normal law creates energy: ten thousand random impacts of two free bodies, oblique, off centre and spinning, audited by the
 * ledger of the system.
 *
 * Bounds, as parts of the kinetic energy before: the laws themselves only lose, so what appears is the integrator's. RK4 with N
 * steps a contact sees a kink of order δⁿ at touch and release: (π/N)ⁿ⁺¹ of the energy; the jump of Kelvin–Voigt counts as n = 0.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENERGY_READOUT, impactDuration, makeSystem, Random } from '../../../src/index.ts';
import type { IntegratorKind, NormalLawModel } from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const KINETIC = ENERGY_READOUT.indexOf('kinetic');
const ELASTIC = ENERGY_READOUT.indexOf('elastic');
const DISSIPATED = ENERGY_READOUT.indexOf('dissipated');
const BALANCE = ENERGY_READOUT.indexOf('balance');
const RADIUS = 0.1;

type Exponent = 1 | 1.5 | 2;
interface Family {
  readonly exponents: readonly Exponent[];
  /** Damping at touch does not vanish with the depth. */
  readonly jumps: boolean;
  /** Draws a random member with the elastic force k δⁿ; `mass` is the effective mass of the contact. */
  draw(random: Random, stiffness: number, exponent: Exponent, mass: number): NormalLawModel;
}

const VARIANTS = ['exact', 'hunt-crossley', 'lankarani-nikravesh', 'flores'] as const;

/** e of at least 0.1: the damping rate z ω of smaller ones is beyond RK4 at this step. */
function restitution(random: Random): number {
  return 0.1 + 0.9 * random.uniform();
}

const FAMILIES: readonly Family[] = [
  {
    exponents: [1, 1.5, 2],
    jumps: false,
    draw: (random, stiffness, exponent) => ({
      kind: 'hysteretic',
      stiffness,
      exponent,
      restitution: restitution(random),
      smallVelocity: 1e-3,
      relaxationTime: 0,
      damping: VARIANTS[Math.floor(4 * random.uniform())],
    }),
  },
  {
    exponents: [1.5],
    jumps: false,
    draw: (random, stiffness) => ({
      kind: 'modia3d',
      contactModulus: stiffness / ((4 / 3) * Math.sqrt(RADIUS)),
      restitution: restitution(random),
      smallVelocity: 0.01,
      maximumDamping: 2000,
      reductionFactor: 1,
      damping: random.uniform() < 0.5 ? 'exact' : 'flores',
      allowTension: random.uniform() < 0.5,
    }),
  },
  {
    exponents: [1, 1.5, 2],
    jumps: false,
    draw: (random, stiffness, exponent) => ({
      kind: 'restitution-slope',
      stiffness,
      exponent,
      slope: 2 * random.uniform(),
      allowTension: random.uniform() < 0.5,
    }),
  },
  {
    exponents: [1],
    jumps: true,
    draw: (random, stiffness, exponent, mass) => ({
      kind: 'kelvin-voigt',
      stiffness,
      damping: 2 * random.uniform() * Math.sqrt(exponent * stiffness * mass),
      allowTension: random.uniform() < 0.5,
    }),
  },
];

/** Energies as parts of the kinetic energy before. */
interface Audit {
  /** Most kinetic and elastic energy at any step, less 1. */
  readonly gain: number;
  /** Kinetic energy at the end, less 1. */
  readonly after: number;
  /** Largest balance of the ledger. */
  readonly balance: number;
  /** Most that was dissipated with the wrong sign. */
  readonly made: number;
}

/** One random impact; the step is the undamped contact time over `steps`. */
function impact(
  random: Random,
  family: Family,
  exponent: Exponent,
  integrator: IntegratorKind,
  steps: number,
): Audit {
  const between = (low: number, high: number): number => low + (high - low) * random.uniform();
  const ball = between(0.5, 5);
  const slab = between(0.5, 50);
  const ballInertia = 0.004 * ball;
  const slabInertia = 0.05 * slab;
  const offset = [between(-0.03, 0.03), between(-0.03, 0.03), between(-0.03, 0.03)] as const;
  const [x, y] = [between(-0.3, 0.3), between(-0.3, 0.3)];
  const spin = [between(-1, 1), between(-1, 1), between(-1, 1)] as const;
  const speed = between(0.1, 2);
  const mass =
    1 /
    (1 / ball +
      1 / slab +
      (offset[0] ** 2 + offset[1] ** 2) / ballInertia +
      ((x + offset[0]) ** 2 + (y + offset[1]) ** 2) / slabInertia);
  const stiffness = 10 ** between(4, 7);
  const law = family.draw(random, stiffness, exponent, mass);
  const h = impactDuration({ mass, stiffness, exponent, speed, damping: 0 }) / steps;
  // the point of the sphere under its centre moves with v + w × r; its normal rate is −speed
  const rate = spin[0] * offset[1] - spin[1] * offset[0];
  const run = makeSystem(
    system({
      integrator,
      step: h,
      bodies: [
        body('ball', 'dynamic', {
          mass: ball,
          inertia: [ballInertia, ballInertia, ballInertia, 0, 0, 0],
          position: [x, y, RADIUS - offset[2] + between(0, 1) * speed * h],
          velocity: [between(-1, 1), between(-1, 1), -speed - rate],
          angularVelocity: spin,
        }),
        body('slab', 'dynamic', {
          mass: slab,
          inertia: [slabInertia, slabInertia, slabInertia, 0, 0, 0],
        }),
      ],
      contacts: [
        contact('ball', 'slab', {
          pair: {
            kind: 'sphere-plane',
            radius: RADIUS,
            center: offset,
            normal: [0, 0, 1],
            offset: 0,
          },
          normalLaw: law,
        }),
      ],
    }),
  );
  const out = new Float64Array(40);
  run.readEnergy(out, 0);
  const before = out[KINETIC];
  const worst = { gain: -1, after: 0, balance: 0, made: 0 };
  const state = new Float64Array(40);
  let touched = false;
  for (let k = 0; k < 20 * steps; k++) {
    assert.equal(run.step(h), 0);
    run.readEnergy(out, 0);
    worst.gain = Math.max(worst.gain, (out[KINETIC] + out[ELASTIC]) / before - 1);
    worst.balance = Math.max(worst.balance, Math.abs(out[BALANCE]) / before);
    worst.made = Math.max(worst.made, -out[DISSIPATED] / before);
    run.readContact(0, state, 0);
    touched ||= state[0] === 1;
    if (touched && state[0] === 0) break;
  }
  assert.ok(touched, 'they hit');
  worst.after = out[KINETIC] / before - 1; // the rebound of a strongly damped one may still be under way, with less
  return worst;
}

const CASES = FAMILIES.flatMap((family) =>
  family.exponents.map((exponent) => ({ family, exponent })),
);

test('ten thousand random impacts on the reference path: energy never rises, at no step', () => {
  const random = new Random(20);
  const steps = 40;
  for (const { family, exponent } of CASES) {
    const order = family.jumps ? 0 : exponent;
    const bound = (Math.PI / steps) ** (order + 1);
    for (let count = 0; count < 10_000 / CASES.length; count++) {
      const got = impact(random, family, exponent, 'rk4', steps);
      const what = `${family.draw(random, 1, exponent, 1).kind}, n ${exponent}, impact ${count}`;
      assert.ok(got.gain < bound, `${what}: energy grew by ${got.gain}, bound ${bound}`);
      assert.ok(got.balance < bound, `${what}: balance ${got.balance}, bound ${bound}`);
      assert.ok(got.made < bound, `${what}: ${got.made} less than nothing dissipated`);
    }
  }
});

test('two thousand random impacts on the implicit step: no more energy after than before', () => {
  const random = new Random(21);
  for (const { family, exponent } of CASES) {
    for (let count = 0; count < 2000 / CASES.length; count++) {
      const got = impact(random, family, exponent, 'implicit-contact', 10);
      const what = `${family.draw(random, 1, exponent, 1).kind}, n ${exponent}, impact ${count}`;
      // restitution is within 0.002 from ten steps a contact on (normal-law.test.ts): twice that in energy
      assert.ok(got.after < 4e-3, `${what}: energy grew by ${got.after}`);
      // found in the spring after a sub-step of phase 0.2 at most: k (v h)² / (m v²)
      assert.ok(got.balance < 0.04, `${what}: balance ${got.balance}`);
    }
  }
});
