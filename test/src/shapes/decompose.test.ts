/**
 * Convex decomposition: by exact clipping, cells share no volume and add no more than the limit.
 * The decomposition of solids with planar faces is exact.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decomposeMesh } from '../../../config/decompose-mesh.ts';
import { checkBodyCells } from '../../../src/overlap/check-cells.ts';
import { bodyMass } from '../../../src/overlap/body-mass.ts';
import { COLUMN } from '../../../src/overlap/kernel.ts';
import { sharedColumn } from '../../../src/overlap/shared-column.ts';
import type { CellModel } from '../../../src/shapes/cell-model.ts';
import { convexHull } from '../../../src/shapes/convex-hull.ts';
import { holdsPoint } from '../../../src/shapes/mesh-inside.ts';
import { type ClosedMesh, repairMesh } from '../../../src/shapes/mesh-repair.ts';
import { type TriangleMesh, meshBox } from '../../../src/shapes/triangle-mesh.ts';
import { Random } from '../../../src/index.ts';
import { angle, cube, moved, together } from '../../fixtures/meshes.ts';

const FINE = { depth: 0.005, volume: 0.01, cells: 64 };
const TURN = [
  [0.36, 0.48, -0.8],
  [-0.8, 0.6, 0],
  [0.48, 0.64, 0.6],
];

/** The decomposition as cells of a body, with the checks that hold for every one. */
async function cellsOf(
  mesh: TriangleMesh,
  limits = FINE,
): Promise<[CellModel[], ClosedMesh, number]> {
  const closed = repairMesh(mesh, 'part.stl');
  const result = await decomposeMesh(closed, limits, 'part.stl');
  const cells = result.cells.map(
    (vertices, k): CellModel => ({
      name: `${k}`,
      shape: { kind: 'mesh', vertices },
      position: [0, 0, 0],
      orientation: [0, 0, 0, 1],
    }),
  );
  // far below the 1e-9 that a body allows: planes are shared to rounding of double precision
  for (let i = 0; i < cells.length; i++) {
    for (let j = 0; j < i; j++) {
      const shared = sharedColumn(cells[i], cells[j])[COLUMN.volume];
      assert.ok(shared <= 1e-12 * closed.volume, `cells ${j} and ${i} share ${shared}`);
    }
  }
  return [cells, closed, result.cellVolume / closed.volume - 1];
}

/** A frame: ring of n sides between two radii, each side an outer and an inner quad. */
function ring(n: number, inner: number, outer: number, height: number): TriangleMesh {
  const vertices: number[] = [];
  for (const [radius, z] of [
    [outer, 0],
    [inner, 0],
    [inner, height],
    [outer, height],
  ]) {
    for (let k = 0; k < n; k++) {
      const at = (2 * Math.PI * k) / n;
      vertices.push(radius * Math.cos(at), radius * Math.sin(at), z);
    }
  }
  const triangles: number[] = [];
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    for (let side = 0; side < 4; side++) {
      const [a, b] = [side * n, ((side + 1) % 4) * n];
      triangles.push(a + k, b + k, b + next, a + k, b + next, a + next);
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** A box with a pocket from above: the outer box and the pocket share the plane of the rim. */
function pocket(): TriangleMesh {
  const out = cube([0, 0, 0], [4, 4, 2]);
  const hole = cube([1, 1, 0.5], [3, 3, 2]);
  // without the top of either, but with the rim between both
  const open = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
    vertices,
    triangles: Uint32Array.from([...triangles.slice(0, 6), ...triangles.slice(12)].reverse()),
  });
  const walls = together({ ...open(out), triangles: open(out).triangles.reverse() }, open(hole));
  const rim = [
    [4, 5, 13, 12],
    [5, 7, 15, 13],
    [7, 6, 14, 15],
    [6, 4, 12, 14],
  ];
  return {
    vertices: walls.vertices,
    triangles: Uint32Array.from([
      ...walls.triangles,
      ...rim.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
    ]),
  };
}

