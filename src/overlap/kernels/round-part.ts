/**
 * Parts of a round body along its axis, and what each shares with a polytope: a cylinder (flux-sums.ts), a cone (cone-sums.ts), a ball or
 * half a ball (ball-sums.ts).
 */
import { COLUMN, COLUMN_SIZE, ORIGIN, PLACEMENT } from '../kernel.ts';
import { BallSums } from './ball-sums.ts';
import { ConeSums } from './cone-sums.ts';
import { FluxSums } from './flux-sums.ts';
import { RoundFaces } from './round-faces.ts';
import { ballQuadric, cylinderQuadric, frustumQuadric } from './round-quadric.ts';
import type { WalkedPolytope } from './walked-polytope.ts';
import type { ShapeOf } from './world-column.ts';

/** Round bodies that meet polytopes. */
export type RoundBody =
  | ShapeOf<'cylinder'>
  | ShapeOf<'frustum'>
  | ShapeOf<'capsule'>
  | ShapeOf<'sphere'>;

/** Most parts of a body. */
const MOST_PARTS = 3;
/** Work space of all kernels in turn, one for each place of a part; written before it is read. */
const FACES = Array.from({ length: MOST_PARTS }, () => new RoundFaces());
const FLUX = new FluxSums();
const CONE = new ConeSums();
const BALL = new BallSums();

/** What a part and a polytope share. */
export abstract class RoundPart {
  /** Column in the frame of the body: volume, centroid, second moments, vector area. */
  readonly local: Float64Array = new Float64Array(COLUMN_SIZE);
  protected readonly faces: RoundFaces;
  protected readonly quadric: Float64Array;
  /** Placement of the polytope in the frame of the part. */
  protected readonly pose: Float64Array = new Float64Array(PLACEMENT);
  /** A point in the frame of the part, for `holds`. */
  protected readonly point: Float64Array = new Float64Array(3);
  /** Height of the part in the body. */
  protected readonly shift: Float64Array;

  constructor(quadric: Float64Array, shift: number, place: number) {
    this.quadric = quadric;
    this.shift = Float64Array.of(shift);
    this.faces = FACES[place];
  }

  /** Makes room for a polytope. Allocates. */
  reserve({ polytope }: WalkedPolytope): void {
    this.faces.reserve(polytope);
  }

  /** Computes `local` with the polytope at `pose` in the body; false when nothing is shared. @alloc none */
  compute(walked: WalkedPolytope, pose: Float64Array): boolean {
    for (let k = 0; k < PLACEMENT; k++) this.pose[k] = pose[k];
    this.pose[ORIGIN + 2] -= this.shift[0];
    if (!this.sum(walked, pose)) return false;
    this.local[COLUMN.centroid + 2] += this.shift[0];
    return true;
  }

  /** Computes the column in the frame of the part, with the polytope at `body` in the body. @alloc none */
  protected abstract sum(walked: WalkedPolytope, body: Float64Array): boolean;

  /** Raises `reach` to the farthest points along the axis and against it, from the origin of the body. @alloc none */
  reach(walked: WalkedPolytope, axis: Float64Array, reach: Float64Array): void {
    const high = this.shift[0] * axis[2];
    reach[0] -= high;
    reach[1] += high;
    this.reachOfPart(walked, axis, reach);
    reach[0] += high;
    reach[1] -= high;
  }

  protected reachOfPart(_walked: WalkedPolytope, axis: Float64Array, reach: Float64Array): void {
    this.faces.reach(axis, reach);
  }

  /** Is `point` in the polytope? @alloc none */
  protected holds(walked: WalkedPolytope): boolean {
    const { planes } = walked.polytope;
    const { pose, point } = this;
    const x = point[0] - pose[ORIGIN];
    const y = point[1] - pose[ORIGIN + 1];
    const z = point[2] - pose[ORIGIN + 2];
    const px = pose[0] * x + pose[3] * y + pose[6] * z;
    const py = pose[1] * x + pose[4] * y + pose[7] * z;
    const pz = pose[2] * x + pose[5] * y + pose[8] * z;
    for (let f = 0; f < planes.length; f += 4) {
      if (planes[f] * px + planes[f + 1] * py + planes[f + 2] * pz > planes[f + 3]) return false;
    }
    return true;
  }

