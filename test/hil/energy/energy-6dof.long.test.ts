/** Energy and momentum of the free body on which guard and audit are tested in six degrees of freedom. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { GuardSlot } from '../../../hil/energy/passivity-guard.ts';
import { type FreeBody, flyBody } from './free-body.ts';
import { BODY } from './body-on-planes.ts';

test('free flight: energy and momentum of the body keep within 1e-9 over 60 s', () => {
  const body = { ...BODY, position: [0, 0, 100], velocity: [0.3, -0.2, 0.1] } as unknown;
  const spun = { ...(body as FreeBody), spin: [0.3, -0.2, 1.5], ticks: 60_000, guard: true };
  const o = flyBody(spun as FreeBody);
  assert.ok(Math.abs(o.energyAfter / o.energyBefore - 1) < 1e-9, `${o.energyAfter} J`);
  assert.deepEqual(o.momentum, [40 * 0.3, 40 * -0.2, 40 * 0.1]);
  assert.equal(o.guard[GuardSlot.REMOVED], 0);
});
