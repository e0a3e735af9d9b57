/**
 * A body of revolution cut by a plane: sums over sections across its axis, each a disc cut by a line.
 *
 * The axis is z, the normal of the plane n = (−s, 0, c) in the axes (y, x, z) with s >= 0, so that y points to the deeper side. The
 * depth under the plane is w = D + s y − c z. The section at z is what a disc of radius r has beyond the chord at b = (c z − D)/s. With
 * u = y − b across the chord and τ = c y + s z along the plane
 *
 *   w = s u,   τ − τ_b = c u,   τ_b = c b + s z                                                                       (1)
 *
 * so that a thin overlap keeps its digits at any tilt: no depth is a difference of coordinates. Where the whole disc is in,
 *
 *   w = s y + (D − c z),   τ = c y + s z                                                                              (2)
 *
 * Sections are summed with dz = s ω, where ω stays finite for a body that stands (s → 0): the cut has the area Σ 2 q ω.    (3)
 */
import { gaussLegendre } from '../../math/quadrature.ts';
import { COLUMN } from '../kernel.ts';
import {
  ACROSS,
  AREA,
  DISTANCE,
  fillSegment,
  FIRST,
  HALF_CHORD,
  RADIUS,
  SECOND,
  SEGMENT_SIZE,
} from '../segment.ts';

/** Slots of a plane: s, c, D, and the τ from which sums are taken. */
export const PLANE = { sine: 0, cosine: 1, offset: 2, along: 3 } as const;

/** Slots of one cut section: r, q, b, ω, τ_b less its reference. */
export const SECTION = { radius: 0, halfChord: 1, distance: 2, weight: 3, along: 4 } as const;

/** Slots of a range of whole discs: r² = e_0 + e_1 (z − z_0) + e_2 (z − z_0)², from, to. */
export const DISCS = { from: 0, to: 1, origin: 2, square: 3 } as const;

/** Slots of the sums. */
const SUM = { volume: 0, w: 1, t: 2, xx: 3, ww: 4, tt: 5, wt: 6, area: 7 } as const;

/** Whole discs are polynomials of degree 4 at most. */
const EXACT = gaussLegendre(3);

/** Sums over the sections of one body and one plane. Fill `plane`, `clear`, then `section` or `discs` and add, then `write`. */
export class Sections {
  readonly plane: Float64Array = new Float64Array(4);
  readonly section: Float64Array = new Float64Array(5);
  readonly discs: Float64Array = new Float64Array(6);
  readonly #segment = new Float64Array(SEGMENT_SIZE);
  readonly #sums = new Float64Array(8);

  clear(): void {
    const sums = this.#sums;
    for (let k = 0; k < sums.length; k++) sums[k] = 0;
  }

  /** Adds the section described by `section`. */
  addSection(): void {
    const section = this.section;
    const c = this.#segment;
    const sums = this.#sums;
    const sine = this.plane[PLANE.sine];
    const cosine = this.plane[PLANE.cosine];
    c[RADIUS] = section[SECTION.radius];
    c[HALF_CHORD] = section[SECTION.halfChord];
    c[DISTANCE] = section[SECTION.distance];
    fillSegment(c);
    const omega = section[SECTION.weight];
    const weight = sine * omega;
    const t = section[SECTION.along];
    const area = weight * c[AREA];
    const first = weight * c[FIRST];
    const second = weight * c[SECOND];
    sums[SUM.volume] += area;
    sums[SUM.w] += sine * first;
    sums[SUM.t] += cosine * first + t * area;
    sums[SUM.xx] += weight * c[ACROSS];
    sums[SUM.ww] += sine * sine * second;
    sums[SUM.tt] += cosine * cosine * second + t * (2 * cosine * first + t * area);
    sums[SUM.wt] += sine * (cosine * second + t * first);
    sums[SUM.area] += 2 * section[SECTION.halfChord] * omega;
  }

  /** Adds the range of whole discs described by `discs`. */
  addDiscs(): void {
    const d = this.discs;
    const half = 0.5 * (d[DISCS.to] - d[DISCS.from]);
    if (!(half > 0)) return;
    const sums = this.#sums;
    const plane = this.plane;
    const sine = plane[PLANE.sine];
    const cosine = plane[PLANE.cosine];
    for (let k = 0; k < 3; k++) {
      const z = d[DISCS.from] + half * (1 + EXACT.nodes[k]);
      const far = z - d[DISCS.origin];
      const square = d[DISCS.square] + far * (d[DISCS.square + 1] + far * d[DISCS.square + 2]);
      const area = half * EXACT.weights[k] * Math.PI * square;
      const moment = 0.25 * area * square;
      const w = plane[PLANE.offset] - cosine * z;
      const t = sine * z - plane[PLANE.along];
      sums[SUM.volume] += area;
      sums[SUM.w] += w * area;
      sums[SUM.t] += t * area;
      sums[SUM.xx] += moment;
      sums[SUM.ww] += sine * sine * moment + w * w * area;
      sums[SUM.tt] += cosine * cosine * moment + t * t * area;
      sums[SUM.wt] += sine * cosine * moment + w * t * area;
    }
  }

  /** Adds the weight in `section` to the area of the cut, for a plane across the axis, which meets no chord. */
  addArea(): void {
    this.#sums[SUM.area] += this.section[SECTION.weight];
  }

  /**
   * Writes volume, area, centroid, moments and vector area: x along τ, y across, z along n, from the origin of the body. False
   * when there is no volume.
   */
  write(local: Float64Array): boolean {
    const sums = this.#sums;
    const volume = sums[SUM.volume];
    if (!(volume > 0)) return false;
    const w = sums[SUM.w] / volume;
    const t = sums[SUM.t] / volume;
    local[COLUMN.volume] = volume;
    local[COLUMN.area] = sums[SUM.area];
    local[COLUMN.centroid] = this.plane[PLANE.along] + t;
    local[COLUMN.centroid + 1] = 0;
    local[COLUMN.centroid + 2] = this.plane[PLANE.offset] - w;
    local[COLUMN.second] = sums[SUM.tt] - sums[SUM.t] * t;
    local[COLUMN.second + 1] = sums[SUM.xx];
    local[COLUMN.second + 2] = sums[SUM.ww] - sums[SUM.w] * w;
    local[COLUMN.second + 3] = 0;
    local[COLUMN.second + 4] = sums[SUM.w] * t - sums[SUM.wt];
    local[COLUMN.second + 5] = 0;
    local[COLUMN.vectorArea] = 0;
    local[COLUMN.vectorArea + 1] = 0;
    local[COLUMN.vectorArea + 2] = sums[SUM.area];
    return true;
  }
}
