/** A loop worker that ends by an error reports the reason, also long after its start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import { LoopWorkers } from '../../../hil/threads/loop-workers.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';

test('an error that escapes the running loop is told, and so is the end of its only worker', async () => {
  const settings: Partial<Settings> = structuredClone(loadSettings());
  settings.robot!.transport = 'none';
  delete settings.recording; // looked at first when the loop runs
  const notes: string[] = [];
  const workers = await LoopWorkers.start(
    {
      shared: allocateShared(),
      settings: settings as Settings,
      model: compileScenario(loadScenario('half-sphere-on-plate')),
      mode: 'simulation',
    },
    (note) => notes.push(note),
  );
  for (let i = 0; i < 6000 && !notes.some((note) => note.includes('has ended')); i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await workers.end();
  const words = notes.join('\n');
  assert.match(words, /^loop-worker ended with an error: .*undefined/m);
  assert.match(words, /^The loop worker has ended; none is started in its place$/m);
});
