/** The facets of body A in the frame of body B. A facet is placed when it is asked for first after a change of the pose. */
import { columnOf, type Columns } from '../math/columns.ts';
import type { Facets } from '../shapes/facets.ts';

/** Number of poses after which the marks of the facets begin anew. */
const LAST_POSE = 0x7fffffff;

/** The facet of A that distances are taken from. */
export class PosedFacet {
  /** Rotation of A into the frame of B, row by row, and origin of A there, m. */
  readonly rotation: Float64Array;
  readonly origin: Float64Array;
  /** Its corners, m, the inward sides at them, and its normal. */
  readonly corners: Float64Array;
  readonly sides: Float64Array;
  readonly normal: Float64Array = new Float64Array(3);
  /** [offset along the normal, m] */
  readonly offset: Float64Array = new Float64Array(1);
  /** Number of corners. */
  count = 0;
  /** [|x| + |y| + |z| of the origin, m] */
  readonly reach: Float64Array = new Float64Array(1);
  readonly facets: Facets;
  /** Corners of all facets, m, as in `cornerPoints`; facets that were placed at the present pose have its number. */
  readonly placed: Float64Array;
  readonly placedAt: Int32Array;
  /** Number of the pose; it changes when A moves. */
  pose = 1;
  private loaded = -1;

  constructor(facets: Facets, columns: Columns) {
    this.facets = facets;
    this.rotation = columnOf(columns, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    this.origin = columns.doubles(3);
    this.corners = new Float64Array(3 * facets.mostCorners);
    this.sides = new Float64Array(3 * facets.mostCorners);
    this.placed = columns.doubles(3 * facets.corners.length);
    this.placedAt = columns.integers(facets.facetCount);
  }

  /** After a change of the pose. @alloc none */
  move(): void {
    const { origin: o } = this;
    this.reach[0] = Math.abs(o[0]) + Math.abs(o[1]) + Math.abs(o[2]);
    this.loaded = -1;
    this.pose++;
    if (this.pose < LAST_POSE) return;
    this.placedAt.fill(0);
    this.pose = 1;
  }

  /** Where the corners of facet i begin in `placed`, which then has them. @alloc none */
  place(i: number): number {
    const { first } = this.facets;
    const from = 3 * first[i];
    if (this.placedAt[i] === this.pose) return from;
    const { rotation: r, origin, placed } = this;
    const v = this.facets.cornerPoints;
    const end = 3 * first[i + 1];
    for (let o = from; o < end; o += 3) {
      const x = v[o];
      const y = v[o + 1];
      const z = v[o + 2];
      placed[o] = r[0] * x + r[1] * y + r[2] * z + origin[0];
      placed[o + 1] = r[3] * x + r[4] * y + r[5] * z + origin[1];
      placed[o + 2] = r[6] * x + r[7] * y + r[8] * z + origin[2];
    }
    this.placedAt[i] = this.pose;
    return from;
  }

  /** Takes facet i. @alloc none */
  load(i: number): void {
    if (this.loaded === i) return;
    const { facets, rotation: r, origin, placed, corners, sides, normal } = this;
    const from = this.place(i);
    const count = facets.first[i + 1] - facets.first[i];
    for (let k = 0; k < 3 * count; k += 3) {
      corners[k] = placed[from + k];
      corners[k + 1] = placed[from + k + 1];
      corners[k + 2] = placed[from + k + 2];
      turn(r, facets.sides, from + k, sides, k);
    }
    turn(r, facets.normals, 3 * i, normal, 0);
    this.offset[0] =
      facets.offsets[i] + normal[0] * origin[0] + normal[1] * origin[1] + normal[2] * origin[2];
    this.loaded = i;
    this.count = count;
  }
}

/** to[o..] := R from[at..]. */
function turn(r: Float64Array, from: Float64Array, at: number, to: Float64Array, o: number): void {
  const x = from[at];
  const y = from[at + 1];
  const z = from[at + 2];
  to[o] = r[0] * x + r[1] * y + r[2] * z;
  to[o + 1] = r[3] * x + r[4] * y + r[5] * z;
  to[o + 2] = r[6] * x + r[7] * y + r[8] * z;
}
