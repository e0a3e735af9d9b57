/** Whether a scenario holds its period: the words and the longer period for given figures. Real ones: wall/scenario-pace.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costLines, holdsPace, longerPeriod, requirePace } from '../../../server/scenarios/pace.ts';
import type { StepCosts } from '../../../server/scenarios/step-cost.ts';

const costs = (peg_s: number, period_s = 1e-3): StepCosts => ({
  scenario: 'peg',
  period_s,
  whole_s: peg_s + 1e-4,
  contacts: [
    { name: 'box-site', methods: [['clipping', 16]], step_s: 1e-4 },
    { name: 'peg-block', methods: [['rays', 1]], step_s: peg_s },
  ],
});

test('each contact has a line, the dearest first, and one that is too dear a remedy', () => {
  assert.deepEqual(costLines(costs(9e-4)), [
    'peg-block by rays 0.9 ms of 1 ms: make its cells of shapes with a closed form (sphere, box, bore) or of flat faces (box, mesh), or approximate cones, beams and boolean cells by meshes',
    'box-site by clipping 0.1 ms of 1 ms',
    'whole step 1 ms of 1 ms: does not hold its period: at most 80 % of it is for the step',
  ]);
  assert.equal(costLines(costs(2e-4)).at(-1), 'whole step 0.3 ms of 1 ms: holds its period');
});

test('what does not hold is refused with the way out; the longer period is the shortest that is enough', () => {
  assert.ok(holdsPace(costs(6.9e-4)));
  assert.ok(!holdsPace(costs(7.1e-4)));
  requirePace(costs(6.9e-4), 'never said');
  assert.throws(() => requirePace(costs(9e-4), 'Take --slow'), {
    code: 'BERTH_TOO_SLOW',
    message: /"peg" does not hold the period.*peg-block by rays 0.9 ms of 1 ms.*Take --slow$/,
  });
  assert.equal(longerPeriod(costs(9e-4)), 1.5e-3, '1 ms / 0.8 is 1.25 ms');
  assert.equal(longerPeriod(costs(3.1e-3)), 4e-3);
  assert.equal(longerPeriod(costs(7.9e-3)), 10e-3);
  assert.equal(longerPeriod(costs(8e-3)), null, '10.1 ms are more than a loop may have');
});
