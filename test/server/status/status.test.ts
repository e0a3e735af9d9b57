/** A telemetry row in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { Column } from '../../../hil/contract/columns.ts';
import type { Runtime } from '../../../hil/threads/runtime-types.ts';
import { SafetyState } from '../../../hil/contract/codes.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';
import { armBlockers, makeRow, sessionStatus, TOPICS } from '../../../server/status/status.ts';

test('lateness counts from the release that was missed, as in /metrics', () => {
  const row = makeRow();
  row[Column.lateness_s] = 0.0002;
  assert.equal(TOPICS.timing(row, 0.001).lateness_s, 0.0002);
  row[Column.slipped] = 3;
  // rounding of a product and a sum
  assert.ok(Math.abs(TOPICS.timing(row, 0.001).lateness_s - 0.0032) < 1e-15);
});

test('a recorder that is lost while recording is required is named before all else that keeps ARM back', () => {
  const lost = 'Recording is required, and the recorder does not work.';
  const row = makeRow();
  const blockers = (state: keyof typeof SafetyState, recorderLost: boolean): string[] => {
    row[Column.safety_state] = SafetyState[state];
    return armBlockers(row, recorderLost);
  };
  assert.deepEqual(blockers('MONITOR_READY', true), [lost, 'Nobody holds authority.']);
  assert.equal(blockers('MONITOR_WAIT', true)[0], lost);
  assert.equal(blockers('FAULT', true)[0], lost);
  assert.deepEqual(blockers('ACTIVE_FREE', true), ['Already active.']);
  assert.deepEqual(blockers('MONITOR_READY', false), ['Nobody holds authority.']);
});

test('the status asks the recorder only where recording is required', () => {
  const settings = structuredClone(loadSettings());
  const recording = { state: 'failed', file: '', bytes: 0, dropped: 0, keeps_s: 0, freezes: [] };
  const runtime: Runtime = {
    shared: allocateShared(),
    scenario: '',
    mode: '',
    bodies: [],
    robotAddress: '',
    readNewest: (row) => {
      row[Column.safety_state] = SafetyState.MONITOR_WAIT;
      return true;
    },
    post: () => true,
    request: () => Promise.resolve('ok'),
    load: () => Promise.resolve(),
    recording: () => recording,
    onEvent: () => () => undefined,
    close: () => Promise.resolve(),
  };
  const count = (): number =>
    sessionStatus(runtime, makeRow(), settings, { holder: 0, asking: 0, clients: 0 }).arm_blockers
      .length;
  assert.equal(count(), 1);
  settings.recording.required = true;
  assert.equal(count(), 2);
  recording.state = 'recording';
  assert.equal(count(), 1);
});
