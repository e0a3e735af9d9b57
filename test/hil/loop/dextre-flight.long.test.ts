/**
 * The battery box on the Dextre-class arm over the whole loop on the virtual clock, mode `hardware`: the emulated robot moves the box
 * against its own work-site, and what it measures moves the arm. The last part of the way; `berth fly` flies all of it.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { compileInsertion } from '../../../config/compile-insertion.ts';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Column, type ColumnName } from '../../../hil/contract/columns.ts';
import { PermitState } from '../../../hil/contract/commands.ts';
import { loadFlight } from '../../../config/flight.ts';
import { FlightScript } from '../../../server/cli/flight-script.ts';
import { insertionFacts } from '../../../server/status/scene.ts';
import { toolFactsOf } from '../../../server/status/tool-facts.ts';
import { ARM_READOUT } from '../../../src/model/arm-spec.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const LOOK_TICKS = 100; // the status comes ten times a second
const INPUT_TICKS = 10;
const MOST_TICKS = 40_000;
/** So far in at the start, m. */
const START_M = 0.185;
/** Commanded when it presses: 10 N and 1e4 N s/m make 30 N, and a tenth is allowed. */
const PLATEAU_N = 30;
const ALLOWED = 0.1;
const DEFLECTION = ARM_READOUT.indexOf('deflectionX');

const scenario = loadScenario('dextre-battery-box');
for (const body of scenario.bodies) {
  if (body.kind === 'fixed') continue;
  body.position_m = [START_M - 0.2, 0, 0];
  body.orientation = { kind: 'identity' };
}
const model = compileScenario(scenario);
const insertion = insertionFacts(compileInsertion(scenario))!;
const tool = toolFactsOf(model)!;

describe('the battery box on a flexible arm', () => {
  const rig = new VirtualRig({ model, mode: 'hardware', noise: 1 });
  const arm = rig.system.arm!;
  const { operator } = rig.settings;
  // it has jammed before
  const flown = new Set(['push-turned']);
  const script = new FlightScript(loadFlight('insertion'), { insertion, tool, operator }, 1, flown);
  const value = (name: ColumnName): number => rig.tick.record.row[Column[name]];
  const words: string[] = [];
  const phases = new Set<string>();
  const seated = { force: [] as number[], depth: 0, deflection: 0, bends: 0, created: 0, taken: 0 };
  const permits = new Set<number>();
  let continuity = Infinity;

  const view = () => ({
    time_s: rig.system.time,
    position_m: [...rig.tick.measured.slice(0, 3)],
    orientation: [...rig.tick.measured.slice(3, 7)],
    force_N: [...rig.tick.measuredWrench.slice(0, 3)],
    moment_Nm: [...rig.tick.measuredWrench.slice(3, 6)],
    contact: value('contact_pairs') > 0,
    pairs: value('contact_pairs'),
  });

  before(() => {
    rig.activate();
    continuity = Math.hypot(
      ...[0, 1, 2].map((a) => (rig.tick.setpoint[a] ?? NaN) - (rig.tick.measured[a] ?? NaN)),
    );
    const told = new Float64Array(ARM_READOUT.length);
    const joint = new Float64Array(16);
    for (let i = 0; i < MOST_TICKS && script.step !== 'retreat'; i++) {
      if (i % LOOK_TICKS === 0) script.read(view());
      words.push(...script.words.splice(0));
      phases.add(script.step);
      if (script.failure !== null) break;
      if (i % INPUT_TICKS === 0) rig.inputAxes(script.axes, 1);
      rig.run(1);
      assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${words.at(-1)}`);
      permits.add(value('permit_state'));
      if (script.step !== 'seated') continue;
      seated.force.push(-(rig.tick.measuredWrench[0] ?? NaN));
      seated.depth = script.depth_m(view());
      arm.readArm(told, 0);
      seated.deflection = Math.hypot(...told.slice(DEFLECTION, DEFLECTION + 3));
      for (let j = 0; j < arm.jointCount; j++) {
        arm.readJoint(j, joint, 0);
        seated.bends = Math.max(seated.bends, Math.abs(joint[4] ?? 0));
      }
      seated.created = value('energy_created_total_J');
      seated.taken = value('energy_in_J');
    }
  });

  test('begins where the robot is', () => {
    assert.ok(continuity < 0.5e-3, `${continuity} m from set-point to robot`);
  });

  test('is pressed into its seat, to full depth and with the force of the law', () => {
    assert.ok(phases.has('seated'), words.join('; '));
    // the floor yields by 30 N over 48 kN/m
    assert.ok(seated.depth > 0.2 && seated.depth < 0.202, `${seated.depth} m`);
    const mean = seated.force.reduce((sum, force) => sum + force, 0) / seated.force.length;
    assert.ok(Math.abs(mean / PLATEAU_N - 1) <= ALLOWED, `${mean} N`);
  });

  test('bends while it presses: gears and links', () => {
    // 30 N at some 2.5 m on gears of 5e4 N m/rad in series
    assert.ok(seated.deflection > 0.3e-3 && seated.deflection < 0.02, `${seated.deflection} m`);
    assert.ok(seated.bends > 1e-4 && seated.bends < 0.01, `${seated.bends} rad in a gear`);
  });

  test('permit and audit look at the arm', () => {
    assert.ok(permits.has(PermitState.VALID), `permits ${[...permits].join()}`);
    assert.ok(value('effective_mass_kg') > 20 && value('effective_mass_kg') < 400, 'mobility');
    assert.ok(seated.created < 0.02, `${seated.created} J created`);
  });

  test('the link cut, the arm holds where it is', () => {
    rig.robotOn = false;
    rig.run(600, (i) => rig.inputAxes(i % 2 === 0 ? [1, 0, 0, 0, 0, 0] : [0.9, 0, 0, 0, 0, 0], 1));
    assert.doesNotMatch(rig.state, /^ACTIVE/);
    assert.equal(Math.hypot(...rig.tick.setpoint.slice(7)), 0);
    const hash = rig.tick.setpoint.slice();
    rig.run(300);
    assert.deepEqual(rig.tick.setpoint, hash);
  });
});
