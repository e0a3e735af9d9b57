import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  counterSlot,
  layoutCounters,
  LINK_FAMILIES,
  LOOP_FAMILIES,
  RECORDER_FAMILIES,
  ROBOT_REJECTS,
  RobotReject,
  slotsOf,
} from '../../../hil/contract/counters.ts';

test('the slot of a family is that of its first series, and labels follow in their order', () => {
  for (const families of [LOOP_FAMILIES, LINK_FAMILIES, RECORDER_FAMILIES]) {
    const layout = layoutCounters(families);
    const slots = Object.entries(slotsOf(families));
    assert.equal(slots.length, families.length);
    for (const [i, [name, slot]] of slots.entries()) {
      assert.equal(slot, counterSlot(layout, families, name, ...families[i].series[0]), name);
    }
  }
  const layout = layoutCounters(LINK_FAMILIES);
  const { robot_rejects_total } = slotsOf(LINK_FAMILIES);
  for (const reason of ROBOT_REJECTS) {
    assert.equal(
      robot_rejects_total + RobotReject[reason],
      counterSlot(layout, LINK_FAMILIES, 'robot_rejects_total', reason),
    );
  }
});
