/** Faces as triangles, to be drawn: a grid over the parameters of each, without the cells whose middle a trim leaves out. For set-up. */
import type { TriangleMesh } from '../triangle-mesh.ts';
import { makeSurface } from './make-surface.ts';
import { SURFACE_SLOTS } from './surface.ts';
import type { SurfaceSpec } from './surface-spec.ts';
import { TrimRegion } from './trim-region.ts';

/** Cells along each parameter of a face. */
const CELLS = 40;

/** @param faces each with a range that ends, in the frame of their body */
export function surfaceMesh(faces: readonly SurfaceSpec[]): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const at = new Float64Array(2);
  const out = new Float64Array(SURFACE_SLOTS);
  for (const spec of faces) {
    const surface = makeSurface(spec);
    const region = new TrimRegion(surface, spec.trim);
    const [lowU, highU, lowV, highV] = region.range;
    const first = vertices.length / 3;
    const place = (i: number, k: number): void => {
      at[0] = lowU + (i / CELLS) * (highU - lowU);
      at[1] = lowV + (k / CELLS) * (highV - lowV);
    };
    for (let i = 0; i <= CELLS; i++) {
      for (let k = 0; k <= CELLS; k++) {
        place(i, k);
        surface.evaluate(at, out);
        vertices.push(out[0], out[1], out[2]);
      }
    }
    for (let i = 0; i < CELLS; i++) {
      for (let k = 0; k < CELLS; k++) {
        place(i + 0.5, k + 0.5);
        if (!region.contains(at)) continue;
        const a = first + (CELLS + 1) * i + k;
        const [b, c, d] = [a + CELLS + 1, a + CELLS + 2, a + 1];
        // counter-clockwise about S_u × S_v
        triangles.push(...(surface.sign > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
      }
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
