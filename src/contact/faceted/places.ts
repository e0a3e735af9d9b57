/** Places at which two bodies push each other at once, as a pair measures them: pairs of facets, or patches of samples. */
import { type ContactPair, POINT } from '../pair.ts';

export interface Places extends ContactPair {
  /** Places at the pose of the last `compute`. */
  readonly count: number;
  /** Place of action (3, world, m), normal (3), depth, m, and stiffness over that of the law. */
  readonly points: Float64Array;
  readonly normals: Float64Array;
  readonly depths: Float64Array;
  readonly shares: Float64Array;
  /** (n; ρ × n) with the lever ρ from the point of the pair: the part of a twist there along the normal. */
  readonly rows: Float64Array;
  /** Two numbers that a place keeps while it lasts. */
  readonly keysI: Int32Array;
  readonly keysJ: Int32Array;
  /** How far the bristles of a place that ends may go to one that begins, m. */
  readonly sizes: Float64Array;
  /** Place of action in the frame of body j, m. */
  readonly places: Float64Array;
  /** Whether the bodies are inside of each other. */
  readonly penetrates: boolean;
  /** Places without room. */
  readonly refused: number;
  /** [thickness of what is pressed, m] */
  readonly standoff: Float64Array;
  /** [largest distance of a point of body i from its origin, m] */
  readonly reach: Float64Array;
}

/** Fills the rows for the point of the kinematics. @alloc none */
export function fillRows(places: Places, kinematics: Float64Array): void {
  const { rows, points, normals, count } = places;
  const px = kinematics[POINT];
  const py = kinematics[POINT + 1];
  const pz = kinematics[POINT + 2];
  for (let c = 0, o = 0, r = 0; c < count; c++, o += 3, r += 6) {
    const x = points[o] - px;
    const y = points[o + 1] - py;
    const z = points[o + 2] - pz;
    const nx = normals[o];
    const ny = normals[o + 1];
    const nz = normals[o + 2];
    rows[r] = nx;
    rows[r + 1] = ny;
    rows[r + 2] = nz;
    rows[r + 3] = y * nz - z * ny;
    rows[r + 4] = z * nx - x * nz;
    rows[r + 5] = x * ny - y * nx;
  }
}
