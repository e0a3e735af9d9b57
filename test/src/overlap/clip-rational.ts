/**
 * The common part of two polytopes in exact arithmetic, by another way than clipping: corners are the points where three planes of both
 * meet and no plane leaves them out; each face is the ring of corners on its plane. Coordinates are fractions of whole numbers.
 */
import type { Overlap } from './clip-samples.ts';

/** n / d, d > 0, in lowest terms. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}
type Vector = readonly [Fraction, Fraction, Fraction];

function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  for (let y = b; y !== 0n; ) [x, y] = [y, x % y];
  return x;
}
function fraction(n: bigint, d: bigint): Fraction {
  const g = gcd(n, d < 0n ? -d : d) || 1n;
  return d < 0n ? { n: -n / g, d: -d / g } : { n: n / g, d: d / g };
}
const ZERO = fraction(0n, 1n);
const add = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const sub = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
const mul = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
const over = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d, a.d * b.n);

/** The double as it is: mantissa times a power of two. */
export function exact(value: number): Fraction {
  let d = 1n;
  let x = value;
  while (!Number.isInteger(x)) {
    x *= 2;
    d *= 2n;
  }
  return fraction(BigInt(x), d);
}

/** The nearest double, or its neighbour. */
export function rounded(a: Fraction): number {
  if (a.n === 0n) return 0;
  const bits = (v: bigint): number => (v < 0n ? -v : v).toString(2).length;
  const shift = 80 - (bits(a.n) - bits(a.d));
  const q = shift >= 0 ? (a.n << BigInt(shift)) / a.d : a.n / (a.d << BigInt(-shift));
  return Number(q) * 2 ** -shift;
}

const minus = (a: Vector, b: Vector): Vector => [sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])];
const dot = (a: Vector, b: Vector): Fraction =>
  add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
const cross = (a: Vector, b: Vector): Vector => [
  sub(mul(a[1], b[2]), mul(a[2], b[1])),
  sub(mul(a[2], b[0]), mul(a[0], b[2])),
  sub(mul(a[0], b[1]), mul(a[1], b[0])),
];
const isZero = (v: Vector): boolean => v.every(({ n }) => n === 0n);

/** n·p <= d. */
interface Plane {
  readonly n: Vector;
  readonly d: Fraction;
}

/** Planes through three corners each that have all other corners on one side: faces of the hull of a few points. */
export function hullPlanes(points: readonly (readonly number[])[]): Plane[] {
  const p = points.map((point): Vector => [exact(point[0]), exact(point[1]), exact(point[2])]);
  const planes: Plane[] = [];
  for (let a = 0; a < p.length; a++) {
    for (let b = a + 1; b < p.length; b++) {
      for (let c = b + 1; c < p.length; c++) {
        const n = cross(minus(p[b], p[a]), minus(p[c], p[a]));
        if (isZero(n)) continue;
        const sides = p.map((point) => dot(n, minus(point, p[a])).n);
        if (sides.every((s) => s <= 0n)) planes.push({ n, d: dot(n, p[a]) });
        else if (sides.every((s) => s >= 0n)) {
          const back: Vector = [sub(ZERO, n[0]), sub(ZERO, n[1]), sub(ZERO, n[2])];
          planes.push({ n: back, d: dot(back, p[a]) });
        }
      }
    }
  }
  return planes;
}

/** Same half-space, whatever the length of the normal. */
function samePlane(a: Plane, b: Plane): boolean {
  if (!isZero(cross(a.n, b.n)) || dot(a.n, b.n).n < 0n) return false;
  const k = a.n.findIndex(({ n }) => n !== 0n);
  const scale = over(b.n[k], a.n[k]);
  return sub(mul(a.d, scale), b.d).n === 0n;
}

function meet(a: Plane, b: Plane, c: Plane): Vector | null {
  const bc = cross(b.n, c.n);
  const det = dot(a.n, bc);
  if (det.n === 0n) return null;
  const ca = cross(c.n, a.n);
  const ab = cross(a.n, b.n);
  const at = (k: 0 | 1 | 2): Fraction =>
    over(add(add(mul(a.d, bc[k]), mul(b.d, ca[k])), mul(c.d, ab[k])), det);
  return [at(0), at(1), at(2)];
}

/** Corners of a face in order around it, counter-clockwise seen from outside. */
function ring(points: readonly Vector[], normal: Vector): Vector[] {
  const rest = [...points];
  const loop = [rest[0]];
  // from each corner to the one that has all others on its left
  while (loop.length < points.length) {
    const from = loop[loop.length - 1];
    const next = rest.find(
      (to) =>
        to !== from &&
        rest.every((p) => dot(normal, cross(minus(to, from), minus(p, from))).n >= 0n),
    );
    if (next === undefined) throw new Error('no ring');
    loop.push(next);
  }
  return loop;
}

/** The common part; null when it has no volume. Area, vector area and gap are not worked out. */
export function commonPart(all: readonly Plane[]): Overlap | null {
  const planes = all.filter(
    (plane, k) => !all.slice(0, k).some((other) => samePlane(other, plane)),
  );
  const corners = new Map<string, Vector>();
  for (let a = 0; a < planes.length; a++) {
    for (let b = a + 1; b < planes.length; b++) {
      for (let c = b + 1; c < planes.length; c++) {
        const p = meet(planes[a], planes[b], planes[c]);
        if (p === null || planes.some(({ n, d }) => sub(dot(n, p), d).n > 0n)) continue;
        corners.set(p.map(({ n, d }) => `${n}/${d}`).join(), p);
      }
    }
  }
  const points = [...corners.values()];
  if (points.length < 4) return null;
  const o = points[0];
  const order = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  let six = ZERO;
  const first = [ZERO, ZERO, ZERO];
  const second = order.map(() => ZERO);
  for (const plane of planes) {
    const here = points.filter((p) => sub(dot(plane.n, p), plane.d).n === 0n);
    if (here.length < 3) continue;
    const loop = ring(here, plane.n).map((p) => minus(p, o));
    for (let k = 1; k + 1 < loop.length; k++) {
      const [a, b, c] = [loop[0], loop[k], loop[k + 1]];
      const d = dot(a, cross(b, c));
      const s = [0, 1, 2].map((m) => add(add(a[m], b[m]), c[m]));
      six = add(six, d);
      for (let m = 0; m < 3; m++) first[m] = add(first[m], mul(d, s[m]));
      order.forEach(([p, q], m) => {
        const squares = [a, b, c].map((v) => mul(v[p], v[q])).reduce(add);
        second[m] = add(second[m], mul(d, add(mul(s[p], s[q]), squares)));
      });
    }
  }
  if (six.n <= 0n) return null;
  const volume = over(six, exact(6));
  const center = first.map((m) => over(m, mul(exact(4), six)));
  return {
    volume: rounded(volume),
    area: 0,
    centroid: center.map((value, k) => rounded(add(value, o[k]))),
    second: order.map(([p, q], m) =>
      rounded(sub(over(second[m], exact(120)), mul(volume, mul(center[p], center[q])))),
    ),
    vectorArea: [],
    gap: 0,
  };
}
