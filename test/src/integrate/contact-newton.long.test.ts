/** Newton's method on a contact: the forces are those of the laws at the velocities it ends with, for every combination of laws. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewtonCount, Random } from '../../../src/index.ts';
import { beginContact, compatibleCombinations, randomScene } from '../../fixtures/samples.ts';
import { begin, misfit, TIMING } from './contact-island.ts';

test('every combination: the forces are those of the laws at the new velocities', () => {
  const random = new Random(5);
  const compatible = compatibleCombinations();
  let solved = 0;
  let swept = 0;
  for (const combination of compatible) {
    for (const speed of [1e-4, 0.02, 1]) {
      const scene = {
        integrator: 'implicit-contact',
        gap: -1e-4,
        freeJ: true,
        gravity: 9.81,
      } as const;
      const model = randomScene(combination, random, { ...scene, approach: speed });
      const [dynamics, newton] = begin(model, (made) => beginContact(made, -0.5));
      newton.solve(dynamics.current, TIMING);
      solved += newton.counts[NewtonCount.islands];
      // what Newton's method leaves to the sweeps ends within their tolerance, not within its own
      swept += newton.counts[NewtonCount.swept];
      if (newton.counts[NewtonCount.swept] > 0) continue;
      const error = misfit(dynamics);
      assert.ok(error < 1e-8, `${combination.name} at ${speed} m/s: ${error}`);
    }
  }
  assert.ok(solved > 2.9 * compatible.length);
  // the share that acceptance allows
  assert.ok(swept <= 1e-3 * solved, `${swept} of ${solved} were swept`);
});
