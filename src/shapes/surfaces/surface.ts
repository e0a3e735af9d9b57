/**
 * A surface and a curve as they are asked for: points and derivatives to the second order. Parameters come in an array, because a double
 * that is passed to a call which is not inlined would be allocated.
 */

/** Slots of what a surface writes: S, S_u, S_v, S_uu, S_uv, S_vv, three numbers each. */
export const BY_U = 3;
export const BY_V = 6;
export const BY_UU = 9;
export const BY_UV = 12;
export const BY_VV = 15;
export const SURFACE_SLOTS = 18;

/** What a curve writes: C, C', C'', three numbers each. */
export const CURVE_SLOTS = 9;

/** A compiled surface. */
export interface Surface {
  /** Least and largest u, least and largest v; infinite where it has no end. */
  readonly domain: Float64Array;
  /** Period of u and of v, 0 of one that has none. */
  readonly periods: Float64Array;
  /** The outward normal is sign S_u × S_v, at length 1. */
  readonly sign: 1 | -1;
  /**
   * S and its derivatives, m for a step of 1 of a parameter, in the frame of the body. Beyond the domain the last span goes on.
   * @param at u and v
   * @param out 18 numbers
   * @alloc none
   */
  evaluate(at: Float64Array, out: Float64Array): void;
}

/** A compiled curve. */
export interface Curve {
  /** Least and largest parameter; infinite where it has no end. */
  readonly domain: Float64Array;
  /** 0 for one that does not go round. */
  readonly period: number;
  /**
   * C, C' and C''. Beyond the domain the last span goes on.
   * @param at the parameter is at[slot]
   * @param out 9 numbers
   * @alloc none
   */
  evaluate(at: Float64Array, slot: number, out: Float64Array): void;
}

/**
 * Outward unit normal of what `evaluate` wrote. False where S_u and S_v are parallel to 1e-12 of their lengths: the normal is then that of
 * rounding. @alloc none
 */
export function normalOf(
  out: Float64Array,
  o: number,
  surface: Float64Array,
  sign: 1 | -1,
): boolean {
  const ux = surface[BY_U];
  const uy = surface[BY_U + 1];
  const uz = surface[BY_U + 2];
  const vx = surface[BY_V];
  const vy = surface[BY_V + 1];
  const vz = surface[BY_V + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const square = x * x + y * y + z * z;
  const scale = sign / Math.sqrt(square);
  out[o] = x * scale;
  out[o + 1] = y * scale;
  out[o + 2] = z * scale;
  return square > 1e-24 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
}
