/** A pool of sub-models that is too small, and a place of free form that is not found, show in the metrics of the loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { plateOnPlate, ballInMiddle } from '../../fixtures/freeform-models.ts';
import type { SystemModel } from '../../../src/index.ts';
import { box, floor, scene } from '../../fixtures/volumetric-models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

function refused(maximumPairs: number): number {
  const onFloor = box([0.2, 0.2, 0.1], { position: [0, 0, 0.0501] }, [2, 2, 1]);
  const model = scene(onFloor, floor(), { pair: { maximumPairs } });
  const rig = new VirtualRig({ robot: false, model });
  rig.run(50);
  assert.deepEqual(rig.errors, []);
  assert.ok(rig.system.time > 0.02, 'the model runs');
  return rig.counter(LoopSlot.loop_cell_pairs_refused_total);
}

test('touching cell pairs without a sub-model are counted by the loop', () => {
  assert.ok(refused(3) > 0);
  assert.equal(refused(4), 0);
});

test('poses of free form without a place are counted by the loop', () => {
  const standIns = (model: SystemModel): number => {
    const rig = new VirtualRig({ robot: false, model });
    rig.run(20);
    assert.deepEqual(rig.errors, []);
    return rig.counter(LoopSlot.loop_contact_stand_ins_total);
  };
  assert.ok(standIns(ballInMiddle()) > 0);
  assert.equal(standIns(plateOnPlate()), 0);
});
