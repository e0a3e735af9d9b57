/**
 * Each scenario ends in the same bits by the reference modules and by the kernels, and in the committed ones; those with volumetric contact after LONGEST steps at
 * most. A change of the model changes the hashes in test/vectors/state-hashes.json: look at `berth validate` first, then write the
 * new ones from the failure message.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { packageRoot } from '../../../config/paths.ts';
import { listScenarios } from '../../../config/scenario.ts';
import { finalHash } from '../../fixtures/final-hash.ts';

const committed = JSON.parse(
  readFileSync(join(packageRoot(), 'test', 'vectors', 'state-hashes.json'), 'utf8'),
) as Record<string, string>;

test('there is a committed hash for every scenario', () => {
  assert.deepEqual(
    Object.keys(committed).sort(),
    listScenarios().map(({ name }) => name),
  );
});

for (const name of Object.keys(committed)) {
  test(`${name} ends in the committed state, by the reference modules and by the kernels`, () => {
    const first = finalHash(name);
    assert.notEqual(contactKernels(), null);
    assert.equal(first, finalHash(name, contactKernels()));
    assert.equal(first, committed[name]);
  });
}
