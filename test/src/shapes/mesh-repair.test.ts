/** Bad meshes: what is repaired and noted, what is refused and where, and which meshes are convex. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConvex, reflexEdges } from '../../../src/shapes/mesh-convexity.ts';
import { pieceOfMesh, repairMesh } from '../../../src/shapes/mesh-repair.ts';
import { type TriangleMesh, meshVolume, scaledMesh } from '../../../src/shapes/triangle-mesh.ts';
import { weldEqual } from '../../../src/shapes/weld.ts';
import { angle, cube, moved, prism, together, turned } from '../../fixtures/meshes.ts';

const unit = cube([0, 0, 0], [1, 1, 1]);

function without(mesh: TriangleMesh, count: number): TriangleMesh {
  return { vertices: mesh.vertices, triangles: mesh.triangles.slice(0, -3 * count) };
}

test('a good mesh comes through as it is', () => {
  const got = repairMesh(unit, 'cube');
  assert.deepEqual([got.volume, got.pieceCount, got.notes], [1, 1, []]);
  assert.deepEqual(got.triangles, unit.triangles);
});

test('an open mesh is refused with the number of loose edges and a place', () => {
  assert.throws(
    () => repairMesh(without(unit, 1), 'cup.stl'),
    /cup\.stl to be a closed surface around a volume, but the surface is open: 3 edges belong to one triangle only, the first at \(1, [01], [01]\)/,
  );
  // a fin: one triangle too many on an edge
  const fin = together(unit, { vertices: Float64Array.of(5, 5, 5), triangles: new Uint32Array(0) });
  const triangles = Uint32Array.from([...unit.triangles, 0, 1, 8]);
  assert.throws(
    () => repairMesh({ vertices: fin.vertices, triangles }, 'fin'),
    /the surface is open/,
  );
});

test('an inverted mesh, and triangles against their neighbours, are turned and noted', () => {
  const inside = repairMesh(
    turned(unit, () => true),
    'cube',
  );
  assert.equal(inside.volume, 1);
  assert.deepEqual(inside.notes, ['the surface was inside out and was turned']);
  const mixed = repairMesh(
    turned(unit, (k) => k === 3 || k === 7 || k === 8),
    'cube',
  );
  assert.equal(mixed.volume, 1);
  assert.deepEqual(mixed.notes, ['3 triangles wound against their neighbours were turned']);
});

test('a surface with one side is refused', () => {
  // five quads around with a half twist
  const vertices = [0, 1, 2, 3, 4].flatMap((k) => {
    const [c, s] = [Math.cos(0.4 * Math.PI * k), Math.sin(0.4 * Math.PI * k)];
    const [h, v] = [0.3 * Math.cos(0.2 * Math.PI * k), 0.3 * Math.sin(0.2 * Math.PI * k)];
    return [(1 + h) * c, (1 + h) * s, v, (1 - h) * c, (1 - h) * s, -v];
  });
  const strip = [0, 1, 2, 3, 4].flatMap((k) => {
    const [a, b] = [2 * k, 2 * k + 1];
    const [c, d] = k < 4 ? [2 * k + 2, 2 * k + 3] : [1, 0];
    return [a, b, d, a, d, c];
  });
  // closed by a cone over its border, which is a single loop
  const mesh = {
    vertices: Float64Array.from([...vertices, 0, 0, 2]),
    triangles: Uint32Array.from(strip),
  };
  assert.throws(() => repairMesh(mesh, 'strip'), /the surface is open: 10 edges/);
  const border = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const cone = border.flatMap((from, k) => [from, border[(k + 1) % 10], 10]);
  assert.throws(
    () =>
      repairMesh(
        { vertices: mesh.vertices, triangles: Uint32Array.from([...strip, ...cone]) },
        'strip',
      ),
    /one side only, like a Möbius strip/,
  );
});

test('a mesh without volume is refused', () => {
  // a sheet with a front and a back, of the same corners and of corners apart by nothing
  const flat = scaledMesh(cube([0, 0, 0], [1, 1, 0]), 1);
  assert.throws(
    () => repairMesh(flat, 'sheet.stl'),
    /sheet\.stl.*encloses no volume \(0 cubed units\)/,
  );
  const welded = weldEqual(flat.vertices, flat.triangles);
  assert.throws(
    () => repairMesh(welded, 'sheet.stl'),
    /sheet\.stl.*encloses no volume: no triangle/,
  );
  const point = scaledMesh(unit, 0);
  assert.throws(() => repairMesh(point, 'dot'), /dot.*encloses no volume/);
  const dot = weldEqual(point.vertices, point.triangles);
  assert.throws(() => repairMesh(dot, 'dot'), /dot.*encloses no volume: no triangle is left/);
  // a plate a thousand times wider than thick is fine
  assert.ok(Math.abs(repairMesh(cube([0, 0, 0], [1, 1, 1e-3]), 'plate').volume - 1e-3) < 1e-15);
});

test('degenerate and double triangles are left out and counted', () => {
  const { vertices, triangles } = unit;
  const extra = Uint32Array.from([...triangles, 0, 0, 1, 2, 3, 3, ...triangles.slice(0, 3)]);
  const got = repairMesh({ vertices, triangles: extra }, 'cube');
  assert.equal(got.volume, 1);
  assert.deepEqual(got.notes, [
    '2 triangles of fewer than three corners were left out',
    '1 triangles that were there twice were left out',
  ]);
});

test('corners that miss each other by rounding are joined', () => {
  const loose: TriangleMesh = {
    vertices: Float64Array.from(
      [...unit.triangles].flatMap((index, i) =>
        [0, 1, 2].map((k) => unit.vertices[3 * index + k] + 1e-8 * ((7 * i + k) % 5)),
      ),
    ),
    triangles: Uint32Array.from({ length: 36 }, (_, i) => i),
  };
  const got = repairMesh(loose, 'cube');
  assert.ok(Math.abs(got.volume - 1) < 1e-6);
  assert.match(got.notes.join(), /vertices closer than 0\.00000?1|vertices closer than 1\.?\d*e-6/);
});

test('a cavity keeps its wall inward, whichever way it was wound', () => {
  for (const flip of [false, true]) {
    const hollow = cube([1, 1, 1], [2, 2, 2]);
    const both = together(cube([0, 0, 0], [3, 3, 3]), flip ? turned(hollow, () => true) : hollow);
    const got = repairMesh(both, 'box');
    assert.equal(got.volume, 26);
    assert.equal(got.pieceCount, 2);
    assert.equal(got.notes.length, flip ? 0 : 1);
  }
  const apart = repairMesh(
    together(
      unit,
      moved(
        unit,
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        [4, 0, 0],
      ),
    ),
    'two',
  );
  assert.equal(apart.volume, 2);
  assert.deepEqual(
    [0, 1].map((k) => meshVolume(pieceOfMesh(apart, k))),
    [1, 1],
  );
});

test('convex or not', () => {
  const turn = [
    [0.36, 0.48, -0.8],
    [-0.8, 0.6, 0],
    [0.48, 0.64, 0.6],
  ];
  const float = (mesh: TriangleMesh): TriangleMesh => ({
    vertices: Float64Array.from(Float32Array.from(mesh.vertices)),
    triangles: mesh.triangles,
  });
  // turned and far from the origin, with the corners that a 32-bit file keeps
  assert.ok(isConvex(float(moved(unit, turn, [3, -2, 1]))));
  const l = float(moved(angle(1), turn, [3, -2, 1]));
  assert.ok(!isConvex(l));
  const [edge] = reflexEdges(l, 1e-5);
  assert.ok(Math.abs(edge.height - 1) < 1e-6);
  // a dent of a thousandth of the size counts: the middle of the top of a prism pressed in
  const dented = prism(
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.5, 0.999],
      [0, 1],
    ],
    [
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 4],
    ],
    1,
  );
  assert.ok(!isConvex(repairMesh(dented, 'dented')));
  const bulged = prism(
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.5, 1.001],
      [0, 1],
    ],
    [
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 4],
    ],
    1,
  );
  assert.ok(isConvex(repairMesh(bulged, 'bulged')));
});
