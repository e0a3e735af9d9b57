/** Springs of facets on closed paths: with `area` and `keep` they have a potential, with `drop` they have none. docs/theory/faceted.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { randomPaths } from '../../fixtures/faceted-path.ts';

test('closed paths of a torus beside another one create no energy with area and keep, and do with drop', () => {
  for (const [duplicates, tolerance] of [
    ['area', 1e-18],
    ['keep', 1e-15],
  ] as const) {
    const { worst, pairs } = randomPaths(new Random(91), duplicates, 2, tolerance);
    assert.ok(worst < 1e-9, `${duplicates}: ${worst} of what passed`);
    assert.ok(pairs > 5, `${duplicates}: ${pairs} pairs`);
  }
  const { worst } = randomPaths(new Random(91), 'drop', 1, 1e-7);
  assert.ok(worst > 1e-2, `drop: ${worst}`);
});
