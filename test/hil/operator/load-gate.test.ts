/** A load that is requested while a motion begins and ends is refused. Races of both at random: load-gate.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { LoadGate } from '../../../hil/operator/load-gate.ts';

test('71: a motion that was granted and has ended again before a slow thread looks: the load is refused, and the next one granted', async () => {
  let ticks = 0;
  let begun = 0;
  const gate = new LoadGate({
    ticks: () => ticks,
    whyBusy: () => '', // ARMING was given up: its input grew old in the meantime
    begun: () => begun,
    now_ms: () => 0,
    wait: () => {
      begun = 1;
      ticks += 500;
      return Promise.resolve();
    },
  });
  assert.equal(await gate.close(), 'while a motion begins');
  assert.ok(!gate.closed && gate.passes(CommandKind.ARM));
  assert.equal(await gate.close(), '');
  assert.ok(gate.closed);
});