  /** Raises `out[0]` to the largest extent along an axis from one point of the overlap. @alloc none */
  spread(out: Float64Array): void {
    this.faces.spread(out);
  }
}

class CylinderPart extends RoundPart {
  constructor(radius: number, length: number, place: number) {
    super(cylinderQuadric(radius, length), 0, place);
  }

  protected sum(walked: WalkedPolytope, body: Float64Array): boolean {
    this.faces.walk(this.quadric, walked, body, FLUX);
    if (!this.faces.any) return false;
    FLUX.write(this.local);
    return true;
  }
}

class FrustumPart extends RoundPart {
  readonly #side: Float64Array;

  constructor({ radius, topRadius, length }: ShapeOf<'frustum'>, place: number) {
    super(frustumQuadric(radius, topRadius, length), 0, place);
    this.#side = Float64Array.of(radius, (radius - topRadius) / length, topRadius > 0 ? 0 : length);
  }

  protected sum(walked: WalkedPolytope, body: Float64Array): boolean {
    CONE.use(this.#side);
    this.faces.walk(this.quadric, walked, body, CONE);
    if (!this.faces.any) return false;
    CONE.write(this.local);
    return true;
  }

  protected override reachOfPart(
    walked: WalkedPolytope,
    axis: Float64Array,
    reach: Float64Array,
  ): void {
    this.faces.reach(axis, reach);
    const apex = this.#side[2];
    if (apex === 0) return;
    this.point[0] = 0;
    this.point[1] = 0;
    this.point[2] = apex;
    if (!this.holds(walked)) return;
    const at = apex * axis[2];
    if (at > reach[0]) reach[0] = at;
    if (-at > reach[1]) reach[1] = -at;
  }
}

/** A ball, or the half of it on the side 1 or −1 of its middle. */
class BallPart extends RoundPart {
  readonly #radius: Float64Array;
  readonly #half: number;
  #met = false;

  constructor(radius: number, half: number, height: number, place: number) {
    super(ballQuadric(radius, half, height), height, place);
    this.#radius = Float64Array.of(radius);
    this.#half = half;
  }

  protected sum(walked: WalkedPolytope, body: Float64Array): boolean {
    const { local, faces, pose } = this;
    this.#met = false;
    if (!BALL.aim(this.#radius, walked.polytope.planes, pose, this.#half)) return false;
    faces.walk(this.quadric, walked, body, BALL);
    this.#met = faces.any;
    if (faces.any) BALL.write(local);
    else if (this.#half === 0 && BALL.isInside()) {
      const r = this.#radius[0];
      for (let k = 0; k < COLUMN_SIZE; k++) local[k] = 0;
      const volume = (4 / 3) * Math.PI * r * r * r;
      local[COLUMN.volume] = volume;
      for (let k = 0; k < 3; k++) local[COLUMN.second + k] = 0.2 * volume * r * r;
      this.#met = true;
    }
    return this.#met;
  }

  protected override reachOfPart(
    walked: WalkedPolytope,
    axis: Float64Array,
    reach: Float64Array,
  ): void {
    if (!this.#met) return;
    this.faces.reach(axis, reach);
    this.#raise(walked, axis, reach, 0);
    this.#raise(walked, axis, reach, 1);
  }

  /** Uses the point of the sphere along the axis, or against it. */
  #raise(walked: WalkedPolytope, axis: Float64Array, reach: Float64Array, side: number): void {
    const r = this.#radius[0];
    if (reach[side] >= r) return;
    const { point } = this;
    for (let k = 0; k < 3; k++) point[k] = (side === 0 ? r : -r) * axis[k];
    if (point[2] * this.#half >= 0 && this.holds(walked)) reach[side] = r;
  }
}

/** Parts of a body. Allocates. */
export function roundParts(shape: RoundBody): RoundPart[] {
  switch (shape.kind) {
    case 'cylinder':
      return [new CylinderPart(shape.radius, shape.length, 0)];
    case 'frustum':
      return [new FrustumPart(shape, 0)];
    case 'capsule':
      return [
        new CylinderPart(shape.radius, shape.length, 0),
        new BallPart(shape.radius, 1, 0.5 * shape.length, 1),
        new BallPart(shape.radius, -1, -0.5 * shape.length, 2),
      ];
    case 'sphere':
      return [new BallPart(shape.radius, 0, 0, 0)];
  }
}
