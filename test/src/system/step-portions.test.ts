/**
 * Bodies apart take their own sub-steps: each moves bit by bit as it would without the others, however stiff their contacts are; and bodies
 * that come together are found in time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import {
  type BodyModel,
  type ContactModelSpec,
  EnergyReadout,
  makeSystem,
  type System,
  type SystemModel,
} from '../../../src/index.ts';
import { body, contact, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';

const RADIUS_m = 0.05;
const STEP_s = 1e-3;

/** A ball over the floor, with a contact of a stiffness, N/m^1.5. */
function ball(name: string, x: number, stiffness: number): [BodyModel, ContactModelSpec] {
  return [
    body(name, 'dynamic', {
      mass: 0.5,
      inertia: [5e-4, 5e-4, 5e-4, 0, 0, 0],
      position: [x, 0, RADIUS_m + 0.02],
      velocity: [0.1, 0, -1],
      angularVelocity: [0, 3, 1],
    }),
    contact(name, 'floor', {
      name: `${name}-floor`,
      pair: {
        kind: 'sphere-plane',
        radius: RADIUS_m,
        center: [0, 0, 0],
        normal: [0, 0, 1],
        offset: 0,
      },
      normalLaw: {
        kind: 'hysteretic',
        stiffness,
        exponent: 1.5,
        restitution: 0.8,
        smallVelocity: 1e-3,
        relaxationTime: 0,
      },
      frictionLaw: INCLINE_BRISTLE,
    }),
  ];
}

function over(parts: readonly [BodyModel, ContactModelSpec][]): SystemModel {
  return system({
    gravity: [0, 0, -9.81],
    step: STEP_s,
    integrator: 'implicit-contact',
    maximumSubsteps: 64,
    bodies: [...parts.map(([each]) => each), body('floor', 'fixed')],
    contacts: parts.map(([, each]) => each),
  });
}

function stateOf(run: System, name: string): number[] {
  const out = new Float64Array(13);
  run.readBody(run.bodyIndex(name), out, 0);
  return [...out];
}

function energyOf(run: System): Float64Array {
  const out = new Float64Array(Object.keys(EnergyReadout).length);
  run.readEnergy(out, 0);
  return out;
}

for (const [how, kernels] of [
  ['the reference modules', null],
  ['the kernels', contactKernels()],
] as const) {
  test(`a stiff, a soft and a flying ball move as each does alone, by ${how}`, () => {
    const parts = [ball('stiff', -1, 1e9), ball('soft', 0, 1e5), ball('middle', 1, 1e7)];
    const together = makeSystem(over(parts), kernels);
    const alone = parts.map((part) => makeSystem(over([part]), kernels));
    let differed = 0;
    for (let n = 0; n < 1200; n++) {
      assert.equal(together.step(STEP_s), 0);
      for (const each of alone) assert.equal(each.step(STEP_s), 0);
      const own = alone.map(({ substeps }) => substeps);
      assert.equal(together.substeps, Math.max(...own), `step ${n}`);
      if (new Set(own).size > 1) differed++;
      parts.forEach(([{ name }], k) => {
        assert.deepEqual(stateOf(together, name), stateOf(alone[k], name), `${name}, step ${n}`);
      });
    }
    assert.ok(differed > 50, `their sub-steps differed in ${differed} steps`);
    // sums of a few numbers of size E in another order
    const sums = alone.map(energyOf).reduce((sum, one) => sum.map((value, k) => value + one[k]));
    energyOf(together).forEach((value, k) => {
      assert.ok(
        Math.abs(value - sums[k]) < 1e-11 * Math.abs(sums[0] + sums[1]) + 1e-12,
        `energy ${k}`,
      );
    });
  });

  test(`a ball that bounces hits another one: momentum and restitution, by ${how}`, () => {
    const [left, leftFloor] = ball('left', -0.2, 1e9);
    const [right, rightFloor] = ball('right', 0, 1e5);
    const bodies: BodyModel[] = [
      { ...left, velocity: [3, 0, -1], angularVelocity: [0, 0, 0] },
      { ...right, velocity: [0, 0, -1], angularVelocity: [0, 0, 0] },
    ];
    const hit = contact('left', 'right', {
      name: 'left-right',
      pair: {
        kind: 'sphere-sphere',
        radius: RADIUS_m,
        center: [0, 0, 0],
        radiusJ: RADIUS_m,
        centerJ: [0, 0, 0],
      },
      normalLaw: leftFloor.normalLaw,
      frictionLaw: { kind: 'none' },
    });
    const frictionless = { kind: 'none' } as const;
    const model = over([
      [bodies[0], { ...leftFloor, frictionLaw: frictionless }],
      [bodies[1], { ...rightFloor, frictionLaw: frictionless }],
    ]);
    const run = makeSystem({ ...model, contacts: [...model.contacts, hit] }, kernels);
    let before = 0;
    let after = 0;
    for (let n = 0; n < 150; n++) {
      const speed = stateOf(run, 'left')[7];
      if (speed === 3) before = n;
      assert.equal(run.step(STEP_s), 0);
      const along = stateOf(run, 'left')[7] + stateOf(run, 'right')[7];
      assert.ok(Math.abs(along - 3) < 1e-12, `momentum along x in step ${n}: ${along}`);
      after = stateOf(run, 'right')[7] - stateOf(run, 'left')[7];
    }
    assert.ok(before > 10, 'they met after some steps apart');
    assert.ok(after > 0.5, `they part again, at ${after} m/s`);
  });
}
