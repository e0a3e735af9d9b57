/** The warm-up of the loop meets what a run meets: links, states, contacts, late wakes, the passivity guard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { SAFETY_STATES } from '../../../hil/contract/codes.ts';
import { ShadowLoop } from '../../../hil/loop/shadow-loop.ts';
import { prepareModel } from '../../../hil/loop/prepare-model.ts';
import { warmUp } from '../../../hil/loop/warm-up.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';

/** What the shadows of a mode met, by counting after each of their ticks. */
function met(context: { readonly mock: typeof test.mock }, mode: 'virtual' | 'hardware') {
  const settings = loadSettings();
  const { model } = prepareModel('half-sphere-on-plate', mode);
  const states = new Map<string, number>();
  const shadows = new Set<ShadowLoop>();
  let touches = 0;
  let slipped = 0;
  let guarded = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its object below
  const step = ShadowLoop.prototype.step;
  context.mock.method(ShadowLoop.prototype, 'step', function (this: ShadowLoop) {
    step.call(this);
    const { tick } = this;
    shadows.add(this);
    const name = SAFETY_STATES[tick.machine.state];
    states.set(name, (states.get(name) ?? 0) + 1);
    if (tick.record.active > 0) touches++;
    if (tick.timing.slipped > 0) slipped++;
    if (tick.energy.energy.guardWrench.some((value) => value !== 0)) guarded++;
  });
  const data = { shared: allocateShared(1 << 20), settings, model, mode };
  const course = warmUp({ ...data, runKey: 'a key of the run' });
  return { states, shadows: shadows.size, touches, slipped, guarded, course };
}

for (const mode of ['virtual', 'hardware'] as const) {
  test(`${mode}: every state but those of an emergency, contacts, lost periods`, (context) => {
    const { states, shadows, touches, slipped, guarded, course } = met(context, mode);
    assert.equal(shadows, 2, 'what is compiled for one object alone is thrown away');
    const enough = { OFFLINE: 100, CONNECTING: 10, MONITOR_WAIT: 1000, MONITOR_READY: 20 };
    const flown = { ARMING: 20, ACTIVE_FREE: 200, ACTIVE_CONTACT: 200, HOLD: 100, STOPPING: 1 };
    for (const [name, least] of Object.entries({ ...enough, ...flown }))
      assert.ok((states.get(name) ?? 0) >= least, `${name}: ${states.get(name)} ticks`);
    assert.ok(touches > 500, `${touches} ticks in contact`);
    assert.ok(slipped > 5, `${slipped} ticks after lost periods`);
    // in hardware mode the force of the shadow robot takes no energy
    assert.ok(mode === 'hardware' || guarded > 5, `the passivity guard acted in ${guarded} ticks`);
    assert.ok(course.places.length > 0 && course.onset !== null);
  });
}
