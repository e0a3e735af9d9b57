/**
 * Faceted surfaces of plain shapes, and of triangle meshes with their coplanar triangles merged: every facet more is a contact spring more.
 * It allocates and is for construction.
 */
import { cos, sin } from '../math/elementary/circular.ts';
import type { FacetedSurface } from './facets.ts';
import { doubleArea, meshExtent, type TriangleMesh } from './triangle-mesh.ts';

/** Sine of the angle of two normals, and offset over the extent, up to which triangles lie in one plane. */
const SAME_NORMAL = 1e-6;
const SAME_OFFSET = 1e-9;
/** Sine of the angle by which a merged polygon may bend inward. */
const CONVEX = 1e-9;

/** Angle of division k of n around a circle. */
const part = (k: number, n: number): number => (2 * Math.PI * k) / n;

/** A box about the origin, six rectangles. */
export function boxSurface(size: readonly [number, number, number]): FacetedSurface {
  const [x, y, z] = size.map((length) => length / 2);
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [
    k & 1 ? x : -x,
    k & 2 ? y : -y,
    k & 4 ? z : -z,
  ]);
  const polygons = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { vertices, polygons };
}

/** A cone frustum on the plane z = 0: `around` trapezoids, base and top; vertices on the round surface, one at azimuth 0. */
export function frustumSurface(
  radius: number,
  topRadius: number,
  length: number,
  around: number,
): FacetedSurface {
  const ring = Array.from({ length: around }, (_, k) => k);
  const vertices = [
    [radius, 0],
    [topRadius, length],
  ].flatMap(([r, z]) =>
    ring.flatMap((k) => [r * cos(part(k, around)), r * sin(part(k, around)), z]),
  );
  const sides = ring.map((k) => {
    const next = (k + 1) % around;
    return [k, next, around + next, around + k];
  });
  const top = ring.map((k) => around + k);
  return { vertices, polygons: [...sides, [...ring].reverse(), top] };
}

/**
 * A torus about z: `around` × `across` trapezoids; vertices on the round surface, one at azimuth 0 and one of each meridian on the outer
 * equator.
 */
export function torusSurface(
  radius: number,
  tubeRadius: number,
  around: number,
  across: number,
): FacetedSurface {
  const vertices: number[] = [];
  for (let k = 0; k < around; k++) {
    const c = cos(part(k, around));
    const s = sin(part(k, around));
    for (let m = 0; m < across; m++) {
      const r = radius + tubeRadius * cos(part(m, across));
      vertices.push(r * c, r * s, tubeRadius * sin(part(m, across)));
    }
  }
  const at = (k: number, m: number): number => (k % around) * across + (m % across);
  const polygons: number[][] = [];
  for (let k = 0; k < around; k++) {
    for (let m = 0; m < across; m++) {
      polygons.push([at(k, m), at(k + 1, m), at(k + 1, m + 1), at(k, m + 1)]);
    }
  }
  return { vertices, polygons };
}

/** A surface at another place: R x + p, R row by row. */
export function placedSurface(
  { vertices, polygons }: FacetedSurface,
  rotation: ArrayLike<number>,
  position: ArrayLike<number>,
): FacetedSurface {
  const r = rotation;
  const moved: number[] = [];
  for (let k = 0; k < vertices.length; k += 3) {
    const [x, y, z] = [vertices[k], vertices[k + 1], vertices[k + 2]];
    for (let a = 0; a < 3; a++)
      moved.push(r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z + position[a]);
  }
  return { vertices: moved, polygons };
}

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
