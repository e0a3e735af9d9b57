/** Places where the console shows that a decision is recorded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenSentence } from '../../../server/console/shell/written.ts';

test('the audit log is named only where one is kept, the recording only while there is one', () => {
  for (const [auditLog, recorder, end] of [
    [true, 'recording', 'is written to the audit log and the recording.'],
    [true, 'armed', 'is written to the audit log.'],
    [false, 'fault', 'is written to the recording; no audit log is kept.'],
    [false, 'off', 'is written down nowhere: no audit log is kept, and nothing is recorded.'],
    [false, 'failed', 'is written down nowhere: no audit log is kept, and nothing is recorded.'],
  ] as const) {
    assert.equal(writtenSentence('The reason', auditLog, recorder), `The reason ${end}`);
  }
});
