/** Loading a scenario into a running service: one at a time, never beside its end, and again after one that failed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Settings } from '../../config/settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { RecordKind } from '../../hil/memory/records.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { TelemetryRing } from '../../hil/memory/ring.ts';
import { SafetyState } from '../../hil/contract/codes.ts';
import { ControlWord, LoopState } from '../../hil/memory/shared.ts';
import { startUntimed, testSettings } from '../fixtures/service.ts';

const loopState = (runtime: Runtime): number =>
  Atomics.load(new Int32Array(runtime.shared.control), ControlWord.LOOP_STATE);

/** Ticks that the loop has made; −1 before the first. */
function ticks(runtime: Runtime): number {
  const row = new Float64Array(ROW_WIDTH);
  return runtime.readNewest(row) ? row[Column.tick] : -1;
}

/** Wait until the loop has gone on from where it is. */
async function advances(runtime: Runtime): Promise<void> {
  const before = ticks(runtime);
  for (let i = 0; ticks(runtime) === before; i++) {
    assert.ok(i < 6000, 'the loop stands still');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a load beside another is refused, and the first one is served', async () => {
  const runtime = await startUntimed(testSettings());
  try {
    const first = runtime.load('ball-on-incline', 'simulation');
    await assert.rejects(runtime.load('bowden-leben', 'simulation'), {
      code: 'BERTH_WRONG_STATE',
      message: /while another is being loaded/,
    });
    await first;
    assert.equal(runtime.scenario, 'ball-on-incline');
    await advances(runtime);
    await runtime.load('half-sphere-on-plate', 'simulation');
    await advances(runtime);
  } finally {
    await runtime.close();
  }
});

test('a scenario that does not go with the settings is refused, and the loop that runs goes on', async () => {
  const settings = testSettings();
  settings.mode = 'virtual';
  settings.energy.compensation = 'damping';
  const runtime = await startUntimed(settings);
  try {
    const before = runtime.scenario;
    await assert.rejects(runtime.load('bowden-leben', 'simulation'), {
      message: /^energy.compensation cannot be damping/,
    });
    assert.equal(runtime.scenario, before);
    await advances(runtime);
  } finally {
    await runtime.close();
  }
});

test('an end during a load ends the loop that was being started, too', async () => {
  const runtime = await startUntimed(testSettings());
  const load = runtime.load('ball-on-incline', 'simulation');
  await runtime.close();
  await load.catch((error: unknown) => assert.match(String(error), /the service ends/)); // unless its loop ran already
  const state = loopState(runtime);
  assert.ok(state === LoopState.ENDED || state === LoopState.FAILED, `a loop in state ${state}`);
  await assert.rejects(runtime.load('half-sphere-on-plate', 'simulation'), /the service ends/);
});

test('a loop that cannot be started is said, and the next load is served', async () => {
  const settings = testSettings((s) => (s.recording.freezes = 1)); // a recorder is started before the loop
  const runtime = await startUntimed(settings);
  try {
    const { operator } = settings;
    delete (settings as Partial<Settings>).operator; // its worker fails
    await assert.rejects(runtime.load('ball-on-incline', 'simulation'), /undefined/);
    assert.equal(loopState(runtime), LoopState.FAILED);
    assert.equal(runtime.recording?.().state, 'off', 'no recorder is left');
    settings.operator = operator;
    const last = new Float64Array(ROW_WIDTH); // as a loop that is gone may have left it
    last[Column.safety_state] = SafetyState.ACTIVE_FREE;
    new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH).push(last);
    await runtime.load('ball-on-incline', 'simulation');
    await advances(runtime);
  } finally {
    await runtime.close();
  }
});

test('what a loop told a recorder that had ended is no part of the next recording', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-load-'));
  const runtime = await startUntimed(
    testSettings((s) => {
      s.recording.mode = 'continuous';
      s.recording.folder = folder;
    }),
  );
  try {
    await advances(runtime);
    runtime.inject?.('recorder_error', 1);
    for (let i = 0; runtime.recording?.().state !== 'failed'; i++) {
      assert.ok(i < 6000, 'the recorder goes on');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await advances(runtime);
    await advances(runtime); // into the ring, without a reader
    await runtime.load('ball-on-incline', 'simulation');
    await advances(runtime);
    await runtime.close();
    const file = readdirSync(folder).find((name) => name.includes('ball-on-incline'));
    const recording = await openRecording(join(folder, file!));
    let last = 0;
    for await (const record of recording.records()) {
      if (record.kind !== RecordKind.TICK) continue;
      const tick = new DataView(record.bytes.buffer, record.bytes.byteOffset).getFloat64(0, true);
      if (last === 0) assert.ok(tick <= 1, `begins with tick ${tick}`);
      assert.ok(tick > last, `tick ${tick} after ${last}`);
      last = tick;
    }
    assert.ok(last > 0);
  } finally {
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
