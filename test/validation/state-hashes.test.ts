/**
 * Each scenario ends in the same bits every time, and in the committed ones; those with volumetric contact after LONGEST steps at
 * most. A change of the model changes the hashes in test/vectors/state-hashes.json: look at `berth validate` first, then write the
 * new ones from the failure message.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { packageRoot } from '../../config/paths.ts';
import { listScenarios, loadScenario } from '../../config/scenario.ts';
import { makeSystem } from '../../src/system.ts';

const committed = JSON.parse(
  readFileSync(join(packageRoot(), 'test', 'vectors', 'state-hashes.json'), 'utf8'),
) as Record<string, string>;

/** Steps of a scenario with volumetric contact: past the impacts of each, and a few seconds of the test. */
const LONGEST = 5_000;
/** Of one with an articulated arm: into motion, and a second of the test. */
const LONGEST_WITH_JOINTS = 1_000;

function finalHash(name: string): string {
  const system = makeSystem(compileScenario(loadScenario(name)));
  const whole = Math.round(system.model.duration / system.model.step);
  const longest = system.arm === null ? LONGEST : LONGEST_WITH_JOINTS;
  const steps = system.arm !== null || system.pairCount(0) > 0 ? Math.min(whole, longest) : whole;
  for (let n = 0; n < steps; n++) assert.equal(system.step(system.model.step), 0);
  return system.hash();
}

test('there is a committed hash for every scenario', () => {
  assert.deepEqual(
    Object.keys(committed).sort(),
    listScenarios().map(({ name }) => name),
  );
});

for (const name of Object.keys(committed)) {
  test(`${name} ends in the committed state, twice`, () => {
    const first = finalHash(name);
    assert.equal(first, finalHash(name));
    assert.equal(first, committed[name]);
  });
}
