/** A loop that is loaded shows its own rows and never those of the loop before it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { loadSettings } from '../../../config/load-settings.ts';
import { Column, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { SCENE_WIDTH } from '../../../hil/contract/scene-columns.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { startRuntime } from '../../../hil/threads/runtime.ts';

test('from the moment that a scenario is the new one, no row is of the old one', async () => {
  const settings = loadSettings(undefined, ['scenario=half-sphere-on-plate']);
  settings.robot.transport = 'none';
  settings.recording.mode = 'off';
  const runtime = await startRuntime(settings, { warmUp: false });
  const rows = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  const scenes = new TelemetryRing(runtime.shared.scene, SCENE_WIDTH);
  const row = new Float64Array(ROW_WIDTH);
  const scene = new Float64Array(SCENE_WIDTH);
  try {
    while (!runtime.readNewest(row) || row[Column.tick] < 100) await wait(5);
    const load = runtime.load('ball-on-incline', 'simulation');
    while (runtime.scenario !== 'ball-on-incline') await wait(0);
    const before = rows.written;
    const hasScene = scenes.readNewest(scene);
    assert.ok(!hasScene || rows.written > before, 'a scene of the old loop');
    while (!runtime.readNewest(row)) await wait(1);
    const ticks = rows.written - before;
    assert.ok(row[Column.tick] <= ticks, `tick ${row[Column.tick]} of ${ticks} since the load`);
    await load;
  } finally {
    await runtime.close();
  }
});
