/** Kernels at placements: columns by name, frames that move as one, finite differences, and integration that shares nothing with them. */
import assert from 'node:assert/strict';
import { Random } from '../../../src/math/random.ts';
import { COLUMN_SIZE, type OverlapKernel } from '../../../src/overlap/kernel.ts';
import { integrate } from './columns.ts';
import { named, type Overlap, placed as place } from './world-columns.ts';

export { composed as within, placed as place } from './world-columns.ts';

/** An overlap whose `second` is nine numbers row by row. */
export type Metrics = Overlap;

/** Computes a column; all of it is finite, and slots of the last call do not matter. */
export function measure(kernel: OverlapKernel, i: Float64Array, j: Float64Array): Metrics {
  const column = new Float64Array(COLUMN_SIZE).fill(7.5);
  kernel.compute(i, j, column);
  for (const slot of column) assert.ok(Number.isFinite(slot), `finite: ${column.join(' ')}`);
  const overlap = named(column);
  const [xx, yy, zz, xy, xz, yz] = overlap.second;
  return { ...overlap, second: [xx, xy, xz, xy, yy, yz, xz, yz, zz] };
}

function turned(frame: Float64Array, vector: readonly number[]): number[] {
  return [0, 1, 2].map((r) => vector.reduce((sum, x, k) => sum + frame[3 * r + k] * x, 0));
}

/** Metrics known in the frame at `frame`, in the world. */
export function outOf(frame: Float64Array, metrics: Metrics): Metrics {
  const rows = [0, 1, 2].map((r) => turned(frame, metrics.second.slice(3 * r, 3 * r + 3)));
  const columns = [0, 1, 2].map((c) =>
    turned(
      frame,
      rows.map((row) => row[c]),
    ),
  );
  return {
    ...metrics,
    centroid: turned(frame, metrics.centroid).map((x, k) => x + frame[9 + k]),
    second: columns.flat(),
    vectorArea: turned(frame, metrics.vectorArea),
  };
}

/**
 * Metrics equal: volume and area relative, the centroid relative to `length`, second moments relative to the largest, the
 * vector area relative to its length.
 */
export function agree(
  got: Metrics,
  want: Metrics,
  tolerance: number,
  length: number,
  what: string,
): void {
  const check = (name: string, a: number, b: number, scale: number): void => {
    assert.ok(Math.abs(a - b) <= tolerance * scale, `${what}, ${name}: ${a}, expected ${b}`);
  };
  check('V', got.volume, want.volume, want.volume);
  check('A_c', got.area, want.area, want.area);
  check('gap', got.gap, want.gap, length);
  const moment = Math.max(...want.second.map(Math.abs));
  for (let k = 0; k < 3; k++) {
    check(`centroid ${k}`, got.centroid[k], want.centroid[k], length);
    check(`vector area ${k}`, got.vectorArea[k], want.vectorArea[k], want.area);
  }
  for (let k = 0; k < 9; k++) check(`S ${k}`, got.second[k], want.second[k], moment);
}

/** Rotation vectors and origins of no particular kind. */
export function randomPlacement(random: Random, reach: number): Float64Array {
  const draw = (scale: number): number[] =>
    [0, 1, 2].map(() => scale * ((2 * random.nextUint32()) / 2 ** 32 - 1));
  return place(draw(2), draw(reach));
}

/** Minus the gradient of V by the position of cell i: central differences of order 4. */
export function slopeOfVolume(
  kernel: OverlapKernel,
  i: Float64Array,
  j: Float64Array,
  step: number,
): number[] {
  return [0, 1, 2].map((k) => {
    const at = (shift: number): number => {
      const moved = Float64Array.from(i);
      moved[9 + k] += shift * step;
      return measure(kernel, moved, j).volume;
    };
    return -(at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * step);
  });
}

/**
 * Body of revolution about z, radius(z) from `low` to `high`, at or below the plane z' = 0 when its axis is turned by `tilt` about y
 * and its origin is at the height `height`: double-exponential integration over (z, y) with nothing but the half width of a section.
 * Frame of the result: the body, the plane n = (−sin, 0, cos).
 */
export function revolvedUnderPlane(
  breaks: readonly number[],
  radius: (z: number) => number,
  tilt: number,
  height: number,
): Omit<Metrics, 'area' | 'vectorArea' | 'gap'> {
  const s = Math.sin(tilt);
  const c = Math.cos(tilt);
  // point (x, y, z) of the body stands at the height h + c z − s x: x is the deeper side
  const over = (f: (x: number, z: number, half: number) => number): number => {
    let sum = 0;
    for (let k = 1; k < breaks.length; k++) {
      sum += integrate(breaks[k - 1], breaks[k], (z) => {
        const r = radius(z);
        const start = Math.max((height + c * z) / s, -r);
        if (!(start < r)) return 0;
        return integrate(start, r, (x, above, below) =>
          f(x, z, Math.sqrt(below * (r + start + above))),
        );
      });
    }
    return sum;
  };
  const volume = over((_x, _z, half) => 2 * half);
  const cx = over((x, _z, half) => 2 * half * x) / volume;
  const cz = over((_x, z, half) => 2 * half * z) / volume;
  const xx = over((x, _z, half) => 2 * half * (x - cx) ** 2);
  const yy = over((_x, _z, half) => (2 / 3) * half ** 3);
  const zz = over((_x, z, half) => 2 * half * (z - cz) ** 2);
  const xz = over((x, z, half) => 2 * half * (x - cx) * (z - cz));
  return { volume, centroid: [cx, 0, cz], second: [xx, 0, xz, 0, yy, 0, xz, 0, zz] };
}
