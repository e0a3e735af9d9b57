/**
 * Lower bound of the distance of two separate convex cells, as clip-gap.ts gives it for polytopes: the distance of balls around them where
 * these are far apart, the exact distance (Gilbert, Johnson, Keerthi) where they meet, and a blend between.
 */
import { Gjk } from '../../proximity/gjk.ts';
import { MinkowskiDifference, Witness } from '../../proximity/minkowski.ts';
import type { ConvexCore } from '../../shapes/convex-core.ts';
import { DiscHull } from '../../shapes/disc-hull.ts';
import { ORIGIN } from '../kernel.ts';
import type { Polytope } from '../polytope.ts';

/** Where the blend ends: the distance of the balls in parts of the sum of their radii. */
const FAR = 0.1;
/** Distance when the search cannot separate the cells, relative to the sum of the radii. */
const LEAST = 1e-12;

/** A core and a ball that holds the cell, margin included. */
export interface BalledCore {
  readonly core: ConvexCore;
  readonly center: Float64Array;
  readonly radius: number;
}

/** Core of a bounded polytope. Allocates. */
export function polytopeCore(polytope: Polytope): BalledCore {
  const { corners, center, radius } = polytope;
  const points = Array.from({ length: corners.length / 3 }, (_, v) => [
    ...corners.subarray(3 * v, 3 * v + 3),
  ]);
  const radii = points.map(() => 0);
  return { core: new DiscHull(points, radii, 0, true), center, radius };
}

/** Distance of two cells. */
export class CoreGap {
  /** [distance of the balls, m], negative when they meet. */
  readonly balls: Float64Array = new Float64Array(1);
  /** [bound, m], > 0. */
  readonly gap: Float64Array = new Float64Array(1);
  readonly #a: BalledCore;
  readonly #b: BalledCore;
  readonly #size: Float64Array;
  readonly #space: MinkowskiDifference;
  readonly #search: Gjk;
  readonly #witness = new Witness();

  constructor(a: BalledCore, b: BalledCore) {
    this.#a = a;
    this.#b = b;
    this.#size = Float64Array.of(a.radius + b.radius, a.core.margin + b.core.margin);
    this.#space = new MinkowskiDifference(a.core, b.core);
    this.#search = new Gjk(this.#space);
  }

  /** Computes `balls`. @alloc none */
  measureBalls(placementA: Float64Array, placementB: Float64Array): void {
    const a = this.#a.center;
    const b = this.#b.center;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      const d =
        placementA[ORIGIN + k] -
        placementB[ORIGIN + k] +
        (placementA[r] * a[0] + placementA[r + 1] * a[1] + placementA[r + 2] * a[2]) -
        (placementB[r] * b[0] + placementB[r + 1] * b[1] + placementB[r + 2] * b[2]);
      square += d * d;
    }
    this.balls[0] = Math.sqrt(square) - this.#size[0];
  }

  /** Bound for the placements, given `balls`. @alloc none */
  compute(placementA: Float64Array, placementB: Float64Array): void {
    const { gap } = this;
    const balls = this.balls[0];
    const size = this.#size[0];
    const far = FAR * size;
    gap[0] = balls;
    if (balls >= far) return;
    const space = this.#space;
    for (let k = 0; k < ORIGIN; k++) {
      space.rotationA[k] = placementA[k];
      space.rotationB[k] = placementB[k];
    }
    for (let k = 0; k < 3; k++) space.offset[k] = placementA[ORIGIN + k] - placementB[ORIGIN + k];
    space.measure();
    const apart = this.#search.run(this.#witness);
    const least = LEAST * size;
    const between = apart ? this.#witness.distance[0] - this.#size[1] : least;
    const distance = between > least ? between : least;
    if (balls <= 0) gap[0] = distance;
    else if (distance > balls) gap[0] = balls + (1 - balls / far) * (distance - balls);
  }
}
