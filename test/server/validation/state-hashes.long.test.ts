/** Each scenario ends by the reference modules in the committed bits, which are those of the kernels (state-hashes.test.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committedHashes, finalHash } from '../../fixtures/final-hash.ts';

for (const [name, hash] of Object.entries(committedHashes())) {
  test(`${name} ends in the committed state`, () => assert.equal(finalHash(name), hash));
}
