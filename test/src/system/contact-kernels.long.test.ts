/** The kernels of the contact step give the bits of the reference modules for every combination of pairs and laws that they have loops for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { hasLoops } from '../../../src/system/contact-memory.ts';
import { combinations, randomScene } from '../../fixtures/samples.ts';
import { compare } from './kernel-comparison.ts';

test('every combination of pairs and laws with loops: drops with slip and spin', () => {
  const random = new Random(17);
  let compared = 0;
  for (const combination of combinations()) {
    if (combination.missing.length > 0) continue;
    for (const freeJ of [true, false]) {
      const options = { integrator: 'implicit-contact', gap: 1e-3, freeJ, gravity: 9.81 } as const;
      const model = randomScene(combination, random, { ...options, approach: 1 });
      if (!hasLoops(model)) continue;
      compare({ ...model, step: 1e-3 }, 60, `${combination.name} ${freeJ}`, 5);
      compared++;
    }
  }
  assert.ok(compared >= 672, `${compared} scenes`);
});
