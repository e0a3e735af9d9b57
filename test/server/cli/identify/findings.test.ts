/** The range of data, of any length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanOf } from '../../../../server/cli/identify/findings.ts';

test('the range of a long recording, with more samples than a call takes arguments', () => {
  const values = Float64Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 300_000);
  assert.deepEqual(spanOf(values), [0, 299_999]);
});
