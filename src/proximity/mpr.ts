/**
 * Minkowski Portal Refinement after Snethen (XenoCollide, 2008): a triangle of support points, the
 * portal, moves along the ray from an interior point of C = A − B through the origin. It ends when
 * the tetrahedron of both contains the origin, or when a support point shows that C does not reach
 * the origin.
 *
 * The portal where the ray leaves C only bounds the penetration from above, and jumps when the ray
 * passes an edge. Here the tetrahedron is the start of the expansion (expansion.ts), which finds
 * the exact depth. No point is ever rescaled.
 */
import type { MinkowskiDifference, Vertices } from './minkowski.ts';

/** Largest number of portals. */
const PORTALS = 64;
/** Relative cross product below which vectors are parallel. */
const PARALLEL = 1e-12;
/** Shift of an interior point that coincides with the origin, relative to the scale. */
const SHIFT = 1e-7;

/** Work space: vertex 0 of the tetrahedron is the interior point; 1, 2, 3 are the portal. */
export class PortalSearch {
  /** Support points of the last run. */
  iterations = 0;
  private readonly space: MinkowskiDifference;
  private readonly vertices: Vertices;
  private readonly normal: Float64Array = new Float64Array(3);

  /** `vertices` must have room for 5. */
  constructor(space: MinkowskiDifference, vertices: Vertices) {
    this.space = space;
    this.vertices = vertices;
  }

  /**
   * Searches a tetrahedron that contains the origin, at least on its surface. @returns whether
   * there is one @alloc none
   */
  run(): boolean {
    const { space, vertices, normal } = this;
    const w = vertices.w;
    const scale = space.scale[0];
    this.iterations = 0;
    space.interior(vertices, 0);
    const nearest = SHIFT * scale;
    if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < nearest * nearest) w[0] += nearest;
    normal[0] = -w[0];
    normal[1] = -w[1];
    normal[2] = -w[2];
    if (!this.seek(1)) return false;
    // the plane of interior point, first corner and origin
    if (!this.crossInterior(1)) {
      // the origin lies between the interior point and the corner: any tetrahedron on that edge
      // contains it
      perpendicular(normal, w);
      return this.seek(2) && this.span(1, 2) && this.seek(3) && this.hasVolume();
    }
    if (!this.seek(2)) return false;
    if (!this.span(1, 2)) return false;
    if (normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2] > 0) {
      vertices.copy(4, vertices, 1);
      vertices.copy(1, vertices, 2);
      vertices.copy(2, vertices, 4);
      for (let k = 0; k < 3; k++) normal[k] = -normal[k];
    }
    return this.enclose() && this.refine();
  }

  /** Rotates the portal about the ray until the ray passes through it. */
  private enclose(): boolean {
    const { vertices } = this;
    while (this.iterations < PORTALS) {
      if (!this.seek(3)) return false;
      if (this.outside(1, 3)) vertices.copy(2, vertices, 3);
      else if (this.outside(3, 2)) vertices.copy(1, vertices, 3);
      else return true;
      if (!this.span(1, 2)) return false;
    }
    return false;
  }

  /** Moves the portal outwards until the origin is behind it. */
  private refine(): boolean {
    const { space, vertices, normal } = this;
    const w = vertices.w;
    while (this.iterations < PORTALS) {
      if (!this.portalNormal()) return false;
      if (normal[0] * w[3] + normal[1] * w[4] + normal[2] * w[5] >= 0) return true;
      if (!this.seek(4)) return false;
      const gain =
        normal[0] * (w[12] - w[3]) + normal[1] * (w[13] - w[4]) + normal[2] * (w[14] - w[5]);
      if (!(gain > PARALLEL * space.scale[0])) return false;
      // the plane of interior point, origin and new corner decides which part the ray passes
      const first = this.outside(4, 1);
      if (first ? this.outside(4, 2) : !this.outside(4, 3)) vertices.copy(1, vertices, 4);
      else vertices.copy(first ? 3 : 2, vertices, 4);
    }
    return false;
  }

  /** Vertex `at` := support point along `normal` (of any length). @returns false when C ends before the origin */
  private seek(at: number): boolean {
    const { normal, vertices } = this;
    const w = vertices.w;
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (let k = 0; k < 3; k++) normal[k] /= -length;
    this.space.support(normal, vertices, at);
    for (let k = 0; k < 3; k++) normal[k] = -normal[k];
    this.iterations++;
    const reach = normal[0] * w[3 * at] + normal[1] * w[3 * at + 1] + normal[2] * w[3 * at + 2];
    return reach >= -PARALLEL * this.space.scale[0];
  }

  /** (w_p × w_q)·w_0 < 0: the origin is outside the plane through w_0, w_p, w_q. */
  private outside(p: number, q: number): boolean {
    const w = this.vertices.w;
    const x = w[3 * p + 1] * w[3 * q + 2] - w[3 * p + 2] * w[3 * q + 1];
    const y = w[3 * p + 2] * w[3 * q] - w[3 * p] * w[3 * q + 2];
    const z = w[3 * p] * w[3 * q + 1] - w[3 * p + 1] * w[3 * q];
    return x * w[0] + y * w[1] + z * w[2] < 0;
  }

  /** normal := w_p × w_0; false when they are parallel. */
  private crossInterior(p: number): boolean {
    const { normal: n, vertices } = this;
    const w = vertices.w;
    n[0] = w[3 * p + 1] * w[2] - w[3 * p + 2] * w[1];
    n[1] = w[3 * p + 2] * w[0] - w[3 * p] * w[2];
    n[2] = w[3 * p] * w[1] - w[3 * p + 1] * w[0];
    const square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const size =
      (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) *
      (w[3 * p] * w[3 * p] + w[3 * p + 1] * w[3 * p + 1] + w[3 * p + 2] * w[3 * p + 2]);
    return square > PARALLEL * PARALLEL * size;
  }

  /** normal := (w_p − w_0) × (w_q − w_0); false when the three lie on a line. */
  private span(p: number, q: number): boolean {
    return crossEdges(this.normal, this.vertices.w, 0, p, q);
  }

  private portalNormal(): boolean {
    return crossEdges(this.normal, this.vertices.w, 1, 2, 3);
  }

  private hasVolume(): boolean {
    const { normal: n, vertices } = this;
    const w = vertices.w;
    return n[0] * (w[9] - w[0]) + n[1] * (w[10] - w[1]) + n[2] * (w[11] - w[2]) > 0;
  }
}

