/** One contact of each friction law with each rolling law, and of each normal law, stepped in turn, allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureSystems } from '../../fixtures/allocation-process.ts';

for (const integrator of ['implicit-contact', 'symplectic-euler'] as const) {
  test(`a step of ${integrator} with any law grows the heap by 0 bytes`, () => {
    const { perStep, forces } = measureSystems(
      'law-allocation-models',
      `models.balls().map((model) => makeSystem({ ...model, integrator: '${integrator}' }))`,
      { step_s: 2e-4, rounds: 25_000, windows: 30, least: 0.9 },
    );
    assert.ok(Object.keys(forces).length >= 13);
    for (const [name, force] of Object.entries(forces)) {
      assert.ok(force > 5, `${name} was in contact while it was measured: ${force} N`);
    }
    // one boxed double in one of the sixteen systems is 1 B
    assert.ok(perStep < 0.9, `${perStep} bytes a step`);
  });
}
