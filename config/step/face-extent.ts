/** How large a face is, by places all over it. */
import type { Triple } from '../../src/base/tuples.ts';
import { makeSurface } from '../../src/shapes/surfaces/make-surface.ts';
import { SURFACE_SLOTS } from '../../src/shapes/surfaces/surface.ts';
import type { SurfaceSpec } from '../../src/shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../../src/shapes/surfaces/trim-region.ts';
import { boxOf } from './triples.ts';

/** Spaces between places along each parameter: quarters of a turn are among them. */
const SPACES = 32;

/** The box around a face with ends, in its own frame, m: as large as the places of a grid and of the border show it. */
export function faceExtent(spec: SurfaceSpec): { readonly low: Triple; readonly high: Triple } {
  const surface = makeSurface(spec);
  const region = new TrimRegion(surface, spec.trim);
  const [lowU, highU, lowV, highV] = region.range;
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  const points: Triple[] = [];
  const add = (u: number, v: number): void => {
    at[0] = u;
    at[1] = v;
    surface.evaluate(at, out);
    points.push([out[0], out[1], out[2]]);
  };
  for (let i = 0; i <= SPACES; i++) {
    for (let j = 0; j <= SPACES; j++) {
      at[0] = lowU + (i / SPACES) * (highU - lowU);
      at[1] = lowV + (j / SPACES) * (highV - lowV);
      if (region.contains(at)) add(at[0], at[1]);
    }
  }
  for (const { a } of region.border) add(...a);
  return boxOf(points);
}
