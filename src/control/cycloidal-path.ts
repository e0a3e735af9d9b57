/**
 * Path through points at given times: straight segments with a stop at every point. Position, speed
 * and acceleration are continuous. `Kim 1999, (6.8)`: x(t) = x_m + a (s − b sin(s/b)), s = t − t_m,
 * a = (x_n − x_m)/(t_n − t_m), b = (t_n − t_m)/2π.
 */
import type { PathPoint } from '../model/control-spec.ts';
import { BerthError } from '../base/errors.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';

/** Cycloidal path. Before its first point and after its last it is at rest. */
export class CycloidalPath {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  private readonly times: Float64Array;
  private readonly points: Float64Array;

  constructor(points: readonly PathPoint[]) {
    const width = points.length > 0 ? points[0].position.length : 0;
    for (const [i, point] of points.entries()) {
      if (point.position.length !== width || (i > 0 && !(point.time > points[i - 1].time))) {
        throw new BerthError(
          'BERTH_PARAMETER_RANGE',
          `Expected points of ${width} coordinates at rising times, got point ${i} at ${point.time} s`,
        );
      }
    }
    if (points.length < 2) {
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `Expected at least 2 points of a path, got ${points.length}`,
      );
    }
    this.times = Float64Array.from(points, ({ time }) => time);
    this.points = Float64Array.from(points.flatMap(({ position }) => position));
    this.position = new Float64Array(width);
    this.velocity = new Float64Array(width);
    this.acceleration = new Float64Array(width);
  }

  /** Fills position, velocity and acceleration at the time clock[0]. @alloc none */
  evaluate(clock: Float64Array): void {
    const { times, points } = this;
    const width = this.position.length;
    const last = times.length - 1;
    let m = 0;
    while (m < last - 1 && clock[0] >= times[m + 1]) m++;
    const span = times[m + 1] - times[m];
    let s = clock[0] - times[m];
    if (s < 0) s = 0;
    if (s > span) s = span;
    ANGLE[0] = (2 * Math.PI * s) / span;
    const phase = sinCos();
    const part = s / span - phase[0] / (2 * Math.PI);
    const speed = (1 - phase[1]) / span;
    const gain = (2 * Math.PI * phase[0]) / (span * span);
    for (let a = 0; a < width; a++) {
      const from = points[m * width + a];
      const way = points[(m + 1) * width + a] - from;
      this.position[a] = from + part * way;
      this.velocity[a] = speed * way;
      this.acceleration[a] = gain * way;
    }
  }
}
