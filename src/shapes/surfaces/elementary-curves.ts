/** Straight line and circle. */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { cross3 } from '../../math/vec3.ts';
import type { Curve } from './surface.ts';
import type { CircleCurve, LineCurve } from './surface-spec.ts';

const FULL_TURN = 2 * Math.PI;

/** C = point + t direction. */
export class CompiledLine implements Curve {
  readonly domain: Float64Array = Float64Array.of(-Infinity, Infinity);
  readonly period = 0;
  private readonly point: Float64Array;
  private readonly direction: Float64Array;

  constructor(spec: LineCurve) {
    this.point = Float64Array.from(spec.point);
    this.direction = Float64Array.from(spec.direction);
  }

  /** @alloc none */
  evaluate(at: Float64Array, slot: number, out: Float64Array): void {
    const { point, direction } = this;
    const t = at[slot];
    for (let a = 0; a < 3; a++) {
      out[a] = point[a] + t * direction[a];
      out[3 + a] = direction[a];
      out[6 + a] = 0;
    }
  }
}

/** C = center + R (cos t x + sin t y). */
export class CompiledCircle implements Curve {
  readonly domain: Float64Array = Float64Array.of(0, FULL_TURN);
  readonly period: number = FULL_TURN;
  private readonly center: Float64Array;
  /** R x and R y, m. */
  private readonly x: Float64Array;
  private readonly y: Float64Array = new Float64Array(3);

  constructor(spec: CircleCurve) {
    this.center = Float64Array.from(spec.center);
    this.x = Float64Array.from(spec.reference, (value) => spec.radius * value);
    cross3(this.y, 0, Float64Array.from(spec.axis), 0, this.x, 0);
  }

  /** @alloc none */
  evaluate(at: Float64Array, slot: number, out: Float64Array): void {
    const { center, x, y } = this;
    ANGLE[0] = at[slot];
    const turn = sinCos();
    const s = turn[0];
    const c = turn[1];
    for (let a = 0; a < 3; a++) {
      const radial = c * x[a] + s * y[a];
      out[a] = center[a] + radial;
      out[3 + a] = c * y[a] - s * x[a];
      out[6 + a] = -radial;
    }
  }
}
