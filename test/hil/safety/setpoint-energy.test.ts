/**
 * Energy that the limits of set-points take from an arm with joints. An impulse P on its tip
 * changes the twist from v to v' and does the work P·(v + v')/2 = ½ v'ᵀΛv' − ½ vᵀΛv, with Λ the
 * inertia at the tip. The energy taken is the negative of it: above zero where the limits slow the
 * tip down, below where they reduce its braking.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { ENERGY_READOUT } from '../../../src/system/energy-ledger.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';
import { flySetpoints } from '../../fixtures/setpoint-flight.ts';

const BALANCE = ENERGY_READOUT.indexOf('balance');
const EXTERNAL = ENERGY_READOUT.indexOf('externalWork');
const ACCOMMODATE = 1;
const HARDWARE = 2;
const STEP_s = 0.001;

function energies(system: System): Float64Array {
  const out = new Float64Array(ENERGY_READOUT.length);
  system.readEnergy(out, 0);
  return out;
}

/** An arm that moves: tip and joints as half a second under a command and a measured push leave them. */
function moving(scenario: string): System {
  const system = makeSystem(compileScenario(loadScenario(scenario)));
  const port = system.tool;
  assert.ok(port !== null);
  system.useSchedule = false;
  port.measuredMotion.set(port.setpoint);
  port.mode = HARDWARE;
  port.motion = ACCOMMODATE;
  port.command[0] = 0.01;
  for (let i = 0; i < 500; i++) {
    port.measuredWrench[1] = 20 * Math.sin(0.01 * i);
    assert.equal(system.step(STEP_s), 0);
  }
  return system;
}

for (const scenario of [
  'kim-planar-controlled-contact',
  'canadarm-berthing',
  'dextre-battery-box',
  'dextre-on-canadarm2',
]) {
  test(`53: ${scenario}: what is taken has the sign of what the tip loses, and the ledger stays balanced`, (t) => {
    const told: string[] = [];
    for (const share of [0.5, 0.9, 1, 1.1, 2]) {
      const system = moving(scenario);
      const arm = system.arm;
      assert.ok(arm !== null && system.tool !== null);
      const stored = (): number => {
        const parts = new Float64Array(3);
        arm.computeEnergy(parts);
        return (parts[0] ?? 0) + (parts[1] ?? 0) + (parts[2] ?? 0);
      };
      const motion = Float64Array.from(system.tool.setpoint);
      for (let i = 7; i < 13; i++) motion[i] = share * (motion[i] ?? 0);
      const before = energies(system);
      const had = stored();
      const taken = new Float64Array(1);
      system.holdArm(motion, taken);
      const lost = had - stored();
      const after = energies(system);
      // sums of energies of the whole arm, of which each is rounded
      const rounding = 1e-12 * (Math.abs(had) + Math.abs(before[EXTERNAL] ?? 0) + 1);
      const [J = NaN] = taken;
      assert.ok(Math.abs(J - lost) <= rounding, `${J} J are told and ${lost} J are lost`);
      const drift = (after[BALANCE] ?? NaN) - (before[BALANCE] ?? NaN);
      assert.ok(Math.abs(drift) <= rounding, `balance moves by ${drift} J`);
      const given = (after[EXTERNAL] ?? NaN) - (before[EXTERNAL] ?? NaN);
      assert.ok(Math.abs(given + J) <= rounding, `${given} J came from outside`);
      if (share < 1) assert.ok(J > rounding, `slowed to ${share}: ${J} J`);
      if (share > 1) assert.ok(J < -rounding, `kept at ${share}: ${J} J`);
      told.push(`${J.toExponential(1)} J at ${share}`);
    }
    t.diagnostic(`acceptance 53: ${scenario}: taken ${told.join(', ')} of the twist`);
  });
}

test('53: a flight of a flexible arm under a low limit of jerk: what was taken is booked in the ledger', (t) => {
  const { rig } = flySetpoints({
    scenario: 'kim-planar-controlled-contact',
    mode: 'hardware',
    ticks: 500,
    robot: { force_N: 1000 },
    settings: ({ limits, energy }) => {
      limits.jerk_mps3 = 20;
      energy.guard = false;
    },
    wrench: (tick) => (tick < 50 ? [0, 0, 0, 0, 0, 0] : [20 * Math.sin(tick), 5, 0, 0, 0, 0]),
  });
  const balance = Math.abs(energies(rig.system)[BALANCE] ?? NaN);
  const taken = rig.counter(LoopSlot.setpoint_limited_joules_total);
  t.diagnostic(`acceptance 53: ${taken} J taken, ledger off by ${balance} J`);
  // what is not booked is in the balance
  assert.ok(balance < 1e-3 * taken, `off by ${balance} J of ${taken} J`);
});
