/** 10³ closed paths of springs on areas, and of all pairs of facets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { draws } from '../../fixtures/draws.ts';
import { randomPaths } from '../../fixtures/faceted-path.ts';

for (const [duplicates, paths, tolerance] of [
  ['area', draws(1000, 50), 1e-18],
  ['keep', draws(300, 15), 1e-15],
] as const) {
  test(`${paths} random closed paths create at most 1e-9 of the energy that passes: ${duplicates}`, () => {
    const { worst } = randomPaths(new Random(92), duplicates, paths, tolerance);
    assert.ok(worst < 1e-9, `${worst} of what passed`);
  });
}