/** out := (w_q − w_p) × (w_r − w_p). @returns false when that is zero up to rounding @alloc none */
export function crossEdges(
  out: Float64Array,
  w: Float64Array,
  p: number,
  q: number,
  r: number,
): boolean {
  const ex = w[3 * q] - w[3 * p];
  const ey = w[3 * q + 1] - w[3 * p + 1];
  const ez = w[3 * q + 2] - w[3 * p + 2];
  const fx = w[3 * r] - w[3 * p];
  const fy = w[3 * r + 1] - w[3 * p + 1];
  const fz = w[3 * r + 2] - w[3 * p + 2];
  const x = ey * fz - ez * fy;
  const y = ez * fx - ex * fz;
  const z = ex * fy - ey * fx;
  out[0] = x;
  out[1] = y;
  out[2] = z;
  const size = (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz);
  return x * x + y * y + z * z > PARALLEL * PARALLEL * size;
}

/** A vector perpendicular to w[0..2], odd in it. */
function perpendicular(out: Float64Array, w: Float64Array): void {
  const ax = Math.abs(w[0]);
  const ay = Math.abs(w[1]);
  const az = Math.abs(w[2]);
  out.fill(0);
  if (ax <= ay && ax <= az) {
    out[1] = w[2];
    out[2] = -w[1];
  } else if (ay <= az) {
    out[0] = -w[2];
    out[2] = w[0];
  } else {
    out[0] = w[1];
    out[1] = -w[0];
  }
}
