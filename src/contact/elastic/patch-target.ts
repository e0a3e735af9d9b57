/**
 * What the points of an elastic face meet where it is no plane: for each point the nearest place of a sphere, a box or a cylinder, with the outward
 * normal there. Inside of a box or a cylinder that is the nearest side. Of a convex mesh it is the side that the point is farthest over, or least
 * deep under: outside, beside an edge, that is less than the distance, and zero on the surface. @alloc none
 */
import { rotationOf } from '../../math/quaternion.ts';
import { rotate3, unrotate3 } from '../../math/vec3.ts';
import type { PatchTargetModel } from '../../model/contact-spec.ts';
import { convexHull } from '../../shapes/convex-hull.ts';

/** Height of a point over a surface, and the outward normal there, in the frame of body j. */
export interface PatchTarget {
  /** [gap, m], and the unit normal of the last `measure`. */
  readonly gap: Float64Array;
  readonly normal: Float64Array;
  /** Measures the point places[at..at+2]. */
  measure(places: Float64Array, at: number): void;
}

/** For set-up. */
export function makeTarget(model: PatchTargetModel): PatchTarget {
  if (model.kind === 'sphere') return new SphereTarget(model);
  if (model.kind === 'box') return new BoxTarget(model);
  return model.kind === 'cylinder' ? new CylinderTarget(model) : new HullTarget(model);
}

class SphereTarget implements PatchTarget {
  readonly gap: Float64Array = new Float64Array(1);
  readonly normal: Float64Array = Float64Array.of(0, 0, 1);
  readonly #radius: number;
  readonly #center: Float64Array;

  constructor(model: Extract<PatchTargetModel, { kind: 'sphere' }>) {
    this.#radius = model.radius;
    this.#center = Float64Array.from(model.position);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    let square = 0.0;
    for (let a = 0; a < 3; a++) {
      const d = places[at + a] - this.#center[a];
      square += d * d;
    }
    const length = Math.sqrt(square);
    gap[0] = length - this.#radius;
    // at the centre any normal will do, but the same one each time
    for (let a = 0; a < 3; a++)
      normal[a] = length > 0 ? (places[at + a] - this.#center[a]) / length : a === 2 ? 1 : 0;
  }
}

class BoxTarget implements PatchTarget {
  readonly gap: Float64Array = new Float64Array(1);
  readonly normal: Float64Array = Float64Array.of(0, 0, 1);
  readonly #half: Float64Array;
  readonly #center: Float64Array;
  /** Axes of the box in the frame of body j: columns. */
  readonly #rotation: Float64Array = new Float64Array(9);
  readonly #place: Float64Array = new Float64Array(3);
  readonly #beyond: Float64Array = new Float64Array(3);

  constructor(model: Extract<PatchTargetModel, { kind: 'box' }>) {
    this.#half = Float64Array.from(model.size, (side) => side / 2);
    this.#center = Float64Array.from(model.position);
    rotationOf(this.#rotation, Float64Array.from(model.orientation), 0);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const r = this.#rotation;
    const x = this.#place;
    const beyond = this.#beyond;
    let square = 0.0;
    let side = 0;
    let height = -Infinity;
    for (let a = 0; a < 3; a++) beyond[a] = places[at + a] - this.#center[a];
    unrotate3(x, 0, r, beyond, 0);
    for (let a = 0; a < 3; a++) {
      const over = Math.abs(x[a]) - this.#half[a];
      beyond[a] = over > 0 ? (x[a] > 0 ? over : -over) : 0;
      square += beyond[a] * beyond[a];
      if (over > height) {
        height = over;
        side = a;
      }
    }
    if (square > 0) {
      const length = Math.sqrt(square);
      gap[0] = length;
      for (let a = 0; a < 3; a++) beyond[a] /= length;
    } else {
      gap[0] = height;
      beyond.fill(0);
      beyond[side] = x[side] < 0 ? -1 : 1;
    }
    rotate3(normal, 0, r, beyond, 0);
  }
}

/** Round about its z axis, flat at both ends. */
class CylinderTarget implements PatchTarget {
  readonly gap: Float64Array = new Float64Array(1);
  readonly normal: Float64Array = Float64Array.of(0, 0, 1);
  readonly #radius: number;
  readonly #half: number;
  readonly #center: Float64Array;
  /** Axes of the cylinder in the frame of body j: columns. */
  readonly #rotation: Float64Array = new Float64Array(9);
  readonly #place: Float64Array = new Float64Array(3);
  readonly #beyond: Float64Array = new Float64Array(3);

