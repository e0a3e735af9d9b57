/**
 * A plane between two polytopes that are apart, found once and asked again while the bodies move. It belongs to the cutter b:
 *
 *   n·p <= d for all p of b (in its frame)          clearance = min over the corners p of a of n·(R p + t) − d                 (1)
 *
 * with R, t the placement of a in the frame of b. A positive clearance proves that a and b are apart, and by how much at least. With
 * m = Rᵀ n it costs one product m·p a corner.
 *
 * A clearance below 1e-9 of the size counts as none, although rounding makes errors of 1e-15 of it. So a clip of the same polytopes
 * would find them apart as well: corners of a clip are off by roundings, which only an edge sharper than 1e-6 rad magnifies to 1e-9.
 */
import { ORIGIN } from './kernel.ts';
import type { Polytope } from './polytope.ts';

/** Numbers of a plane: n and d in the frame of b, then the clearance of the last `measure`, m. */
export const PLANE = 5;
/** Slot of the clearance. */
export const CLEARANCE = 4;

/** Clearance that counts, relative to the size of both. */
const LEAST = 1e-9;

/** The planes of a pair of shapes: any number of pairs of cells keep them where they like. */
export class SeparatingPlane {
  /** The polytope whose corners are asked, and the one of the plane. */
  readonly #a: Polytope;
  readonly #b: Polytope;
  /** Whether body i has the corners. */
  readonly #asksI: boolean;
  readonly #least: number;

  constructor(a: Polytope, b: Polytope, asksI: boolean) {
    this.#a = a;
    this.#b = b;
    this.#asksI = asksI;
    this.#least = LEAST * (a.reach + (b.bounded ? b.reach : 0));
  }

  /**
   * Keeps a direction (world, unit, from b to a) in planes[o] …, for `measure` to make the plane of. Few planes are kept, so that this code
   * is rarely compiled, and numbers that it computed would be allocated. @alloc none
   */
  keep(direction: Float64Array, planes: Float64Array, o: number): void {
    planes[o] = direction[0];
    planes[o + 1] = direction[1];
    planes[o + 2] = direction[2];
    planes[o + 3] = Number.NaN;
  }

  /**
   * The clearance (1) of the plane at planes[o], less what does not count, into planes[o + CLEARANCE]. A direction that was kept is first
   * made the plane that touches b. NaN where there is neither. @alloc none
   */
  measure(
    placementI: Float64Array,
    placementJ: Float64Array,
    planes: Float64Array,
    o: number,
  ): void {
    const a = this.#asksI ? placementI : placementJ;
    const b = this.#asksI ? placementJ : placementI;
    if (Number.isNaN(planes[o + 3])) {
      const { corners, bounded } = this.#b;
      const x = bounded ? b[0] * planes[o] + b[3] * planes[o + 1] + b[6] * planes[o + 2] : 0;
      const y = bounded ? b[1] * planes[o] + b[4] * planes[o + 1] + b[7] * planes[o + 2] : 0;
      const z = bounded ? b[2] * planes[o] + b[5] * planes[o + 1] + b[8] * planes[o + 2] : 1;
      let most = bounded ? Number.NEGATIVE_INFINITY : 0;
      for (let v = 0; v < corners.length; v += 3) {
        const s = x * corners[v] + y * corners[v + 1] + z * corners[v + 2];
        if (s > most) most = s;
      }
      planes[o] = x;
      planes[o + 1] = y;
      planes[o + 2] = z;
      planes[o + 3] = most;
    }
    const nx = planes[o];
    const ny = planes[o + 1];
    const nz = planes[o + 2];
    // in the world, then in the frame of a
    const x = b[0] * nx + b[1] * ny + b[2] * nz;
    const y = b[3] * nx + b[4] * ny + b[5] * nz;
    const z = b[6] * nx + b[7] * ny + b[8] * nz;
    const mx = a[0] * x + a[3] * y + a[6] * z;
    const my = a[1] * x + a[4] * y + a[7] * z;
    const mz = a[2] * x + a[5] * y + a[8] * z;
    const height =
      x * (a[ORIGIN] - b[ORIGIN]) +
      y * (a[ORIGIN + 1] - b[ORIGIN + 1]) +
      z * (a[ORIGIN + 2] - b[ORIGIN + 2]);
    const { corners } = this.#a;
    let least = Number.POSITIVE_INFINITY;
    for (let v = 0; v < corners.length; v += 3) {
      const s = mx * corners[v] + my * corners[v + 1] + mz * corners[v + 2];
      if (s < least) least = s;
    }
    planes[o + CLEARANCE] = least + (height - planes[o + 3]) - this.#least;
  }
}
