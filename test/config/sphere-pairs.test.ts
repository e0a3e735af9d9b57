/** The sphere pairs as people write them: what they compile to, and what is refused at which field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { checkModel } from '../../src/system/check-model.ts';
import type { PairModel } from '../../src/model/model.ts';

/** The ball on the incline with another pair, checked as a run would check it. */
function pairOf(text: string): PairModel {
  const scenario = loadScenario('ball-on-incline', [`contacts.0.pair=${text}`]);
  const model = compileScenario(scenario);
  checkModel(model);
  return model.contacts[0].pair;
}

test('every pair compiles: units converted, directions normalised, defaults filled in', () => {
  assert.deepEqual(
    pairOf(
      '{kind: sphere-edge, radius_m: 10 cm, edge_m: [0, 0, 1], normal_1: [0, 0, 2], normal_2: [0, 3, 4]}',
    ),
    {
      kind: 'sphere-edge',
      radius: 0.1,
      center: [0, 0, 0],
      edgePoint: [0, 0, 1],
      normal1: [0, 0, 1],
      normal2: [0, 0.6, 0.8],
    },
  );
  assert.deepEqual(
    pairOf(
      '{kind: sphere-cylinder, radius_m: 0.1, center_m: [0, 0, 1 mm], axis: [0, 5, 0], cylinder_radius_m: 1, side: inside}',
    ),
    {
      kind: 'sphere-cylinder',
      radius: 0.1,
      center: [0, 0, 0.001],
      axisPoint: [0, 0, 0],
      axis: [0, 1, 0],
      cylinderRadius: 1,
      side: 'inside',
    },
  );
  assert.deepEqual(
    pairOf('{kind: sphere-cylinder, radius_m: 1, axis: [0, 0, -1], cylinder_radius_m: 20 mm}'),
    {
      kind: 'sphere-cylinder',
      radius: 1,
      center: [0, 0, 0],
      axisPoint: [0, 0, 0],
      axis: [0, 0, -1],
      cylinderRadius: 0.02,
      side: 'outside',
    },
  );
  assert.deepEqual(
    pairOf(
      '{kind: sphere-cone, radius_m: 0.1, apex_m: [1, 2, 3], axis: [0, 0, 1], apex_angle_rad: 90 deg}',
    ),
    {
      kind: 'sphere-cone',
      radius: 0.1,
      center: [0, 0, 0],
      apex: [1, 2, 3],
      axis: [0, 0, 1],
      apexAngle: Math.PI / 2,
    },
  );
  assert.deepEqual(pairOf('{kind: sphere-sphere, radius_m: 0.1, radius_j_m: 0.2}'), {
    kind: 'sphere-sphere',
    radius: 0.1,
    center: [0, 0, 0],
    radiusJ: 0.2,
    centerJ: [0, 0, 0],
  });
  // 180 degrees is the plane itself, in spite of the rounding of pi
  const plane = pairOf(
    '{kind: sphere-cone, radius_m: 0.1, axis: [0, 0, 1], apex_angle_rad: 180 deg}',
  );
  assert.equal(plane.kind === 'sphere-cone' && plane.apexAngle, Math.PI);
});

test('what a pair cannot be is refused with its field', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['{kind: sphere-edge, radius_m: 0.1, normal_1: [0, 0, 1]}', /pair[.]normal_2/],
    [
      '{kind: sphere-edge, radius_m: 0.1, normal_1: [0, 0, 1], normal_2: [0, 0, 0]}',
      /normal_2.*length/,
    ],
    [
      '{kind: sphere-edge, radius_m: 0.1, normal_1: [0, 0, 1], normal_2: [0, 0, 7]}',
      /normal2.*parallel/,
    ],
    [
      '{kind: sphere-cylinder, radius_m: 0.1, axis: [1, 0, 0], cylinder_radius_m: -1}',
      /cylinder_radius_m/,
    ],
    [
      '{kind: sphere-cylinder, radius_m: 0.1, axis: [1, 0, 0], cylinder_radius_m: 1, side: in}',
      /side/,
    ],
    [
      '{kind: sphere-cylinder, radius_m: 0.1, axis: [1, 0, 0], cylinder_radius_m: 0.1, side: inside}',
      /fits into the bore, got 0[.]1/,
    ],
    [
      '{kind: sphere-cone, radius_m: 0.1, axis: [1, 0, 0], apex_angle_rad: 181 deg}',
      /apex_angle_rad/,
    ],
    ['{kind: sphere-cone, radius_m: 0.1, axis: [1, 0, 0], apex_angle_rad: 0}', /apex_angle_rad/],
    ['{kind: sphere-cone, radius_m: 0.1, axis: [1, 0, 0], apex_angle_rad: 1 m}', /apex_angle_rad/],
    ['{kind: sphere-sphere, radius_m: 0.1, radius_j_m: 0}', /radius_j_m/],
    ['{kind: sphere-sphere, radius_m: 0.1}', /radius_j_m/],
  ];
  for (const [text, message] of bad) {
    assert.throws(
      () => pairOf(text),
      (error: Error) => {
        const said =
          error instanceof ConfigError
            ? error.issues.map((i) => i.message).join('; ')
            : error.message;
        assert.match(said, message, text);
        return true;
      },
    );
  }
});
