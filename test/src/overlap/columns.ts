/** Column of a form by name, and numerical integration that shares nothing with the forms. */
import assert from 'node:assert/strict';
import { OVERLAP, OVERLAP_SIZE } from '../../../src/overlap/metrics.ts';

/** Any form of src/overlap. */
export interface Form {
  write(out: Float64Array, o: number, pose: Float64Array, i: number): unknown;
}

/** A column as plain arrays. */
export interface Column {
  readonly volume: number;
  readonly area: number;
  readonly centroid: readonly number[];
  /** S: xx, yy, zz, xy, xz, yz. */
  readonly second: readonly number[];
}

/** Writes at an offset, between sentinels that must stay. */
export function column(form: Form, ...pose: readonly number[]): Column {
  const out = new Float64Array(OVERLAP_SIZE + 6).fill(7.5);
  form.write(out, 3, Float64Array.from([0, 0, ...pose]), 2);
  for (const k of [0, 1, 2, OVERLAP_SIZE + 3, OVERLAP_SIZE + 4, OVERLAP_SIZE + 5]) {
    assert.equal(out[k], 7.5, 'writes its own slots only');
  }
  const slots = [...out.slice(3, 3 + OVERLAP_SIZE)];
  return {
    volume: slots[OVERLAP.volume],
    area: slots[OVERLAP.area],
    centroid: slots.slice(OVERLAP.centroid, OVERLAP.second),
    second: slots.slice(OVERLAP.second),
  };
}

/** Is `got` within `tolerance`, relative to `want`? */
export function near(got: number, want: number, tolerance: number, what: string): void {
  const difference = Math.abs(got - want);
  assert.ok(difference <= tolerance * Math.abs(want), `${what}: ${got}, expected ${want}`);
}

/** Columns equal: volumes and moments relative, the centroid relative to `length`, moments to the largest. */
export function same(got: Column, want: Column, tolerance: number, length: number): void {
  near(got.volume, want.volume, tolerance, 'volume');
  near(got.area, want.area, tolerance, 'area');
  const largest = Math.max(...want.second.map(Math.abs));
  for (let k = 0; k < 3; k++) {
    const off = Math.abs(got.centroid[k] - want.centroid[k]);
    assert.ok(off <= tolerance * length, `centroid ${k}: ${got.centroid[k]}, ${want.centroid[k]}`);
  }
  for (let k = 0; k < 6; k++) {
    const off = Math.abs(got.second[k] - want.second[k]);
    assert.ok(off <= tolerance * largest, `S ${k}: ${got.second[k]}, ${want.second[k]}`);
  }
}

/** Parts taken as one; one may be empty. The area is left to the caller. */
export function join(a: Column, b: Column, area = 0): Column {
  if (a.volume === 0 || b.volume === 0) return { ...(a.volume === 0 ? b : a), area };
  const volume = a.volume + b.volume;
  const centroid = a.centroid.map((p, k) => (a.volume * p + b.volume * b.centroid[k]) / volume);
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  const apart = a.centroid.map((p, k) => p - b.centroid[k]);
  const part = (a.volume * b.volume) / volume;
  const second = pairs.map(([i, j], k) => a.second[k] + b.second[k] + part * apart[i] * apart[j]);
  return { volume, area, centroid, second };
}

/** Step and reach of the double-exponential rule: ends are met to 1e-16 of the range. */
const STEP = 1 / 16;
const REACH = 3.2;

/**
 * ∫ f over (from, to) by the double-exponential rule, x = tanh(π/2 sinh t): the ends may have any algebraic singularity. f gets x and the
 * distances from both ends, which keep their digits.
 */
export function integrate(
  from: number,
  to: number,
  f: (x: number, above: number, below: number) => number,
): number {
  let sum = 0;
  const range = to - from;
  for (let t = -REACH; t <= REACH; t += STEP) {
    const u = (Math.PI / 2) * Math.sinh(t);
    const above = range / (1 + Math.exp(-2 * u));
    const below = range / (1 + Math.exp(2 * u));
    const weight = (0.5 * range * (Math.PI / 2) * Math.cosh(t)) / Math.cosh(u) ** 2;
    sum += weight * f(from + above, above, below);
  }
  return sum * STEP;
}

/** Six integrals over columns of matter: z from `low` to `high` over the footprint |x| < half(y), y from `from` to `to`. */
export function columns(
  from: number,
  to: number,
  half: (y: number) => number,
  low: (x: number, y: number) => number,
  high: (x: number, y: number) => number,
): Column {
  const over = (f: (x: number, y: number, a: number, b: number) => number): number =>
    integrate(from, to, (y) => {
      const end = half(y);
      return 2 * integrate(0, end, (x) => f(x, y, low(x, y), high(x, y)));
    });
  const volume = over((_x, _y, a, b) => b - a);
  const cy = over((_x, y, a, b) => y * (b - a)) / volume;
  const cz = over((_x, _y, a, b) => 0.5 * (b - a) * (b + a)) / volume;
  const xx = over((x, _y, a, b) => x * x * (b - a));
  const yy = over((_x, y, a, b) => (y - cy) ** 2 * (b - a));
  const zz = over((_x, _y, a, b) => ((b - cz) ** 3 - (a - cz) ** 3) / 3);
  const yz = over((_x, y, a, b) => 0.5 * (y - cy) * ((b - cz) ** 2 - (a - cz) ** 2));
  return { volume, area: 0, centroid: [0, cy, cz], second: [xx, yy, zz, 0, 0, yz] };
}

/** ∂V/∂pose[k] by central differences of order 4. */
export function slope(form: Form, pose: readonly number[], k: number, step: number): number {
  const at = (shift: number): number =>
    column(form, ...pose.map((value, n) => (n === k ? value + shift * step : value))).volume;
  return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * step);
}
