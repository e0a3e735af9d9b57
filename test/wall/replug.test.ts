/** The robot's line cut and joined again: hil-anchors 9.4, test 13, a few times; a hundred times by `npm run test:replug`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replug, replugFaults, replugFigure } from '../acceptance/replug.ts';

const TIMES = 3;

test('13: unplugged and plugged in, with the stick deflected: back to MONITOR, no motion without ARM', async (t) => {
  const seen = await replug(TIMES);
  assert.deepEqual(replugFaults(seen, TIMES), []);
  t.diagnostic(replugFigure(seen));
});
