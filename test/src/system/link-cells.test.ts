/** Links of trees with cells: volumetric contacts of links on a plate, and of two links of one tree with each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BerthError,
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
  type System,
  type SystemModel,
  type TreeLinkModel,
} from '../../../src/index.ts';
import { system } from '../../fixtures/models.ts';
import { cell, floor, GRAVITY, STIFFNESS, touch } from '../../fixtures/volumetric-models.ts';

const MASS = 0.8;
const SIDE = 0.04;
/** Damping of slow contacts is 1/smallVelocity: they settle within 0.1 s. */
const DAMPED = { restitution: 0.2, smallVelocity: 0.1 } as const;
const SMOOTH = { normal: DAMPED, friction: { kind: 'none' }, rolling: { kind: 'none' } } as const;

/** A cube of cells at the centre of mass of a link, `lever` in front of its joint. */
function cube(
  parts: Partial<TreeLinkModel> & Pick<TreeLinkModel, 'name' | 'joint'>,
): TreeLinkModel {
  const moment = (MASS * SIDE * SIDE) / 6;
  return {
    parent: -1,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    mass: MASS,
    center: [0, 0, 0],
    inertia: [moment, moment, moment, 0, 0, 0],
    cells: [cell('cube', { kind: 'box', size: [SIDE, SIDE, SIDE] })],
    ...parts,
  };
}

function withTree(links: readonly TreeLinkModel[], parts: Partial<SystemModel>): SystemModel {
  const base = { name: 'tree', position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  return system({ gravity: [0, 0, -GRAVITY], trees: [{ ...base, links, frames: [] }], ...parts });
}

function settle(model: SystemModel, seconds: number): System {
  const run = makeSystem(model);
  for (let n = 0; n < seconds * 1000; n++) assert.equal(run.step(1e-3), 0);
  return run;
}

const contactOf = (run: System, k: number): Float64Array => {
  const c = new Float64Array(CONTACT_READOUT.length);
  run.readContact(k, c, 0);
  return c;
};

test('a cube on a slide rests on a floor as deep as its weight: k_v A d = m g; the ledger closes', () => {
  const slide = {
    kind: 'prismatic',
    axis: [0, 0, 1],
    position: SIDE / 2 + 1e-3,
    rate: 0,
  } as const;
  const run = settle(
    withTree([cube({ name: 'slider', joint: slide })], {
      bodies: [floor()],
      contacts: [touch('slider', 'floor', { normal: DAMPED })],
    }),
    4,
  );
  const x = new Float64Array(13);
  run.readBody(run.bodyIndex('slider'), x, 0);
  const depth = (MASS * GRAVITY) / (STIFFNESS * SIDE * SIDE);
  assert.ok(Math.abs(SIDE / 2 - x[2] - depth) < 1e-9, `${SIDE / 2 - x[2]} m deep of ${depth}`);
  const force = contactOf(run, 0)[ContactReadout.normalForce];
  assert.ok(Math.abs(force - MASS * GRAVITY) < 1e-6, `${force} N`);
  const e = new Float64Array(ENERGY_READOUT.length);
  run.readEnergy(e, 0);
  // the impact of 8 mJ is of first order in the step
  assert.ok(Math.abs(e[EnergyReadout.balance]) < 1e-3, `balance ${e[EnergyReadout.balance]} J`);
  assert.ok(e[EnergyReadout.dissipated] > 0, 'the impact took energy');
});

test('a cube on a hinge: the floor bears the weight, as its lever is that of the centre', () => {
  const lever = 0.3;
  const run = settle(
    withTree(
      [
        cube({
          name: 'flap',
          center: [lever, 0, 0],
          // its lower face touches the floor flat; a positive angle lifts it
          joint: { kind: 'revolute', axis: [0, -1, 0], position: 0, rate: 0 },
        }),
      ],
      {
        bodies: [{ ...floor(), position: [0, 0, -SIDE / 2] }],
        contacts: [touch('flap', 'floor', SMOOTH)],
      },
    ),
    4,
  );
  const c = contactOf(run, 0);
  // the point of the force lies where the sunk wedge has its centroid, some 1e-5 m off the centre
  const arm = c[ContactReadout.point_x];
  const want = (MASS * GRAVITY * lever) / arm;
  assert.ok(
    Math.abs(c[ContactReadout.normalForce] - want) < 1e-3,
    `${c[ContactReadout.normalForce]} N, ${want}`,
  );
});

test('two links of one tree pinch each other: both springs feel the same force', () => {
  const spring = (stiffness: number, rest: number) => ({ stiffness, damping: 40, rest }) as const;
  // two slides along x whose springs push the cubes together with an overlap of 20 mm
  const jaw = (name: string, from: number, rest: number, stiffness: number): TreeLinkModel =>
    cube({
      name,
      joint: {
        kind: 'prismatic',
        axis: [1, 0, 0],
        position: from,
        rate: 0,
        spring: spring(stiffness, rest),
      },
    });
  const [left, right] = [400, 900];
  const run = settle(
    withTree([jaw('left', -0.03, -0.01, left), jaw('right', 0.03, 0.01, right)], {
      gravity: [0, 0, 0],
      bodies: [floor()],
      contacts: [touch('left', 'right', SMOOTH)],
    }),
    4,
  );
  const x = new Float64Array(13);
  run.readBody(run.bodyIndex('left'), x, 0);
  const leftX = x[0];
  run.readBody(run.bodyIndex('right'), x, 0);
  const force = contactOf(run, 0)[ContactReadout.normalForce];
  const [pushLeft, pushRight] = [left * (-0.01 - leftX), right * (x[0] - 0.01)];
  assert.ok(force > 1, `${force} N`);
  assert.ok(Math.abs(pushLeft - force) < 1e-6, `${pushLeft} N of ${force}`);
  assert.ok(Math.abs(pushRight - force) < 1e-6, `${pushRight} N of ${force}`);
});

test('a link without cells in a volumetric contact, and cells that cannot be, are refused by name', () => {
  const slide = { kind: 'prismatic', axis: [0, 0, 1], position: 0.1, rate: 0 } as const;
  const refused = (link: TreeLinkModel, pattern: RegExp): void => {
    assert.throws(
      () =>
        makeSystem(withTree([link], { bodies: [floor()], contacts: [touch('slider', 'floor')] })),
      (error: unknown) => error instanceof BerthError && pattern.test(error.message),
      String(pattern),
    );
  };
  const good = cube({ name: 'slider', joint: slide });
  refused({ ...good, cells: [] }, /bodyI .*cells.*"slider"/);
  refused(
    { ...good, cells: [cell('cube', { kind: 'box', size: [0.1, 0.1, -1] })] },
    /link slider\.cells/,
  );
});