test('an L falls into two boxes, exactly', async () => {
  const [cells, , added] = await cellsOf(angle(0.5));
  checkBodyCells(cells, 'cells');
  assert.equal(cells.length, 2);
  assert.ok(Math.abs(added) < 1e-15, `added ${added}`);
  // two squares in a row and one on top: ∫ x dA = 2·1 + 1·½ over the area 3
  const mass = bodyMass(cells, 1, 'cells');
  assert.ok(Math.abs(mass.mass - 1.5) < 1e-14);
  assert.ok(
    Math.abs(mass.center[0] - 2.5 / 3) < 1e-14 && Math.abs(mass.center[1] - 2.5 / 3) < 1e-14,
  );
});

test('a box with a pocket falls into five boxes, also turned', async () => {
  const [cells, closed, added] = await cellsOf(pocket());
  assert.equal(closed.volume, 32 - 6);
  assert.equal(cells.length, 5);
  assert.ok(Math.abs(added) < 1e-14, `added ${added}`);
  const [turned, , more] = await cellsOf(moved(pocket(), TURN, [10, -20, 30]));
  assert.equal(turned.length, 5);
  // corners come from planes of double precision, met at right angles
  assert.ok(Math.abs(more) < 1e-9, `added ${more}`);
});

test('a closed box with a cavity falls into six', async () => {
  const [cells, , added] = await cellsOf(
    together(cube([0, 0, 0], [3, 3, 3]), cube([1, 1, 1], [2, 2, 2])),
  );
  assert.equal(cells.length, 6);
  assert.ok(Math.abs(added) < 1e-14, `added ${added}`);
});

test('a round ring keeps its hole: the bound on the volume added holds, and points prove it', async () => {
  const mesh = ring(16, 0.7, 1, 0.4);
  const [cells, closed, added] = await cellsOf(mesh);
  assert.ok(added >= -1e-6 && added <= FINE.volume + 1e-6, `added ${added}`);
  // random points: inside of the ring means inside of a cell; what is in a cell but not in the ring is the volume added
  const random = new Random(7);
  const { center, extent } = meshBox(mesh);
  let more = 0;
  let inside = 0;
  const solids = cells.map(({ shape }) => hullPlanes(shape));
  for (let k = 0; k < 4000; k++) {
    const point = center.map((value) => value + extent * (random.uniform() - 0.5));
    const within = holdsPoint(closed, point);
    const held = solids.filter((planes) => planes.every((plane) => plane(point) < 1e-6)).length;
    if (within) {
      inside++;
      assert.ok(held >= 1, `(${point.join()}) is in no cell`);
    } else if (held > 0) more++;
  }
  // three times the standard deviation of a count of about 1 % of `inside`
  assert.ok(
    more < inside * FINE.volume + 3 * Math.sqrt(inside * FINE.volume),
    `${more} of ${inside}`,
  );
});

test('the same mesh gives the same cells, bit by bit', async () => {
  const [one] = await cellsOf(ring(6, 0.5, 1, 1));
  const [two] = await cellsOf(ring(6, 0.5, 1, 1));
  assert.deepEqual(one, two);
});

test('limits that cannot be met are refused with what was reached', async () => {
  await assert.rejects(
    cellsOf(ring(16, 0.7, 1, 0.4), { depth: 0.005, volume: 0.01, cells: 5 }),
    /part\.stl to fall into at most 5 convex cells, but with 5 they still add .* % of volume \(allowed 1 %\)/,
  );
  const overlapping = together(
    cube([0, 0, 0], [2, 2, 2]),
    moved(
      angle(1),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [1.3, 1.2, 1.1],
    ),
  );
  await assert.rejects(cellsOf(overlapping), /part\.stl to bound a solid, but its pieces overlap/);
});

/** Signed distances from the planes of the hull of a cell. */
function hullPlanes(shape: CellModel['shape']): ((point: readonly number[]) => number)[] {
  assert.ok(shape.kind === 'mesh');
  const { points, faces } = convexHull(shape.vertices);
  return faces.map((face) => {
    const [a, b, c] = face.map((k) => points[k]);
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
    return (point) => n.reduce((sum, value, k) => sum + value * (point[k] - a[k]), 0) / length;
  });
}
