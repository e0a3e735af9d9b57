/** Scenario `latch-hook`: the roller draws the hook against its pads, and the moment of the crank changes its sign behind the dead centre. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { SystemModel } from '../../src/model/model.ts';
import {
  CONSTRAINT_READOUT,
  CONTACT_READOUT,
  ContactReadout,
  ConstraintReadout,
  ENERGY_READOUT,
  EnergyReadout,
  makeSystem,
} from '../../src/system/system.ts';

const CRANK_m = 0.015;
const ROD_m = 0.06;
const END = (186 * Math.PI) / 180;

/** Place of the roller in closed form, m, and how it goes with the angle of the crank. */
function rollerAt(angle: number): readonly [x: number, slope: number] {
  const s = Math.sin(angle);
  const c = Math.cos(angle);
  const root = Math.sqrt(ROD_m * ROD_m - CRANK_m * CRANK_m * s * s);
  return [CRANK_m * c + root, -CRANK_m * s - (CRANK_m * CRANK_m * s * c) / root];
}

/** The scenario, whose latch closes from 5 s to 8 s and stays. */
function early(): SystemModel {
  const model = compileScenario(loadScenario('latch-hook'));
  const constraints = (model.constraints ?? []).map((one) => {
    if (one.kind !== 'lock' || one.rotationMotion === undefined) return one;
    const points = [0, 5, 8].map((time, k) => ({ time, position: [k === 2 ? END : 0] }));
    return { ...one, rotationMotion: { axis: 'z', law: { kind: 'cycloidal', points } } } as const;
  });
  return { ...model, constraints };
}

test('the roller latches the hook: places, forces, the moment of the crank on both sides of its dead centre, energy', () => {
  const system = makeSystem(early());
  const [hook, roller] = ['hook', 'roller'].map((name) => system.bodyIndex(name));
  const pose = new Float64Array(13);
  const contact = new Float64Array(CONTACT_READOUT.length);
  const shaft = new Float64Array(CONSTRAINT_READOUT.length);
  const energy = new Float64Array(ENERGY_READOUT.length);
  const force = (k: number): number => {
    system.readContact(k, contact, 0);
    return contact[ContactReadout.active] === 1 ? contact[ContactReadout.normalForce] : 0;
  };
  let peak = 0;
  let signs = 0;
  let last = 0;
  for (let n = 1; n <= 9000; n++) {
    assert.equal(system.step(1e-3), 0);
    const [x, y, z] = system.tool?.modelWrench ?? [];
    peak = Math.max(peak, Math.hypot(x, y, z));
    if (n < 7300) continue; // drawn in: the pads stand
    system.readConstraint(0, shaft, 0);
    const moment = shaft[ConstraintReadout.momentY];
    if (last * moment < 0) signs++;
    last = moment;
  }
  assert.equal(signs, 1); // at 180°
  const [x, slope] = rollerAt(END);
  system.readBody(roller, pose, 0);
  assert.ok(Math.abs(pose[0] - x) < 1e-9 && Math.abs(pose[2]) < 1e-9, `${pose[0]} ${x}`);
  // the pull on the roller turns the crank on: the shaft holds it back by F dx/dθ, with the force along x
  system.readContact(0, contact, 0);
  const pull = contact[ContactReadout.normalForce] * Math.abs(contact[ContactReadout.normal_x]);
  assert.ok(slope > 1e-3);
  // friction and the weightless rod leave 1 %; the normal is 2° off the rail
  assert.ok(Math.abs(last + pull * slope) < 0.01 * pull * slope, `${last} ${pull * slope} N m`);
  // in balance with both pads, but for the dead-band of 2 N
  const stands = force(1) + force(2);
  assert.ok(
    Math.abs(force(1) - force(2)) < 1e-6 && Math.abs(pull - stands) < 2,
    `${pull} ${stands}`,
  );
  assert.ok(pull > 35 && pull < 45, `${pull} N`);
  // while the arm follows at up to 32 mm/s and 1e3 N/(m/s)
  assert.ok(peak > 20 && peak < 40, `${peak} N`);
  system.readBody(hook, pose, 0);
  assert.ok(Math.abs(pose[0] - 0.048) < 2e-4 && Math.abs(pose[4]) < 2e-3, `${pose[0]}`);
  system.readEnergy(energy, 0);
  // contact forces count at the start of a step while rows move with the end of it
  assert.ok(Math.abs(energy[EnergyReadout.balance]) < 2e-4, `${energy[EnergyReadout.balance]} J`);
  assert.ok(energy[EnergyReadout.dissipated] > 0);
  assert.equal(system.standInPoses, 0);
});