  constructor(model: Extract<PatchTargetModel, { kind: 'cylinder' }>) {
    this.#radius = model.radius;
    this.#half = model.length / 2;
    this.#center = Float64Array.from(model.position);
    rotationOf(this.#rotation, Float64Array.from(model.orientation), 0);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const r = this.#rotation;
    const x = this.#place;
    const beyond = this.#beyond;
    for (let a = 0; a < 3; a++) beyond[a] = places[at + a] - this.#center[a];
    unrotate3(x, 0, r, beyond, 0);
    const way = Math.sqrt(x[0] * x[0] + x[1] * x[1]);
    const out = way - this.#radius;
    const over = Math.abs(x[2]) - this.#half;
    // shares of the normal outwards and along the axis
    let round = out > 0 ? out : 0;
    let along = over > 0 ? over : 0;
    const length = Math.sqrt(round * round + along * along);
    if (length > 0) {
      gap[0] = length;
      round /= length;
      along /= length;
    } else {
      gap[0] = out > over ? out : over;
      round = out > over ? 1 : 0;
      along = out > over ? 0 : 1;
    }
    beyond[0] = way > 0 ? (round * x[0]) / way : round;
    beyond[1] = way > 0 ? (round * x[1]) / way : 0;
    beyond[2] = x[2] < 0 ? -along : along;
    rotate3(normal, 0, r, beyond, 0);
  }
}

/** The convex hull of corners. */
class HullTarget implements PatchTarget {
  readonly gap: Float64Array = new Float64Array(1);
  readonly normal: Float64Array = Float64Array.of(0, 0, 1);
  /** Outward normals of the sides and their heights over the origin, in the frame of body j. */
  readonly #planes: Float64Array;

  constructor(model: Extract<PatchTargetModel, { kind: 'mesh' }>) {
    const rotation = new Float64Array(9);
    rotationOf(rotation, Float64Array.from(model.orientation), 0);
    const { points, faces } = convexHull(model.vertices);
    this.#planes = new Float64Array(4 * faces.length);
    for (const [f, corners] of faces.entries()) {
      const [a, b, c] = corners.map((corner) => points[corner]);
      const [u, v] = [b, c].map((end) => [0, 1, 2].map((k) => end[k] - a[k]));
      const own = [0, 1, 2].map((k) => {
        const [l, m] = [(k + 1) % 3, (k + 2) % 3];
        return u[l] * v[m] - u[m] * v[l];
      });
      const length = Math.sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
      let height = 0.0;
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        const n = rotation[r] * own[0] + rotation[r + 1] * own[1] + rotation[r + 2] * own[2];
        this.#planes[4 * f + k] = n / length;
        height += (own[k] / length) * a[k] + (n / length) * model.position[k];
      }
      this.#planes[4 * f + 3] = height;
    }
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const planes = this.#planes;
    let side = 0;
    gap[0] = -Infinity;
    for (let p = 0; p < planes.length; p += 4) {
      const height =
        planes[p] * places[at] +
        planes[p + 1] * places[at + 1] +
        planes[p + 2] * places[at + 2] -
        planes[p + 3];
      if (!(height > gap[0])) continue;
      gap[0] = height;
      side = p;
    }
    for (let a = 0; a < 3; a++) normal[a] = planes[side + a];
  }
}
