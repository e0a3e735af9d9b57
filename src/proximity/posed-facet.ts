/** A facet of body A in the frame of body B. */
import type { Facets } from '../shapes/facets.ts';

/** The facet of A that distances are taken from. */
export class PosedFacet {
  /** Rotation of A into the frame of B, row by row, and origin of A there, m. */
  readonly rotation: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly origin: Float64Array = new Float64Array(3);
  /** Its corners, m, the inward sides at them, and its normal. */
  readonly corners: Float64Array;
  readonly sides: Float64Array;
  readonly normal: Float64Array = new Float64Array(3);
  /** [offset along the normal, m] */
  readonly offset: Float64Array = new Float64Array(1);
  /** Number of corners. */
  count = 0;
  readonly facets: Facets;
  private loaded = -1;

  constructor(facets: Facets) {
    this.facets = facets;
    this.corners = new Float64Array(3 * facets.mostCorners);
    this.sides = new Float64Array(3 * facets.mostCorners);
  }

  /** After a change of the pose. @alloc none */
  move(): void {
    this.loaded = -1;
  }

  /** Takes facet i. @alloc none */
  load(i: number): void {
    if (this.loaded === i) return;
    const { facets, rotation: r, origin, corners, sides, normal } = this;
    const first = facets.first[i];
    const count = facets.first[i + 1] - first;
    const v = facets.vertices;
    for (let k = 0; k < count; k++) {
      const o = 3 * facets.corners[first + k];
      const s = 3 * (first + k);
      for (let row = 0; row < 3; row++) {
        const x = r[3 * row];
        const y = r[3 * row + 1];
        const z = r[3 * row + 2];
        corners[3 * k + row] = x * v[o] + y * v[o + 1] + z * v[o + 2] + origin[row];
        sides[3 * k + row] =
          x * facets.sides[s] + y * facets.sides[s + 1] + z * facets.sides[s + 2];
      }
    }
    const n = facets.normals;
    for (let row = 0; row < 3; row++) {
      normal[row] =
        r[3 * row] * n[3 * i] + r[3 * row + 1] * n[3 * i + 1] + r[3 * row + 2] * n[3 * i + 2];
    }
    this.offset[0] =
      facets.offsets[i] + normal[0] * origin[0] + normal[1] * origin[1] + normal[2] * origin[2];
    this.loaded = i;
    this.count = count;
  }
}
