/** Residuals of constraints and places of surfaces that touch are in the rows and the metrics of the loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { ballInBowl } from '../../../server/validation/cam-models.ts';
import { inBowl, onPlate } from '../../../server/validation/freeform-models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** 1/r − 1/R of the ball of 0.1 m in the bowl of 0.5 m, over 10 mm. */
const IN_BOWL = 0.01 * (10 - 2);

test('a sliding ball: its row is closed, its curvature that of ball less bowl, Newton finds its place in each tick', () => {
  const rig = new VirtualRig({ robot: false, model: ballInBowl() });
  rig.run(20);
  const { row } = rig.tick.record;
  // closed to 1e-12 in place and to rounding of 1 m/s in rate; no row of it turns
  assert.ok(row[Column.constraint_drift_m] <= 1e-12 && row[Column.constraint_drift_rad] === 0);
  assert.ok(row[Column.constraint_rate_mps] < 1e-13 && row[Column.constraint_rate_radps] === 0);
  assert.ok(Math.abs(row[Column.touch_curvature] - IN_BOWL) < 1e-12);
  assert.equal(row[Column.touch_places], 1);
  const steps = row[Column.touch_newton_steps];
  assert.ok(steps >= 2 && steps <= 40, `${steps} Newton steps`);
  const total = rig.counter(LoopSlot.touch_newton_steps_total);
  rig.run(1);
  assert.equal(
    rig.counter(LoopSlot.touch_newton_steps_total) - total,
    row[Column.touch_newton_steps],
  );
  assert.equal(rig.counter(LoopSlot.constraint_drift_meters), row[Column.constraint_drift_m]);
  assert.equal(rig.counter(LoopSlot.touch_curvature_ratio), row[Column.touch_curvature]);
});

test('contacts of free form: curvature while they touch, and no residuals without constraints', () => {
  const rig = new VirtualRig({ robot: false, model: inBowl() });
  const { row } = rig.tick.record;
  rig.run(30);
  assert.equal(row[Column.contact_active], 1);
  // by a rational patch whose second derivatives have 1e-13
  assert.ok(
    Math.abs(row[Column.touch_curvature] - IN_BOWL) < 1e-12,
    `${row[Column.touch_curvature]}`,
  );
  assert.ok(row[Column.touch_places] >= 1 && row[Column.touch_newton_steps] >= 1);
  for (const column of [Column.constraint_drift_m, Column.constraint_rate_radps]) {
    assert.ok(Number.isNaN(row[column]));
  }
  const above = new VirtualRig({ robot: false, model: onPlate(false) });
  above.run(2);
  const own = above.tick.record.row;
  assert.equal(own[Column.contact_active], 0);
  assert.ok(Number.isNaN(own[Column.touch_curvature]));
});
