/** Sign, zero and reaction of the contact force of each normal law. `Gonthier 2007, (3.1)–(3.4)`. */
import type { NormalLawModel, SystemModel } from '../../../src/model/model.ts';
import { Random } from '../../../src/math/random.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  type System,
} from '../../../src/system/system.ts';
import { atMost, closedForm, curve, type Figure, type Plot, type ValidationCase } from '../case.ts';
import { ballModel, runImpact } from '../systems.ts';

/** Laws of comparable stiffness and loss, of every kind. */
const LAWS: readonly (readonly [string, NormalLawModel])[] = [
  [
    'hysteretic',
    {
      kind: 'hysteretic',
      stiffness: 1e6,
      exponent: 1.5,
      restitution: 0.6,
      smallVelocity: 1e-6,
      relaxationTime: 0,
    },
  ],
  [
    'Hertz',
    {
      kind: 'hertz',
      contactModulus: 2.4e6,
      restitution: 0.6,
      smallVelocity: 1e-6,
      relaxationTime: 0,
    },
  ],
  [
    'Modia3D',
    {
      kind: 'modia3d',
      contactModulus: 2.4e6,
      restitution: 0.6,
      smallVelocity: 1e-3,
      maximumDamping: 2000,
      reductionFactor: 1,
    },
  ],
  ['restitution slope', { kind: 'restitution-slope', stiffness: 1e6, exponent: 1.5, slope: 0.9 }],
  ['Kelvin–Voigt', { kind: 'kelvin-voigt', stiffness: 3e4, damping: 60 }],
];
const TRIALS = 12;
const STEPS = 2500;
const STEP = 1e-5;

export const contactForceCase: ValidationCase = {
  name: 'contact-force',
  title: 'Sign, zero and reaction of the contact force',
  source: 'Gonthier 2007, (3.1)–(3.4); Modia3D acceptance A4, A13; Sandia acceptance B5, B6',
  description:
    'Two free, spinning bodies of random mass collide off centre with friction, twelve times for each normal law; half of them are torn apart by 5 kN. Every step looks at the sign of the force and at the sum of both wrenches, every run at the momentum of the pair.',
  equation:
    'F_i = f_n n + f_t at the contact point, F_j = −F_i at the same point; f_n ≥ 0, f_n = 0 apart.',
  tolerances:
    '1e-12 relative for action = reaction: rounding of one sum. 1e-11 for momentum: rounding over 2,500 steps. Signs are exact.',
  run() {
    const random = new Random(3);
    const figures: Figure[] = [];
    const loops: Plot['curves'][number][] = [];
    for (const [name, law] of LAWS) {
      const found = collide(law, random);
      figures.push(
        closedForm(`${name}: steps with a negative normal force`, '1', found.negative, 0, 0),
        closedForm(`${name}: largest force without penetration`, 'N', found.apart, 0, 0),
        closedForm(
          `${name}: steps in which i is not pushed along +n by f_n`,
          '1',
          found.misdirected,
          0,
          0,
        ),
        closedForm(`${name}: runs without contact`, '1', found.missed, 0, 0),
        atMost(
          `${name}: imbalance of the wrenches about a common point`,
          '1',
          found.unbalanced,
          1e-12,
        ),
        atMost(`${name}: change of linear momentum`, '1', found.linear, 1e-11),
        atMost(`${name}: change of angular momentum`, '1', found.angular, 1e-11),
      );
      const impact = runImpact({
        mass: 1,
        speed: 0.5,
        gap: 0,
        gravity: 0,
        law,
        step: 4e-5,
        integrator: 'dormand-prince',
      });
      loops.push(curve(name, [0, ...impact.indentation], [0, ...impact.force], 500));
    }
    return {
      figures,
      plots: [
        {
          title: 'Force over indentation of 1 kg at 0.5 m/s',
          xLabel: 'depth, m',
          yLabel: 'force, N',
          curves: loops,
        },
      ],
    };
  },
};

interface Findings {
  negative: number;
  apart: number;
  misdirected: number;
  missed: number;
  unbalanced: number;
  linear: number;
  angular: number;
}

