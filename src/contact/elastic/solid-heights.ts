/**
 * Heights of a point over convex solids, bores and what is made of them by intersection, each in its own frame, with the outward normals there.
 *
 * Outside the height is the distance, inside minus the depth under the nearest side. Of a hull and of a boolean solid it is the largest of the heights
 * over its sides: outside, beside an edge, that is less than the distance. It is zero on the surface of all of them. @alloc none
 */
import { rotationOf } from '../../math/quaternion.ts';
import { rotate3, unrotate3 } from '../../math/vec3.ts';
import type { BooleanShape, CellShape, Placed } from '../../shapes/cell-model.ts';
import { convexHull } from '../../shapes/convex-hull.ts';

/** Steps of Newton's method for the place of an ellipsoid that is nearest; from its side each is towards the root. */
const STEPS = 64;

/** Height of a point over a surface, and the outward normal there. */
export abstract class Solid {
  /** [height, m], and the unit normal of the last measurement. */
  readonly gap: Float64Array = new Float64Array(1);
  readonly normal: Float64Array = Float64Array.of(0, 0, 1);
  /** Smooth sides; the solid is where the heights over all of them are negative. */
  readonly sides: number = 1;
  /** Measures the point places[at..at+2]. */
  abstract measure(places: Float64Array, at: number): void;

  /** Measures it over one side, as far as that goes. */
  measureSide(_side: number, places: Float64Array, at: number): void {
    this.measure(places, at);
  }
}

/** A solid of some shape in its own frame. For set-up. */
export function solidOf(shape: CellShape): Solid {
  switch (shape.kind) {
    case 'sphere':
      return new Capsule(shape.radius, 0);
    case 'capsule':
      return new Capsule(shape.radius, shape.length / 2);
    case 'ellipsoid':
      return new Ellipsoid(shape.size);
    case 'box':
      return new Box(shape.size);
    case 'cylinder':
      return new Extrusion(shape.radius, shape.length / 2, 0);
    case 'beam':
      return new Extrusion(shape.width / 2, shape.thickness / 2, shape.length / 2);
    case 'frustum':
      return new Frustum(shape.radius, shape.topRadius, shape.length);
    case 'mesh':
      return new Hull(shape.vertices);
    case 'half-space':
      return new HalfSpace();
    case 'bore':
      return new Bore(shape.radius);
    case 'boolean':
      return new Intersection(shape);
  }
}

/** A solid in the frame of what it is a part of. */
export class PlacedSolid extends Solid {
  override readonly sides: number;
  readonly #own: Solid;
  readonly #center: Float64Array;
  /** Axes of the solid: columns. */
  readonly #rotation: Float64Array = new Float64Array(9);
  readonly #place: Float64Array = new Float64Array(3);

  constructor(own: Solid, { position, orientation }: Omit<Placed<unknown>, 'shape'>) {
    super();
    this.#own = own;
    this.sides = own.sides;
    this.#center = Float64Array.from(position);
    rotationOf(this.#rotation, Float64Array.from(orientation), 0);
  }

  measure(places: Float64Array, at: number): void {
    this.#enter(places, at);
    this.#own.measure(this.#place, 0);
    this.#leave();
  }

  override measureSide(side: number, places: Float64Array, at: number): void {
    this.#enter(places, at);
    this.#own.measureSide(side, this.#place, 0);
    this.#leave();
  }

  #enter(places: Float64Array, at: number): void {
    const x = this.#place;
    for (let a = 0; a < 3; a++) x[a] = places[at + a] - this.#center[a];
    unrotate3(x, 0, this.#rotation, x, 0);
  }

  #leave(): void {
    this.gap[0] = this.#own.gap[0];
    rotate3(this.normal, 0, this.#rotation, this.#own.normal, 0);
  }
}

class HalfSpace extends Solid {
  measure(places: Float64Array, at: number): void {
    this.gap[0] = places[at + 2];
  }
}

class Bore extends Solid {
  readonly #radius: number;

  constructor(radius: number) {
    super();
    this.#radius = radius;
  }

