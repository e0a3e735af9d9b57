/**
 * Bracketing root finder ITP: at most one step slower than bisection, superlinear on smooth
 * functions. `Oliveira & Takahashi 2020, ACM Trans. Math. Softw. 47(1), 5`, with κ1 = 0.2/(b − a),
 * κ2 = 2, n0 = 1.
 */
import { log2 } from './elementary/logarithm.ts';
import { pow } from './elementary/power.ts';

/** Slots of the bracket. */
export const LEFT = 0;
export const RIGHT = 1;

/** Function of one number; argument and value are passed in arrays. */
export interface CellFunction {
  /** Fills value[0] at x[0]. @alloc none */
  evaluate(x: Float64Array, value: Float64Array): void;
}

/** Root finder with its work space. */
export class RootFinder {
  private readonly x: Float64Array = new Float64Array(1);
  private readonly value: Float64Array = new Float64Array(1);

  /**
   * Narrows `bracket` to at most `width` around a change from f >= 0 at the left to f < 0 at the
   * right; both signs hold at return. It evaluates f at both ends first. @returns false without a
   * change of sign @alloc none
   */
  narrow(f: CellFunction, bracket: Float64Array, width: number): boolean {
    const { x, value } = this;
    x[0] = bracket[LEFT];
    f.evaluate(x, value);
    let fa = value[0];
    x[0] = bracket[RIGHT];
    f.evaluate(x, value);
    let fb = value[0];
    if (!(fa >= 0) || !(fb < 0)) return false;
    const initial = bracket[RIGHT] - bracket[LEFT];
    const most = Math.ceil(log2(initial / width)) + 1;
    // half of the bracket that bisection would leave in each round
    let left = 0.5 * width * pow(2, most);
    for (let j = 0; j < 200; j++, left *= 0.5) {
      const a = bracket[LEFT];
      const b = bracket[RIGHT];
      const size = b - a;
      if (!(size > width)) break;
      const middle = a + 0.5 * size;
      if (!(middle > a && middle < b)) break; // no double lies between
      const secant = (fb * a - fa * b) / (fb - fa);
      const towards = middle > secant ? 1 : -1;
      const nudge = (0.2 * size * size) / initial;
      const truncated = nudge <= Math.abs(middle - secant) ? secant + towards * nudge : middle;
      const reach = left - 0.5 * size;
      const trial = Math.abs(truncated - middle) <= reach ? truncated : middle - towards * reach;
      x[0] = trial > a && trial < b ? trial : middle;
      f.evaluate(x, value);
      if (value[0] < 0) {
        bracket[RIGHT] = x[0];
        fb = value[0];
      } else {
        bracket[LEFT] = x[0];
        fa = value[0];
      }
    }
    return true;
  }
}