function collide(law: NormalLawModel, random: Random): Findings {
  const contact = new Float64Array(CONTACT_READOUT.length);
  const onBall = new Float64Array(6);
  const onPlane = new Float64Array(6);
  const wrench = new Float64Array(6);
  const before = new Float64Array(6);
  const after = new Float64Array(6);
  const found: Findings = {
    negative: 0,
    apart: 0,
    misdirected: 0,
    missed: 0,
    unbalanced: 0,
    linear: 0,
    angular: 0,
  };
  for (let trial = 0; trial < TRIALS; trial++) {
    const masses = [0.5 + random.uniform(), 0.5 + random.uniform()] as const;
    const model = offCentre(law, masses, random);
    const system = makeSystem(model);
    // half of the pairs are torn apart: an external pull must never make the contact hold them
    const torn = trial % 2 === 1;
    wrench[2] = torn ? 5000 : 0;
    momentum(system, masses, before);
    let touched = 0;
    for (let step = 0; step < STEPS; step++) {
      if (touched > 200) system.setExternalWrench(1, wrench, 0);
      system.step(STEP);
      system.readContact(0, contact, 0);
      const force = contact[ContactReadout.normalForce];
      if (force < 0) found.negative++;
      if (contact[ContactReadout.active] === 0) {
        found.apart = Math.max(found.apart, Math.abs(force));
        continue;
      }
      touched++;
      system.contactWrench(1, 0.3, -0.2, 0.1, onBall, 0);
      system.contactWrench(0, 0.3, -0.2, 0.1, onPlane, 0);
      const along =
        onBall[0] * contact[ContactReadout.normal_x] +
        onBall[1] * contact[ContactReadout.normal_y] +
        onBall[2] * contact[ContactReadout.normal_z];
      if (along < 0 || Math.abs(along - force) > 1e-9 * force) found.misdirected++;
      const size = Math.max(...onBall.map(Math.abs), 1e-300);
      for (let a = 0; a < 6; a++) {
        found.unbalanced = Math.max(found.unbalanced, Math.abs(onBall[a] + onPlane[a]) / size);
      }
    }
    if (touched === 0) found.missed++;
    if (torn) continue;
    momentum(system, masses, after);
    for (let a = 0; a < 3; a++) {
      found.linear = Math.max(found.linear, Math.abs(after[a] - before[a]));
      found.angular = Math.max(found.angular, Math.abs(after[3 + a] - before[3 + a]));
    }
  }
  return found;
}

/** Both bodies are balls of equal axes, so that angular momentum needs no orientation. */
const INERTIA = 0.01;

function offCentre(
  law: NormalLawModel,
  masses: readonly [number, number],
  random: Random,
): SystemModel {
  const base = ballModel({
    mass: masses[1],
    speed: 0.2 + random.uniform(),
    gap: 1e-4,
    gravity: 0,
    law,
    step: STEP,
    integrator: 'rk4',
  });
  const side = 0.1 * random.gaussian();
  return {
    ...base,
    bodies: base.bodies.map((body, b) => ({
      ...body,
      motion: 'dynamic',
      mass: masses[b],
      rotationLocked: false,
      inertia: [INERTIA, INERTIA, INERTIA, 0, 0, 0],
      position: b === 1 ? [side, 0, body.position[2]] : body.position,
      angularVelocity:
        b === 1 ? [random.gaussian(), random.gaussian(), random.gaussian()] : body.angularVelocity,
    })),
    contacts: base.contacts.map((one) => ({
      ...one,
      frictionLaw: {
        kind: 'bristle',
        stiction: 0.3,
        coulomb: 0.2,
        bristleStiffness: 1e4,
        bristleDamping: 100,
        viscousDamping: 0,
        stribeckVelocity: 0.01,
        dwellTime: 0.1,
        velocityTolerance: 1e-3,
        startsSticking: false,
      },
    })),
  };
}

/** Linear and angular momentum of both bodies about the origin. */
function momentum(system: System, masses: readonly number[], out: Float64Array): void {
  const x = new Float64Array(13);
  out.fill(0);
  for (let b = 0; b < 2; b++) {
    system.readBody(b, x, 0);
    for (let a = 0; a < 3; a++) {
      const c = (a + 1) % 3;
      const d = (a + 2) % 3;
      out[a] += masses[b] * x[7 + a];
      out[3 + a] += masses[b] * (x[c] * x[7 + d] - x[d] * x[7 + c]) + INERTIA * x[10 + a];
    }
  }
}
