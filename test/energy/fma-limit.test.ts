/** Acceptance test 37 of `hil-anchors 9.4`: the rate loop of force and moment accommodation, K_a k T. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnIndex } from '../../hil/columns.ts';
import { COMMAND_RESULTS, CommandKind } from '../../hil/commands.ts';
import { GAIN_LIMIT } from '../../hil/energy/contact-permit.ts';
import {
  findCriticalDelay,
  makePredictionCells,
  PredictionSlot as P,
} from '../../hil/energy/prediction.ts';
import { rateLoop } from '../support/delayed-contact.ts';
import { VirtualRig } from '../support/virtual-rig.ts';

/** k T/g below which the rate loop g x' = F_des − k x(t − T) is stable. */
const STABLE = Math.PI / 2;

test('37: no overshoot up to 1/e, 4 % at 0.5, half at 1, growth from π/2 on', (t) => {
  assert.ok(rateLoop(0.36).overshoot < 5e-3, String(rateLoop(0.36).overshoot));
  assert.ok(rateLoop(GAIN_LIMIT).overshoot < 1e-9, 'at 1/e');
  assert.ok(rateLoop(GAIN_LIMIT + 0.03).overshoot > 1e-4, 'above 1/e');
  const half = rateLoop(0.5).overshoot;
  assert.ok(Math.abs(half - 0.04) <= 0.01, String(half));
  const low = Math.abs(100 * rateLoop(0.36).overshoot).toFixed(2);
  t.diagnostic(`acceptance 37: overshoot ${low} % at 0.36, ${(100 * half).toFixed(1)} % at 0.5`);
  // by the method of steps x = t up to 1, then x' = 1 − (t − 1): 3/2 at t = 2
  assert.ok(Math.abs(rateLoop(1).overshoot - 0.5) < 1e-9, String(rateLoop(1).overshoot));
  assert.equal(rateLoop(STABLE - 0.02).grows, false);
  assert.equal(rateLoop(STABLE + 0.02).grows, true);
});

test('37: the critical delay of an arm whose lag is short', () => {
  const cells = makePredictionCells();
  cells[P.MASS] = 1e-3; // of a lag that is short beside d/k
  cells[P.DAMPING] = 1 / 0.74e-3; // K_a = 0.74 mm/s per N
  cells[P.STIFFNESS] = 1e5;
  cells[P.DELAY] = 5e-3;
  findCriticalDelay(cells);
  // π/2 d/k, less the lag m/d to first order: 5e-5 of it here
  const critical = cells[P.CRITICAL_DELAY] ?? NaN;
  const short = (STABLE * (cells[P.DAMPING] ?? NaN)) / 1e5;
  assert.ok(Math.abs(critical / short - 1) < 1e-4, `${critical} for ${short}`);
});

/** The half-sphere's rig with a contact of `stiffness`, in MONITOR_READY; only K_a k T can ask for the permit. */
function ready(stiffness: number): VirtualRig {
  const rig = new VirtualRig({
    mode: 'hardware',
    settings: (settings) => {
      const wide = { restitution_limit: 1e6, margin_limit: 1e-6 } as const;
      Object.assign(settings.energy, { ...wide, permit: 'required' });
      settings.energy.stiffness_N_per_m = stiffness;
    },
    emulator: { tracking: 'ideal', delay_s: 5e-3 },
  });
  assert.ok(rig.runUntil('MONITOR_READY', 6000) >= 0, rig.state);
  rig.command(CommandKind.AUTHORITY, 1);
  rig.input(0, 0);
  rig.run(2);
  rig.input(0, 1);
  rig.run(1);
  return rig;
}

/** Asks for the arm. @returns the answer */
function arm(rig: VirtualRig): string {
  rig.answers.length = 0;
  rig.command(CommandKind.ARM);
  rig.input(0, 1);
  rig.run(2);
  return COMMAND_RESULTS[rig.answers[0] ?? -1] ?? 'none';
}

test('37: ARM is refused from K_a k T = 0.37 on, until somebody acknowledges', (t) => {
  const probe = ready(1e5);
  const delay = probe.tick.record.row[columnIndex('loop_delay_s')] ?? NaN;
  const gain = probe.system.model.tool?.forceGain ?? NaN;
  const stiffnessOf = (number: number): number => (number * gain) / delay;
  const low = ready(stiffnessOf(0.36));
  assert.equal(arm(low), 'ok');
  assert.ok(low.runUntil('ACTIVE_FREE', 500, () => low.input(0, 1)) >= 0, low.state);

  const high = ready(stiffnessOf(0.37));
  assert.equal(arm(high), 'permit_needed');
  assert.equal(high.state, 'MONITOR_READY');
  high.command(CommandKind.PERMIT, 1);
  high.run(2);
  assert.equal(arm(high), 'ok');
  assert.ok(high.runUntil('ACTIVE_FREE', 500, () => high.input(0, 1)) >= 0, high.state);
  t.diagnostic('acceptance 37: ARM at 0.36 ok, at 0.37 permit_needed, acknowledged ok');
});
