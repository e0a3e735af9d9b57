/** A shape of facets for a page, as triangles: the facets themselves, or fewer where they are more than a page should draw. */
import {
  boxSurface,
  type FacetedShape,
  type FacetedTorus,
  frustumSurface,
  type PlacedFacets,
  torusSurface,
} from '../../src/shapes/faceted-shapes.ts';
import { type FacetedSurface, surfaceTriangles } from '../../src/shapes/facets.ts';
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';
import { coarseMesh } from './coarse-mesh.ts';
import type { DrawnCell } from './drawn-shapes.ts';

/** Most triangles of a shape: a quarter of a megabyte of text, and as much in a recording. */
export const MOST_TRIANGLES = 4000;

export function drawnFacets({
  shape,
  position,
  orientation,
}: PlacedFacets): Omit<DrawnCell, 'name'> {
  const cell = drawnMesh(surfaceTriangles(surfaceOf(shape)));
  return { ...cell, position_m: position, orientation };
}

/** A mesh in the frame of its body. */
export function drawnMesh(mesh: TriangleMesh): Omit<DrawnCell, 'name'> {
  const { vertices, triangles } = coarseMesh(mesh, MOST_TRIANGLES);
  const corner = (k: number): number[] => Array.from(vertices.subarray(3 * k, 3 * k + 3));
  const face = (k: number): number[] => Array.from(triangles.subarray(3 * k, 3 * k + 3));
  return {
    shape: {
      kind: 'mesh',
      vertices_m: Array.from({ length: vertices.length / 3 }, (_, k) => corner(k)),
      faces: Array.from({ length: triangles.length / 3 }, (_, k) => face(k)),
    },
    position_m: [0, 0, 0],
    orientation: [0, 0, 0, 1],
  };
}

function surfaceOf(shape: FacetedShape): FacetedSurface {
  switch (shape.kind) {
    case 'box':
      return boxSurface(shape.size);
    case 'frustum':
      return frustumSurface(shape.radius, shape.topRadius, shape.length, shape.around);
    case 'torus':
      return torusToDraw(shape);
    case 'polygons':
      return shape;
  }
}

/** Fewer divisions keep a torus round, where a grid of cells would make it rough. */
function torusToDraw({ radius, tubeRadius, around, across }: FacetedTorus): FacetedSurface {
  const less = Math.min(1, Math.sqrt(MOST_TRIANGLES / (2 * around * across)));
  const divisions = (count: number): number => Math.max(3, Math.floor(less * count));
  return torusSurface(radius, tubeRadius, divisions(around), divisions(across));
}
