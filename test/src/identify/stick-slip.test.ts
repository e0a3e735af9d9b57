/** Peaks of the published stick-slip rig; the figures are of a reference computation, not of this project. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peaksOf, rigOf } from '../../../src/identify/stick-slip-rig.ts';
import { identifyStickSlip } from '../../../src/identify/stick-slip.ts';
import { bowdenLeben } from '../../fixtures/models.ts';

const model = bowdenLeben('implicit-contact', 0.1);

test('first and second peak of the rig at another speed than that of the model', () => {
  const rig = rigOf(model);
  const [first, second] = peaksOf(rig, rig.law, 0.15, 2);
  // four digits were printed; the step adds 7e-5 N
  assert.ok(
    Math.abs(first - 1.5) < 1.3e-4 && Math.abs(second - 1.368) < 1.3e-4,
    `${first} ${second}`,
  );
});

test('peaks that the rig does not show, and those that say nothing, are refused', () => {
  // at 5 m/s the plate slides under the block
  const peaks = [
    { speed: 0.15, cycle: 2, peak: 1.368 },
    { speed: 5, cycle: 2, peak: 1 },
  ];
  assert.throws(
    () => identifyStickSlip(model, peaks, 0.95),
    /cycle: the rig .* no peak 2 at 5 m\/s/,
  );
  const half = [...peaks, { speed: 0.1, cycle: 1.5, peak: 1 }];
  assert.throws(() => identifyStickSlip(model, half, 0.95), /cycle: 1\.5 is no number of a cycle/);
});
