/** 41: recording is required: a recorder that gives no sign of life stops the arm, and ARM waits until it is back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { RecorderWatch } from '../../../hil/recording/recorder-watch.ts';
import { startRuntime } from '../../../hil/threads/runtime.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('41: lost in motion: STOPPING one second after the last sign, no ARM before it is back', (t) => {
  const rig = new VirtualRig({ settings: (settings) => (settings.recording.required = true) });
  const control = new Int32Array(rig.shared.control);
  const watch = new RecorderWatch(control, rig.settings);
  let lives = true;
  const look = (): void => {
    if (lives) Atomics.add(control, ControlWord.RECORDER_BEAT, 1);
    watch.check(rig.timing);
    rig.tick.recorderLost = watch.lost;
  };
  rig.activate();
  const step = (): void => {
    look();
    rig.input(0, 1);
  };
  rig.run(100, step);
  assert.equal(rig.state, 'ACTIVE_FREE');
  lives = false;
  rig.run(1000, step);
  assert.equal(rig.state, 'ACTIVE_FREE');
  rig.run(2, step);
  assert.ok(
    rig.transitions.some(({ to, cause }) => to === 'STOPPING' && cause === 'RECORDER_LOST'),
  );
  rig.runUntil('FAULT', 2000, step);
  rig.command(CommandKind.CLEAR);
  rig.run(1500, step);
  assert.equal(rig.state, 'MONITOR_WAIT');
  lives = true;
  rig.run(3, step);
  assert.equal(rig.state, 'MONITOR_READY');
  t.diagnostic('acceptance 41: required: STOPPING one second after the last sign');
});

test('what is not required is not watched', () => {
  const rig = new VirtualRig();
  const watch = new RecorderWatch(new Int32Array(rig.shared.control), rig.settings);
  rig.run(1500);
  watch.check(rig.timing);
  assert.equal(watch.lost, false);
});

test('required while off is refused by its name', async () => {
  const settings = structuredClone(loadSettings());
  settings.recording.mode = 'off';
  settings.recording.required = true;
  await assert.rejects(
    startRuntime(settings),
    /^BerthError: recording\.required: true would never/,
  );
});
