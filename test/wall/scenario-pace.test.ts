/**
 * Two real scenarios timed on this machine: their costs are a factor of ten and more from the limit, so that no load of the machine
 * decides. The words and the longer period: server/scenarios/pace.test.ts.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { costLines, holdsPace } from '../../server/scenarios/pace.ts';
import { stepCosts } from '../../server/scenarios/step-cost.ts';

test('a cone in tapered holes by rays does not hold 0.5 ms, the battery box holds 10 ms', (t) => {
  const file = join(packageRoot(), 'test', 'server', 'scenarios', 'peg-by-rays.yaml');
  const dear = stepCosts(file, 0.5e-3, 400);
  t.diagnostic(costLines(dear).join('; '));
  assert.ok(!holdsPace(dear));
  assert.deepEqual(dear.contacts[0]?.methods, [['rays', 4]]);
  const cheap = stepCosts('battery-box-insertion', 10e-3, 400);
  t.diagnostic(costLines(cheap).join('; '));
  assert.ok(holdsPace(cheap));
  // 16 pairs on the floor: more than the step of a tool that touches nothing
  assert.ok((cheap.contacts[0]?.step_s ?? 0) > 1e-5, `${cheap.contacts[0]?.step_s} s`);
});
