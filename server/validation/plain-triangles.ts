/**
 * Distances of triangles and winding numbers by plain formulas over all features, without tree, tie rule or memory: the other method beside the
 * queries of facets.
 */
export type Point = readonly [number, number, number];

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const along = (a: Point, d: Point, t: number): Point => [
  a[0] + t * d[0],
  a[1] + t * d[1],
  a[2] + t * d[2],
];

function pointSegment(p: Point, a: Point, b: Point): number {
  const d = minus(b, a);
  const t = Math.max(0, Math.min(1, dot(minus(p, a), d) / dot(d, d)));
  const off = minus(p, along(a, d, t));
  return Math.sqrt(dot(off, off));
}

/** Distance of a point from a triangle: over the face by barycentric coordinates, else the nearest edge. */
export function pointTriangle(p: Point, [a, b, c]: readonly Point[]): number {
  const n = cross(minus(b, a), minus(c, a));
  const square = dot(n, n);
  const u = dot(cross(minus(c, b), minus(p, b)), n) / square;
  const v = dot(cross(minus(a, c), minus(p, c)), n) / square;
  const w = dot(cross(minus(b, a), minus(p, a)), n) / square;
  if (u >= 0 && v >= 0 && w >= 0) return Math.abs(dot(minus(p, a), n)) / Math.sqrt(square);
  return Math.min(pointSegment(p, a, b), pointSegment(p, b, c), pointSegment(p, c, a));
}

/** Distance of two segments: ends, and where both feet of the common normal lie inside. */
function segmentSegment(p: Point, q: Point, a: Point, b: Point): number {
  let best = Math.min(
    pointSegment(p, a, b),
    pointSegment(q, a, b),
    pointSegment(a, p, q),
    pointSegment(b, p, q),
  );
  const d = minus(q, p);
  const e = minus(b, a);
  const n = cross(d, e);
  const square = dot(n, n);
  if (!(square > 1e-18 * dot(d, d) * dot(e, e))) return best;
  const r = minus(a, p);
  const s = dot(cross(r, e), n) / square;
  const t = dot(cross(r, d), n) / square;
  if (s > 0 && s < 1 && t > 0 && t < 1)
    best = Math.min(best, Math.abs(dot(r, n)) / Math.sqrt(square));
  return best;
}

/** Whether a segment goes through a triangle. */
function pierces(p: Point, q: Point, [a, b, c]: readonly Point[]): boolean {
  const n = cross(minus(b, a), minus(c, a));
  const h = dot(minus(p, a), n);
  const g = dot(minus(q, a), n);
  if (h * g > 0 || h === g) return false;
  const x = along(p, minus(q, p), h / (h - g));
  return (
    dot(cross(minus(b, a), minus(x, a)), n) >= 0 &&
    dot(cross(minus(c, b), minus(x, b)), n) >= 0 &&
    dot(cross(minus(a, c), minus(x, c)), n) >= 0
  );
}

/** Distance of two triangles, 0 where they cut each other. */
export function triangleTriangle(s: readonly Point[], t: readonly Point[]): number {
  let best = Infinity;
  for (let k = 0; k < 3; k++) {
    if (pierces(s[k], s[(k + 1) % 3], t) || pierces(t[k], t[(k + 1) % 3], s)) return 0;
    best = Math.min(best, pointTriangle(s[k], t), pointTriangle(t[k], s));
    for (let m = 0; m < 3; m++)
      best = Math.min(best, segmentSegment(s[k], s[(k + 1) % 3], t[m], t[(m + 1) % 3]));
  }
  return best;
}

/** How often closed triangles wind around a point: the sum of their solid angles over 4 π. `Van Oosterom & Strackee 1983`. */
export function windingNumber(p: Point, triangles: readonly (readonly Point[])[]): number {
  let sum = 0;
  for (const [a, b, c] of triangles) {
    const [x, y, z] = [minus(a, p), minus(b, p), minus(c, p)];
    const [i, j, k] = [Math.hypot(...x), Math.hypot(...y), Math.hypot(...z)];
    const top = dot(x, cross(y, z));
    const bottom = i * j * k + dot(x, y) * k + dot(y, z) * i + dot(z, x) * j;
    sum += 2 * Math.atan2(top, bottom);
  }
  return sum / (4 * Math.PI);
}
