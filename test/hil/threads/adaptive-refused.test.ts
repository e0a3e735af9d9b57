/** The loop refuses integrators whose work per step is unbounded, before it starts anything. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { packageRoot } from '../../../config/paths.ts';
import { startRuntime } from '../../../hil/threads/runtime.ts';
import { BerthError } from '../../../src/base/errors.ts';

test('a scenario with an adaptive integrator does not start in the loop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-adaptive-'));
  try {
    const source = readFileSync(
      join(packageRoot(), 'config', 'scenarios', 'half-sphere-on-plate.yaml'),
      'utf8',
    );
    for (const kind of ['dormand-prince', 'rosenbrock']) {
      const text = source.replace('kind: implicit-contact', `kind: ${kind}`);
      assert.notEqual(text, source);
      const file = join(folder, `${kind}.yaml`);
      writeFileSync(file, text);
      const settings = structuredClone(loadSettings());
      settings.robot.transport = 'none';
      settings.mode = 'simulation';
      settings.scenario = file;
      await assert.rejects(startRuntime(settings), (error: unknown) => {
        assert.ok(error instanceof BerthError, 'a BerthError');
        assert.equal(error.code, 'BERTH_UNSUPPORTED');
        assert.ok(error.message.includes(`integrates by ${kind}`), error.message);
        assert.ok(error.message.includes('allowed there'), error.message);
        return true;
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
