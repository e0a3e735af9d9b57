/**
 * Touch test of two cells: whether and where they touch, and a bound of their distance. φ(p) = max
 * f over the common primitives of both is convex. The ellipsoid method finds a point with φ < 0 or
 * shows that there is none. The plane of the gradient cuts an ellipsoid around the minimum at its
 * centre; the smallest ellipsoid around the remaining half replaces it. `Grötschel, Lovász &
 * Schrijver 1988, 3.1`, with cuts as deep as the best value so far allows. Each step gives a lower
 * bound of φ, f − √(gᵀ P g). Twice the least φ bounds the distance, because the middle of the
 * shortest connection is half of it from either cell.
 */
import { BerthError } from '../base/errors.ts';
import type { RayTable } from '../shapes/ray-intervals.ts';
import type { RayPrimitive } from '../shapes/ray-primitive.ts';

/** Cuts at most; each takes the volume down by a sixth or more on average. */
const CUTS = 600;
/** Accuracy of the distance, relative, and that of the size of the smaller cell. */
const NEAR = 1e-4;
const ROUNDING = 1e-13;

/** Sphere around a bounded primitive. */
export function boundOf(primitive: RayPrimitive): { center: Float64Array; radius: number } {
  const center = new Float64Array(3);
  const point = new Float64Array(3);
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    const direction = new Float64Array(3);
    direction[axis] = 1;
    primitive.support(direction, point);
    const high = point[axis];
    direction[axis] = -1;
    primitive.support(direction, point);
    center[axis] = 0.5 * (high + point[axis]);
    square += 0.25 * (high - point[axis]) * (high - point[axis]);
  }
  return { center, radius: Math.sqrt(square) };
}

/** Search for a point in two cells; the first cell's frame. */
export class RayTouch {
  /** A point of both cells when they touch, else the point nearest both. */
  readonly point: Float64Array = new Float64Array(3);
  /** Lower bound of the distance, m; below 0 when the cells touch. */
  readonly gap: Float64Array = new Float64Array(1);
  /** Radius of a ball that holds the overlap, m. */
  readonly radius: number;
  private readonly primitives: RayPrimitive[];
  private readonly cells: Int32Array;
  private readonly center: Float64Array;
  private readonly centerCell: number;
  private readonly x: Float64Array = new Float64Array(3);
  private readonly other: Float64Array = new Float64Array(3);
  private readonly part: Float64Array = new Float64Array(4);
  /** φ and its gradient. */
  private readonly top: Float64Array = new Float64Array(4);
  private readonly shape: Float64Array = new Float64Array(9);
  private readonly cut: Float64Array = new Float64Array(3);
  private readonly frame: Float64Array;

  /** `frame`: placement of the second cell in the first, filled by the owner before `search`. */
  constructor(table: RayTable, frame: Float64Array) {
    const common = table.primitives.filter(({ removed }) => !removed);
    this.primitives = common.map(({ primitive }) => primitive);
    this.cells = Int32Array.from(common.map(({ cell }) => cell));
    this.frame = frame;
    let center = new Float64Array(3);
    let radius = Number.POSITIVE_INFINITY;
    let cell = -1;
    for (const one of common) {
      if (!one.primitive.bounded) continue;
      const bound = boundOf(one.primitive);
      if (bound.radius >= radius) continue;
      radius = bound.radius;
      center = bound.center as Float64Array<ArrayBuffer>;
      cell = one.cell;
    }
    this.center = center;
    this.radius = radius;
    this.centerCell = cell;
  }

  /** Refuses two cells of which neither has a size. @throws BerthError */
  requireBounded(kindI: string, kindJ: string): void {
    if (Number.isFinite(this.radius)) return;
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected one of the shapes ${kindI} and ${kindJ} to be of finite size`,
      { field: 'shape' },
    );
  }

  /** φ at x into `top`. */
  private evaluate(): void {
    const { frame: f, x, other, part, top } = this;
    const dx = x[0] - f[9];
    const dy = x[1] - f[10];
    const dz = x[2] - f[11];
    other[0] = f[0] * dx + f[3] * dy + f[6] * dz;
    other[1] = f[1] * dx + f[4] * dy + f[7] * dz;
    other[2] = f[2] * dx + f[5] * dy + f[8] * dz;
    top[0] = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < this.primitives.length; k++) {
      const second = this.cells[k] === 1;
      this.primitives[k].distance(second ? other : x, part);
      if (part[0] <= top[0]) continue;
      top[0] = part[0];
      if (second) {
        top[1] = f[0] * part[1] + f[1] * part[2] + f[2] * part[3];
        top[2] = f[3] * part[1] + f[4] * part[2] + f[5] * part[3];
        top[3] = f[6] * part[1] + f[7] * part[2] + f[8] * part[3];
      } else {
        top[1] = part[1];
        top[2] = part[2];
        top[3] = part[3];
      }
    }
  }

  /** Computes `point` and `gap`. @alloc none */
  search(): void {
    const { x, top, shape: p, cut, point, gap, center: c, frame: f } = this;
    if (this.centerCell === 1) {
      x[0] = f[0] * c[0] + f[1] * c[1] + f[2] * c[2] + f[9];
      x[1] = f[3] * c[0] + f[4] * c[1] + f[5] * c[2] + f[10];
      x[2] = f[6] * c[0] + f[7] * c[1] + f[8] * c[2] + f[11];
    } else {
      x[0] = c[0];
      x[1] = c[1];
      x[2] = c[2];
    }
    let best = Number.POSITIVE_INFINITY;
    let least = Number.NEGATIVE_INFINITY;
    for (let step = 0; step < CUTS; step++) {
      this.evaluate();
      const value = top[0];
      if (step === 0) {
        const reach = this.radius + (value > 0 ? value : 0);
        p.fill(0);
        p[0] = p[4] = p[8] = reach * reach;
      }
      if (value < best) {
        best = value;
        point[0] = x[0];
        point[1] = x[1];
        point[2] = x[2];
      }
      if (best < 0) break;
      const gx = p[0] * top[1] + p[1] * top[2] + p[2] * top[3];
      const gy = p[3] * top[1] + p[4] * top[2] + p[5] * top[3];
      const gz = p[6] * top[1] + p[7] * top[2] + p[8] * top[3];
      const square = gx * top[1] + gy * top[2] + gz * top[3];
      if (!(square > 0)) break;
      const width = Math.sqrt(square);
      if (value - width > least) least = value - width;
      if (best - least < NEAR * best + ROUNDING * this.radius) break;
      const deep = (value - best) / width;
      if (deep >= 1) break;
      cut[0] = gx / width;
      cut[1] = gy / width;
      cut[2] = gz / width;
      const move = 0.25 * (1 + 3 * deep);
      const grow = 1.125 * (1 - deep * deep);
      const flat = (0.5 * (1 + 3 * deep)) / (1 + deep);
      for (let i = 0; i < 3; i++) {
        x[i] -= move * cut[i];
        for (let j = 0; j < 3; j++) {
          p[3 * i + j] = grow * (p[3 * i + j] - flat * cut[i] * cut[j]);
        }
      }
    }
    gap[0] = best < 0 ? best : least > 0 ? 2 * least : 0;
  }
}
