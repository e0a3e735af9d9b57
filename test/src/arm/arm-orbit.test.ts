/** The arm of a tool in a world that goes round the Earth: what holds it, and its energy. docs/theory/orbit.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { rigidTree } from '../../../src/arm/rigid-tree.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { OrbitField } from '../../../src/multibody/tree/orbit-field.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { Tree } from '../../../src/multibody/tree/tree.ts';
import { ENERGY_READOUT, makeSystem } from '../../../src/system/system.ts';

/** rad/s: twenty times that of a low orbit, so that torques are well above rounding. */
const RATE = 0.02;
const STEP_s = 1e-3;
const BALANCE = ENERGY_READOUT.indexOf('balance');
const KINETIC = ENERGY_READOUT.indexOf('kinetic');

/** Without friction of the joints, which would hold as well. */
function smooth(tree: TreeModel): TreeModel {
  const copy = structuredClone(tree);
  for (const { joint } of copy.links) Reflect.deleteProperty(joint, 'friction');
  return copy;
}

/** The arm of the battery box away from its work-site, with or without flexible gears. */
function orbiting(flexible: boolean, normal: [number, number, number] = [0, 2, 0]): SystemModel {
  const scenario = loadScenario('dextre-battery-box');
  scenario.tool!.robot!.base.orbit = { rate_radps: RATE, radial: [0, 0, 3], normal };
  const model = compileScenario(scenario);
  const tool = model.tool!;
  const robot = tool.robot!;
  const tree = flexible ? robot.tree : smooth(rigidTree(robot.tree));
  return { ...model, contacts: [], tool: { ...tool, robot: { ...robot, tree } } };
}

test('at rest the servos hold what the field changes by with each joint', () => {
  const model = orbiting(false);
  const { orbit, tree: treeModel } = model.tool!.robot!;
  assert.deepEqual(orbit, { rate: RATE, radial: [0, 0, 1], normal: [0, 1, 0] });
  const system = makeSystem(model);
  system.useSchedule = false;
  const arm = system.arm!;
  for (let i = 0; i < 6000; i++) assert.equal(system.step(STEP_s), 0, `step ${i}`);

  // the field's energy on a tree of its own, a little to either side of where the arm rests
  const state = new Float64Array(arm.tree.q.length + arm.tree.u.length);
  const tree = new Tree(treeModel, state);
  const field = new OrbitField(orbit, treeModel, tree.links);
  const energy = new Float64Array(1);
  const at = (joint: number, turn: number): number => {
    tree.q.set(arm.tree.q);
    tree.q[arm.joints.position[joint]] += turn;
    tree.refresh();
    energy[0] = 0;
    field.addPotentialEnergy(energy);
    return energy[0];
  };
  const joint = new Float64Array(16);
  let largest = 0;
  for (let j = 0; j < arm.jointCount; j++) {
    arm.readJoint(j, joint, 0);
    const want = (at(j, 1e-4) - at(j, -1e-4)) / 2e-4;
    largest = Math.max(largest, Math.abs(want));
    assert.ok(Math.abs(joint[1]) < 1e-7, `joint ${j} rests: ${joint[1]} rad/s`);
    // differences of some J over 2e-4 rad round by 1e-11 N m and err by 1e-8 of the torque
    assert.ok(Math.abs(joint[3] - want) < 1e-5, `joint ${j}: ${joint[3]} N m, field ${want} N m`);
  }
  assert.ok(largest > 0.05, `there is something to hold: ${largest} N m`);
});

test('in motion the balance closes with the energy of the field', () => {
  const system = makeSystem(orbiting(true));
  system.useSchedule = false;
  const energy = new Float64Array(ENERGY_READOUT.length);
  let kinetic = 0;
  for (let i = 0; i < 1500; i++) {
    system.tool!.command[1] = 0.05;
    assert.equal(system.step(STEP_s), 0, `step ${i}`);
    system.readEnergy(energy, 0);
    kinetic = Math.max(kinetic, energy[KINETIC]);
  }
  assert.ok(kinetic > 0.1, `it moves: ${kinetic} J`);
  // the field is that of the beginning of a step: half a step times power, of 0.5 N at 0.05 m/s and its changes, is left out
  assert.ok(Math.abs(energy[BALANCE]) < 2e-5, `${energy[BALANCE]} J`);
});

test('an orbit whose normal is not square to its radius is refused', () => {
  assert.throws(() => makeSystem(orbiting(true, [0, 1, 1])), /tool\.robot\.base\.orbit\.normal/);
});

test('an orbit does not go with gravity', () => {
  const model = orbiting(true);
  assert.throws(() => makeSystem({ ...model, gravity: [0, 0, -1] }), /gravity to be zero/);
});
