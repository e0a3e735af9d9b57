/** A query of two shapes in chosen or random poses, and the proof of its answer by shape-truths.ts. */
import { rotationOf } from '../../../src/math/quaternion.ts';
import type { Random } from '../../../src/index.ts';
import { MinkowskiDifference } from '../../../src/proximity/minkowski.ts';
import { SignedDistance } from '../../../src/proximity/signed-distance.ts';
import { makeCore } from '../../../src/shapes/make-core.ts';
import { dot, type Truth, type Vector } from './shape-truths.ts';

/** Two shapes, A with its origin at `offset` from that of B. */
export class Bench {
  readonly space: MinkowskiDifference;
  readonly query: SignedDistance;
  readonly a: Truth;
  readonly b: Truth;

  constructor(a: Truth, b: Truth) {
    const placed = ({ shape, smoothing }: Truth): Parameters<typeof makeCore>[0] => ({
      shape,
      smoothing,
      position: [0, 0, 0],
      orientation: [0, 0, 0, 1],
    });
    this.a = a;
    this.b = b;
    this.space = new MinkowskiDifference(makeCore(placed(a)), makeCore(placed(b)));
    this.query = new SignedDistance(this.space);
  }

  /** Signed distance at an offset; the poses stay. */
  at(offset: ArrayLike<number>): number {
    for (let k = 0; k < 3; k++) this.space.offset[k] = offset[k];
    this.query.compute();
    return this.query.distance[0];
  }

  turn(random: Random): void {
    turn(this.space.rotationA, random);
    turn(this.space.rotationB, random);
  }

  normal(): Vector {
    return [...this.query.witness.normal] as unknown as Vector;
  }

  /** Surface points, A from its own origin and B from its own, world axes. */
  points(): { a: Vector; b: Vector } {
    const { witness } = this.query;
    const n = witness.normal;
    const along = (p: Float64Array, margin: number): Vector =>
      [0, 1, 2].map((k) => p[k] + margin * n[k]) as unknown as Vector;
    return {
      a: along(witness.a, -this.space.coreA.margin),
      b: along(witness.b, this.space.coreB.margin),
    };
  }

  /** σ(n) = min over A of n·a − max over B of n·b: every unit n gives a lower bound of the signed distance. */
  slab(n: Vector): number {
    const { space, a, b } = this;
    const minus = local(space.rotationA, n, -1);
    return (
      dot(n, [...space.offset] as unknown as Vector) -
      a.support(minus) -
      b.support(local(space.rotationB, n, 1))
    );
  }

  /**
   * How wrong the last answer is: the slab along its normal against the distance, the points against each other, and the
   * points against the surfaces.
   */
  errors(): { slab: number; points: number; surface: number } {
    const n = this.normal();
    const s = this.query.distance[0];
    const { a, b } = this.points();
    const { space } = this;
    let points = 0;
    for (let k = 0; k < 3; k++) {
      points = Math.max(points, Math.abs(a[k] + space.offset[k] - b[k] - s * n[k]));
    }
    return {
      slab: Math.abs(this.slab(n) - s),
      points,
      surface: Math.max(
        Math.abs(this.a.outside(local(space.rotationA, a, 1))),
        Math.abs(this.b.outside(local(space.rotationB, b, 1))),
      ),
    };
  }

  /** Largest slab that a search over directions finds, by sampling and by shrinking random steps from the best ones. */
  bestSlab(random: Random, samples: number): number {
    const found: { n: Vector; value: number }[] = [];
    for (let k = 0; k < samples; k++) {
      const n = direction(random);
      found.push({ n, value: this.slab(n) });
    }
    found.sort((x, y) => y.value - x.value);
    let best = found[0].value;
    for (let { n, value } of found.slice(0, 6)) {
      for (let size = 0.2; size > 1e-5; size *= 0.93) {
        const step = direction(random);
        const m = unit([n[0] + size * step[0], n[1] + size * step[1], n[2] + size * step[2]]);
        const here = this.slab(m);
        if (here > value) {
          n = m;
          value = here;
          size *= 1.3;
        }
      }
      best = Math.max(best, value);
    }
    return best;
  }
}

export function unit(v: Vector): Vector {
  const k = 1 / Math.hypot(...v);
  return [k * v[0], k * v[1], k * v[2]];
}

export function direction(random: Random): Vector {
  return unit([random.gaussian(), random.gaussian(), random.gaussian()]);
}

/** sign Rᵀ v */
function local(r: Float64Array, v: Vector, sign: 1 | -1): Vector {
  return [0, 1, 2].map(
    (k) => sign * (r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2]),
  ) as unknown as Vector;
}

/** A random rotation. */
export function turn(rotation: Float64Array, random: Random): void {
  const q = Float64Array.from({ length: 4 }, () => random.gaussian());
  const length = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
  rotationOf(
    rotation,
    q.map((value) => value / length),
    0,
  );
}
