/**
 * Volume, centroid, second moments and seam of a closed surface of flat faces, from its edges
 * alone. docs/theory/clipping.md.
 *
 * Origin o: a corner. A face with the anchor r, one of its corners, is a fan of triangles (r, a, b), one
 * for each edge a → b that runs along it counter-clockwise from outside. Each spans a tetrahedron with o.
 * With D = r·(a × b) and s = r + a + b, all from o,
 *
 *   V = Σ D/6,   ∫ p dV = Σ D s/24,   ∫ p pᵀ dV = Σ D (s sᵀ + r rᵀ + a aᵀ + b bᵀ)/120                                 (1)
 *
 * A tetrahedron is flat, and left out, when its face meets o or its edge meets r. Of a box 6 of 24 are left.
 *
 * The seam consists of the edges between faces of one body and of the other. It is the rim of the
 * open surface that the faces of one body make: its vector area is ½ Σ a × b over the seam,
 * whatever the surface. (2)
 *
 * `gather` lists corners, tetrahedra and seam, `compute` sums them. A list holds for all placements at which the same edges are left.
 */
import type { ClippedCell } from './clip-cell.ts';
import { COLUMN, COLUMN_SIZE } from './kernel.ts';
import { LIST_HEAD } from './tape-slots.ts';

/**
 * Slots of the sums: those of a column, in the frame of the surface, and an axis. Second moments are about the centroid; the gap is
 * minus the extent along the axis.
 */
export const SUM = { ...COLUMN, axis: COLUMN_SIZE } as const;
export const SUM_SIZE = COLUMN_SIZE + 3;

/** Numbers that the list of a surface needs at most: its corners, and of each edge two tetrahedra of three corners and two ends. */
const listRoom = (corners: number, edges: number): number => LIST_HEAD + corners + 8 * edges;

/** The sums over one work space. */
export class ClipMoments {
  readonly #cell: ClippedCell;
  /** A corner of each face, −1 when it has no edge. */
  #anchor: Int32Array = new Int32Array(0);
  /** Room for the list of any surface that the cell can hold. */
  list: Int32Array = new Int32Array(0);

  constructor(cell: ClippedCell) {
    this.#cell = cell;
  }

