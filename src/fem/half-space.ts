/**
 * Surface of an elastic half-space under a uniform traction on a rectangle. `Love 1929; Johnson 1985, (3.25), (3.75)`
 *
 * Under a point force at the distance ρ: 2πG u_z = (1 − ν) P/ρ, 2πG u_x = Q_x ((1 − ν)/ρ + ν x²/ρ³) + Q_y ν x y/ρ³. Over the rectangle |ξ| ≤ a, |η| ≤ b,
 * with X = x ± a, Y = y ± b and the sum Σ± over the four corners:
 *
 *   ∫ y²/ρ³ = Σ± X asinh(Y/|X|)     ∫ x²/ρ³ = Σ± Y asinh(X/|Y|)     ∫ xy/ρ³ = −Σ± ρ     ∫ 1/ρ = the first two together
 */
import { log } from '../math/elementary/logarithm.ts';

/** asinh. */
function arsinh(x: number): number {
  const size = Math.abs(x);
  const value = log(size + Math.sqrt(size * size + 1));
  return x < 0 ? -value : value;
}

/** distance · [asinh(high/|distance|) − asinh(low/|distance|)]; 0 at distance 0. */
function edge(distance: number, high: number, low: number): number {
  const size = Math.abs(distance);
  return size === 0 ? 0 : distance * (arsinh(high / size) - arsinh(low / size));
}

/** ∫ x²/ρ³ over the rectangle; with x and y exchanged ∫ y²/ρ³. */
function along(x: number, y: number, a: number, b: number): number {
  return edge(y + b, x + a, x - a) - edge(y - b, x + a, x - a);
}

/**
 * Depth at (x, y), m, of the surface under 1 N spread on the rectangle |x| ≤ a, |y| ≤ b, m; modulus E* = E/(1 − ν²), Pa.
 */
export function loveDepth(x: number, y: number, a: number, b: number, modulus: number): number {
  return (along(x, y, a, b) + along(y, x, b, a)) / (Math.PI * modulus * 4 * a * b);
}

/**
 * Displacements along the surface, [u_x by Q_x, u_x by Q_y or u_y by Q_x, u_y by Q_y], m, at (x, y) under 1 N spread on the rectangle.
 * @param shear G, Pa
 */
export function cerrutiShifts(
  x: number,
  y: number,
  a: number,
  b: number,
  shear: number,
  poisson: number,
): readonly [number, number, number] {
  const xx = along(x, y, a, b);
  const yy = along(y, x, b, a);
  const corner = (u: number, v: number): number => Math.sqrt(u * u + v * v);
  const xy =
    corner(x + a, y - b) + corner(x - a, y + b) - corner(x + a, y + b) - corner(x - a, y - b);
  const scale = 1 / (2 * Math.PI * shear * 4 * a * b);
  const round = (1 - poisson) * (xx + yy);
  return [scale * (round + poisson * xx), scale * poisson * xy, scale * (round + poisson * yy)];
}
