/** A telemetry row in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnIndex } from '../../hil/columns.ts';
import { makeRow, TOPICS } from '../../server/status.ts';

test('lateness counts from the release that was missed, as in /metrics', () => {
  const row = makeRow();
  row[columnIndex('lateness_s')] = 0.0002;
  assert.equal(TOPICS.timing(row, 0.001).lateness_s, 0.0002);
  row[columnIndex('slipped')] = 3;
  // rounding of a product and a sum
  assert.ok(Math.abs(TOPICS.timing(row, 0.001).lateness_s - 0.0032) < 1e-15);
});
