/** A recording that is kept in the repository replays bit for bit: what flew with an earlier build flies the same with this one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayStored } from '../../fixtures/stored-recording.ts';

test('the stored recording replays with every set-point, frame and state as it was', async () => {
  const result = await replayStored();
  assert.equal(result.first, null);
  assert.equal(result.ticks, 302);
  assert.ok(result.frames > 300, `${result.frames} frames`);
  assert.equal(result.states, 1);
  assert.equal(result.gaps + result.skipped, 0);
});
