/** Authority that changes hands: whose press counts, through the safety machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { Bench, faultNames } from '../../fixtures/safety-harness.ts';

test('a press counts for who opened the hand before it: authority that changes hands at rest begins anew', () => {
  const other = (bench: Bench): void => {
    bench.inputs.authority = 2;
    bench.inputs.inputAge_s = 1e9; // nothing has come from the other hand yet, which stands as open and neutral
    bench.inputs.deadman = 0;
    bench.ticks(2);
    bench.inputs.inputAge_s = 0;
    bench.inputs.deadman = 1;
  };
  const held = new Bench().active();
  held.inputs.deadman = 0;
  held.ticks(10);
  assert.deepEqual(faultNames(held.machine.holdBits), ['DEADMAN_RELEASED']);
  other(held);
  held.ticks(50);
  assert.equal(held.state, 'HOLD');
  assert.ok(faultNames(held.machine.holdBits).includes('AUTHORITY_CHANGED'));
  held.inputs.deadman = 0;
  held.ticks(1);
  held.inputs.deadman = 1;
  held.ticks(50);
  assert.equal(held.state, 'HOLD', 'without RESUME');
  held.inputs.resumeRequest = 1;
  held.ticks(1);
  assert.equal(held.state, 'ACTIVE_FREE');

  const ready = new Bench().ready();
  other(ready);
  ready.ticks(1);
  assert.equal(ready.judge(CommandKind.ARM), 'deadman_not_pressed');
  ready.inputs.armRequest = 1;
  ready.ticks(1);
  assert.equal(ready.state, 'MONITOR_READY');

  const untouched = new Bench();
  untouched.ticks(2000);
  untouched.inputs.authority = 1;
  untouched.ticks(2);
  untouched.inputs.inputAge_s = 0;
  untouched.inputs.deadman = 1; // taped down from the beginning
  untouched.ticks(1);
  assert.equal(untouched.state, 'MONITOR_READY');
  assert.equal(untouched.judge(CommandKind.ARM), 'deadman_not_pressed');
});
