/** One spring, or two or four side by side that are as stiff together: virtual damping and guard make the same of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactReader, freeMassScenario, Pilot } from '../../fixtures/free-mass.ts';
import { compileScenario } from '../../../config/compile.ts';
import type { Settings } from '../../../config/settings.ts';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { PredictedSlot } from '../../../hil/energy/loop-prediction.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const STIFFNESS_N_PER_M = 1e5;
const CONTACT_N = 0.5;
const RADIUS_M = 0.1;

/** Restitution of a free mass on `count` springs, and what was predicted while it touched. */
function runImpact(
  count: number,
  delay_s: number,
  energy: Partial<Settings['energy']>,
): { e: number; predicted: number } {
  const row = {
    mass_kg: 100,
    stiffness_N_per_m: STIFFNESS_N_PER_M / count,
    damping_Ns_per_m: 0,
    delay_s,
    restitution: 1,
  };
  const scenario = freeMassScenario(row);
  const [first] = scenario.contacts;
  if (first?.pair.kind !== 'sphere-plane') assert.fail('the buffer is a sphere');
  const { pair } = first;
  scenario.contacts = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const x = count === 1 ? 0 : RADIUS_M * Math.cos(angle);
    const y = count === 1 ? 0 : RADIUS_M * Math.sin(angle);
    return {
      ...structuredClone(first),
      name: `foot-${i}`,
      pair: { ...pair, center_m: [x, y, 0.05] },
    };
  });
  const wide = { hold_ratio: 1e6, hold_J: 1e6, contact_force_N: CONTACT_N };
  const rig = new VirtualRig({
    mode: 'hardware',
    model: compileScenario(scenario),
    settings: (settings) =>
      void Object.assign(settings.energy, { guard: false, ...wide, ...energy }),
    emulator: { tracking: 'ideal', delay_s },
  });
  rig.activate();
  const pilot = new Pilot({ ...row, stiffness_N_per_m: STIFFNESS_N_PER_M });
  const { period_s } = rig.settings.loop;
  const reader = new ContactReader({
    period_s,
    lossy: false,
    delayMost_s: 0.02,
    contact_N: CONTACT_N,
  });
  const values = new Float64Array(ROW_WIDTH);
  const keep = NaN;
  let predicted = NaN;
  for (let tick = 0; tick < 6000; tick++) {
    rig.input(0, 1);
    rig.run(1);
    values.set(rig.tick.record.row);
    const force = pilot.next(values);
    if (!Number.isNaN(force)) {
      rig.command(CommandKind.FMA, keep, 0, 0, force, 0, 0, 0, keep, keep, keep, keep);
    }
    if (rig.state === 'ACTIVE_CONTACT') {
      predicted = rig.tick.energy.prediction.values[PredictedSlot.RESTITUTION_ACTIVE] ?? NaN;
    }
    const contact = reader.feed(values);
    if (contact !== null) return { e: contact.restitution, predicted };
  }
  return assert.fail(`no contact: ${rig.state}`);
}

test('virtual damping: the same restitution, below 1, and the same prediction', () => {
  const damped = { compensation: 'damping' } as const;
  const one = runImpact(1, 5e-3, damped);
  assert.ok(one.e < 1, String(one.e));
  for (const count of [2, 4]) {
    const { e, predicted } = runImpact(count, 5e-3, damped);
    // the sum of the springs is known when they touch, the worst of one a period before: b_v h/m = 5.5e-3 of the speed
    assert.ok(Math.abs(e - one.e) < 5.5e-3, `${count}: e = ${e}, one ${one.e}`);
    assert.ok(Math.abs(predicted - one.predicted) < 1e-3, `${count}: ${predicted}`);
  }
});

test('a guard that knows the stiffness of one contact asks for what all of them can hold', () => {
  const one = runImpact(1, 1e-3, { guard: true, stiffness_N_per_m: STIFFNESS_N_PER_M });
  for (const count of [2, 4]) {
    const stiffness_N_per_m = STIFFNESS_N_PER_M / count;
    const { e } = runImpact(count, 1e-3, { guard: true, stiffness_N_per_m });
    assert.ok(Math.abs(e - one.e) < 5e-3, `${count}: e = ${e}, one ${one.e}`);
  }
});
