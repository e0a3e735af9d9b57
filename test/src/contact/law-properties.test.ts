/**
 * What holds for every combination of pair, normal law, friction law and rolling law: it is refused for a named reason, or it is one of
 * those that run in law-draws.long.test.ts. The combinations come from the registry (samples.ts).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSystem, Random } from '../../../src/index.ts';
import {
  type Combination,
  combinations,
  kindsWithoutSample,
  randomScene,
} from '../../fixtures/samples.ts';

const ALL = combinations();
const COMPATIBLE = ALL.filter((combination) => combination.missing.length === 0);
const MILD = { integrator: 'implicit-contact', approach: 0.6, gravity: 0 } as const;

test('every registered kind has a sample', () => {
  assert.deepEqual(kindsWithoutSample(), []);
});

test('every incompatible combination is refused with what is missing', () => {
  const random = new Random(2);
  const scene = { ...MILD, gap: 1e-3, freeJ: false };
  for (const combination of ALL) {
    if (combination.missing.length === 0) continue;
    assert.throws(
      () => makeSystem(randomScene(combination, random, scene)),
      (error: Error) => {
        assert.equal((error as Error & { code: string }).code, 'BERTH_MISMATCH');
        assert.ok(error.message.includes(`needs ${combination.missing[0]}`), error.message);
        assert.ok(error.message.includes(`"${combination.pair.model.kind}"`), error.message);
        return true;
      },
    );
  }
});

test('there are combinations of both sorts to speak of', () => {
  const kinds = new Set(COMPATIBLE.map((c: Combination) => c.pair.model.kind));
  assert.ok(COMPATIBLE.length >= 100 && kinds.size >= 5);
  assert.ok(ALL.some((combination) => combination.missing.length > 0));
});
