/** The scene ring: poses of bodies and contact points, every 20 ms of the loop's time, with negligible allocation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import {
  SCENE_POINT,
  SCENE_POSE,
  SCENE_WIDTH,
  SceneColumn,
} from '../../../hil/contract/scene-columns.ts';
import { SceneRecord } from '../../../hil/telemetry/scene-record.ts';
import { allocateShared } from '../../../hil/memory/shared.ts';
import { makeSystem, type System } from '../../../src/system/system.ts';

const PERIOD_S = 0.001;
const VIRTUAL = 1;

function at(scenario: string, pose: readonly number[]): System {
  const system = makeSystem(compileScenario(loadScenario(scenario)));
  system.useSchedule = false;
  const tool = system.tool!;
  tool.mode = VIRTUAL;
  tool.measuredMotion.set([...pose, 0, 0, 0, 0, 0, 0]);
  return system;
}

/** A record and what its ring holds after `ticks`. */
function recorded(system: System, period_s: number, ticks: number): [Float64Array, number] {
  const { scene } = allocateShared();
  const record = new SceneRecord(scene, period_s, null);
  for (let i = 0; i < ticks; i++) {
    system.step(period_s);
    record.tick(system);
  }
  const ring = new TelemetryRing(scene, SCENE_WIDTH);
  const row = new Float64Array(SCENE_WIDTH);
  assert.ok(ring.readNewest(row));
  return [row, ring.written];
}

test('16 pairs of the seated box: their forces are the wrench, their points lie on the floor', () => {
  const depth = 3e-5;
  const system = at('battery-box-insertion', [depth, 0, 0, 0, 0, 0, 1]);
  const [row, written] = recorded(system, PERIOD_S, 41);
  assert.equal(written, 3); // ticks 0, 20 and 40
  assert.equal(row[SceneColumn.TOUCHING], 16);
  assert.equal(row[SceneColumn.POINTS], 16);
  assert.equal(row[SceneColumn.BODIES], 3);
  assert.ok(Math.abs(row[SceneColumn.TIME] - 0.041) < 1e-12);
  assert.deepEqual(
    [...row.slice(SceneColumn.POSES, SceneColumn.POSES + SCENE_POSE)],
    [depth, 0, 0, 0, 0, 0, 1],
  );
  // inner faces of the cut floor tilt the normal of a patch by depth/width; the narrowest half of a module is 50 mm wide, with two such faces
  const tilt2 = 2 * (depth / 0.05) ** 2;
  const sum = [0, 0, 0];
  for (let k = 0; k < 16; k++) {
    const from = SceneColumn.FIRST_POINT + k * SCENE_POINT;
    const point = row.slice(from, from + 3);
    assert.ok(point[0] >= 0.25 && point[0] <= 0.25 + depth);
    assert.ok(Math.abs(point[1]) < 0.15 && Math.abs(point[2]) < 0.2);
    for (let a = 0; a < 3; a++) sum[a] += row[from + 3 + a];
    // the floor's outward normal
    assert.ok(Math.abs(row[from + 6] + 1) <= tilt2 / 2);
  }
  // k_v A depth on the box, against the way in
  const force = 8e6 * 0.12 * depth;
  assert.ok(Math.abs(sum[0] + force) < (tilt2 / 2) * force, `${sum[0]}`);
  for (let a = 0; a < 3; a++) assert.ok(Math.abs(sum[a] - system.tool!.modelWrench[a]) < 1e-9);
});

test('a contact without cells is one point; nothing is left of it when it ends', () => {
  const [row] = recorded(at('half-sphere-on-plate', [0, 0, -1e-5, 0, 0, 0, 1]), PERIOD_S, 1);
  assert.equal(row[SceneColumn.TOUCHING], 1);
  assert.equal(row[SceneColumn.POINTS], 1);
  assert.ok(row[SceneColumn.FIRST_POINT + 5] > 0);
  const [free] = recorded(at('half-sphere-on-plate', [0, 0, 1e-3, 0, 0, 0, 1]), PERIOD_S, 1);
  assert.equal(free[SceneColumn.TOUCHING], 0);
  assert.equal(free[SceneColumn.POINTS], 0);
});

test('a slower loop writes as often in time', () => {
  const system = at('half-sphere-on-plate', [0, 0, 1e-3, 0, 0, 0, 1]);
  assert.equal(recorded(system, 0.005, 41)[1], 11); // every fourth tick
});

test('forces of constraints are points without a normal, which touch nowhere', () => {
  const system = makeSystem(compileScenario(loadScenario('cam-follower')));
  const { scene } = allocateShared();
  const record = new SceneRecord(scene, PERIOD_S, null);
  system.step(PERIOD_S);
  record.tick(system);
  const row = new Float64Array(SCENE_WIDTH);
  assert.ok(new TelemetryRing(scene, SCENE_WIDTH).readNewest(row));
  assert.equal(row[SceneColumn.TOUCHING], 0);
  assert.equal(row[SceneColumn.POINTS], 3);
  const [shaft, guide, tip] = [0, 1, 2].map((k) => {
    const from = SceneColumn.FIRST_POINT + k * SCENE_POINT;
    return [...row.slice(from, from + SCENE_POINT)];
  });
  // the tip of 12 mm is pressed up where it lies on the cam of 30 mm, and the shaft holds the cam against it and its weight
  assert.ok(Math.abs(tip[1] - 0.03) < 1e-4, `${tip[1]} m`);
  assert.ok(tip[4] > 40 && tip[4] < 60, `${tip[4]} N`);
  assert.ok(Math.abs(shaft[4] - tip[4] - 9.81) < 1e-6, `${shaft[4]} N on 1 kg`);
  assert.ok(Math.abs(guide[3] + tip[3]) < 1e-6, `${guide[3]} N`);
  for (const point of [shaft, guide, tip]) assert.deepEqual(point.slice(6), [0, 0, 0]);
});
