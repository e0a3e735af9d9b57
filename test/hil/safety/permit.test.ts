/** The contact permit at the safety machine: neither ARM nor RESUME, nor a press of the deadman, goes round it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { Bench } from '../../fixtures/safety-harness.ts';

test('a permit that is needed keeps ARM and RESUME from being accepted, and a re-press from resuming', () => {
  const ready = new Bench().ready();
  ready.inputs.deadman = 1;
  ready.inputs.permitNeeded = 1;
  assert.equal(ready.judge(CommandKind.ARM), 'permit_needed');
  ready.inputs.armRequest = 1;
  ready.ticks(1);
  assert.equal(ready.state, 'MONITOR_READY');
  const bench = new Bench().active();
  bench.inputs.energyCreated = 1;
  bench.ticks(1);
  bench.inputs.energyCreated = 0;
  assert.equal(bench.state, 'HOLD');
  bench.inputs.permitNeeded = 1;
  bench.inputs.deadman = 0;
  bench.ticks(2);
  bench.inputs.deadman = 1;
  assert.equal(bench.judge(CommandKind.RESUME), 'permit_needed');
  bench.inputs.resumeRequest = 1;
  bench.ticks(3);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.permitNeeded = 0;
  assert.equal(bench.judge(CommandKind.RESUME), 'ok');
  bench.inputs.resumeRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
});
