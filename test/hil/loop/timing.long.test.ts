/** Fault test 1 of the timing list on the virtual clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('1: a million ticks without a fault have no overrun and no error of model time', (t) => {
  const rig = new VirtualRig({ robot: false, mode: 'simulation' });
  rig.run(1_000_000);
  assert.equal(rig.timing.executed, 1_000_000);
  assert.equal(rig.timing.slippedTotal, 0);
  assert.equal(rig.overruns.length, 0);
  // a sum of a million rounded steps: 1e6 · 1e3 · 2⁻⁵³ is the bound
  assert.ok(Math.abs(rig.system.time - 1000) < 1.2e-4 * 1e-3, String(rig.system.time));
  t.diagnostic(
    `acceptance 1: ${rig.timing.executed} ticks, ${rig.overruns.length} overruns, model time ${Math.abs(rig.system.time - 1000).toExponential(1)} s off`,
  );
});