  measure(places: Float64Array, at: number): void {
    const { normal } = this;
    const x = places[at];
    const y = places[at + 1];
    const way = Math.sqrt(x * x + y * y);
    this.gap[0] = this.#radius - way;
    normal[0] = way > 0 ? -x / way : -1;
    normal[1] = way > 0 ? -y / way : 0;
    normal[2] = 0;
  }
}

/** All places within a radius of a line along z; of a point, a ball. */
class Capsule extends Solid {
  readonly #radius: number;
  readonly #half: number;

  constructor(radius: number, half: number) {
    super();
    this.#radius = radius;
    this.#half = half;
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const half = this.#half;
    const z = places[at + 2];
    normal[0] = places[at];
    normal[1] = places[at + 1];
    normal[2] = z > half ? z - half : z < -half ? z + half : 0;
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    gap[0] = length - this.#radius;
    // in the middle any normal across will do, but the same one each time
    if (length > 0) for (let a = 0; a < 3; a++) normal[a] /= length;
    else normal[half > 0 ? 0 : 2] = 1;
  }
}

class Box extends Solid {
  override readonly sides = 6;
  readonly #half: Float64Array;
  readonly #beyond: Float64Array = new Float64Array(3);

  constructor(size: readonly [number, number, number]) {
    super();
    this.#half = Float64Array.from(size, (side) => side / 2);
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const beyond = this.#beyond;
    let square = 0.0;
    let side = 0;
    let height = -Infinity;
    for (let a = 0; a < 3; a++) {
      const x = places[at + a];
      const over = Math.abs(x) - this.#half[a];
      beyond[a] = over > 0 ? (x > 0 ? over : -over) : 0;
      square += beyond[a] * beyond[a];
      if (over > height) {
        height = over;
        side = a;
      }
    }
    if (square > 0) {
      const length = Math.sqrt(square);
      gap[0] = length;
      for (let a = 0; a < 3; a++) normal[a] = beyond[a] / length;
    } else {
      gap[0] = height;
      normal.fill(0);
      normal[side] = places[at + side] < 0 ? -1 : 1;
    }
  }

  override measureSide(side: number, places: Float64Array, at: number): void {
    const axis = side >> 1;
    const sign = side & 1 ? -1 : 1;
    this.gap[0] = sign * places[at + axis] - this.#half[axis];
    this.normal.fill(0);
    this.normal[axis] = sign;
  }
}

/** What lies within a radius of a line along x, or of the z axis, between two planes across z: a beam, or a cylinder. */
class Extrusion extends Solid {
  override readonly sides = 3;
  readonly #radius: number;
  readonly #half: number;
  readonly #straight: number;
  readonly #way: Float64Array = new Float64Array(3);

  constructor(radius: number, half: number, straight: number) {
    super();
    this.#radius = radius;
    this.#half = half;
    this.#straight = straight;
  }

  measure(places: Float64Array, at: number): void {
    const { gap } = this;
    this.#findWay(places, at);
    const z = places[at + 2];
    const out = this.#way[2] - this.#radius;
    const over = Math.abs(z) - this.#half;
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
    this.#turn(round, z < 0 ? -along : along);
  }

  override measureSide(side: number, places: Float64Array, at: number): void {
    this.#findWay(places, at);
    const sign = side === 1 ? 1 : -1;
    this.gap[0] = side === 0 ? this.#way[2] - this.#radius : sign * places[at + 2] - this.#half;
    this.#turn(side === 0 ? 1 : 0, side === 0 ? 0 : sign);
  }

  /** From the line to the point: x, y and length. */
  #findWay(places: Float64Array, at: number): void {
    const straight = this.#straight;
    const way = this.#way;
    const x = places[at];
    way[0] = x > straight ? x - straight : x < -straight ? x + straight : 0;
    way[1] = places[at + 1];
    way[2] = Math.sqrt(way[0] * way[0] + way[1] * way[1]);
  }

  #turn(round: number, along: number): void {
    const way = this.#way;
    const length = way[2];
    // on the line any normal across will do
    const [x, y] = this.#straight > 0 ? SECOND : FIRST;
    this.normal[0] = length > 0 ? (round * way[0]) / length : round * x;
    this.normal[1] = length > 0 ? (round * way[1]) / length : round * y;
    this.normal[2] = along;
  }
}
const FIRST = [1, 0] as const;
const SECOND = [0, 1] as const;

