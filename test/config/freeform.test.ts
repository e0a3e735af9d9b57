/** The pair `freeform` as people write it: what it compiles to, and what is refused at which field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { PairModel } from '../../src/model/model.ts';
import { checkModel } from '../../src/system/check-model.ts';

function pairOf(text: string): PairModel {
  const scenario = loadScenario('ball-on-incline', [`contacts.0.pair=${text}`]);
  const model = compileScenario(scenario);
  checkModel(model);
  return model.contacts[0].pair;
}

const BALL = 'surfaces_i: {kind: ball, radius_m: 10 cm}';
const faces = (face: string): string =>
  `{kind: freeform, ${BALL}, surfaces_j: {kind: faces, faces: [${face}]}}`;

test('a ball on a cone compiles: units converted, defaults filled in', () => {
  assert.deepEqual(
    pairOf(
      faces(
        '{shape: {kind: cone, radius_m: 5 cm, half_angle_rad: 90 deg}, trim: {v: [0, 0.2]}}',
      ).replace('90 deg', '45 deg'),
    ),
    {
      kind: 'freeform',
      surfacesI: { kind: 'ball', radius: 0.1, center: [0, 0, 0] },
      surfacesJ: {
        kind: 'faces',
        faces: [
          {
            shape: { kind: 'cone', radius: 0.05, halfAngle: Math.PI / 4 },
            position: [0, 0, 0],
            orientation: [0, 0, 0, 1],
            sign: 1,
            trim: { v: [0, 0.2] },
          },
        ],
      },
    },
  );
});

test('a net and a revolved curve compile', () => {
  const net =
    '{shape: {kind: nurbs, degree_u: 1, degree_v: 1, knots_u: [0, 0, 1, 1], knots_v: [0, 0, 1, 1], points_m: [[[0, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0]]]}, reversed: true}';
  const turned =
    '{shape: {kind: revolution, axis: [0, 0, 2], curve: {kind: circle, center_m: [1, 0, 0], axis: [0, 1, 0], reference: [1, 0, 0], radius_m: 0.2}}}';
  const pair = pairOf(faces(`${net}, ${turned}`));
  assert.ok(pair.kind === 'freeform' && pair.surfacesJ.kind === 'faces');
  const [first, second] = pair.surfacesJ.faces;
  assert.ok(first.shape.kind === 'nurbs' && second.shape.kind === 'revolution');
  assert.deepEqual([first.sign, second.sign, first.shape.closedU], [-1, 1, false]);
  assert.deepEqual(second.shape.axis, [0, 0, 1]);
});

test('what is no face is refused at its field', () => {
  const refused = (face: string, message: RegExp): void => {
    assert.throws(() => pairOf(faces(face)), message);
  };
  refused('{shape: {kind: cylinder, radius_m: 1}}', /surfaces_?j.*v.* to bound the face/i);
  refused('{shape: {kind: sphere, radius_m: -1}}', /radius_m/);
  refused(
    '{shape: {kind: plane}, trim: {u: [0, 1], v: [0, 1], loops: [[[0, 0], [1, 0], [1, 1], [0, 1]]]}}',
    /to end where it begins/,
  );
  assert.throws(
    () => pairOf(`{kind: freeform, ${BALL}, surfaces_j: {kind: ball, radius_m: 1}}`),
    /to be faces where/,
  );
});
