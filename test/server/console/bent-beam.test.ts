/** A flexible link in the picture: the cubic between its ends against beam theory, and against the beam of a tree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { BentBeam } from '../../../server/console/scene/bent-beam.ts';

const LENGTH = 7;
const Z = new Vector3(0, 0, 1);
const AT_REST = new Quaternion();
const ORIGIN = new Vector3();

function bent(beam: BentBeam, point: readonly number[]): number[] {
  const out = [0, 0, 0];
  beam.bend(point, out);
  return out;
}

const close = (seen: readonly number[], wanted: readonly number[], most: number): void =>
  wanted.forEach((value, a) =>
    assert.ok(Math.abs(seen[a] - value) <= most, `${seen.join()} for ${wanted.join()}`),
  );

test('a beam with a load at its tip is drawn as it bends: w = δ (3 s² − s³)/2', () => {
  const beam = new BentBeam(LENGTH);
  const tip = 0.02;
  const slope = (1.5 * tip) / LENGTH;
  beam.setEnds(
    ORIGIN,
    AT_REST,
    new Vector3(LENGTH, tip, 0),
    new Quaternion().setFromAxisAngle(Z, Math.atan(slope)),
  );
  for (const s of [0, 0.1, 0.35, 0.5, 0.8, 1]) {
    const [x, y, z] = bent(beam, [s * LENGTH, 0, 0]);
    // a tangent of length L that leans has L (1 − cos) less along the beam, second order in the slope
    close([x, y, z], [s * LENGTH, (tip * (3 * s * s - s ** 3)) / 2, 0], LENGTH * slope * slope);
    assert.ok(Math.abs(y - (tip * (3 * s * s - s ** 3)) / 2) < 1e-7, `${y} m at ${s}`);
  }
});

test('of the lowest mode of a clamped beam it leaves 1.2 % of the tip at most', () => {
  const b = 1.8751040687; // cos b cosh b = −1
  const k = (Math.cosh(b) + Math.cos(b)) / (Math.sinh(b) + Math.sin(b));
  const shape = (s: number): number =>
    Math.cosh(b * s) - Math.cos(b * s) - k * (Math.sinh(b * s) - Math.sin(b * s));
  const slope =
    (b * (Math.sinh(b) + Math.sin(b) - k * (Math.cosh(b) - Math.cos(b)))) / (shape(1) * LENGTH);
  const tip = 0.01;
  const beam = new BentBeam(LENGTH);
  const turn = new Quaternion().setFromAxisAngle(Z, Math.atan(slope * tip));
  beam.setEnds(ORIGIN, AT_REST, new Vector3(LENGTH, tip, 0), turn);
  const off = Array.from({ length: 101 }, (_, i) =>
    Math.abs(bent(beam, [(LENGTH * i) / 100, 0, 0])[1] / tip - shape(i / 100) / shape(1)),
  );
  const most = Math.max(...off);
  assert.ok(most > 0.01 && most < 0.0121, `${most}`);
});

test('wherever its root is: straight it keeps its points, and both ends lie on the frames that were told', () => {
  const beam = new BentBeam(LENGTH);
  const root = new Vector3(3, -2, 1);
  const rootTurn = new Quaternion().setFromAxisAngle(new Vector3(1, 2, -2).normalize(), 1.1);
  const end = new Vector3(LENGTH, 0, 0).applyQuaternion(rootTurn).add(root);
  beam.setEnds(root, rootTurn, end, rootTurn);
  for (const point of [
    [2.5, 0.1, -0.2],
    [-0.3, 0.1, 0],
    [LENGTH + 0.3, 0, 0.2],
  ]) {
    close(bent(beam, point), point, 1e-12);
  }
  const lean = new Quaternion().setFromAxisAngle(new Vector3(0, 0.6, 0.8), 0.05);
  const tip = new Vector3(LENGTH - 0.01, 0.2, -0.15);
  const world = tip.clone().applyQuaternion(rootTurn).add(root);
  beam.setEnds(root, rootTurn, world, rootTurn.clone().multiply(lean));
  close(bent(beam, [0, 0.1, 0.2]), [0, 0.1, 0.2], 1e-12);
  const rim = new Vector3(0, 0.1, 0.2).applyQuaternion(lean).add(tip);
  close(bent(beam, [LENGTH, 0.1, 0.2]), rim.toArray(), 1e-12);
  // the last slice meets the end, but for the turn about the beam that two slopes at once make: slope² / 2
  close(bent(beam, [LENGTH * (1 - 1e-9), 0.1, 0.2]), rim.toArray(), 0.3 * 0.05 ** 2);
});
