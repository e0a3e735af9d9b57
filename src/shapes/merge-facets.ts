/**
 * Facets of a triangle mesh, with coplanar triangles merged: every facet more is a contact spring more. It allocates and is for construction.
 */
import type { FacetedSurface } from './facets.ts';
import { doubleArea, meshExtent, type TriangleMesh } from './triangle-mesh.ts';

/** Sine of the angle of two normals, and offset over the extent, up to which triangles lie in one plane. */
const SAME_NORMAL = 1e-6;
const SAME_OFFSET = 1e-9;
/** Sine of the angle by which a merged polygon may bend inward. */
const CONVEX = 1e-9;

/** The triangles of a mesh without two equal corners, as facets; those that lie in one plane are merged while the union stays convex. */
export function meshSurface(mesh: TriangleMesh): FacetedSurface {
  return new Merging(mesh).surface();
}

/** Polygons under merging: each begins as a triangle, and takes its neighbours in the order of the triangles. */
class Merging {
  private readonly mesh: TriangleMesh;
  private readonly polygons: (number[] | null)[] = [];
  /** Polygon that has the directed edge. */
  private readonly along = new Map<number, number>();
  private readonly normals: (readonly [number, number, number])[] = [];
  private readonly nearest: number;

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    this.nearest = SAME_OFFSET * meshExtent(mesh);
    const { triangles } = mesh;
    for (let k = 0; k < triangles.length; k += 3) {
      const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
      const [x, y, z] = doubleArea(mesh, k / 3);
      const length = Math.sqrt(x * x + y * y + z * z);
      if (!(length > 0)) continue;
      const polygon = this.polygons.length;
      this.polygons.push(corners);
      this.normals.push([x / length, y / length, z / length]);
      this.claim(polygon, corners);
    }
  }

  surface(): FacetedSurface {
    for (let p = 0; p < this.polygons.length; p++) {
      while (this.grow(p));
    }
    const polygons = this.polygons.filter((polygon) => polygon !== null);
    return { vertices: [...this.mesh.vertices], polygons };
  }

  private key(from: number, to: number): number {
    return (from * this.mesh.vertices.length) / 3 + to;
  }

  private claim(polygon: number, corners: readonly number[]): void {
    corners.forEach((from, k) => {
      this.along.set(this.key(from, corners[(k + 1) % corners.length]), polygon);
    });
  }

  /** Merges polygon p with the first neighbour that it can; whether there was one. */
  private grow(p: number): boolean {
    const mine = this.polygons[p];
    if (mine === null) return false;
    for (let k = 0; k < mine.length; k++) {
      const q = this.along.get(this.key(mine[(k + 1) % mine.length], mine[k]));
      if (q === undefined || q === p) continue;
      const other = this.polygons[q];
      if (other === null || !this.inOnePlane(p, other, q)) continue;
      const union = joined(mine, k, other);
      if (union === null || !this.isConvex(union, this.normals[p])) continue;
      this.polygons[p] = union;
      this.polygons[q] = null;
      this.claim(p, union);
      return true;
    }
    return false;
  }

  private inOnePlane(p: number, other: readonly number[], q: number): boolean {
    const a = this.normals[p];
    const b = this.normals[q];
    if (!(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0)) return false;
    const x = a[1] * b[2] - a[2] * b[1];
    const y = a[2] * b[0] - a[0] * b[2];
    const z = a[0] * b[1] - a[1] * b[0];
    if (x * x + y * y + z * z > SAME_NORMAL * SAME_NORMAL) return false;
    const base = this.polygons[p]?.[0] ?? 0;
    return other.every((corner) => Math.abs(this.height(base, corner, a)) <= this.nearest);
  }

  private height(from: number, to: number, n: readonly number[]): number {
    const v = this.mesh.vertices;
    let sum = 0;
    for (let a = 0; a < 3; a++) sum += n[a] * (v[3 * to + a] - v[3 * from + a]);
    return sum;
  }

  private isConvex(polygon: readonly number[], n: readonly number[]): boolean {
    const v = this.mesh.vertices;
    const count = polygon.length;
    return polygon.every((corner, k) => {
      const p = 3 * polygon[(k + count - 1) % count];
      const q = 3 * corner;
      const r = 3 * polygon[(k + 1) % count];
      const [ax, ay, az] = [v[q] - v[p], v[q + 1] - v[p + 1], v[q + 2] - v[p + 2]];
      const [bx, by, bz] = [v[r] - v[q], v[r + 1] - v[q + 1], v[r + 2] - v[q + 2]];
      const bend =
        n[0] * (ay * bz - az * by) + n[1] * (az * bx - ax * bz) + n[2] * (ax * by - ay * bx);
      const size = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
      return bend >= -CONVEX * size;
    });
  }
}

/**
 * The union of two polygons over the edge of `mine` from corner k on, and over every further edge that they share beside it; null when a
 * vertex would be there twice.
 */
function joined(mine: readonly number[], k: number, other: readonly number[]): number[] | null {
  const n = mine.length;
  const m = other.length;
  let start = k; // first and last shared corner of mine
  let end = (k + 1) % n;
  let from = other.indexOf(mine[end]); // other runs from `end` to `start`
  let to = other.indexOf(mine[start]);
  while (n > 2 && mine[(end + 1) % n] === other[(from + m - 1) % m] && (end + 1) % n !== start) {
    end = (end + 1) % n;
    from = (from + m - 1) % m;
  }
  while (mine[(start + n - 1) % n] === other[(to + 1) % m] && (start + n - 1) % n !== end) {
    start = (start + n - 1) % n;
    to = (to + 1) % m;
  }
  const union: number[] = [];
  for (let a = end; a !== start; a = (a + 1) % n) union.push(mine[a]);
  for (let a = to; a !== from; a = (a + 1) % m) union.push(other[a]);
  return union.length >= 3 && new Set(union).size === union.length ? union : null;
}
