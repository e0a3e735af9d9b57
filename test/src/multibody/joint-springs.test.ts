/** Springs and dampers in joints of trees, against closed forms: periods, decay, energy, rest under gravity, forces on stops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BerthError,
  ContactReadout,
  EnergyReadout,
  type IntegratorKind,
  makeSystem,
  type System,
  type SystemModel,
  type TreeJointModel,
  type TreeLinkModel,
} from '../../../src/index.ts';
import { CONTACT_READOUT, ENERGY_READOUT } from '../../../src/index.ts';
import { body, contact, system } from '../../fixtures/models.ts';

const G = 9.81;
const STEP = 1e-3;
const [MASS, LENGTH] = [0.4, 0.3];
/** About the joint at the end of the rod, kg m². */
const MOMENT = (MASS * LENGTH * LENGTH) / 3;

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

/** A rod along x from a joint at the origin. */
function rodOn(joint: TreeJointModel, name = 'rod', parent = -1): TreeLinkModel {
  const moment = (MASS * LENGTH * LENGTH) / 12;
  return {
    name,
    parent,
    position: parent < 0 ? [0, 0, 0] : [LENGTH, 0, 0],
    orientation: [0, 0, 0, 1],
    joint,
    mass: MASS,
    center: [LENGTH / 2, 0, 0],
    inertia: [0, moment, moment, 0, 0, 0],
  };
}

/** A positive angle lifts the rod. */
function hinge(stiffness: number, damping: number, rest: number, position: number): TreeJointModel {
  return {
    kind: 'revolute',
    axis: [0, -1, 0],
    position,
    rate: 0,
    spring: { stiffness, damping, rest },
  };
}

function run(
  links: readonly TreeLinkModel[],
  integrator: IntegratorKind,
  parts: Partial<SystemModel> = {},
): System {
  const tree = {
    name: 'tree',
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    frames: [],
  } as const;
  return makeSystem(system({ integrator, trees: [{ ...tree, links }], ...parts }));
}

const energyOf = (one: System): Float64Array => {
  const out = new Float64Array(ENERGY_READOUT.length);
  one.readEnergy(out, 0);
  return out;
};

/** Angle of a rod of the x–z plane, lifted is positive. */
function angleOf(one: System, name = 'rod'): number {
  const x = new Float64Array(13);
  one.readBody(one.bodyIndex(name), x, 0);
  return 2 * Math.atan2(-x[4], x[6]);
}

test('a rod on a torsion spring swings with sqrt(K/J), and with the period of the mid-point rule at 1 ms', () => {
  const [stiffness, start] = [6, 0.7];
  const omega = Math.sqrt(stiffness / MOMENT);
  // the implicit mid-point rule turns by 2 atan(w h/2) a step, rk4 by w h to (w h)^5/120
  const midpoint = (2 * Math.atan(0.5 * omega * STEP)) / STEP;
  for (const [integrator, rate, tolerance] of [
    ['implicit-contact', midpoint, 1e-11],
    ['symplectic-euler', midpoint, 1e-11],
    ['rk4', omega, 1e-6],
    ['dormand-prince', omega, 1e-6],
  ] as const) {
    const one = run([rodOn(hinge(stiffness, 0, 0, start))], integrator);
    for (let n = 1; n <= 2000; n++) {
      one.step(STEP);
      if (n % 250 !== 0) continue;
      near(angleOf(one), start * Math.cos(rate * n * STEP), tolerance, `${integrator} after ${n}`);
    }
    near(energyOf(one)[EnergyReadout.balance], 0, 1e-6, `${integrator} balance`);
  }
});

test('a damped spring pendulum decays as its closed form, and the damper is booked as dissipated', () => {
  const [stiffness, damping, start] = [6, 0.05, 0.7];
  const decay = damping / (2 * MOMENT);
  const omega = Math.sqrt(stiffness / MOMENT - decay * decay);
  const angle = (t: number): number =>
    start * Math.exp(-decay * t) * (Math.cos(omega * t) + (decay / omega) * Math.sin(omega * t));
  for (const [integrator, tolerance, gained] of [
    ['implicit-contact', 1e-3, 1e-13], // (w h)² / 12 of a swing of some 20 rad: 1e-3; the rule keeps the balance to rounding
    ['rk4', 1e-6, 1e-7],
  ] as const) {
    const one = run([rodOn(hinge(stiffness, damping, 0, start))], integrator);
    for (let n = 1; n <= 1500; n++) one.step(STEP);
    near(angleOf(one), angle(1.5), tolerance, integrator);
    const e = energyOf(one);
    const initial = 0.5 * stiffness * start * start;
    const left = e[EnergyReadout.kinetic] + e[EnergyReadout.elastic];
    assert.ok(left < 0.5 * initial, `${left} J of ${initial} are left`);
    near(e[EnergyReadout.dissipated], initial - left, gained, `${integrator} dissipated`);
    near(e[EnergyReadout.balance], 0, gained, `${integrator} balance`);
  }
});

test('rest under gravity: K (x − rest) and the weight are in balance, for a hinge and for a slide', () => {
  const [stiffness, rest] = [4, 0.3];
  const torque = (angle: number): number =>
    stiffness * (angle - rest) + MASS * G * 0.5 * LENGTH * Math.cos(angle);
  let want = 0;
  for (let n = 0; n < 50; n++) want = rest - (MASS * G * 0.5 * LENGTH * Math.cos(want)) / stiffness;
  near(torque(want), 0, 1e-12, 'closed form');
  const hanging = run([rodOn(hinge(stiffness, 0.2, rest, 0))], 'implicit-contact', {
    gravity: [0, 0, -G],
  });
  const slide: TreeJointModel = {
    kind: 'prismatic',
    axis: [0, 0, 1],
    position: 0.02,
    rate: 0,
    spring: { stiffness: 250, damping: 8, rest: 0.05 },
  };
  const sliding = run([rodOn(slide)], 'implicit-contact', { gravity: [0, 0, -G] });
  for (let n = 0; n < 8000; n++) {
    hanging.step(STEP);
    sliding.step(STEP);
  }
  near(angleOf(hanging), want, 1e-12, 'hinge');
  const x = new Float64Array(13);
  sliding.readBody(0, x, 0);
  near(x[2], 0.05 - (MASS * G) / 250, 1e-12, 'slide');
});

