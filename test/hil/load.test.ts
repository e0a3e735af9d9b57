/** Loading a scenario into a running service: one at a time, never beside its end, and again after one that failed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../config/settings.ts';
import { ROW_WIDTH, columnIndex } from '../../hil/columns.ts';
import type { Runtime } from '../../hil/runtime-types.ts';
import { TelemetryRing } from '../../hil/ring.ts';
import { startRuntime } from '../../hil/runtime.ts';
import { SafetyState } from '../../hil/safety/codes.ts';
import { ControlWord, LoopState } from '../../hil/shared.ts';
import { testSettings } from '../server/service.ts';

const loopState = (runtime: Runtime): number =>
  Atomics.load(new Int32Array(runtime.shared.control), ControlWord.LOOP_STATE);

/** Ticks that the loop has made; −1 before the first. */
function ticks(runtime: Runtime): number {
  const row = new Float64Array(ROW_WIDTH);
  return runtime.readNewest(row) ? row[columnIndex('tick')] : -1;
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
  const runtime = await startRuntime(testSettings());
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

test('an end during a load ends the loop that was being started, too', async () => {
  const runtime = await startRuntime(testSettings());
  const load = runtime.load('ball-on-incline', 'simulation');
  await runtime.close();
  await load.catch((error: unknown) => assert.match(String(error), /the service ends/)); // unless its loop ran already
  const state = loopState(runtime);
  assert.ok(state === LoopState.ENDED || state === LoopState.FAILED, `a loop in state ${state}`);
  await assert.rejects(runtime.load('half-sphere-on-plate', 'simulation'), /the service ends/);
});

test('a loop that cannot be started is said, and the next load is served', async () => {
  const settings = testSettings((s) => (s.recording.freezes = 1)); // a recorder is started before the loop
  const runtime = await startRuntime(settings);
  try {
    const { limits } = settings;
    delete (settings as Partial<Settings>).limits; // its worker fails
    await assert.rejects(runtime.load('ball-on-incline', 'simulation'), /undefined/);
    assert.equal(loopState(runtime), LoopState.FAILED);
    assert.equal(runtime.recording?.().state, 'off', 'no recorder is left');
    settings.limits = limits;
    const last = new Float64Array(ROW_WIDTH); // as a loop that is gone may have left it
    last[columnIndex('safety_state')] = SafetyState.ACTIVE_FREE;
    new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH).push(last);
    await runtime.load('ball-on-incline', 'simulation');
    await advances(runtime);
  } finally {
    await runtime.close();
  }
});
