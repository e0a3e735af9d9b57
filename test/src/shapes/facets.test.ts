/** Facets of surfaces: checks, merging of coplanar triangles, plain shapes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxSurface, frustumSurface, torusSurface } from '../../../src/shapes/faceted-shapes.ts';
import { type FacetedSurface, makeFacets } from '../../../src/shapes/facets.ts';
import { meshSurface } from '../../../src/shapes/merge-facets.ts';
import { angle, cube } from '../../fixtures/meshes.ts';

const total = (surface: FacetedSurface): number =>
  makeFacets(surface, 'surface').areas.reduce((sum, area) => sum + area, 0);

test('a cube of twelve triangles has six facets; an L keeps its area and convex facets', () => {
  const merged = meshSurface(cube([0, 0, 0], [1, 2, 3]));
  assert.equal(merged.polygons.length, 6);
  assert.ok(Math.abs(total(merged) - 22) < 1e-12);
  const bend = meshSurface(angle(1));
  const facets = makeFacets(bend, 'L');
  assert.ok(facets.closed);
  // six sides, and two ends of at least two convex parts each
  assert.equal(facets.facetCount, 10);
  assert.ok(Math.abs(total(bend) - (2 * 3 + 8)) < 1e-12);
});

test('plain shapes are closed and have the areas of their polygons', () => {
  const box = boxSurface([1, 2, 3]);
  assert.ok(Math.abs(total(box) - 22) < 1e-12);
  const n = 48;
  const side = Math.sin(Math.PI / n);
  const [r, s, h] = [0.045, 0.015, 0.18];
  // trapezoids of a frustum: edges 2 r sin(π/n), height over the apothems
  const slant = Math.hypot(h, (r - s) * Math.cos(Math.PI / n));
  const ends = (n / 2) * Math.sin((2 * Math.PI) / n) * (r * r + s * s);
  const expected = n * side * (r + s) * slant + ends;
  const frustum = frustumSurface(r, s, h, n);
  assert.ok(Math.abs(total(frustum) - expected) < 1e-12 * expected);
  const torus = torusSurface(0.05, 0.018, 192, 60);
  // 4 π² R r, less by the order (π/n)² of the coarser division
  const smooth = 4 * Math.PI * Math.PI * 0.05 * 0.018;
  assert.ok(Math.abs(total(torus) / smooth - 1) < (Math.PI / 60) ** 2);
  for (const surface of [box, frustum, torus]) assert.ok(makeFacets(surface, 'shape').closed);
});

test('normals point outward: the volume by the divergence theorem is that of the solid', () => {
  const volume = (surface: FacetedSurface): number => {
    const { areas, offsets, facetCount } = makeFacets(surface, 'shape');
    let sum = 0;
    for (let f = 0; f < facetCount; f++) sum += (offsets[f] * areas[f]) / 3;
    return sum;
  };
  assert.ok(Math.abs(volume(boxSurface([1, 2, 3])) - 6) < 1e-12);
  const smooth = 2 * Math.PI * Math.PI * 0.05 * 0.018 ** 2;
  const torus = volume(torusSurface(0.05, 0.018, 192, 60));
  assert.ok(torus < smooth && torus > smooth * (1 - 3 * (Math.PI / 60) ** 2));
});

test('polygons that are no facets are refused by name', () => {
  const square = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
  const refuses = (vertices: number[], polygons: number[][], pattern: RegExp): void => {
    assert.throws(() => makeFacets({ vertices, polygons }, 'part'), pattern);
  };
  refuses(square, [], /Expected part to have polygons, got none/);
  refuses(square, [[0, 1]], /part polygon 0 to have 3 corners or more, got 2/);
  refuses(square, [[0, 1, 7]], /polygons of its 4 vertices, got index 7/);
  refuses([...square.slice(0, 11), 0.1], [[0, 1, 2, 3]], /part polygon 0 to be plane/);
  refuses([0, 0, 0, 1, 0, 0, 0.2, 0.2, 0, 0, 1, 0], [[0, 1, 2, 3]], /to be convex/);
  refuses([0, 0, 0, 1, 0, 0, 2, 0, 0], [[0, 1, 2]], /to have an area/);
  refuses([0, 0, 0, 0, 0, 0, 0, 0, 0], [[0, 1, 2]], /to have an extent/);
  refuses(square, [[0, 1, 1, 2]], /corners at different places/);
});
