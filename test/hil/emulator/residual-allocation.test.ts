/** A cycle of the payload on the force sensor allocates nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('a payload that hangs on the force sensor grows the heap by 0 bytes a cycle', () => {
  const { perCycle, weight } = measureHeap<{ perCycle: number; weight: number }>(
    'residual-models',
    `
const twist = new Float64Array(6), contact = new Float64Array(6), orientation = Float64Array.of(0, 0, 0, 1);
const body = { mass_kg: 0.5, center_m: [0.1, 0, 0.2], inertia_kgm2: [0.01, 0.02, 0.03, 0, 0, 0] };
const payload = new models.ResidualPayload(body, 1e-3, twist);
function cycles(n) {
  for (let k = 0; k < n; k++) {
    const phase = 0.01 * (k % 3000);
    for (let i = 0; i < 6; i++) twist[i] = 0.1 * Math.sin(phase + i);
    payload.addLoad(orientation, twist, contact);
  }
}
cycles(20000);
const perCycle = settled(cycles, { rounds: 10000, windows: 20, least: 1 });
twist.fill(0);
cycles(0);
payload.addLoad(orientation, twist, contact);
payload.addLoad(orientation, twist, contact);
console.log(JSON.stringify({ perCycle, weight: payload.wrench[2] }));
`,
  );
  assert.ok(perCycle < 1, `${perCycle} bytes a cycle`);
  assert.ok(Math.abs(weight + 0.5 * 9.80665) < 1e-12);
});
