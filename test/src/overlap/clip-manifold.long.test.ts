/**
 * Clipping against the boolean intersection of manifold-3d, 10⁴ pairs. The library works in double precision, which its meshes for the
 * page hide (single), but its callback for warping shows: corners come from there, triangles from the mesh, whose corners must
 * be the rounded ones in the same order.
 *
 * It merges corners and drops edges that are closer than 1e-12 of the extent. In an overlap of size l of bodies of size 1 that is
 * 1e-12/l of its lengths: for the thinnest here, l = 3e-4, a few 1e-9 at worst, and less for all that were seen.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import makeManifold, { type Manifold, type ManifoldToplevel, type Mat4 } from 'manifold-3d';
import { Random } from '../../../src/math/random.ts';
import type { Polytope } from '../../../src/overlap/polytope.ts';
import {
  alignedPair,
  deepPair,
  type Pair,
  shapePool,
  touchingPair,
} from '../../fixtures/overlap/clip-pairs.ts';
import {
  cornersAt,
  differences,
  type Overlap,
  overlapOf,
  placed,
  solidOf,
} from '../../fixtures/overlap/clip-samples.ts';

const TOLERANCE = 1e-9;
/** Volume of overlaps without thickness, in m³ for bodies of size 1: area times rounding of a coordinate. */
const FLAT = 1e-14;

const random = new Random(20070);
const pool: readonly Polytope[] = shapePool(random);
let solids: Manifold[] = [];

before(async () => {
  const library: ManifoldToplevel = await makeManifold();
  library.setup();
  const still = placed([0, 0, 0], [0, 0, 0]);
  solids = pool.map((shape) => library.Manifold.hull(cornersAt(shape, still)));
});

function matrix(p: Float64Array): Mat4 {
  return [p[0], p[3], p[6], 0, p[1], p[4], p[7], 0, p[2], p[5], p[8], 0, p[9], p[10], p[11], 1];
}

/** The overlap by the library, and its own figure of the volume. */
function reference(pair: Pair): Overlap & { readonly own: number } {
  const a = solids[pair.i].transform(matrix(pair.placementI));
  const b = solids[pair.j].transform(matrix(pair.placementJ));
  const common = a.intersect(b);
  const mesh = common.getMesh();
  let points = new Float64Array(0);
  const warped = common.warpBatch((corners) => {
    points = Float64Array.from(corners);
  });
  const own = warped.volume();
  for (const object of [a, b, common, warped]) object.delete();
  assert.equal(points.length, mesh.vertProperties.length);
  points.forEach((value, k) => assert.equal(Math.fround(value), mesh.vertProperties[k]));
  return { ...solidOf(points, mesh.triVerts), own };
}

/** Compares so many pairs; gives how many overlap and the largest differences. */
function compare(count: number, make: () => Pair): { overlaps: number; worst: number[] } {
  let overlaps = 0;
  const worst = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    const pair = make();
    const got = overlapOf(pool[pair.i], pool[pair.j], pair.placementI, pair.placementJ);
    const want = reference(pair);
    if (got.volume <= FLAT || want.own <= FLAT) {
      assert.ok(got.volume <= FLAT && want.own <= FLAT, `${got.volume} against ${want.own}`);
      continue;
    }
    overlaps++;
    assert.ok(Math.abs(want.own / want.volume - 1) < TOLERANCE, 'the library agrees with its mesh');
    differences(got, want).forEach((difference, k) => {
      worst[k] = Math.max(worst[k], difference);
      assert.ok(
        difference < TOLERANCE,
        `pair ${n} (${pair.i}, ${pair.j}), ${['volume', 'centroid', 'moments'][k]}: ${difference}`,
      );
    });
  }
  return { overlaps, worst };
}

test('boxes and hulls deep in each other, any pose', (t) => {
  const { overlaps, worst } = compare(3500, () => deepPair(random, pool));
  t.diagnostic(worst.join(' '));
  assert.ok(overlaps > 2800, `${overlaps} overlap`);
});

test('boxes on a grid: faces in one plane, edges on faces, overlaps of no thickness', (t) => {
  const { overlaps, worst } = compare(2500, () => alignedPair(random));
  t.diagnostic(worst.join(' '));
  assert.ok(overlaps > 1000 && overlaps < 2000, `${overlaps} overlap`);
});

test('corners, edges and faces from 0.1 down to 3e-4 deep', (t) => {
  const { overlaps, worst } = compare(4000, () =>
    touchingPair(random, pool, 10 ** (-1 - 2.5 * random.uniform())),
  );
  t.diagnostic(worst.join(' '));
  assert.ok(overlaps > 3600, `${overlaps} overlap`);
});
