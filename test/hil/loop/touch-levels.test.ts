/** How surfaces touch: an event where it changes, and curvature, axis and condition of each place in the rows of the scene. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventKind } from '../../../hil/contract/events.ts';
import {
  modelNames,
  SCENE_TOUCH,
  SCENE_WIDTH,
  SceneColumn,
  touchNumbers,
} from '../../../hil/contract/scene-columns.ts';
import { touchLevel } from '../../../hil/contract/touch-levels.ts';
import { eventLevel, eventWords, LogLevel } from '../../../hil/recording/event-words.ts';
import { SceneRow } from '../../../hil/telemetry/scene-row.ts';
import { makeSystem, type SurfaceSpec, type SystemModel } from '../../../src/index.ts';
import { ballInBowl } from '../../../server/validation/cam-models.ts';
import { BOWL_FACE, ballOn, inBowl } from '../../../server/validation/freeform-models.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Ball of 497.5 mm, 2.5 mm smaller than its bowl: k2 L = 1.005e-4. */
function tight(): SystemModel {
  const radius = 0.4975;
  const surfacesI = { kind: 'ball', radius, center: [0, 0, 0] } as const;
  const surfacesJ = { kind: 'faces', faces: [BOWL_FACE] } as const;
  const pair = { kind: 'freeform', surfacesI, surfacesJ, contactRadius: radius } as const;
  return ballOn(pair, [0.00125, 0, -0.00225]);
}

/** A ball of 100 mm in a bore with 0.1 µm of play: k2 L = 1e-7. */
function fitted(): SystemModel {
  const radius = 0.1;
  const surfacesI = { kind: 'ball', radius, center: [0, 0, 0] } as const;
  const bore: SurfaceSpec = {
    shape: { kind: 'cylinder', radius: radius + 1e-7 },
    trim: { v: [-0.5, 0.5] },
    orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
    sign: -1,
  };
  const surfacesJ = { kind: 'faces', faces: [bore] } as const;
  const pair = { kind: 'freeform', surfacesI, surfacesJ, contactRadius: radius } as const;
  return ballOn(pair, [0, 0, 0]);
}

test('a ball that hardly has play in its bowl is weakly held: one event, with k2 L and condition', () => {
  const rig = new VirtualRig({ robot: false, model: tight() });
  rig.run(60);
  assert.deepEqual(rig.errors, []);
  assert.equal(rig.touched.length, 1);
  const [k, ratio, reciprocal] = rig.touched[0];
  assert.equal(k, 0);
  assert.ok(Math.abs(ratio - 0.01 * (1 / 0.4975 - 2)) < 1e-12, `${ratio}`);
  // of one ball in another M is two by two twice, and its singular values those of (1, −1; L/r, −L/R)
  const [a, b] = [0.01 / 0.4975, -0.01 / 0.5];
  const squares = 2 + a * a + b * b;
  const most = (squares + Math.sqrt(squares * squares - 4 * (a + b) ** 2)) / 2;
  assert.ok(Math.abs(reciprocal / (Math.abs(a + b) / most) - 1) < 1e-9, `${reciprocal}`);
  const event = Float64Array.of(EventKind.TOUCH_CHANGED, 7, 0.007, k, ratio, reciprocal);
  assert.equal(
    eventWords(event, modelNames(rig.system.model)),
    'tick 7: touch ball-ground is weakly held: its place runs fast over the surfaces, k2 L 1.01e-4, condition 1.99e+4',
  );
  assert.equal(eventLevel(event), LogLevel.WARN);
});

test('a ball in a bore of its size touches along a line; a ball with play in its bowl makes no event', () => {
  const rig = new VirtualRig({ robot: false, model: fitted() });
  rig.run(60);
  const [[k, ratio, reciprocal]] = rig.touched;
  assert.equal(k, 0);
  assert.ok(Math.abs(ratio / 1e-7 - 1) < 1e-5, `${ratio}`);
  assert.ok(reciprocal > 0.1 * ratio && reciprocal < ratio, `${reciprocal}`);
  const free = new VirtualRig({ robot: false, model: inBowl() });
  free.run(60);
  assert.deepEqual(free.touched, []);
});

test('levels: limits of the table, apart by half of them on the way back, unknown as before', () => {
  assert.deepEqual(
    [0.8, 1e-3, 9.9e-4, 1e-6, 9e-7, 0, -1e-6, -2e-6].map((ratio) => touchLevel(ratio, 0)),
    [0, 0, 1, 1, 2, 2, 2, 3],
  );
  assert.deepEqual(
    [1.4e-3, 1.5e-3].map((ratio) => touchLevel(ratio, 1)),
    [1, 0],
  );
  assert.deepEqual(
    [1.4e-6, 1.6e-6, NaN].map((ratio) => touchLevel(ratio, 2)),
    [2, 1, 2],
  );
});

test('a scene row has places, curvatures, axis and condition of a contact and of a constraint', () => {
  const scene = new SceneRow();
  for (const [model, constraint] of [
    [inBowl(), false],
    [ballInBowl(), true],
  ] as const) {
    const system = makeSystem(model);
    for (let k = 0; k < 30; k++) system.step(1e-3);
    scene.read(system);
    const [of, places, least, most, x, y, z, reciprocal] = scene.row.subarray(
      SceneColumn.FIRST_TOUCH,
    );
    assert.equal(of, constraint ? system.contactCount : 0);
    assert.ok(places >= 1);
    // the ball of 0.1 m in the bowl of 0.5 m, by a rational patch with second derivatives of 1e-13
    for (const value of [least, most]) assert.ok(Math.abs(value - 8) < 1e-9, `${value}`);
    assert.ok(Math.abs(Math.hypot(x, y, z) - 1) < 1e-15);
    assert.ok(reciprocal > 0.01 && reciprocal < 0.1, `${reciprocal}`);
    assert.equal(touchNumbers(scene.row), SCENE_TOUCH * scene.row[SceneColumn.POINTS]);
  }
  assert.equal(touchNumbers(new Float64Array(SCENE_WIDTH)), 0);
});
