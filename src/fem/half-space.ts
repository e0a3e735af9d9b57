/**
 * Surface of an elastic half-space under a uniform pressure on a rectangle. `Love 1929; Johnson 1985, (3.25)`
 *
 * π E* u/p = Σ± over the four corners; with X = x ± a, Y = y ± b:
 * (x + a) [asinh((y + b)/|x + a|) − asinh((y − b)/|x + a|)] + (y + b) [asinh((x + a)/|y + b|) − asinh((x − a)/|y + b|)]
 * − (x − a) [asinh((y + b)/|x − a|) − asinh((y − b)/|x − a|)] − (y − b) [asinh((x + a)/|y − b|) − asinh((x − a)/|y − b|)]
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

/**
 * Depth at (x, y), m, of the surface under 1 N spread on the rectangle |x| ≤ a, |y| ≤ b, m; modulus E* = E/(1 − ν²), Pa.
 */
export function loveDepth(x: number, y: number, a: number, b: number, modulus: number): number {
  const sum =
    edge(x + a, y + b, y - b) +
    edge(y + b, x + a, x - a) -
    edge(x - a, y + b, y - b) -
    edge(y - b, x + a, x - a);
  return sum / (Math.PI * modulus * 4 * a * b);
}
