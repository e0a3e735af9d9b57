/**
 * Clipping against exact arithmetic, where no library with tolerances can judge: sheets down to 2^-40 thick, faces of both bodies in
 * one plane, corners on edges. Corners are multiples of 2^-7 and turns are by quarters, so that poses are exact too.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import type { Polytope } from '../../../src/overlap/polytope.ts';
import { commonPart, hullPlanes } from '../../fixtures/overlap/clip-rational.ts';
import {
  cornersAt,
  differences,
  type Overlap,
  overlap,
  placed,
  polytope,
} from '../../fixtures/overlap/clip-samples.ts';

const random = new Random(40);
const HERE = placed([0, 0, 0], [0, 0, 0]);
const whole = (below: number): number => Math.floor(below * random.uniform());

/** Hull of corners on a grid of `cells` a side, in a cube of side 2. */
function gridHull(points: number, cells: number): Polytope {
  const coordinate = (): number => (2 * whole(cells + 1)) / cells - 1;
  for (;;) {
    const vertices = Array.from({ length: points }, (): [number, number, number] => [
      coordinate(),
      coordinate(),
      coordinate(),
    ]);
    try {
      return polytope({ kind: 'mesh', vertices });
    } catch {
      // all in one plane: again
    }
  }
}

/** Turned by quarters about an axis, exactly. */
function quarterTurn(at: readonly number[]): Float64Array {
  const turn = [0, 0, 0];
  turn[whole(3)] = (Math.PI / 2) * whole(4);
  return placed(turn, at).map((value, k) => (k < 9 ? Math.round(value) : value));
}

/** Thickness from the smallest second moment λ_1 >= det S/(tr S/2)²: that of a sheet, V t²/12. */
function thickness({ volume, second: [xx, yy, zz, xy, xz, yz] }: Overlap): number {
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const half = 0.5 * (xx + yy + zz);
  return Math.sqrt((12 * det) / (half * half * volume));
}

/** Compares one pair; gives the largest difference and the thickness, or null when there is no common part. */
function compare(
  i: Polytope,
  j: Polytope,
  placementI: Float64Array,
): { off: number; thick: number } | null {
  const got = overlap(new ClipKernel(i, j), placementI, HERE);
  const want = commonPart([
    ...hullPlanes(cornersAt(i, placementI)),
    ...hullPlanes(cornersAt(j, HERE)),
  ]);
  if (want === null) {
    // area times rounding of a coordinate
    assert.ok(got.volume < 1e-14, `${got.volume} where there is none`);
    return null;
  }
  return { off: Math.max(...differences(got, want)), thick: thickness(want) };
}

test('hulls on coarse grids: coincident planes, corners on faces and on edges', (t) => {
  let worst = 0;
  let overlaps = 0;
  for (let n = 0; n < 120; n++) {
    const i = gridHull(4 + whole(4), 4);
    const j = gridHull(4 + whole(4), 4);
    const at = [whole(9) - 4, whole(9) - 4, whole(9) - 4].map((value) => value / 4);
    const found = compare(i, j, quarterTurn(at));
    if (found === null) continue;
    overlaps++;
    worst = Math.max(worst, found.off);
  }
  t.diagnostic(`${overlaps} overlap, worst ${worst}`);
  assert.ok(overlaps > 40);
  assert.ok(worst < 1e-12, `${worst}`);
});

test('shallow overlaps: the error is rounding over the thickness', (t) => {
  let worst = 0;
  let overlaps = 0;
  for (let n = 0; n < 60; n++) {
    const i = gridHull(4 + whole(3), 256);
    const j = gridHull(4 + whole(3), 256);
    // rests on the highest corner of the other, `depth` deep, with corner or face
    const depth = 2 ** -(5 + whole(36));
    const lowest = Math.min(...cornersAt(i, HERE).map((p) => p[2]));
    const highest = Math.max(...cornersAt(j, HERE).map((p) => p[2]));
    const top = cornersAt(j, HERE).find((p) => p[2] === highest) ?? [0, 0, 0];
    const foot = cornersAt(i, HERE).find((p) => p[2] === lowest) ?? [0, 0, 0];
    const at = placed([0, 0, 0], [top[0] - foot[0], top[1] - foot[1], highest - lowest - depth]);
    const found = compare(i, j, at);
    if (found === null) continue;
    overlaps++;
    worst = Math.max(worst, (found.off * found.thick) / Number.EPSILON);
  }
  t.diagnostic(`${overlaps} overlap, worst ${worst} roundings over the thickness`);
  assert.ok(overlaps > 30);
  assert.ok(worst < 10, `${worst}`);
});

test('boxes flat on each other down to a thickness of 2^-40', () => {
  for (let k = 1; k <= 40; k++) {
    const vertices = [-1, 1].flatMap((x) =>
      [-0.5, 0.5].flatMap((y) => [-0.25, 0.25].map((z): [number, number, number] => [x, y, z])),
    );
    const box = polytope({ kind: 'mesh', vertices });
    const found = compare(box, box, placed([0, 0, 0], [0.125, 0.25, 0.5 - 2 ** -k]));
    // all coordinates are doubles
    assert.ok(found !== null && found.off < 1e-13, `2^-${k}: ${found?.off}`);
  }
});
