/** Elastic faces in the metrics of the loop: points that push and slide, pressure, rounds; touches that are too short for the steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { CONTACT_READOUT, ContactReadout, FACE_READOUT, FaceReadout } from '../../../src/index.ts';
import { elasticScene, type ElasticScene, elasticSystem } from '../../fixtures/elastic-scenes.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('an elastic face in the loop: its points, their pressure and rounds are on the page', () => {
  const friction = { kind: 'coulomb', stiction: 0.3, coulomb: 0.2 };
  const model = elasticScene({ height: 5e-6, gravity: 9.81, friction });
  const rig = new VirtualRig({ robot: false, model });
  const face = new Float64Array(FACE_READOUT.length);
  let touched = 0;
  for (let k = 0; k < 30; k++) {
    rig.run(1);
    rig.system.readFaces(face, 0);
    touched += face[FaceReadout.points];
    for (const [slot, column] of [
      [LoopSlot.patch_active_points, FaceReadout.points],
      [LoopSlot.patch_sliding_points, FaceReadout.sliding],
      [LoopSlot.patch_pressure_pascals, FaceReadout.pressure],
      [LoopSlot.patch_sweeps, FaceReadout.rounds],
      [LoopSlot.patch_unconverged_total, FaceReadout.unsettled],
      [LoopSlot.patch_unresolved_total, FaceReadout.unresolved],
    ]) {
      assert.equal(rig.counter(slot), face[column], `tick ${k}`);
    }
  }
  assert.deepEqual(rig.errors, []);
  assert.ok(touched > 0);
  assert.equal(face[FaceReadout.unsettled] + face[FaceReadout.unresolved], 0);
});

test('the largest pressure is that of the edge of a flat face: above the mean, and below all of it on one point', () => {
  const system = elasticSystem({ kind: 'prescribed', height: -1e-5 });
  const row = new Float64Array(CONTACT_READOUT.length);
  const face = new Float64Array(FACE_READOUT.length);
  system.step(1e-3);
  system.readContact(0, row, 0);
  system.readFaces(face, 0);
  assert.equal(face[FaceReadout.points], 16);
  assert.equal(face[FaceReadout.sliding], 16, 'without friction nothing sticks');
  const mean = row[ContactReadout.normalForce] / (0.02 * 0.02);
  const ratio = face[FaceReadout.pressure] / mean;
  assert.ok(ratio > 1.2 && ratio < 3, `${ratio}`);
});

test('a touch with too few sub-steps is counted once, one with enough of them is not', () => {
  const bounce = { height: 2e-4, velocity: [0, 0, -0.05], mass: 0.1, gravity: 10 } as const;
  const count = (scene: ElasticScene): { touches: number; unresolved: number } => {
    const face = new Float64Array(FACE_READOUT.length);
    const system = elasticSystem(scene);
    let touches = 0;
    let pushed = 0;
    for (let k = 0; k < 80; k++) {
      assert.equal(system.step(1e-3), 0);
      system.readFaces(face, 0);
      if (pushed === 0 && face[FaceReadout.points] > 0) touches++;
      pushed = face[FaceReadout.points];
    }
    return { touches, unresolved: face[FaceReadout.unresolved] };
  };
  const resolved = count(bounce);
  // √(v² + 2 g h) = 81 mm/s: touches of 2 ms at 3, 21, 39, 57 and 76 ms, with 16 ms of flight between them
  assert.equal(resolved.touches, 5);
  assert.equal(resolved.unresolved, 0);
  // ω h of a whole step is 1.5
  const rough = count({ ...bounce, substeps: 1 });
  assert.ok(rough.touches >= 4, `${rough.touches}`);
  assert.equal(rough.unresolved, rough.touches);
});
