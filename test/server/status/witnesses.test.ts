/** The topic `witnesses`: lines between closest points, from the poses of a scene alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { SCENE_WIDTH, SceneColumn } from '../../../hil/contract/scene-columns.ts';
import { SceneRow } from '../../../hil/telemetry/scene-row.ts';
import { MOST_LINES, Witnesses } from '../../../server/status/witnesses.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const BOX = { kind: 'box', size: [0.1, 0.1, 0.1] } as const;

/** taper-jam with two cubes in place of ring and cone: the cone is body 0, the ring body 1. */
function cubes(standoff: number): SystemModel {
  const model = compileScenario(loadScenario('taper-jam'));
  const [contact] = model.contacts;
  const pair = {
    kind: 'faceted',
    shapeI: { shape: BOX, ...HERE },
    shapeJ: { shape: BOX, ...HERE },
    standoff,
  } as const;
  return { ...model, contacts: [{ ...contact, pair }] };
}

/** A row of which the ring alone is elsewhere. */
function rowAt(position: readonly number[], orientation: readonly number[]): Float64Array {
  const row = new Float64Array(SCENE_WIDTH);
  row[SceneColumn.BODIES] = 3;
  for (let b = 0; b < 3; b++) row[SceneColumn.POSES + 7 * b + 6] = 1;
  row.set([...position, ...orientation], SceneColumn.POSES + 7);
  return row;
}

const near = (got: readonly number[], wanted: readonly number[], within = 1e-12): void => {
  assert.equal(got.length, wanted.length);
  got.forEach((x, k) =>
    assert.ok(Math.abs(x - wanted[k]) < within, `${got.join()}: ${wanted.join()}`),
  );
};

test('the lowest corner of a cube over a plane is one line of three pairs of facets', () => {
  const witnesses = new Witnesses(cubes(0.005));
  // turned so that a corner points down: 45 degrees about x, then by atan(1/sqrt 2) about y
  const half = Math.PI / 8;
  const tilt = Math.atan(Math.SQRT1_2) / 2;
  const [s, c, t, d] = [Math.sin(half), Math.cos(half), Math.sin(tilt), Math.cos(tilt)];
  const turn = [d * s, t * c, -t * s, d * c]; // about y after x
  const height = 0.05 + (0.1 * Math.sqrt(3)) / 2 + 0.003;
  const { contacts, lines } = witnesses.read(rowAt([0, 0, height], turn));
  assert.equal(contacts.length, 1);
  const { contact, pairs, distinct, least_distance_m } = contacts[0];
  assert.deepEqual([contact, pairs, distinct], ['ring-cone', 3, 1]);
  assert.ok(Math.abs(least_distance_m - 0.003) < 1e-12, `${least_distance_m} m`);
  assert.equal(lines.length, 18);
  for (let k = 0; k < 18; k += 6) near(lines.slice(k, k + 6), [0, 0, 0.053, 0, 0, 0.05]);
});

test('beyond the standoff it is the line of the nearest pair', () => {
  const { contacts, lines } = new Witnesses(cubes(0.005)).read(
    rowAt([0.2, 0.2, 0.2], [0, 0, 0, 1]),
  );
  near(lines, [0.15, 0.15, 0.15, 0.05, 0.05, 0.05]);
  const [{ pairs, distinct, least_distance_m }] = contacts;
  assert.deepEqual([pairs, distinct], [0, 0]);
  assert.ok(Math.abs(least_distance_m - 0.1 * Math.sqrt(3)) < 1e-12);
});

test('lines of the ring on its cone are shorter than the standoff, and the shortest is the least distance of the loop', () => {
  const model = compileScenario(loadScenario('taper-jam'));
  const system = makeSystem(model);
  for (let n = 0; n < 3; n++) system.step(model.step); // it begins within the standoff
  const scene = new SceneRow();
  scene.read(system);
  const { contacts, lines } = new Witnesses(model).read(scene.row);
  const [{ pairs, distinct, least_distance_m }] = contacts;
  assert.ok(distinct > 0 && distinct < pairs, `${distinct} of ${pairs}`);
  assert.equal(lines.length, 6 * Math.min(MOST_LINES, pairs));
  let least = Infinity;
  for (let k = 0; k < lines.length; k += 6) {
    const long = Math.hypot(
      lines[k] - lines[k + 3],
      lines[k + 1] - lines[k + 4],
      lines[k + 2] - lines[k + 5],
    );
    assert.ok(long < 2e-3, `${long} m of a standoff of 2 mm`);
    least = Math.min(least, long);
  }
  assert.ok(Math.abs(least - least_distance_m) < 1e-12);
  const figures = new Float64Array(2);
  system.readLeastDistance(figures, 0); // of the pose before the last sub-step, at 5 mm/s
  assert.ok(Math.abs(figures[0] - least) < 5e-3 * model.step, `${figures[0]} m, ${least} m`);
});

test('a row of another model has no lines, and a scenario without facets none at all', () => {
  const row = rowAt([0, 0, 0.2], [0, 0, 0, 1]);
  row[SceneColumn.BODIES] = 1;
  assert.deepEqual(new Witnesses(cubes(0.005)).read(row).lines, []);
  const plate = compileScenario(loadScenario('half-sphere-on-plate'));
  assert.deepEqual(new Witnesses(plate).read(row), { contacts: [], lines: [] });
});
