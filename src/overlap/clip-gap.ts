/**
 * Lower bound of the distance of two separate polytopes. Far apart it is the distance of the balls
 * around them; when the balls meet, it is the exact distance (Gilbert, Johnson, Keerthi); between,
 * it is a blend. Each is a continuous lower bound, and so is any mean of them. Near touch it is the
 * exact distance.
 */
import { Gjk } from '../proximity/gjk.ts';
import { MinkowskiDifference, Witness } from '../proximity/minkowski.ts';
import type { ConvexCore } from '../shapes/convex-core.ts';
import { ORIGIN } from './kernel.ts';
import type { Polytope } from './polytope.ts';

/** Where the blend ends: the distance of the balls in parts of the sum of their radii. */
export const FAR = 0.1;
/** Distance when the search cannot separate the cells, relative to the sum of the radii. */
export const LEAST = 1e-12;

/** Corners of a polytope as the core of a search; one object serves any polytope. */
class PolytopeCore implements ConvexCore {
  readonly margin = 0;
  readonly solid = true;
  readonly curved = false;
  readonly center: Float64Array = new Float64Array(3);
  reach = 0.5;
  #corners: Float64Array = new Float64Array(0);

  take(polytope: Polytope): void {
    this.#corners = polytope.corners;
    for (let k = 0; k < 3; k++) this.center[k] = polytope.center[k];
    this.reach = polytope.reach;
  }

  support(direction: Float64Array, out: Float64Array): number {
    const corners = this.#corners;
    const x = direction[0];
    const y = direction[1];
    const z = direction[2];
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let v = 0; v < corners.length; v += 3) {
      const s = x * corners[v] + y * corners[v + 1] + z * corners[v + 2];
      if (s > most) {
        most = s;
        best = v;
      }
    }
    const corner = best / 3;
    this.patchSupport(corner, direction, out);
    return corner;
  }

  patchSupport(patch: number, _direction: Float64Array, out: Float64Array): void {
    out[0] = this.#corners[3 * patch];
    out[1] = this.#corners[3 * patch + 1];
    out[2] = this.#corners[3 * patch + 2];
  }

  /** Corners have none. */
  patchCurvature(_patch: number, _direction: Float64Array, out: Float64Array): void {
    for (let k = 0; k < 6; k++) out[k] = 0;
  }
}

/** Distance of two polytopes, for any number of kernels in turns. */
export class ClipGap {
  /** [distance of the balls around the polytopes, m], given; negative when they meet. */
  readonly balls: Float64Array = new Float64Array(1);
  /** [bound, m], > 0. */
  readonly gap: Float64Array = new Float64Array(1);
  /** From b to a, unit, world: normal of a plane between the polytopes, or the line of their centres where that separates them. */
  readonly direction: Float64Array = new Float64Array(3);
  readonly #a: PolytopeCore = new PolytopeCore();
  readonly #b: PolytopeCore = new PolytopeCore();
  readonly #space: MinkowskiDifference = new MinkowskiDifference(this.#a, this.#b);
  readonly #search: Gjk = new Gjk(this.#space);
  readonly #witness: Witness = new Witness();

  /** Bound for the placements, given `balls`. @alloc none */
  compute(a: Polytope, b: Polytope, placementA: Float64Array, placementB: Float64Array): void {
    const { gap } = this;
    const balls = this.balls[0];
    const size = a.radius + b.radius;
    const far = FAR * size;
    gap[0] = balls;
    if (balls >= far) {
      const { direction: d } = this;
      joinCenters(a.center, b.center, placementA, placementB, d);
      const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (let k = 0; k < 3; k++) d[k] /= length;
      return;
    }
    const space = this.#space;
    this.#a.take(a);
    this.#b.take(b);
    placeDifference(space, placementA, placementB);
    const apart = this.#search.run(this.#witness);
    for (let k = 0; k < 3; k++) this.direction[k] = this.#witness.normal[k];
    const least = LEAST * size;
    const distance = apart ? Math.max(this.#witness.distance[0], least) : least;
    if (balls <= 0) gap[0] = distance;
    else if (distance > balls) gap[0] = balls + (1 - balls / far) * (distance - balls);
  }
}

/** Puts both cells where they are. @alloc none */
export function placeDifference(
  space: MinkowskiDifference,
  placementA: Float64Array,
  placementB: Float64Array,
): void {
  for (let k = 0; k < ORIGIN; k++) {
    space.rotationA[k] = placementA[k];
    space.rotationB[k] = placementB[k];
  }
  for (let k = 0; k < 3; k++) space.offset[k] = placementA[ORIGIN + k] - placementB[ORIGIN + k];
  space.measure();
}

/** From the centre q of b to the centre p of a, each given in its cell, in the world. @alloc none */
export function joinCenters(
  p: Float64Array,
  q: Float64Array,
  placementA: Float64Array,
  placementB: Float64Array,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const r = 3 * k;
    out[k] =
      placementA[ORIGIN + k] -
      placementB[ORIGIN + k] +
      (placementA[r] * p[0] + placementA[r + 1] * p[1] + placementA[r + 2] * p[2]) -
      (placementB[r] * q[0] + placementB[r + 1] * q[1] + placementB[r + 2] * q[2]);
  }
}
