/** Each scenario ends by the reference modules in the committed bits, which are those of the kernels (state-hashes.test.ts). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { finalHash } from '../../fixtures/final-hash.ts';

const committed = JSON.parse(
  readFileSync(join(packageRoot(), 'test', 'vectors', 'state-hashes.json'), 'utf8'),
) as Record<string, string>;

for (const [name, hash] of Object.entries(committed)) {
  test(`${name} ends in the committed state`, () => assert.equal(finalHash(name), hash));
}
