/**
 * Volume, centroid, second moments and seam of a closed surface of flat faces, from its edges
 * alone. docs/theory/clipping.md.
 *
 * Origin o: a corner. Every edge from a to b makes one triangle with a point r of the face on its
 * left. Backwards it makes one with a point of the face on its right. Each spans a tetrahedron with
 * o. With c = a × b, u = a + b, D_l = r_l·c, D_r = −r_r·c, D = D_l + D_r, g = D_l r_l + D_r r_r the
 * sums over tetrahedra (see polyhedron.ts) are
 *
 *   V = Σ D/6,   ∫ p dV = Σ (D u + g)/24,
 *   ∫ p pᵀ dV = Σ (D (u uᵀ + a aᵀ + b bᵀ) + u gᵀ + g uᵀ + 2 D_l r_l r_lᵀ + 2 D_r r_r r_rᵀ)/120                         (1)
 *
 * The seam consists of the edges between faces of one body and of the other. It is the rim of the
 * open surface that the faces of one body make: its vector area is ½ Σ a × b over the seam,
 * whatever the surface. (2)
 */
import type { ClippedCell } from './clip-cell.ts';
import { COLUMN, COLUMN_SIZE } from './kernel.ts';

/**
 * Slots of the sums: those of a column, in the frame of the surface, and an axis. Second moments are about the centroid; the gap is
 * minus the extent along the axis.
 */
export const SUM = { ...COLUMN, axis: COLUMN_SIZE } as const;
export const SUM_SIZE = COLUMN_SIZE + 3;

/** The sums over one work space. */
export class ClipMoments {
  readonly #cell: ClippedCell;
  /** A slot of each face, −1 when it has no edge. */
  #anchor: Int32Array = new Int32Array(0);

  constructor(cell: ClippedCell) {
    this.#cell = cell;
  }

  /** Makes room for so many faces. Allocates. */
  reserve(faces: number): void {
    if (this.#anchor.length < faces) this.#anchor = new Int32Array(faces);
  }

  /**
   * Computes volume, centroid, second moments and seam. Faces numbered `planes` and above belong to
   * the planes; the vector area is theirs, outward of the solid. When the solid is lost in
   * rounding, the volume is <= 0 and the other sums are invalid.
   * @alloc none
   */
  compute(sums: Float64Array, planes: number, faces: number): void {
    const { points, edges } = this.#cell;
    const anchor = this.#anchor;
    const end = 4 * this.#cell.edgeCount;
    const origin = this.#cell.live[0];
    for (let f = 0; f < faces; f++) anchor[f] = -1;
    for (let e = 0; e < end; e += 4) {
      const a = edges[e];
      const b = edges[e + 1];
      const left = edges[e + 2];
      const right = edges[e + 3];
      // the point of a face at the origin is the origin: its tetrahedra are flat
      if (a === origin || b === origin) {
        anchor[left] = origin;
        anchor[right] = origin;
      } else {
        if (anchor[left] < 0) anchor[left] = a;
        if (anchor[right] < 0) anchor[right] = a;
      }
    }
    const ox = points[3 * origin];
    const oy = points[3 * origin + 1];
    const oz = points[3 * origin + 2];
    let v = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let xx = 0;
    let yy = 0;
    let zz = 0;
    let xy = 0;
    let xz = 0;
    let yz = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let e = 0; e < end; e += 4) {
      const a = 3 * edges[e];
      const b = 3 * edges[e + 1];
      const ax = points[a] - ox;
      const ay = points[a + 1] - oy;
      const az = points[a + 2] - oz;
      const bx = points[b] - ox;
      const by = points[b + 1] - oy;
      const bz = points[b + 2] - oz;
      const cx = ay * bz - az * by;
      const cy = az * bx - ax * bz;
      const cz = ax * by - ay * bx;
      const left = edges[e + 2];
      const right = edges[e + 3];
      const l = 3 * anchor[left];
      const r = 3 * anchor[right];
      const lx = points[l] - ox;
      const ly = points[l + 1] - oy;
      const lz = points[l + 2] - oz;
      const rx = points[r] - ox;
      const ry = points[r + 1] - oy;
      const rz = points[r + 2] - oz;
      if (left >= planes) {
        if (right < planes) {
          sx += cx;
          sy += cy;
          sz += cz;
        }
      } else if (right >= planes) {
        sx -= cx;
        sy -= cy;
        sz -= cz;
      }
      const dl = lx * cx + ly * cy + lz * cz;
      const dr = -(rx * cx + ry * cy + rz * cz);
      const d = dl + dr;
      const ux = ax + bx;
      const uy = ay + by;
      const uz = az + bz;
      const gx = dl * lx + dr * rx;
      const gy = dl * ly + dr * ry;
      const gz = dl * lz + dr * rz;
      v += d;
      mx += d * ux + gx;
      my += d * uy + gy;
      mz += d * uz + gz;
      xx += d * (ux * ux + ax * ax + bx * bx) + 2 * (ux * gx + dl * lx * lx + dr * rx * rx);
      yy += d * (uy * uy + ay * ay + by * by) + 2 * (uy * gy + dl * ly * ly + dr * ry * ry);
      zz += d * (uz * uz + az * az + bz * bz) + 2 * (uz * gz + dl * lz * lz + dr * rz * rz);
      xy +=
        d * (ux * uy + ax * ay + bx * by) + (ux * gy + uy * gx + 2 * (dl * lx * ly + dr * rx * ry));
      xz +=
        d * (ux * uz + ax * az + bx * bz) + (ux * gz + uz * gx + 2 * (dl * lx * lz + dr * rx * rz));
      yz +=
        d * (uy * uz + ay * az + by * bz) + (uy * gz + uz * gy + 2 * (dl * ly * lz + dr * ry * rz));
    }
    const volume = v / 6;
    const px = mx / (4 * v);
    const py = my / (4 * v);
    const pz = mz / (4 * v);
    sums[SUM.volume] = volume;
    sums[SUM.centroid] = ox + px;
    sums[SUM.centroid + 1] = oy + py;
    sums[SUM.centroid + 2] = oz + pz;
    sums[SUM.second] = xx / 120 - volume * px * px;
    sums[SUM.second + 1] = yy / 120 - volume * py * py;
    sums[SUM.second + 2] = zz / 120 - volume * pz * pz;
    sums[SUM.second + 3] = xy / 120 - volume * px * py;
    sums[SUM.second + 4] = xz / 120 - volume * px * pz;
    sums[SUM.second + 5] = yz / 120 - volume * py * pz;
    sums[SUM.vectorArea] = 0.5 * sx;
    sums[SUM.vectorArea + 1] = 0.5 * sy;
    sums[SUM.vectorArea + 2] = 0.5 * sz;
  }

  /** Gap: minus the extent of the solid along the unit vector in `sums[SUM.axis]`. @alloc none */
  extent(sums: Float64Array): void {
    const { points, live, liveCount } = this.#cell;
    const nx = sums[SUM.axis];
    const ny = sums[SUM.axis + 1];
    const nz = sums[SUM.axis + 2];
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < liveCount; k++) {
      const p = 3 * live[k];
      const s = nx * points[p] + ny * points[p + 1] + nz * points[p + 2];
      if (s < least) least = s;
      if (s > most) most = s;
    }
    sums[SUM.gap] = least - most;
  }
}