test('a slide on a spring has the period of the mid-point rule, and no spring makes the step unstable', () => {
  const slide = (stiffness: number): TreeJointModel => ({
    kind: 'prismatic',
    axis: [0, 0, 1],
    position: 0.02,
    rate: 0,
    spring: { stiffness, damping: 0, rest: 0 },
  });
  for (const stiffness of [250, 1e9]) {
    const turn = 2 * Math.atan(0.5 * STEP * Math.sqrt(stiffness / MASS));
    const one = run([rodOn(slide(stiffness))], 'implicit-contact');
    const x = new Float64Array(13);
    for (let n = 1; n <= 1000; n++) {
      one.step(STEP);
      one.readBody(0, x, 0);
      // rounding of n turns
      near(x[2], 0.02 * Math.cos(n * turn), 1e-11, `${stiffness} N/m after ${n}`);
    }
  }
});

test('the axes of a universal joint have springs of their own; a hinge on a hinge couples them', () => {
  const one = run(
    [
      {
        ...rodOn({
          kind: 'universal',
          axes: [
            [0, 1, 0],
            [0, 0, 1],
          ],
          angles: [1e-5, 2e-5],
          rates: [0, 0],
          springs: [
            { stiffness: 6, damping: 0, rest: 0 },
            { stiffness: 2, damping: 0, rest: 0 },
          ],
        }),
      },
    ],
    'implicit-contact',
  );
  const x = new Float64Array(13);
  const angle = (stiffness: number, t: number): number =>
    Math.cos((t / STEP) * 2 * Math.atan(0.5 * STEP * Math.sqrt(stiffness / MOMENT)));
  for (let n = 1; n <= 1000; n++) one.step(STEP);
  one.readBody(0, x, 0);
  // centre of the rod: (l/2)(1, angle 2, −angle 1); products of the angles are 1e-10 of it
  near((-2 * x[2]) / LENGTH, 1e-5 * angle(6, 1), 1e-9, 'first axis');
  near((2 * x[1]) / LENGTH, 2e-5 * angle(2, 1), 1e-9, 'second axis');
  const two = run([rodOn(hinge(6, 0, 0, 0.4)), rodOn(hinge(6, 0, 0.2, -0.3), 'tip', 0)], 'rk4', {
    gravity: [0, 0, -G],
  });
  for (let n = 0; n < 2000; n++) two.step(STEP);
  near(energyOf(two)[EnergyReadout.balance], 0, 1e-6, 'balance of two hinges');
});

test('a stop that holds a preloaded hinge carries the torque of its spring and the weight, at any step', () => {
  const [stiffness, rest] = [40, -0.5];
  const model = (step: number): System =>
    run([rodOn(hinge(stiffness, 0.1, rest, 0))], 'implicit-contact', {
      gravity: [0, 0, -G],
      step,
      bodies: [body('floor', 'fixed')],
      contacts: [
        contact('rod', 'floor', {
          pair: {
            kind: 'sphere-plane',
            radius: 0.01,
            center: [LENGTH / 2, 0, 0],
            normal: [0, 0, 1],
            offset: -0.01,
          },
          frictionLaw: { kind: 'none' },
        }),
      ],
    });
  for (const step of [1e-3, 1e-4]) {
    const one = model(step);
    for (let n = 0; n < 3 / step; n++) one.step(step);
    const c = new Float64Array(CONTACT_READOUT.length);
    one.readContact(0, c, 0);
    const angle = angleOf(one);
    const torque = stiffness * (angle - rest) + MASS * G * 0.5 * LENGTH * Math.cos(angle);
    // the sphere touches under its centre
    near(c[ContactReadout.normalForce], torque / (LENGTH * Math.cos(angle)), 1e-6, `${step} s`);
  }
});

test('springs that cannot be are refused with field, value and what is allowed; so is friction of a passive joint', () => {
  const refused = (joint: TreeJointModel, pattern: RegExp): void => {
    assert.throws(
      () => run([rodOn(joint)], 'rk4'),
      (error: unknown) => error instanceof BerthError && pattern.test(error.message),
      String(pattern),
    );
  };
  refused(hinge(-1, 0, 0, 0), /link rod\.joint\.spring\.stiffness >= 0, got -1/);
  refused(hinge(1, -2, 0, 0), /link rod\.joint\.spring\.damping >= 0, got -2/);
  refused(hinge(1, 0, Infinity, 0), /link rod\.joint\.spring\.rest to be finite, got Infinity/);
  const one = { stiffness: 1, damping: 0, rest: 0 };
  refused(
    {
      kind: 'universal',
      axes: [
        [0, 1, 0],
        [0, 0, 1],
      ],
      angles: [0, 0],
      rates: [0, 0],
      springs: [one] as never,
    },
    /link rod\.joint\.springs to have one spring for each axis/,
  );
  const friction = {
    stiction: 1,
    coulomb: 1,
    bristleStiffness: 100,
    bristleDamping: 100,
    viscous: 0,
    stribeckSpeed: 0.1,
    dwellTime: 1,
  };
  refused(
    { kind: 'revolute', axis: [0, 1, 0], position: 0, rate: 0, friction },
    /link rod\.joint\.friction to be left out/,
  );
});
