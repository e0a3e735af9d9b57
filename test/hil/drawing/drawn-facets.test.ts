/** Shapes of facets as they are drawn: every facet of a small one, no more than the bound of a large one, and the size stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { drawnBodies } from '../../../hil/drawing/drawn-bodies.ts';
import { drawnFacets, MOST_TRIANGLES } from '../../../hil/drawing/drawn-facets.ts';
import type { FacetedShape } from '../../../src/shapes/faceted-shapes.ts';
import { torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { meshArea, meshVolume, type TriangleMesh } from '../../../src/shapes/triangle-mesh.ts';

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const RADIUS_M = 0.05;
const TUBE_M = 0.018;

function drawnMesh(shape: FacetedShape): TriangleMesh {
  const drawing = drawnFacets({ shape, ...HERE });
  const vertices = drawing.shape['vertices_m'] as number[][];
  const faces = drawing.shape['faces'] as number[][];
  return {
    vertices: Float64Array.from(vertices.flat()),
    triangles: Uint32Array.from(faces.flat()),
  };
}

/** A closed triangle mesh as polygons, four to a facet of the torus. */
const polygons = (around: number, across: number): FacetedShape => ({
  kind: 'polygons',
  ...torusSurface(RADIUS_M, TUBE_M, around, across),
});

test('every facet of a box and of a small mesh is drawn', () => {
  const box = drawnMesh({ kind: 'box', size: [1, 2, 3] });
  assert.equal(box.triangles.length, 3 * 12);
  assert.ok(Math.abs(meshVolume(box) - 6) < 1e-12);
  assert.ok(Math.abs(meshArea(box) - 22) < 1e-12);
  assert.equal(drawnMesh(polygons(24, 12)).triangles.length, 3 * 2 * 24 * 12);
});

test('a cone that widens upwards has its sides, base and top', () => {
  const wide = { kind: 'frustum', radius: 1, topRadius: 2, length: 3, around: 64 } as const;
  const volume = meshVolume(drawnMesh(wide));
  // a polygon of n corners has sin(2 pi/n)/(2 pi/n) of the circle
  const part = (2 * Math.PI) / 64;
  const exact = ((Math.PI * 3) / 3) * (1 + 2 + 4) * (Math.sin(part) / part);
  assert.ok(Math.abs(volume - exact) < 1e-9, `${volume} of ${exact}`);
});

test('a torus of 23,040 triangles keeps its size within the bound', () => {
  const shape = { kind: 'torus', radius: RADIUS_M, tubeRadius: TUBE_M } as const;
  const mesh = drawnMesh({ ...shape, around: 192, across: 60 });
  const count = mesh.triangles.length / 3;
  assert.ok(count <= MOST_TRIANGLES && count > 0.9 * MOST_TRIANGLES, `${count} triangles`);
  // 80 x 25 divisions: each is short of its circle by (2 pi/n)^2/6 of the area, 1.2 % together
  const exact = 2 * Math.PI ** 2 * RADIUS_M * TUBE_M ** 2;
  assert.ok(Math.abs(meshVolume(mesh) / exact - 1) < 0.015, `${meshVolume(mesh) / exact}`);
});

test('a mesh above the bound is drawn coarser, with its corners near the surface', () => {
  const mesh = drawnMesh(polygons(192, 60));
  const count = mesh.triangles.length / 3;
  assert.ok(count <= MOST_TRIANGLES && count > 0.3 * MOST_TRIANGLES, `${count} triangles`);
  const cell = (2 * (RADIUS_M + TUBE_M)) / 15; // coarser than any grid with so many triangles
  for (let k = 0; k < mesh.vertices.length; k += 3) {
    const [x, y, z] = mesh.vertices.subarray(k, k + 3);
    const off = Math.abs(Math.hypot(Math.hypot(x, y) - RADIUS_M, z) - TUBE_M);
    assert.ok(off < cell, `${off} m off the surface`);
  }
  const exact = 2 * Math.PI ** 2 * RADIUS_M * TUBE_M ** 2;
  assert.ok(Math.abs(meshVolume(mesh) / exact - 1) < 0.1, `${meshVolume(mesh) / exact}`);
});

test('the ring and the cone are drawn, each by its body', () => {
  const bodies = drawnBodies(compileScenario(loadScenario('ring-on-cone')), null);
  const kinds = bodies.map(({ name, cells }) => [name, cells.map(({ shape }) => shape.kind)]);
  assert.deepEqual(kinds, [
    ['cone', ['frustum']],
    ['ring', ['mesh']],
  ]);
});
