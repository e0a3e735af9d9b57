/** The reference of a law in the task space on a body that is turned or tumbles. docs/theory/arm.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoseReference, REFERENCE_MEMORY } from '../../../src/arm/pose-reference.ts';
import type { ArmForceCorrection } from '../../../src/model/arm-spec.ts';
import type { BodyModel } from '../../../src/model/model.ts';
import { BODY_STATE, RigidBody } from '../../../src/multibody/body.ts';

const STEP = Float64Array.of(0.001);
const OFFSET = 2;
const REST = new Float64Array(6);

function bodyOf(changes: Partial<BodyModel>): RigidBody {
  const body = new RigidBody(
    {
      name: 'target',
      motion: 'dynamic',
      mass: 100,
      inertia: [10, 20, 30, 0, 0, 0],
      rotationLocked: false,
      position: [0, 0, 0],
      orientation: [0, 0, 0, 1],
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 0],
      ...changes,
    },
    new Float64Array(BODY_STATE),
    new Float64Array(BODY_STATE),
  );
  body.refresh();
  return body;
}

function referenceOn(
  target: RigidBody,
  correction: ArmForceCorrection | null,
): { reference: PoseReference; memory: Float64Array } {
  const memory = new Float64Array(REFERENCE_MEMORY);
  memory[9] = 1; // no turn against the target
  const reference = new PoseReference(
    {
      rows: { mass: [100, 100], damping: [500, 500], stiffness: [4000, 100] },
      target: 'target',
      path: null,
      correction,
      selfMotionDamping: 0,
    },
    Uint8Array.of(0, 1),
    target,
    new Float64Array(BODY_STATE),
    [0, 0, 0],
    memory,
  );
  return { reference, memory };
}

test('the correction takes the stiffness along its direction as the target has turned it, and waits while the arm is held', () => {
  const half = Math.SQRT1_2;
  const force = 10;
  const time = 2;
  for (const [orientation, stiffness] of [
    [[0, 0, 0, 1], 4000],
    [[0, 0, half, half], 100],
    [[0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)], 2050],
  ] as const) {
    const { reference, memory } = referenceOn(bodyOf({ orientation }), {
      direction: [1, 0, 0],
      force,
      start: 0,
      kind: 'integral',
      time,
    });
    reference.evaluate(REST, 0, REST, STEP);
    reference.advance(STEP, 1);
    assert.equal(memory[OFFSET], 0);
    for (let i = 0; i < 100; i++) {
      reference.evaluate(REST, 0, REST, STEP);
      reference.advance(STEP, 0);
    }
    const wanted = (0.1 * force) / (stiffness * time);
    assert.ok(Math.abs(memory[OFFSET] / wanted - 1) < 1e-9, `${memory[OFFSET]} m for ${wanted}`);
  }
});

test('across the rows that have a stiffness nothing is corrected', () => {
  const { reference, memory } = referenceOn(bodyOf({}), {
    direction: [0, 0, 1],
    force: 10,
    start: 0,
    kind: 'repeated',
    time: 0.001,
  });
  for (let i = 0; i < 10; i++) {
    reference.evaluate(REST, 0, REST, STEP);
    reference.advance(STEP, 0);
  }
  assert.equal(memory[OFFSET], 0);
});

test('on a tumbling body the acceleration that is fed forward is the derivative of the twist', () => {
  const target = bodyOf({
    position: [0.3, -0.2, 0.1],
    velocity: [0.1, 0.2, -0.1],
    angularVelocity: [0.4, -0.6, 0.5],
  });
  const { reference, memory } = referenceOn(target, null);
  memory.set([1.5, -0.7, 0.9], 3); // place against the target
  const h = Float64Array.of(1e-4);
  const look = (): { twist: Float64Array; acceleration: Float64Array } => {
    target.refresh();
    reference.evaluate(REST, 0, REST, h);
    return { twist: reference.twist.slice(), acceleration: reference.acceleration.slice() };
  };
  const before = look();
  target.advancePose(h);
  const middle = look();
  target.advancePose(h);
  const after = look();
  for (let a = 0; a < 6; a++) {
    const slope = (after.twist[a] - before.twist[a]) / (2 * h[0]);
    // central difference, and a step of second order: some h² times the third power of 1 rad/s
    assert.ok(
      Math.abs(slope - middle.acceleration[a]) < 1e-6,
      `${a}: ${middle.acceleration[a]} for ${slope}`,
    );
  }
  assert.ok(Math.abs(middle.acceleration[3]) > 0.01, 'it tumbles');
});
