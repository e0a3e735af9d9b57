/**
 * Each scenario ends by the kernels, which fly it, in the committed bits; one with volumetric contact after its first thousands of steps. So it
 * does by the reference modules: state-hashes.long.test.ts. A change of the model changes the hashes in test/vectors/state-hashes.json: look at
 * `berth validate` first, then write the new ones from the failure message.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactKernels } from '../../../config/contact-kernels.ts';
import { listScenarios } from '../../../config/scenario.ts';
import { committedHashes, finalHash } from '../../fixtures/final-hash.ts';

const committed = committedHashes();

test('there is a committed hash for every scenario', () => {
  assert.deepEqual(
    Object.keys(committed).sort(),
    listScenarios().map(({ name }) => name),
  );
});

test('there are kernels', () => assert.notEqual(contactKernels(), null));

for (const name of Object.keys(committed)) {
  test(`${name} ends in the committed state`, () => {
    assert.equal(finalHash(name, contactKernels()), committed[name]);
  });
}
