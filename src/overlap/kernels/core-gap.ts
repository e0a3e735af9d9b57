/**
 * Lower bound of the distance of two separate convex cells, as clip-gap.ts gives it for polytopes: the distance of balls around them where
 * these are far apart, the exact distance (Gilbert, Johnson, Keerthi) where they meet, and a blend between.
 */
import { Gjk } from '../../proximity/gjk.ts';
import { MinkowskiDifference, Witness } from '../../proximity/minkowski.ts';
import type { ConvexCore } from '../../shapes/convex-core.ts';
import { DiscHull } from '../../shapes/disc-hull.ts';
import { FAR, joinCenters, LEAST, placeDifference } from '../clip-gap.ts';
import type { Polytope } from '../polytope.ts';

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
  readonly #between: Float64Array = new Float64Array(3);
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
    const d = this.#between;
    joinCenters(this.#a.center, this.#b.center, placementA, placementB, d);
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
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
    placeDifference(space, placementA, placementB);
    const apart = this.#search.run(this.#witness);
    const least = LEAST * size;
    const between = apart ? this.#witness.distance[0] - this.#size[1] : least;
    const distance = between > least ? between : least;
    if (balls <= 0) gap[0] = distance;
    else if (distance > balls) gap[0] = balls + (1 - balls / far) * (distance - balls);
  }
}
