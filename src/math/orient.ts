/** Exact test on which side of a plane a point lies. It allocates when the answer is close and is for construction. */
import { log2 } from './elementary/logarithm.ts';

type Point = readonly [number, number, number];

/** Bound on the rounding of the determinant relative to the sum of its absolute terms: (7 + 56 u) u with u = 2⁻⁵³. */
const ROUNDING = 7.771561172376103e-16;

/**
 * Sign of the volume of the tetrahedron a, b, c, d: positive when d lies on the side from which a,
 * b, c run counter-clockwise, 0 when the four points lie in one plane exactly. It uses floating
 * point where rounding cannot matter, else integers.
 * @source Shewchuk 1997, Discrete Comput. Geom. 18, 305–363, for the bound
 */
export function orient(a: Point, b: Point, c: Point, d: Point): number {
  const [ux, uy, uz] = [a[0] - d[0], a[1] - d[1], a[2] - d[2]];
  const [vx, vy, vz] = [b[0] - d[0], b[1] - d[1], b[2] - d[2]];
  const [wx, wy, wz] = [c[0] - d[0], c[1] - d[1], c[2] - d[2]];
  const value = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  const size =
    Math.abs(ux) * (Math.abs(vy * wz) + Math.abs(vz * wy)) +
    Math.abs(uy) * (Math.abs(vz * wx) + Math.abs(vx * wz)) +
    Math.abs(uz) * (Math.abs(vx * wy) + Math.abs(vy * wx));
  if (Math.abs(value) > ROUNDING * size) return value > 0 ? -1 : 1;
  return exactSign(a, b, c, d);
}

/**
 * Side by integer arithmetic. A double is an integer times a power of two; in units of the smallest
 * power all twelve are integers.
 */
function exactSign(...points: readonly Point[]): number {
  const parts = points.flat().map(mantissa);
  const least = Math.min(...parts.map(({ exponent }) => exponent));
  const x = parts.map(({ whole, exponent }) => whole << BigInt(exponent - least));
  const from = (k: number, axis: number): bigint => x[3 * k + axis] - x[9 + axis];
  const value =
    from(0, 0) * (from(1, 1) * from(2, 2) - from(1, 2) * from(2, 1)) +
    from(0, 1) * (from(1, 2) * from(2, 0) - from(1, 0) * from(2, 2)) +
    from(0, 2) * (from(1, 0) * from(2, 1) - from(1, 1) * from(2, 0));
  if (value === 0n) return 0;
  return value > 0n ? -1 : 1;
}

/** value = whole · 2^exponent */
function mantissa(value: number): { readonly whole: bigint; readonly exponent: number } {
  if (value === 0) return { whole: 0n, exponent: 0 };
  const exponent = Math.max(-1074, Math.floor(log2(Math.abs(value))) - 53);
  // two exact steps, because 2^-exponent may exceed the largest double
  const half = Math.trunc(exponent / 2);
  return { whole: BigInt(value * 2 ** -half * 2 ** (half - exponent)), exponent };
}
