/** A sliding contact that loses its point, and rows that others hold already, show in the events and the metrics of the loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultCode } from '../../../hil/contract/codes.ts';
import { EventKind } from '../../../hil/contract/events.ts';
import { modelNames } from '../../../hil/contract/scene-columns.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { eventLevel, eventWords, LogLevel } from '../../../hil/recording/event-words.ts';
import type { SystemModel } from '../../../src/index.ts';
import { ballInBowl } from '../../../server/validation/cam-models.ts';
import { at, joint } from '../../../server/validation/constraint-models.ts';
import { body, system } from '../../fixtures/models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** The ball in its bowl, which ends 0.1 rad on its way. */
function shortBowl(): SystemModel {
  const model = ballInBowl();
  const constraints = (model.constraints ?? []).map((one) => {
    if (one.kind !== 'sliding') return one;
    const { second } = one;
    const trim = { u: [-0.1, 0.1] as const };
    return { ...one, second: { ...second, surface: { ...second.surface, trim } } };
  });
  return { ...model, constraints };
}

test('a sliding contact that loses its point is an event with its name, beside the fault', () => {
  const rig = new VirtualRig({ robot: false, model: shortBowl() });
  rig.run(40);
  assert.deepEqual(rig.errors, []);
  assert.ok(rig.lost.length > 0 && rig.lost.every((k) => k === 0), rig.lost.join());
  assert.equal(rig.counter(LoopSlot.faults_total + FaultCode.MODEL_NOT_FINITE), 1);
  const event = Float64Array.of(EventKind.CONSTRAINT_LOST, 7, 0.007, 0, 0, 0);
  assert.equal(
    eventWords(event, modelNames(shortBowl())),
    'tick 7: constraint ball in bowl lost its point of contact',
  );
  assert.equal(eventLevel(event), LogLevel.WARN);
});

test('a contact that parts and meets again is an event each time, and counted', () => {
  const restitution = 0.5;
  const ball = system({
    gravity: [0, 0, -9.81],
    bodies: [body('ball', 'dynamic', { position: [0, 0, 0.101], velocity: [0, 0, 0.1] })],
    constraints: [
      {
        kind: 'sliding',
        name: 'floor',
        first: {
          body: 'ball',
          surface: {
            shape: { kind: 'sphere', radius: 0.1 },
            orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
          },
        },
        second: { body: null, surface: { shape: { kind: 'plane' } } },
        start: [0, 0, 0, 0],
        unilateral: { restitution, smallVelocity: 0.1 },
      },
    ],
  });
  const rig = new VirtualRig({ robot: false, model: ball });
  rig.run(80);
  assert.deepEqual(rig.errors, []);
  // falls from 1.5 mm with 0.17 m/s, bounces with 0.086, and stays at the second impact
  assert.equal(rig.counter(LoopSlot.loop_constraint_landings_total), 2);
  assert.equal(rig.counter(LoopSlot.loop_constraint_releases_total), 0);
  assert.deepEqual(rig.switched, [[0, 1]]);
  const event = Float64Array.of(EventKind.CONSTRAINT_SWITCHED, 7, 0.007, 0, 0, 0);
  assert.equal(eventWords(event, modelNames(ball)), 'tick 7: constraint floor opened');
  assert.equal(eventLevel(event), LogLevel.INFO);
});

test('rows that become redundant in motion are counted by the loop', () => {
  // a point on two lines that turn into each other: at first they cross at a right angle
  const turned = (rate: number): SystemModel =>
    system({
      gravity: [0, 0, 0],
      bodies: [
        body('bead', 'dynamic'),
        body('rail', 'prescribed', {
          orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
          angularVelocity: [0, rate, 0],
        }),
      ],
      constraints: [
        joint('still', 'point-on-plane', at('bead', [0, 0, 0]), at(null, [0, 0, 0])),
        joint('turns', 'point-on-plane', at('bead', [0, 0, 0]), at('rail', [0, 0, 0])),
      ],
    });
  const counted = (rate: number): number => {
    const rig = new VirtualRig({ robot: false, model: turned(rate) });
    rig.run(100);
    assert.deepEqual(rig.errors, []);
    return rig.counter(LoopSlot.loop_redundant_rows_total);
  };
  assert.equal(counted(1), 0);
  // a right angle in ten steps of 1 ms
  const rig = new VirtualRig({ robot: false, model: turned(-50 * Math.PI) });
  rig.run(12);
  assert.ok(rig.counter(LoopSlot.loop_redundant_rows_total) >= 1);
});
