/**
 * The point of a simplex of up to four points that is closest to the origin. It tries every part
 * that contains the newest point; the nearest part whose own closest point lies inside it wins.
 * This is slower than a walk over the regions by signs, but no wrong sign can mislead it.
 */
import { Vertices } from './minkowski.ts';

/** Relative determinant below which a part counts as flat; its own parts then decide. */
const FLAT = 1e-28;

/** Up to four points of a Minkowski difference; the newest is the last one. */
export class Simplex {
  readonly vertices: Vertices = new Vertices(4);
  /** Number of points, 1 to 4. */
  count = 0;
  /** Weights of the points at the closest point. */
  readonly weight: Float64Array = new Float64Array(4);
  /** Closest point to the origin. */
  readonly closest: Float64Array = new Float64Array(3);
  /** Unit vector from the origin to it. */
  readonly normal: Float64Array = new Float64Array(3);
  /** [its distance, square of it] */
  readonly distance: Float64Array = new Float64Array(2);
  /** Whether the last reduction brought the simplex closer. */
  improved = false;
  private readonly trialWeight: Float64Array = new Float64Array(4);
  private readonly trial: Float64Array = new Float64Array(3);
  private readonly face: Float64Array = new Float64Array(3);
  private isFace = false;

  /** Restarts with vertex 0. @alloc none */
  start(): void {
    this.count = 1;
    this.distance[1] = Number.POSITIVE_INFINITY;
    this.reduce();
  }

  /**
   * Adds vertex count − 1. The closest point moves, and vertices without weight are dropped.
   * Without progress `improved` becomes false and nothing changes. @returns whether the simplex
   * contains the origin @alloc none
   */
  reduce(): boolean {
    const last = this.count - 1;
    this.improved = false;
    this.point(last);
    for (let k = 0; k < last; k++) this.edge(last, k);
    for (let k = 0; k < last; k++) {
      for (let m = k + 1; m < last; m++) this.triangle(last, k, m);
    }
    if (this.count === 4 && this.holdsOrigin()) return true;
    if (this.improved) this.keep();
    else this.count = last;
    return false;
  }

  private point(p: number): void {
    const { w } = this.vertices;
    const x = w[3 * p];
    const y = w[3 * p + 1];
    const z = w[3 * p + 2];
    this.trialWeight.fill(0);
    this.trialWeight[p] = 1;
    this.trial[0] = x;
    this.trial[1] = y;
    this.trial[2] = z;
    this.take(false);
  }

  private edge(p: number, q: number): void {
    const { w } = this.vertices;
    const x = w[3 * p];
    const y = w[3 * p + 1];
    const z = w[3 * p + 2];
    const ex = w[3 * q] - x;
    const ey = w[3 * q + 1] - y;
    const ez = w[3 * q + 2] - z;
    const t = -(x * ex + y * ey + z * ez) / (ex * ex + ey * ey + ez * ez);
    if (!(t > 0 && t < 1)) return;
    this.trialWeight.fill(0);
    this.trialWeight[p] = 1 - t;
    this.trialWeight[q] = t;
    this.trial[0] = x + t * ex;
    this.trial[1] = y + t * ey;
    this.trial[2] = z + t * ez;
    this.take(false);
  }

  private triangle(p: number, q: number, r: number): void {
    const { w } = this.vertices;
    const x = w[3 * p];
    const y = w[3 * p + 1];
    const z = w[3 * p + 2];
    const ex = w[3 * q] - x;
    const ey = w[3 * q + 1] - y;
    const ez = w[3 * q + 2] - z;
    const fx = w[3 * r] - x;
    const fy = w[3 * r + 1] - y;
    const fz = w[3 * r + 2] - z;
    const nx = ey * fz - ez * fy;
    const ny = ez * fx - ex * fz;
    const nz = ex * fy - ey * fx;
    const square = nx * nx + ny * ny + nz * nz;
    const size = (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz);
    if (!(square > FLAT * size)) return;
    // barycentric coordinates of the foot of the origin: areas of the part triangles along the
    // normal
    const u = (nx * (z * fy - y * fz) + ny * (x * fz - z * fx) + nz * (y * fx - x * fy)) / square;
    const v = (nx * (y * ez - z * ey) + ny * (z * ex - x * ez) + nz * (x * ey - y * ex)) / square;
    if (!(u > 0 && v > 0 && u + v < 1)) return;
    this.trialWeight.fill(0);
    this.trialWeight[p] = 1 - u - v;
    this.trialWeight[q] = u;
    this.trialWeight[r] = v;
    const k = (x * nx + y * ny + z * nz) / square;
    const length = (k < 0 ? -1 : 1) / Math.sqrt(square);
    this.face[0] = nx * length;
    this.face[1] = ny * length;
    this.face[2] = nz * length;
    this.trial[0] = k * nx;
    this.trial[1] = k * ny;
    this.trial[2] = k * nz;
    this.take(true);
  }

  /** Takes the closest point in `trial` with its weights when it is nearer than the present one. */
  private take(isFace: boolean): void {
    const { trial } = this;
    const square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    if (!(square < this.distance[1])) return;
    this.distance[1] = square;
    for (let k = 0; k < 3; k++) {
      this.closest[k] = trial[k];
      // the normal of a face keeps its digits when the face is close to the origin
      if (isFace) this.normal[k] = this.face[k];
    }
    for (let k = 0; k < 4; k++) this.weight[k] = this.trialWeight[k];
    this.improved = true;
    this.isFace = isFace;
  }

  /** Whether the origin is inside: its barycentric coordinates, by Cramer's rule, are not negative. */
  private holdsOrigin(): boolean {
    const { w } = this.vertices;
    const x = -w[9];
    const y = -w[10];
    const z = -w[11];
    const ax = w[0] + x;
    const ay = w[1] + y;
    const az = w[2] + z;
    const bx = w[3] + x;
    const by = w[4] + y;
    const bz = w[5] + z;
    const cx = w[6] + x;
    const cy = w[7] + y;
    const cz = w[8] + z;
    // rows of the inverse of [a b c], times its determinant
    const px = by * cz - bz * cy;
    const py = bz * cx - bx * cz;
    const pz = bx * cy - by * cx;
    const whole = ax * px + ay * py + az * pz;
    if (whole === 0) return false;
    const u = (x * px + y * py + z * pz) / whole;
    const v = (x * (cy * az - cz * ay) + y * (cz * ax - cx * az) + z * (cx * ay - cy * ax)) / whole;
    const t = (x * (ay * bz - az * by) + y * (az * bx - ax * bz) + z * (ax * by - ay * bx)) / whole;
    return u >= 0 && v >= 0 && t >= 0 && u + v + t <= 1;
  }

  /** Moves the points with weight to the front. */
  private keep(): void {
    let kept = 0;
    for (let k = 0; k < this.count; k++) {
      const weight = this.weight[k];
      if (!(weight > 0)) continue;
      if (k !== kept) this.vertices.copy(kept, this.vertices, k);
      this.weight[kept] = weight;
      kept++;
    }
    this.count = kept;
    this.distance[0] = Math.sqrt(this.distance[1]);
    if (this.isFace) return;
    for (let k = 0; k < 3; k++) this.normal[k] = this.closest[k] / this.distance[0];
  }
}
