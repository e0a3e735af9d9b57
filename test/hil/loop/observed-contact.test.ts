/** An observed contact in the loop: one event at each onset, a warning where the scenario says so, nothing in the columns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { EventKind } from '../../../hil/contract/events.ts';
import { NO_NAMES } from '../../../hil/contract/scene-columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { eventLevel, eventWords, LogLevel } from '../../../hil/recording/event-words.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const rigWith = (...changes: string[]): VirtualRig => {
  const model = compileScenario(loadScenario('ball-on-incline', changes));
  return new VirtualRig({ robot: false, model });
};

test('the onset is one event with its speed, and no contact of the loop', () => {
  for (const alarm of [false, true]) {
    const rig = rigWith(`contacts.0.normal_law={kind: observer, alarm: ${alarm}}`);
    rig.run(1000);
    assert.deepEqual(rig.errors, []);
    assert.equal(rig.seen.length, 1);
    const [contact, warns, speed] = rig.seen[0];
    assert.deepEqual([contact, warns], [0, Number(alarm)]);
    assert.ok(Math.abs(speed - 5.05) < 0.02, `${speed} m/s`);
    assert.equal(rig.counter(LoopSlot.contacts_total), 0);
    assert.equal(rig.counter(LoopSlot.contact_active), 0);
  }
  const acting = rigWith();
  acting.run(1000);
  assert.deepEqual(acting.seen, []);
  assert.ok(acting.counter(LoopSlot.contacts_total) > 0);
});

test('the event in words, with the level of the warning', () => {
  const names = { ...NO_NAMES, contacts: ['pad', 'foot', 'rail'] };
  const event = (alarm: number): Float64Array =>
    Float64Array.of(EventKind.CONTACT_SEEN, 7, 0.007, 2, alarm, 0.25);
  assert.equal(eventWords(event(0), names), 'tick 7: observed contact rail seen at 0.2500 m/s');
  assert.equal(eventLevel(event(0)), LogLevel.INFO);
  assert.equal(eventLevel(event(1)), LogLevel.WARN);
});
