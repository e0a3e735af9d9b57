/** Validity in the loop: the column has what contacts exceeded since they began, the counter the ticks in which they do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { ValidityFlag } from '../../../src/index.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('a ball that yields while it is deep: one bit until it lifts off, counted while it lasts', () => {
  // a contact with a mean pressure p = k √δ / (π R) above the strength for a part of each impact
  const model = compileScenario(
    loadScenario('ball-on-incline', ['contacts.0.yield_strength_N_per_m2=100000']),
  );
  const rig = new VirtualRig({ robot: false, model });
  const { row } = rig.tick.record;
  const bit = 1 << ValidityFlag.PRESSURE;
  let exceeding = 0;
  let told = 0;
  for (let n = 0; n < 1500; n++) {
    const before = row[Column.contact_active] === 1 ? row[Column.contact_validity] & bit : 0;
    rig.run(1);
    const touches = row[Column.contact_active] === 1;
    const depth = row[Column.penetration_m];
    const now = touches && row[Column.normal_force_N] > 100000 * Math.PI * 0.1 * depth;
    if (now) exceeding++;
    const wanted = touches && (now || before !== 0) ? bit : 0;
    assert.equal(row[Column.contact_validity] & bit, wanted, `tick ${n}`);
    if (wanted !== 0 && !now) told++;
  }
  assert.deepEqual(rig.errors, []);
  assert.ok(exceeding > 0 && told > 0, `${exceeding} and ${told} ticks`);
  assert.ok(rig.counter(LoopSlot.contact_validity_ticks_total) >= exceeding);
});
