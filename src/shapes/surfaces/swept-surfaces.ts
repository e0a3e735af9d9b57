/** Surfaces that a curve sweeps: along a direction, and about an axis. */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import {
  BY_U,
  BY_UU,
  BY_UV,
  BY_V,
  BY_VV,
  CURVE_SLOTS,
  type Curve,
  type Surface,
} from './surface.ts';
import type { ExtrusionSurface, RevolutionSurface } from './surface-spec.ts';

/** S = C(u) + v direction. */
export class CompiledExtrusion implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array;
  readonly sign = 1;
  private readonly curve: Curve;
  private readonly direction: Float64Array;
  private readonly point: Float64Array = new Float64Array(CURVE_SLOTS);

  constructor(spec: ExtrusionSurface, curve: Curve) {
    this.curve = curve;
    this.direction = Float64Array.from(spec.direction);
    this.domain = Float64Array.of(curve.domain[0], curve.domain[1], -Infinity, Infinity);
    this.periods = Float64Array.of(curve.period, 0);
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const { direction, point } = this;
    this.curve.evaluate(at, 0, point);
    const v = at[1];
    for (let a = 0; a < 3; a++) {
      out[a] = point[a] + v * direction[a];
      out[BY_U + a] = point[3 + a];
      out[BY_V + a] = direction[a];
      out[BY_UU + a] = point[6 + a];
      out[BY_UV + a] = 0;
      out[BY_VV + a] = 0;
    }
  }
}

/**
 * S = A + a (a·w) + cos u w_⊥ + sin u a × w with w = C(v) − A and w_⊥ its part across the axis a: the formula of Rodrigues, which holds for
 * the derivatives of C as well.
 */
export class CompiledRevolution implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array;
  readonly sign = 1;
  private readonly curve: Curve;
  private readonly origin: Float64Array;
  private readonly axis: Float64Array;
  private readonly point: Float64Array = new Float64Array(CURVE_SLOTS);

  constructor(spec: RevolutionSurface, curve: Curve) {
    this.curve = curve;
    this.origin = Float64Array.from(spec.axisPoint);
    this.axis = Float64Array.from(spec.axis);
    const full = 2 * Math.PI;
    this.domain = Float64Array.of(0, full, curve.domain[0], curve.domain[1]);
    this.periods = Float64Array.of(full, curve.period);
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const { point, origin } = this;
    this.curve.evaluate(at, 1, point);
    for (let a = 0; a < 3; a++) point[a] -= origin[a];
    ANGLE[0] = at[0];
    const turn = sinCos();
    this.turn(turn, 0, out, 0, BY_U, BY_UU);
    for (let a = 0; a < 3; a++) out[a] += origin[a];
    this.turn(turn, 3, out, BY_V, BY_UV, -1);
    this.turn(turn, 6, out, BY_VV, -1, -1);
  }

  /** The vector of the curve at `from`, turned, and its first and second derivatives by the angle where they have a slot. */
  private turn(
    turn: Float64Array,
    from: number,
    out: Float64Array,
    to: number,
    first: number,
    second: number,
  ): void {
    const { point, axis } = this;
    const s = turn[0];
    const c = turn[1];
    const along = axis[0] * point[from] + axis[1] * point[from + 1] + axis[2] * point[from + 2];
    for (let a = 0; a < 3; a++) {
      const b = a === 2 ? 0 : a + 1;
      const d = a === 0 ? 2 : a - 1;
      const kept = axis[a] * along;
      const across = point[from + a] - kept;
      const side = axis[b] * point[from + d] - axis[d] * point[from + b];
      const turned = c * across + s * side;
      out[to + a] = kept + turned;
      if (first >= 0) out[first + a] = c * side - s * across;
      if (second >= 0) out[second + a] = -turned;
    }
  }
}
