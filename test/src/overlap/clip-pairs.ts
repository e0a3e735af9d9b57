/** Pairs of polytopes at random poses, in classes that try different things: what the clipping is compared on. */
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import type { Polytope } from '../../../src/overlap/polytope.ts';
import type { Random } from '../../../src/math/random.ts';
import { ball, box, placed, spread } from './clip-samples.ts';

/** Two shapes of the pool, by number, and where they are. */
export interface Pair {
  readonly i: number;
  readonly j: number;
  readonly placementI: Float64Array;
  readonly placementJ: Float64Array;
}

/** Half a dozen boxes, from cube to sheet and rod, and hulls of 4 to 40 points on and in a ball; sizes around 1. */
export function shapePool(random: Random): Polytope[] {
  return [
    box(1, 1, 1),
    box(1.5, 1, 0.75),
    box(1.5, 0.25, 0.5),
    box(2, 0.125, 0.125),
    box(1.5, 1.5, 0.0625),
    box(0.5, 0.5, 0.5),
    ...[4, 5, 6, 8, 12, 20, 40].map((points) => ball(points, 0.8, random)),
    ...[6, 10, 30].map((points) => ball(points, 0.9, random, true)),
  ];
}

/** Boxes of the pool. */
export const BOXES = 6;

const pick = (random: Random, count: number): number => Math.floor(count * random.uniform());

/** Any turn, centres at most ±0.6 apart along each axis: most overlap deeply, some not at all. */
export function deepPair(random: Random, pool: readonly Polytope[]): Pair {
  const at = spread(random, 2);
  return {
    i: pick(random, pool.length),
    j: pick(random, pool.length),
    placementI: placed(
      spread(random, 3),
      at.map((value, k) => value + spread(random, 0.6)[k]),
    ),
    placementJ: placed(spread(random, 3), at),
  };
}

/** Boxes turned by quarters, offsets in eighths: faces coincide, edges and corners lie on faces, overlaps of no thickness. */
export function alignedPair(random: Random): Pair {
  const quarter = (): Float64Array => {
    const turn = [0, 0, 0];
    turn[pick(random, 3)] = (Math.PI / 2) * pick(random, 4);
    const at = [0, 0, 0].map(() => (pick(random, 9) - 4) / 8);
    // exactly, as a sine of π is not 0
    return placed(turn, at).map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
  };
  return {
    i: pick(random, BOXES),
    j: pick(random, BOXES),
    placementI: quarter(),
    placementJ: quarter(),
  };
}

/**
 * Any turn; body i comes along a random way until it is `depth` deep beyond touch. The touch is found by halving on the sign of the
 * gap, from far apart to centre on centre.
 */
export function touchingPair(random: Random, pool: readonly Polytope[], depth: number): Pair {
  const i = pick(random, pool.length);
  const j = pick(random, pool.length);
  const kernel = new ClipKernel(pool[i], pool[j]);
  const column = new Float64Array(COLUMN_SIZE);
  const way = spread(random, 1);
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  const placementI = placed(spread(random, 3), [0, 0, 0]);
  const placementJ = placed(spread(random, 3), spread(random, 1));
  const move = (by: number): void => {
    for (let k = 0; k < 3; k++) placementI[9 + k] = placementJ[9 + k] + (by * way[k]) / length;
  };
  let near = 0;
  let far = 4;
  while (far - near > 1e-9) {
    const middle = 0.5 * (near + far);
    move(middle);
    kernel.compute(placementI, placementJ, column);
    if (column[COLUMN.gap] > 0) far = middle;
    else near = middle;
  }
  move(near - depth);
  return { i, j, placementI, placementJ };
}
