/**
 * Plane, cylinder, cone, sphere and torus in their own frames, about z, with the parameters of ISO 10303-42. S_u × S_v points out of
 * cylinder, cone, sphere and torus, and along z from the plane.
 */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV, type Surface } from './surface.ts';

const FULL_TURN = 2 * Math.PI;

/** Writes three numbers of one slot. */
function put(out: Float64Array, o: number, x: number, y: number, z: number): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** S = (u, v, 0). */
export class CompiledPlane implements Surface {
  readonly domain: Float64Array = Float64Array.of(-Infinity, Infinity, -Infinity, Infinity);
  readonly periods: Float64Array = new Float64Array(2);
  readonly sign = 1;

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    out.fill(0);
    out[0] = at[0];
    out[1] = at[1];
    out[BY_U] = 1;
    out[BY_V + 1] = 1;
  }
}

/** Cylinder, and cone: S = (r cos u, r sin u, v) with r = R + v tan α. */
export class CompiledCone implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array = Float64Array.of(FULL_TURN, 0);
  readonly sign = 1;
  /** [R, tan α] */
  private readonly size: Float64Array;

  /** @param slope tan α, 0 for a cylinder */
  constructor(radius: number, slope: number) {
    this.size = Float64Array.of(radius, slope);
    this.domain = Float64Array.of(0, FULL_TURN, slope > 0 ? -radius / slope : -Infinity, Infinity);
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const slope = this.size[1];
    const r = this.size[0] + at[1] * slope;
    ANGLE[0] = at[0];
    const turn = sinCos();
    const s = turn[0];
    const c = turn[1];
    put(out, 0, r * c, r * s, at[1]);
    put(out, BY_U, -r * s, r * c, 0);
    put(out, BY_V, slope * c, slope * s, 1);
    put(out, BY_UU, -r * c, -r * s, 0);
    put(out, BY_UV, -slope * s, slope * c, 0);
    put(out, BY_VV, 0, 0, 0);
  }
}

/** Sphere, and torus: S = ((R + r cos v) cos u, (R + r cos v) sin u, r sin v). */
export class CompiledTorus implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array;
  readonly sign = 1;
  /** [R, r] */
  private readonly size: Float64Array;

  /** @param major R, 0 for a sphere */
  constructor(major: number, minor: number) {
    this.size = Float64Array.of(major, minor);
    const quarter = Math.PI / 2;
    this.domain =
      major > 0
        ? Float64Array.of(0, FULL_TURN, 0, FULL_TURN)
        : Float64Array.of(0, FULL_TURN, -quarter, quarter);
    this.periods = Float64Array.of(FULL_TURN, major > 0 ? FULL_TURN : 0);
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const minor = this.size[1];
    ANGLE[0] = at[1];
    let turn = sinCos();
    const height = minor * turn[0];
    const radial = minor * turn[1];
    ANGLE[0] = at[0];
    turn = sinCos();
    const s = turn[0];
    const c = turn[1];
    const r = this.size[0] + radial;
    put(out, 0, r * c, r * s, height);
    put(out, BY_U, -r * s, r * c, 0);
    put(out, BY_V, -height * c, -height * s, radial);
    put(out, BY_UU, -r * c, -r * s, 0);
    put(out, BY_UV, height * s, -height * c, 0);
    put(out, BY_VV, -radial * c, -radial * s, -height);
  }
}