  /** Makes room for so many faces, and for the edges that the cell has room for. Allocates. */
  reserve(faces: number): void {
    if (this.#anchor.length < faces) this.#anchor = new Int32Array(faces);
    const room = listRoom(this.#cell.live.length, this.#cell.edges.length >> 2);
    if (this.list.length < room) this.list = new Int32Array(room);
  }

  /**
   * Lists corners, tetrahedra and seam of the surface from list[at] on, as places in `points`. Faces numbered `planes` and above belong
   * to the planes.
   * @param faces number of all of them @returns end of the list @alloc none
   */
  gather(planes: number, faces: number, list: Int32Array, at: number): number {
    const { edges, live, liveCount } = this.#cell;
    const anchor = this.#anchor;
    const end = 4 * this.#cell.edgeCount;
    const origin = live[0];
    for (let f = 0; f < faces; f++) anchor[f] = -1;
    for (let e = 0; e < end; e += 4) {
      const a = edges[e];
      const b = edges[e + 1];
      const left = edges[e + 2];
      const right = edges[e + 3];
      if (a === origin || b === origin) {
        anchor[left] = origin;
        anchor[right] = origin;
      } else {
        if (anchor[left] < 0) anchor[left] = a;
        if (anchor[right] < 0) anchor[right] = a;
      }
    }
    const first = at + LIST_HEAD + liveCount;
    for (let n = 0; n < liveCount; n++) list[at + LIST_HEAD + n] = 4 * live[n];
    let k = first;
    // written always and counted where it has a volume: a branch here could not be predicted
    for (let e = 0; e < end; e += 4) {
      const a = edges[e];
      const b = edges[e + 1];
      const l = anchor[edges[e + 2]];
      const r = anchor[edges[e + 3]];
      list[k] = 4 * l;
      list[k + 1] = 4 * a;
      list[k + 2] = 4 * b;
      k += 3 * (Number(l !== origin) & Number(l !== a) & Number(l !== b));
      list[k] = 4 * r;
      list[k + 1] = 4 * b;
      list[k + 2] = 4 * a;
      k += 3 * (Number(r !== origin) & Number(r !== a) & Number(r !== b));
    }
    const seam = k;
    for (let e = 0; e < end; e += 4) {
      const left = Number(edges[e + 2] >= planes);
      const right = Number(edges[e + 3] >= planes);
      list[k] = 4 * edges[e + 1 - left];
      list[k + 1] = 4 * edges[e + left];
      k += 2 * (left ^ right);
    }
    list[at] = liveCount;
    list[at + 1] = (seam - first) / 3;
    list[at + 2] = (k - seam) >> 1;
    return k;
  }

  /**
   * Computes volume, centroid, second moments and seam of what list[at] on lists; the vector area is that of the planes, outward of the
   * solid. When the solid is lost in rounding, the volume is <= 0 and the other sums are invalid.
   * @alloc none
   */
  compute(sums: Float64Array, list: Int32Array, at: number): void {
    const { points } = this.#cell;
    const first = at + LIST_HEAD + list[at];
    const seam = first + 3 * list[at + 1];
    const end = seam + 2 * list[at + 2];
    const o = list[at + LIST_HEAD];
    const ox = points[o];
    const oy = points[o + 1];
    const oz = points[o + 2];
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
    for (let k = first; k < seam; k += 3) {
      const r = list[k];
      const a = list[k + 1];
      const b = list[k + 2];
      const rx = points[r] - ox;
      const ry = points[r + 1] - oy;
      const rz = points[r + 2] - oz;
      const ax = points[a] - ox;
      const ay = points[a + 1] - oy;
      const az = points[a + 2] - oz;
      const bx = points[b] - ox;
      const by = points[b + 1] - oy;
      const bz = points[b + 2] - oz;
      const d = rx * (ay * bz - az * by) + ry * (az * bx - ax * bz) + rz * (ax * by - ay * bx);
      const sx = rx + ax + bx;
      const sy = ry + ay + by;
      const sz = rz + az + bz;
      v += d;
      mx += d * sx;
      my += d * sy;
      mz += d * sz;
      xx += d * (sx * sx + rx * rx + ax * ax + bx * bx);
      yy += d * (sy * sy + ry * ry + ay * ay + by * by);
      zz += d * (sz * sz + rz * rz + az * az + bz * bz);
      xy += d * (sx * sy + rx * ry + ax * ay + bx * by);
      xz += d * (sx * sz + rx * rz + ax * az + bx * bz);
      yz += d * (sy * sz + ry * rz + ay * az + by * bz);
    }
    let ux = 0;
    let uy = 0;
    let uz = 0;
    for (let k = seam; k < end; k += 2) {
      const a = list[k];
      const b = list[k + 1];
      const ax = points[a] - ox;
      const ay = points[a + 1] - oy;
      const az = points[a + 2] - oz;
      const bx = points[b] - ox;
      const by = points[b + 1] - oy;
      const bz = points[b + 2] - oz;
      ux += ay * bz - az * by;
      uy += az * bx - ax * bz;
      uz += ax * by - ay * bx;
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
    sums[SUM.vectorArea] = 0.5 * ux;
    sums[SUM.vectorArea + 1] = 0.5 * uy;
    sums[SUM.vectorArea + 2] = 0.5 * uz;
  }

  /** Gap: minus the extent of the corners that list[at] on lists along the unit vector in `sums[SUM.axis]`. @alloc none */
  extent(sums: Float64Array, list: Int32Array, at: number): void {
    const { points } = this.#cell;
    const end = at + LIST_HEAD + list[at];
    const nx = sums[SUM.axis];
    const ny = sums[SUM.axis + 1];
    const nz = sums[SUM.axis + 2];
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = at + LIST_HEAD; k < end; k++) {
      const p = list[k];
      const s = nx * points[p] + ny * points[p + 1] + nz * points[p + 2];
      if (s < least) least = s;
      if (s > most) most = s;
    }
    sums[SUM.gap] = least - most;
  }
}
