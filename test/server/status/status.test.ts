/** A telemetry row in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { Column } from '../../../hil/contract/columns.ts';
import type { Runtime } from '../../../hil/threads/runtime-types.ts';
import { SafetyState } from '../../../hil/contract/codes.ts';
import { NO_NAMES, SCENE_WIDTH, SceneColumn } from '../../../hil/contract/scene-columns.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';
import { armBlockers, makeRow, sessionStatus, TOPICS } from '../../../server/status/status.ts';

/** A loop that shows one row in a state. */
function runtimeOf(scenario: string, state: number, more: Partial<Runtime> = {}): Runtime {
  return {
    shared: allocateShared(),
    scenario,
    mode: '',
    names: { ...NO_NAMES }, // another object for each load
    robotAddress: '',
    readNewest: (row) => {
      row[Column.safety_state] = state;
      row[Column.command_v_x_mps + 2] = -0.01;
      return true;
    },
    post: () => true,
    request: () => Promise.resolve('ok'),
    load: () => Promise.resolve(),
    onEvent: () => () => undefined,
    close: () => Promise.resolve(),
    ...more,
  };
}

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
  const runtime = runtimeOf('', SafetyState.MONITOR_WAIT, { recording: () => recording });
  const count = (): number =>
    sessionStatus(runtime, makeRow(), settings, { holder: 0, asking: 0, clients: 0 }).arm_blockers
      .length;
  assert.equal(count(), 1);
  settings.recording.required = true;
  assert.equal(count(), 2);
  recording.state = 'recording';
  assert.equal(count(), 1);
});

test('the first touch along the command is told from the newest poses, and not without them, a tool or a loop', () => {
  const settings = loadSettings();
  const touchOf = (runtime: Runtime) =>
    sessionStatus(runtime, makeRow(), settings, { holder: 0, asking: 0, clients: 0 }).first_touch;
  const withScene = (scenario: string, height: number, more: Partial<Runtime> = {}): Runtime => {
    const runtime = runtimeOf(scenario, SafetyState.ACTIVE_FREE, more);
    const scene = new Float64Array(SCENE_WIDTH);
    // plate, half-sphere, arm
    [0, height, height].forEach((z, b) =>
      scene.set([0, 0, z, 0, 0, 0, 1], SceneColumn.POSES + 7 * b),
    );
    new TelemetryRing(runtime.shared.scene, SCENE_WIDTH).push(scene);
    return runtime;
  };
  const touch = touchOf(withScene('half-sphere-on-plate', 0.005));
  assert.ok(touch !== undefined && touch !== null);
  assert.equal(touch.contact, 'tool-plate');
  assert.ok(Math.abs(touch.after_ms - 500) < 0.02, `${touch.after_ms} ms`);
  assert.deepEqual(
    touch.point_m.map((x) => Math.abs(x) < 1e-6),
    [true, true, true],
  );
  assert.equal(touchOf(withScene('half-sphere-on-plate', 0.5)), null);
  assert.equal(touchOf(runtimeOf('half-sphere-on-plate', SafetyState.ACTIVE_FREE)), null);
  assert.equal(touchOf(withScene('ball-on-incline', 0.005)), undefined);
  assert.equal(touchOf(withScene('no-such-scenario', 0.005)), undefined);
  assert.equal(touchOf(withScene('half-sphere-on-plate', 0.005, { replay: true })), undefined);
});
