/** Flat faces and straight edges of free form: where they touch in a corner, and what stands in where they touch along a line or an area. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreeformPair } from '../../../src/contact/freeform/freeform-pair.ts';
import { GAP, KINEMATICS, NORMAL } from '../../../src/contact/pair.ts';
import { makeSystem } from '../../../src/index.ts';
import { rotationOf } from '../../../src/math/quaternion.ts';
import { Random } from '../../../src/math/random.ts';
import type { SurfaceSpec } from '../../../src/model/contact-spec.ts';
import { flatPlate, HOLLOW, plateOnPlate } from '../../fixtures/freeform-models.ts';

/** State and rotation of a body. */
function pose(
  position: readonly number[],
  turn: readonly number[],
): { readonly state: Float64Array; readonly rotation: Float64Array } {
  const length = Math.hypot(...turn);
  const state = new Float64Array(13);
  state.set([...position, ...turn.map((value) => value / length)]);
  const rotation = new Float64Array(9);
  rotationOf(rotation, state, 3);
  return { state, rotation };
}
const STILL = pose([0, 0, 0], [0, 0, 0, 1]);
const out = new Float64Array(KINEMATICS);
const pairOf = (i: readonly SurfaceSpec[], j: readonly SurfaceSpec[]): FreeformPair =>
  new FreeformPair({
    kind: 'freeform',
    surfacesI: { kind: 'faces', faces: i },
    surfacesJ: { kind: 'faces', faces: j },
  });

test('a tilted flat plate touches a flat plate in its lowest corner, to 1e-13', () => {
  const pair = pairOf([flatPlate(0.05, -1)], [flatPlate(0.5, 1)]);
  const random = new Random(24);
  const draw = (): number => 2 * random.uniform() - 1;
  for (let k = 0; k < 200; k++) {
    // from 1e-6 rad to a quarter of a radian
    const tilt = 0.25 * 10 ** (-5 * random.uniform());
    const place = [0.1 * draw(), 0.1 * draw(), 0.002 * draw()];
    const i = pose(place, [tilt * draw(), tilt * draw(), draw(), 1]);
    pair.compute(i, STILL, out);
    const corners = [-0.05, 0.05].flatMap((x) =>
      [-0.05, 0.05].map((y) => place[2] + x * i.rotation[6] + y * i.rotation[7]),
    );
    assert.ok(!pair.usesFallback, `pose ${k}`);
    assert.ok(Math.abs(out[GAP] - Math.min(...corners)) < 1e-13, `${out[GAP]} ${corners.join()}`);
    assert.ok(Math.abs(out[NORMAL + 2] - 1) < 1e-15);
  }
  assert.equal(pair.standIns, 0);
});

test('a flat plate that lies along a plate, by an edge or its whole face, has its gap above and in it, and none beside it', () => {
  const pair = pairOf([flatPlate(0.05, -1)], [flatPlate(0.1, 1)]);
  for (const height of [0.02, 1e-3, 1e-5, -1e-5, -1e-3]) {
    for (const tilt of [0, 1e-3, -0.1]) {
      pair.compute(pose([0.013, -0.02, height], [0, tilt, 0, 1]), STILL, out);
      const lowest = height - 0.05 * Math.sin(2 * Math.atan(Math.abs(tilt)));
      assert.ok(!pair.usesFallback);
      assert.ok(Math.abs(out[GAP] - lowest) < 1e-15, `${out[GAP]} ${lowest}`);
      assert.ok(Math.abs(out[NORMAL + 2] - 1) < 1e-15);
    }
  }
  // 0.15 m from plate to plate in their plane: no depth of the one plane in the other is a touch
  pair.compute(pose([0.3, 0, -1e-4], [0, 0, 0, 1]), STILL, out);
  assert.ok(out[GAP] > 0.14, `${out[GAP]}`);
});

test('a ball in the middle of a sphere has no place: a stand-in gives the gap and counts once a pose', () => {
  const pair = new FreeformPair({
    kind: 'freeform',
    surfacesI: { kind: 'ball', radius: 0.1, center: [0, 0, 0] },
    surfacesJ: { kind: 'faces', faces: [HOLLOW] },
  });
  for (let again = 0; again < 2; again++) {
    pair.compute(STILL, STILL, out);
    assert.ok(pair.usesFallback);
    assert.ok(Math.abs(out[GAP] - 0.2) < 1e-15, `${out[GAP]}`);
    assert.equal(pair.standIns, 1);
  }
  // off the middle it goes on as if it had never been there
  pair.compute(pose([0.05, 0, 0], [0, 0, 0, 1]), STILL, out);
  assert.ok(!pair.usesFallback);
  assert.ok(Math.abs(out[GAP] - 0.15) < 1e-13 && Math.abs(out[NORMAL] + 1) < 1e-12);
});

test('ridges along each other, and across, have the way between them as the gap and as the depth', () => {
  // two roofs with slopes of 45°, ridge to ridge; the edges lie along x
  const roof = (up: 1 | -1): SurfaceSpec[] =>
    [1, -1].map((side) => {
      const half = (up * side * Math.PI) / 8;
      return {
        shape: { kind: 'plane' },
        trim: { u: [-0.1, 0.1], v: side > 0 ? [0, 0.1] : [-0.1, 0] },
        orientation: [-Math.sin(half), 0, 0, Math.cos(half)],
        sign: up,
      } as const;
    });
  const pair = pairOf(roof(-1), roof(1));
  for (const height of [0.02, 2e-3, 1e-4, -1e-4, -2e-3]) {
    pair.compute(pose([0, 0, height], [0, 0, 0, 1]), STILL, out);
    assert.ok(!pair.usesFallback);
    // a ridge in the other roof is in its slope of 45°
    const gap = height < 0 ? height * Math.SQRT1_2 : height;
    assert.ok(Math.abs(out[GAP] - gap) < 1e-13, `${out[GAP]} at ${height}`);
    // across it is found: edges that cross have their gap
    pair.compute(pose([0, 0, height], [0, 0, 0.5, 1]), STILL, out);
    assert.ok(!pair.usesFallback);
    assert.ok(Math.abs(out[GAP] - height) < 1e-13, `${out[GAP]} at ${height}, crossed`);
  }
});

test('a plate that falls flat on a plate stays on it, and a restored state goes on bit by bit', () => {
  const model = plateOnPlate();
  const [one, other] = [makeSystem(model), makeSystem(model)];
  const row = new Float64Array(40);
  const body = new Float64Array(13);
  const state = new Float64Array(one.state.length);
  let lowest = Infinity;
  for (let k = 0; k < 400; k++) {
    one.snapshot(state);
    other.restore(state);
    one.step(1e-3);
    other.step(1e-3);
    assert.equal(other.hash(), one.hash(), `step ${k}`);
    one.readBody(0, body, 0);
    lowest = Math.min(lowest, body[2]);
  }
  one.readContact(0, row, 0);
  assert.equal(one.standInPoses, 0);
  // 2 mm of a fall on 1e5 N/m: √(2 m g h/k) = 0.63 mm by one corner without damping
  assert.ok(lowest > -6.3e-4, `${lowest}`);
  assert.ok(row[3] > 5 && row[3] < 15, `${row[3]} N of 9.81 N on one corner after the other`);
});
