/**
 * Faces as triangles, to be drawn: a grid over the parameters of each. Cells that the border crosses end where it crosses their sides; corners of
 * the border between are cut off. For set-up.
 */
import type { TriangleMesh } from '../triangle-mesh.ts';
import { makeSurface } from './make-surface.ts';
import { SURFACE_SLOTS } from './surface.ts';
import type { SurfaceSpec } from './surface-spec.ts';
import { TrimRegion } from './trim-region.ts';

/** Cells along each parameter of a face. */
const CELLS = 40;
/** Halvings of a side on which the border is looked for, and how far from a side its points are asked, in cells. */
const HALVINGS = 30;
const INSIDE = 1e-9;
type Corner = readonly [number, number];
/** Corners of a cell, round it. */
const CORNERS: readonly Corner[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** @param faces each with a range that ends, in the frame of their body */
export function surfaceMesh(faces: readonly SurfaceSpec[]): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const spec of faces) addFace(spec, vertices, triangles);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

function addFace(spec: SurfaceSpec, vertices: number[], triangles: number[]): void {
  const surface = makeSurface(spec);
  const region = new TrimRegion(surface, spec.trim);
  const [lowU, highU, lowV, highV] = region.range;
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  const place = (i: number, k: number): void => {
    at[0] = lowU + (i / CELLS) * (highU - lowU);
    at[1] = lowV + (k / CELLS) * (highV - lowV);
  };
  /** Whether a point of the cell at u, v is there: a little towards its middle, as the border may lie along a side. */
  const isThere = (u: number, v: number, i: number, k: number): boolean => {
    place(i + INSIDE * (u + 0.5 - i), k + INSIDE * (v + 0.5 - k));
    return region.contains(at);
  };
  const addVertex = (i: number, k: number): number => {
    place(i, k);
    surface.evaluate(at, out);
    return vertices.push(out[0], out[1], out[2]) / 3 - 1;
  };
  const first = vertices.length / 3;
  for (let i = 0; i <= CELLS; i++) for (let k = 0; k <= CELLS; k++) addVertex(i, k);
  /** Where the border crosses a side of a cell, one vertex for both cells beside it. */
  const crossings = new Map<string, number>();
  const addCrossing = (u: number, v: number, from: Corner, to: Corner): number => {
    const key = `${u + Math.min(from[0], to[0])} ${v + Math.min(from[1], to[1])} ${from[0] - to[0] === 0}`;
    const known = crossings.get(key);
    if (known !== undefined) return known;
    const along = (part: number): readonly [number, number] => [
      u + from[0] + part * (to[0] - from[0]),
      v + from[1] + part * (to[1] - from[1]),
    ];
    let [inner, outer] = [0, 1];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (inner + outer);
      if (isThere(u, v, ...along(middle))) inner = middle;
      else outer = middle;
    }
    const made = addVertex(...along(inner));
    crossings.set(key, made);
    return made;
  };
  for (let u = 0; u < CELLS; u++) {
    for (let v = 0; v < CELLS; v++) {
      const there = CORNERS.map(([a, b]) => isThere(u, v, u + a, v + b));
      const polygon = CORNERS.flatMap((corner, n) => {
        const next = CORNERS[(n + 1) % 4];
        const own = there[n] ? [first + (CELLS + 1) * (u + corner[0]) + v + corner[1]] : [];
        if (there[n] === there[(n + 1) % 4]) return own;
        return [
          ...own,
          there[n] ? addCrossing(u, v, corner, next) : addCrossing(u, v, next, corner),
        ];
      });
      // counter-clockwise about S_u × S_v
      for (let n = 2; n < polygon.length; n++) {
        const [b, c] = surface.sign > 0 ? [n - 1, n] : [n, n - 1];
        triangles.push(polygon[0], polygon[b], polygon[c]);
      }
    }
  }
}
