/**
 * Polyhedron by the divergence theorem: its corners move, its triangles stay. Each triangle (a, b, c), counter-clockwise from
 * outside, spans a tetrahedron with a point near by (here a corner) as origin, of D = a·(b × c) = 6 × its signed volume, s = a + b + c:
 *
 *   V = Σ D/6,   M = ∫ p dV = Σ D s/24,   ∫ p pᵀ dV = Σ D (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/120                             (1)
 *   p_c = M/V,   S = ∫ p pᵀ dV − V p_c p_cᵀ                                                                           (2)
 *   A_c = Σ |z·(b − a) × (c − a)|/4                                                                                   (3)
 *
 * (1): the mean of p over a tetrahedron is s/4 and that of p pᵀ is (s sᵀ + Σ p pᵀ)/20. (3) is the shadow of a convex polyhedron
 * along z: the triangles cover it twice. Sums hold for any closed surface; (3) only for a convex one.
 */
import { range } from '../base/parameter-checks.ts';
import { clearOverlap, OVERLAP } from './metrics.ts';

/** A closed surface of triangles. Origin and axes: those of the corners; z is taken as the normal for the area. */
export class Polyhedron {
  readonly #triangles: Int32Array;

  /**
   * Triangles as three indices of corners each, counter-clockwise from outside. Refused unless closed: each side must be
   * run through once in either sense.
   */
  constructor(triangles: readonly (readonly [number, number, number])[]) {
    const count = triangles.length;
    range('triangles', count, count >= 4, 'to be at least 4 in number');
    const sides = new Set<string>();
    for (const corners of triangles) {
      for (let k = 0; k < 3; k++) {
        const from = corners[k];
        const to = corners[(k + 1) % 3];
        const side = `${from} ${to}`;
        const whole = Number.isInteger(from) && from >= 0;
        range('triangles', from, whole, 'to hold whole numbers >= 0');
        range('triangles', from, from !== to, 'to have three different corners each');
        range(
          'triangles',
          from,
          !sides.has(side),
          'to run once along each side, twice from corner',
        );
        sides.add(side);
      }
    }
    for (const side of sides) {
      const [from, to] = side.split(' ');
      const closed = sides.has(`${to} ${from}`);
      range('triangles', Number(from), closed, 'to close: one more along a side from corner');
    }
    this.#triangles = Int32Array.from(triangles.flat());
  }

  /** Column at `out[o]` for the corners at `corners[i]`, three coordinates each, m. Zeros when the volume is not above 0. */
  write(out: Float64Array, o: number, corners: Float64Array, i: number): void {
    const t = this.#triangles;
    const x0 = corners[i + 3 * t[0]];
    const y0 = corners[i + 3 * t[0] + 1];
    const z0 = corners[i + 3 * t[0] + 2];
    let v = 0;
    let area = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let xx = 0;
    let yy = 0;
    let zz = 0;
    let xy = 0;
    let xz = 0;
    let yz = 0;
    for (let k = 0; k < t.length; k += 3) {
      const a = i + 3 * t[k];
      const b = i + 3 * t[k + 1];
      const c = i + 3 * t[k + 2];
      const ax = corners[a] - x0;
      const ay = corners[a + 1] - y0;
      const az = corners[a + 2] - z0;
      const bx = corners[b] - x0;
      const by = corners[b + 1] - y0;
      const bz = corners[b + 2] - z0;
      const cx = corners[c] - x0;
      const cy = corners[c + 1] - y0;
      const cz = corners[c + 2] - z0;
      area += Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
      const d = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
      const sx = ax + bx + cx;
      const sy = ay + by + cy;
      const sz = az + bz + cz;
      v += d;
      mx += d * sx;
      my += d * sy;
      mz += d * sz;
      xx += d * (sx * sx + ax * ax + bx * bx + cx * cx);
      yy += d * (sy * sy + ay * ay + by * by + cy * cy);
      zz += d * (sz * sz + az * az + bz * bz + cz * cz);
      xy += d * (sx * sy + ax * ay + bx * by + cx * cy);
      xz += d * (sx * sz + ax * az + bx * bz + cx * cz);
      yz += d * (sy * sz + ay * az + by * bz + cy * cz);
    }
    if (v <= 0) {
      clearOverlap(out, o);
      return;
    }
    const volume = v / 6;
    const px = mx / (4 * v);
    const py = my / (4 * v);
    const pz = mz / (4 * v);
    out[o + OVERLAP.volume] = volume;
    out[o + OVERLAP.area] = 0.25 * area;
    out[o + OVERLAP.centroid] = x0 + px;
    out[o + OVERLAP.centroid + 1] = y0 + py;
    out[o + OVERLAP.centroid + 2] = z0 + pz;
    out[o + OVERLAP.second] = xx / 120 - volume * px * px;
    out[o + OVERLAP.second + 1] = yy / 120 - volume * py * py;
    out[o + OVERLAP.second + 2] = zz / 120 - volume * pz * pz;
    out[o + OVERLAP.second + 3] = xy / 120 - volume * px * py;
    out[o + OVERLAP.second + 4] = xz / 120 - volume * px * pz;
    out[o + OVERLAP.second + 5] = yz / 120 - volume * py * pz;
  }
}
