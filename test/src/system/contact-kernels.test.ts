/**
 * The kernels of the contact step give the bits of the reference modules: states, read-outs and counts of the solver, in impact, sliding
 * and rest, and cut into cells. For every combination of pairs and laws that they have loops for: contact-kernels.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMMON_READOUT,
  ContactReadout,
  PIECE_READOUT,
} from '../../../src/contact/contact-readout.ts';
import * as slots from '../../../src/contact/readout-slots.ts';
import { ContactLoops } from '../../../src/contact/contact-loops.ts';
import { Dynamics } from '../../../src/system/dynamics.ts';
import {
  FRICTION_LAWS,
  makeSystem,
  NORMAL_LAWS,
  ROLLING_LAWS,
  type System,
} from '../../../src/index.ts';
import { hasLoops } from '../../../src/system/contact-memory.ts';
import { body, contact, incline, INCLINE_BRISTLE, system } from '../../fixtures/models.ts';
import { box, boxOnTray, floor, scene } from '../../fixtures/volumetric-models.ts';
import { compare, kernels } from './kernel-comparison.ts';

/** Laws for comparison and of elastic faces, which the reference modules run. */
const WITHOUT_LOOP = ['lugre', 'dahl', 'compliance', 'coulomb'];

test('every law has a loop, and the implicit step alone is run by kernels', () => {
  for (const laws of [NORMAL_LAWS, FRICTION_LAWS, ROLLING_LAWS]) {
    for (const [kind, { loops }] of Object.entries(laws))
      assert.equal(loops === true, !WITHOUT_LOOP.includes(kind), kind);
  }
  assert.ok(hasLoops(boxOnTray()));
  assert.ok(hasLoops(incline('implicit-contact')));
  assert.ok(!hasLoops(incline('rk4')), 'but for the implicit step alone');
});

test('a box on four feet falls, slides down a slope, and comes to rest on the level', () => {
  for (const degrees of [0, 10, 30]) {
    const angle = (degrees * Math.PI) / 180;
    const feet = [
      [-0.2, -0.1],
      [-0.2, 0.1],
      [0.2, -0.1],
      [0.2, 0.1],
    ];
    const model = system({
      gravity: [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)],
      bodies: [
        body('box', 'dynamic', {
          mass: 4,
          inertia: [0.02, 0.06, 0.07, 0, 0, 0],
          position: [0, 0, 0.12],
        }),
        body('floor', 'fixed'),
      ],
      contacts: feet.map(([x, y], f) =>
        contact('box', 'floor', {
          name: `foot ${f}`,
          pair: {
            kind: 'sphere-plane',
            radius: 0.01,
            center: [x, y, -0.1],
            normal: [0, 0, 1],
            offset: 0,
          },
          frictionLaw: INCLINE_BRISTLE,
        }),
      ),
    });
    compare(model, 1500, `${degrees}°`, 10);
  }
});

test('cells: a cut box falls on a tray and on a floor, turns and slides', () => {
  compare(boxOnTray(), 1500, 'tray', 10);
  const start = {
    position: [0, 0, 0.3],
    angularVelocity: [1, 2, 3],
    velocity: [0.3, 0, -1],
  } as const;
  compare(scene(box([0.2, 0.1, 0.1], start, [2, 1, 2]), floor()), 1000, 'floor', 10);
});

test('a state that is put back gives the same bits again', () => {
  assert.ok(kernels !== null);
  const run = makeSystem(boxOnTray(), kernels);
  for (let n = 0; n < 300; n++) run.step(1e-3);
  const kept = run.state.slice();
  for (let n = 0; n < 200; n++) run.step(1e-3);
  const hash = run.hash();
  run.restore(kept);
  for (let n = 0; n < 200; n++) run.step(1e-3);
  assert.equal(run.hash(), hash);
});

test('what is not a number ends the step with the state before it, both ways', () => {
  assert.ok(kernels !== null);
  for (const model of [boxOnTray(), incline('implicit-contact')]) {
    const run: System = makeSystem(model, kernels);
    const reference: System = makeSystem(model);
    for (const one of [run, reference]) {
      for (let n = 0; n < 50; n++) one.step(1e-3);
      one.setExternalWrench(0, Float64Array.of(Number.NaN, 0, 0, 0, 0, 0), 0);
    }
    assert.equal(run.step(1e-3), 1);
    assert.equal(reference.step(1e-3), 1);
    assert.equal(run.hash(), reference.hash());
  }
});

test('the memory has room for what lies in it, and not much more', () => {
  assert.ok(kernels !== null);
  for (const model of [boxOnTray(), incline('implicit-contact')]) {
    const { loops } = new Dynamics(model, kernels);
    assert.ok(loops instanceof ContactLoops);
    assert.ok(loops.memory.used < loops.memory.size);
    assert.ok(loops.memory.size < 2e6, `${loops.memory.size} bytes`);
  }
});

test('the places of the read-out are those of its list', () => {
  assert.deepEqual(
    { ...slots },
    {
      READ_ACTIVE: ContactReadout.active,
      READ_PENETRATION: ContactReadout.penetration,
      READ_RATE: ContactReadout.penetrationRate,
      READ_FORCE: ContactReadout.normalForce,
      READ_FRICTION: ContactReadout.ft_x,
      READ_SLIP: ContactReadout.slip_x,
      READ_BRISTLE: ContactReadout.z_x,
      READ_DWELL: ContactReadout.dwell,
      READ_STICK: ContactReadout.stick,
      READ_IMPACT: ContactReadout.impactSpeed,
      READ_POINT: ContactReadout.point_x,
      READ_NORMAL: ContactReadout.normal_x,
      READ_TORQUE: ContactReadout.torque_x,
      READ_VOLUME: ContactReadout.volume,
      READ_AREA: ContactReadout.area,
      READ_SPIN: ContactReadout.spinTorque,
      READ_GYRATION: ContactReadout.gyration,
      READ_TORSION: ContactReadout.torsion,
      READ_PIECE: PIECE_READOUT,
    },
  );
  assert.equal(slots.READ_VOLUME, COMMON_READOUT);
});