/** On the plane z = 0, round about z. */
class Frustum extends Solid {
  override readonly sides = 3;
  readonly #base: number;
  readonly #top: number;
  readonly #length: number;
  /** Length of the flank, and its normal outwards and along z. */
  readonly #flank: number;
  readonly #out: number;
  readonly #up: number;

  constructor(base: number, top: number, length: number) {
    super();
    this.#base = base;
    this.#top = top;
    this.#length = length;
    this.#flank = Math.sqrt(length * length + (base - top) * (base - top));
    this.#out = length / this.#flank;
    this.#up = (base - top) / this.#flank;
  }

  measure(places: Float64Array, at: number): void {
    const { gap } = this;
    const x = places[at];
    const y = places[at + 1];
    const z = places[at + 2];
    const way = Math.sqrt(x * x + y * y);
    const beside = (way - this.#base) * this.#out + z * this.#up;
    const over = z - this.#length;
    const height = over > -z ? over : -z;
    // along the flank from the base
    const along = z * this.#out - (way - this.#base) * this.#up;
    if (beside <= 0 && height <= 0) {
      this.measureSide(beside > height ? 0 : over > -z ? 1 : 2, places, at);
      return;
    }
    if (beside > 0 && along >= 0 && along <= this.#flank) {
      this.measureSide(0, places, at);
      return;
    }
    // an end, or the rim of it; that of the base also far beside a flat one
    const lower = beside > 0 && along < 0;
    const upper = !lower && (over > 0 || (z >= 0 && along > this.#flank));
    const rim = way - (upper ? this.#top : this.#base);
    const out = rim > 0 ? rim : 0;
    const off = upper ? over : z;
    gap[0] = Math.sqrt(out * out + off * off);
    if (gap[0] > 0) this.#turn(places, at, out / gap[0], off / gap[0]);
    else this.measureSide(0, places, at);
  }

  override measureSide(side: number, places: Float64Array, at: number): void {
    const x = places[at];
    const y = places[at + 1];
    const z = places[at + 2];
    if (side === 0) {
      this.gap[0] = (Math.sqrt(x * x + y * y) - this.#base) * this.#out + z * this.#up;
      this.#turn(places, at, this.#out, this.#up);
    } else {
      this.gap[0] = side === 1 ? z - this.#length : -z;
      this.#turn(places, at, 0, side === 1 ? 1 : -1);
    }
  }

  #turn(places: Float64Array, at: number, round: number, along: number): void {
    const x = places[at];
    const y = places[at + 1];
    const way = Math.sqrt(x * x + y * y);
    this.normal[0] = way > 0 ? (round * x) / way : round;
    this.normal[1] = way > 0 ? (round * y) / way : 0;
    this.normal[2] = along;
  }
}

/**
 * With half axes e the place p nearest to x has x = p + t p/e²: t is the largest root of Σ (e x/(t + e²))² = 1, convex and falling on the right of -e² of
 * the least axis. Near the middle, in the plane across that axis, there is none: p is then off the plane.
 */
class Ellipsoid extends Solid {
  readonly #half: Float64Array;
  readonly #least: number;
  readonly #foot: Float64Array = new Float64Array(3);

  constructor(size: readonly [number, number, number]) {
    super();
    this.#half = Float64Array.from(size, (side) => side / 2);
    this.#least = this.#half.indexOf(Math.min(...this.#half));
  }

  measure(places: Float64Array, at: number): void {
    const { gap, normal } = this;
    const e = this.#half;
    const foot = this.#foot;
    const least = this.#least;
    let t = -e[least] * e[least];
    for (let a = 0; a < 3; a++) {
      const from = e[a] * Math.abs(places[at + a]) - e[a] * e[a];
      if (from > t) t = from;
    }
    for (let step = 0; step < STEPS; step++) {
      let excess = -1.0;
      let slope = 0.0;
      for (let a = 0; a < 3; a++) {
        if (places[at + a] === 0) continue;
        const d = t + e[a] * e[a];
        const part = (e[a] * places[at + a]) / d;
        excess += part * part;
        slope += (part * part) / d;
      }
      if (!(excess > 0)) break;
      const next = t + (0.5 * excess) / slope;
      if (!(next > t)) break;
      t = next;
    }
    let left = 1.0;
    for (let a = 0; a < 3; a++) {
      foot[a] = places[at + a] === 0 ? 0 : (e[a] * e[a] * places[at + a]) / (t + e[a] * e[a]);
      left -= (foot[a] / e[a]) * (foot[a] / e[a]);
    }
    if (places[at + least] === 0 && t === -e[least] * e[least] && left > 0) {
      foot[least] = e[least] * Math.sqrt(left);
    }
    let square = 0.0;
    for (let a = 0; a < 3; a++) {
      normal[a] = foot[a] / (e[a] * e[a]);
      square += normal[a] * normal[a];
    }
    const length = Math.sqrt(square);
    gap[0] = t * length;
    for (let a = 0; a < 3; a++) normal[a] /= length;
  }
}

/** The convex hull of corners. */
class Hull extends Solid {
  override readonly sides: number;
  /** Outward normals of the sides and their heights over the origin. */
  readonly #planes: Float64Array;

  constructor(vertices: readonly (readonly [number, number, number])[]) {
    super();
    const { points, faces } = convexHull(vertices);
    this.sides = faces.length;
    this.#planes = new Float64Array(4 * faces.length);
    for (const [f, corners] of faces.entries()) {
      const [a, b, c] = corners.map((corner) => points[corner]);
      const [u, v] = [b, c].map((end) => [0, 1, 2].map((k) => end[k] - a[k]));
      const across = [0, 1, 2].map((k) => {
        const [l, m] = [(k + 1) % 3, (k + 2) % 3];
        return u[l] * v[m] - u[m] * v[l];
      });
      const length = Math.sqrt(
        across[0] * across[0] + across[1] * across[1] + across[2] * across[2],
      );
      for (let k = 0; k < 3; k++) {
        this.#planes[4 * f + k] = across[k] / length;
        this.#planes[4 * f + 3] += (across[k] / length) * a[k];
      }
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

  override measureSide(side: number, places: Float64Array, at: number): void {
    const planes = this.#planes;
    const p = 4 * side;
    this.gap[0] =
      planes[p] * places[at] +
      planes[p + 1] * places[at + 1] +
      planes[p + 2] * places[at + 2] -
      planes[p + 3];
    for (let a = 0; a < 3; a++) this.normal[a] = planes[p + a];
  }
}

/** What is in all of some solids and in none of others. Each of those others is one side, turned over. */
class Intersection extends Solid {
  override readonly sides: number;
  readonly #common: readonly Solid[];
  readonly #without: readonly Solid[];

  constructor({ common, without }: BooleanShape) {
    super();
    const placed = (part: Placed<CellShape>): Solid => new PlacedSolid(solidOf(part.shape), part);
    this.#common = common.map(placed);
    this.#without = without.map(placed);
    this.sides = this.#common.reduce((sum, { sides }) => sum + sides, without.length);
  }

  measure(places: Float64Array, at: number): void {
    this.gap[0] = -Infinity;
    for (let k = 0; k < this.#common.length; k++) {
      const part = this.#common[k];
      part.measure(places, at);
      if (part.gap[0] > this.gap[0]) this.#take(part, 1);
    }
    for (let k = 0; k < this.#without.length; k++) {
      const part = this.#without[k];
      part.measure(places, at);
      if (-part.gap[0] > this.gap[0]) this.#take(part, -1);
    }
  }

  override measureSide(side: number, places: Float64Array, at: number): void {
    let left = side;
    for (let k = 0; k < this.#common.length; k++) {
      const part = this.#common[k];
      if (left < part.sides) {
        part.measureSide(left, places, at);
        this.#take(part, 1);
        return;
      }
      left -= part.sides;
    }
    this.#without[left].measure(places, at);
    this.#take(this.#without[left], -1);
  }

  #take({ gap, normal }: Solid, sign: number): void {
    this.gap[0] = sign * gap[0];
    for (let a = 0; a < 3; a++) this.normal[a] = sign * normal[a];
  }
}
