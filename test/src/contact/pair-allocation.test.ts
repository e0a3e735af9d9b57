/** One contact of each sphere pair, stepped in turn, allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureSystems } from '../../fixtures/allocation-process.ts';

test('a step with a contact of any sphere pair grows the heap by 0 bytes', () => {
  const { perStep, forces } = measureSystems(
    'sphere-pair-models',
    'models.pressedBalls().map((model) => makeSystem(model))',
    { step_s: 1e-3, rounds: 60_000, windows: 20, least: 1 },
  );
  assert.equal(Object.keys(forces).length, 6);
  for (const [name, force] of Object.entries(forces)) {
    assert.ok(force > 20, `${name} was in contact while it was measured: ${force} N`);
  }
  // one double boxed in one of the six pairs is 2.7 B
  assert.ok(perStep < 1, `${perStep} bytes a step`);
});
