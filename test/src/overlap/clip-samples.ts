/** Polytopes and placements at random, and columns of the clipping as plain numbers. */
import assert from 'node:assert/strict';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makePolytope, type Polytope } from '../../../src/overlap/polytope.ts';
import type { Random } from '../../../src/math/random.ts';
import { named, type Overlap } from './world-columns.ts';

export { composed, type Overlap, placed, spread } from './world-columns.ts';

export type Vector = readonly [number, number, number];

/** The polytope of a shape that has one. */
export function polytope(shape: Parameters<typeof makePolytope>[0]): Polytope {
  const made = makePolytope(shape);
  assert.ok(made, `${shape.kind} is a polytope`);
  return made;
}

/** Box with these sides. */
export const box = (...size: [number, number, number]): Polytope => polytope({ kind: 'box', size });
export const halfSpace = (): Polytope => polytope({ kind: 'half-space' });

/** Hull of so many points on a ball, or in it. */
export function ball(points: number, radius: number, random: Random, inside = false): Polytope {
  const vertices = Array.from({ length: points }, (): Vector => {
    const p = [random.gaussian(), random.gaussian(), random.gaussian()];
    const part = inside ? Math.cbrt(random.uniform()) : 1;
    const scale = (part * radius) / Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return [p[0] * scale, p[1] * scale, p[2] * scale];
  });
  return polytope({ kind: 'mesh', vertices });
}

/** Corners of a polytope in the world. */
export function cornersAt(shape: Polytope, at: Float64Array): [number, number, number][] {
  const list: [number, number, number][] = [];
  for (let v = 0; v < shape.corners.length; v += 3) {
    const p = shape.corners.subarray(v, v + 3);
    const world = [0, 1, 2].map(
      (k) => at[3 * k] * p[0] + at[3 * k + 1] * p[1] + at[3 * k + 2] * p[2] + at[9 + k],
    );
    list.push([world[0], world[1], world[2]]);
  }
  return list;
}

/** Column of a kernel; fails when a number is not finite, or the column contradicts itself. */
export function overlap(
  kernel: ClipKernel,
  placementI: Float64Array,
  placementJ: Float64Array,
): Overlap {
  const column = new Float64Array(COLUMN_SIZE).fill(Number.NaN);
  kernel.compute(placementI, placementJ, column);
  const slots = [...column];
  assert.ok(slots.every(Number.isFinite), `finite: ${slots.join(' ')}`);
  const result = named(column);
  assert.ok(result.volume >= 0);
  assert.ok(result.volume > 0 ? result.gap < 0 : result.gap > 0, 'gap and volume agree');
  if (result.volume === 0) assert.ok(slots.every((value, k) => k === COLUMN.gap || value === 0));
  return result;
}

/** Of two polytopes at two placements. */
export const overlapOf = (
  i: Polytope,
  j: Polytope,
  placementI: Float64Array,
  placementJ: Float64Array,
): Overlap => overlap(new ClipKernel(i, j), placementI, placementJ);

/** Volume, first and second moments of a closed surface of triangles, from the first corner: `Gonthier 4.9`, plain sums. */
export function solidOf(points: ArrayLike<number>, triangles: ArrayLike<number>): Overlap {
  let volume = 0;
  const first = [0, 0, 0];
  const second = [0, 0, 0, 0, 0, 0];
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  const corner = (t: number): number[] =>
    [0, 1, 2].map((k) => points[3 * triangles[t] + k] - points[3 * triangles[0] + k]);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [corner(t), corner(t + 1), corner(t + 2)];
    const d =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    const s = a.map((value, k) => value + b[k] + c[k]);
    volume += d / 6;
    for (let k = 0; k < 3; k++) first[k] += (d * s[k]) / 24;
    pairs.forEach(([p, q], k) => {
      second[k] += (d * (s[p] * s[q] + a[p] * a[q] + b[p] * b[q] + c[p] * c[q])) / 120;
    });
  }
  const center = first.map((value) => value / volume);
  return {
    volume,
    area: 0,
    centroid: center.map((value, k) => value + points[3 * triangles[0] + k]),
    second: pairs.map(([p, q], k) => second[k] - volume * center[p] * center[q]),
    vectorArea: [],
    gap: 0,
  };
}

/** Largest differences of two overlaps: volume relative, centroid to V^(1/3) of it, moments to the largest. */
export function differences(got: Overlap, want: Overlap): [number, number, number] {
  const length = Math.cbrt(want.volume);
  const largest = Math.max(...want.second.slice(0, 3));
  return [
    Math.abs(got.volume / want.volume - 1),
    Math.max(...got.centroid.map((value, k) => Math.abs(value - want.centroid[k]))) / length,
    Math.max(...got.second.map((value, k) => Math.abs(value - want.second[k]))) / largest,
  ];
}
