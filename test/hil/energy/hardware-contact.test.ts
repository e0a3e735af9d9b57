/**
 * Contact in `hardware` mode with a robot 10 ms late, on the virtual clock: the half-sphere on the
 * force plate, and the battery box on the floor of its work-site. With the guard they rest on their
 * plateau. Without it the loop feeds energy into the contact, which does not end, and the alert on
 * created energy fires. test/acceptance/hardware-contact.ts does the same over sockets.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ALERT_J_PER_MINUTE,
  DELAYED_CONTACTS,
  DELAY_S,
  type DelayedContact,
  plateau_N,
} from '../../fixtures/delayed-contacts.ts';
import { compileScenario } from '../../../config/compile.ts';
import { packageRoot } from '../../../config/paths.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const FORCE = Column.measured_force_x_N;
const TICKS = 5000;
const SETTLED_TICKS = 2500;

interface Pressed {
  readonly plateau_N: number;
  readonly least_N: number;
  readonly most_N: number;
  /** Created by the loop and not taken away again: the expression of the alert. */
  readonly created_J_per_minute: number;
}

function press(contact: DelayedContact, guard: boolean): Pressed {
  const rig = new VirtualRig({
    mode: 'hardware',
    noise: 1,
    model: compileScenario(contact.scenario()),
    settings: (settings) => {
      const wide = { permit: 'advisory', hold_ratio: 1e9, hold_J: 1e9 } as const;
      Object.assign(settings.energy, { ...wide, guard });
    },
    emulator: { delay_s: DELAY_S },
  });
  rig.activate();
  const { axis, axes } = contact;
  let least = Infinity;
  let most = -Infinity;
  for (let n = 0; n < TICKS; n++) {
    if (n % 10 === 0) rig.inputAxes(axes, 1);
    rig.run(1);
    assert.match(rig.state, /^ACTIVE/, `${rig.state} after ${n} ticks`);
    if (n < SETTLED_TICKS) continue;
    // against the way it is pressed
    const force = -Math.sign(axes[axis]) * (rig.tick.record.row[FORCE + axis] ?? NaN);
    least = Math.min(least, force);
    most = Math.max(most, force);
  }
  const minutes = (TICKS * rig.settings.loop.period_s) / 60;
  const kept =
    rig.counter(LoopSlot.loop_energy_created_joules_total) -
    rig.counter(LoopSlot.passivity_dissipated_joules_total);
  return {
    plateau_N: plateau_N(contact, rig.settings.operator),
    least_N: least,
    most_N: most,
    created_J_per_minute: kept / minutes,
  };
}

for (const contact of DELAYED_CONTACTS) {
  test(`${contact.name} at 10 ms without the guard: it never rests, and the alert fires`, (t) => {
    const { plateau_N, least_N, most_N, created_J_per_minute } = press(contact, false);
    // a limit cycle between lifting off and twice the plateau
    assert.ok(most_N - least_N > plateau_N, `${least_N} to ${most_N} N, plateau ${plateau_N} N`);
    assert.ok(created_J_per_minute > ALERT_J_PER_MINUTE, `${created_J_per_minute} J/min`);
    t.diagnostic(`${least_N.toFixed(1)} to ${most_N.toFixed(1)} N, ${created_J_per_minute} J/min`);
  });

  test(`${contact.name} at 10 ms with the guard: it rests on its plateau, and no alert fires`, (t) => {
    const { plateau_N, least_N, most_N, created_J_per_minute } = press(contact, true);
    // 1 N of sensor noise: 5 standard deviations for 2,500 samples, and as much for the loop that follows the noise
    const near = least_N > plateau_N - 7 && most_N < plateau_N + 7;
    assert.ok(near, `${least_N} to ${most_N} N, plateau ${plateau_N} N`);
    assert.ok(created_J_per_minute < ALERT_J_PER_MINUTE, `${created_J_per_minute} J/min`);
    t.diagnostic(`${least_N.toFixed(1)} to ${most_N.toFixed(1)} N, ${created_J_per_minute} J/min`);
  });
}

test('the limit used here is the one of the alert', () => {
  const rules = readFileSync(join(packageRoot(), 'dashboards/rules/berth.rules.yml'), 'utf8');
  const [, limit] = /energy_created[^>]*passivity_dissipated[^>]*> ([\d.]+)/.exec(rules) ?? [];
  assert.equal(Number(limit), ALERT_J_PER_MINUTE, 'dashboards/rules/berth.rules.yml');
});
