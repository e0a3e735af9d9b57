/** Vectors of three numbers while a file is read. */
import type { Triple } from '../../src/base/tuples.ts';

/** a · b */
export const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** a × b */
export const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** a + s b */
export const along = (a: Triple, s: number, b: Triple): Triple => [
  a[0] + s * b[0],
  a[1] + s * b[1],
  a[2] + s * b[2],
];

/** a − b */
export const minus = (a: Triple, b: Triple): Triple => along(a, -1, b);

/** s a */
export const times = (s: number, a: Triple): Triple => [s * a[0], s * a[1], s * a[2]];

/** |a| */
export const length = (a: Triple): number => Math.sqrt(dot(a, a));

/** The sides of the box around points. */
export function boxOf(points: Iterable<Triple>): { readonly low: Triple; readonly high: Triple } {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (let a = 0; a < 3; a++) {
      low[a] = Math.min(low[a], point[a]);
      high[a] = Math.max(high[a], point[a]);
    }
  }
  return { low, high };
}
