/**
 * atan, atan2, asin and acos from + − × ÷ √ alone, so that their bits are the same on every
 * machine.
 *
 * A ratio t ≤ 1 is a sum of two doubles. With the nearest c = i/16, atan t = atan c + atan u, u =
 * (t − c)/(1 + c t), |u| ≤ 1/32. Eight terms of the Taylor series suffice. asin x = atan2(x, √(1 −
 * x²)), with the root as two doubles.
 *
 * Short exported functions call functions that pass no double; circular.ts gives the reason.
 */
import { productError } from './double-double.ts';

/** atan(i/16), and its low part. */
// biome-ignore format: a table
const TABLE = Float64Array.of(
  0, 0.06241880999595735, 0.12435499454676144, 0.18534794999569476, 0.24497866312686414, 0.3028848683749714,
  0.35877067027057225, 0.4124104415973873, 0.4636476090008061, 0.5123894603107377, 0.5585993153435624, 0.6022873461349642,
  0.6435011087932844, 0.6823165548747481, 0.7188299996216245, 0.7531512809621944, 0.7853981633974483,
);
// biome-ignore format: a table
const TABLE_LOW = Float64Array.of(
  0, -1.5490756308295046e-18, -3.1253241424539383e-18, 4.180692268843079e-18, 1.0698755618734451e-17, -1.1010827903001369e-17,
  -2.4623815582638635e-17, -1.587652227770689e-17, 2.2698777452961687e-17, -2.5462781472855804e-17, -5.4556305485916264e-18,
  2.950430737228402e-17, 1.5834785051444286e-17, 6.943223671560008e-18, -2.1478388444456983e-17, -2.4256934659182068e-17,
  3.061616997868383e-17,
);

/** y and x of a point; its angle replaces y. x is 1 except in `atan2`. */
const POINT = Float64Array.of(0, 1);
/** y and x for `directions`. It is an alias, because code that reads an exported variable is longer. */
export const DIRECTION = POINT;
/** A ratio, then its arcsine and arccosine. */
const ARCS = new Float64Array(2);
/** The legs a, b > 0 of a triangle, of moderate size, each with its low part. */
const LEGS = new Float64Array(4);
/** The two acute angles of the triangle, opposite to a and to b, each as a sum of two doubles. */
const ANGLES = new Float64Array(4);

/** Computes ANGLES from LEGS. @alloc none */
function ofRatio(): void {
  const legs = LEGS;
  const angles = ANGLES;
  const steep = legs[0] > legs[1];
  const top = steep ? legs[1] : legs[0];
  const under = steep ? legs[0] : legs[1];
  const topLow = steep ? legs[3] : legs[2];
  const underLow = steep ? legs[2] : legs[3];
  const t = top / under;
  const p = t * under;
  const rest = (top - p - productError(t, under, p) + topLow - t * underLow) / under;
  // small ratios need no table
  const small = t < 3 / 32;
  const i = small ? 0 : Math.floor(16 * t + 0.5) | 0;
  const c = i / 16;
  const u = small ? t : (t - c) / (1 + c * t);
  const z = u * u;
  const z2 = z * z;
  const near = -1 / 3 + z * (1 / 5) + z2 * (-1 / 7 + z * (1 / 9));
  const far = -1 / 11 + z * (1 / 13) + z2 * (-1 / 15 + z * (1 / 17));
  const series = z * (near + z2 * z2 * far);
  const main = small ? t : TABLE[i];
  const low = small ? t * series + rest : u + (u * series + (TABLE_LOW[i] + rest / (1 + t * t)));
  const other = 1.5707963267948966 - main;
  const otherLow = 1.5707963267948966 - other - main + (6.123233995736766e-17 - low);
  angles[0] = steep ? other : main;
  angles[1] = steep ? otherLow : low;
  angles[2] = steep ? main : other;
  angles[3] = steep ? low : otherLow;
}

/**
 * Replaces y in DIRECTION by the angle of the point (x, y), rad, and x by 1. For seldom executed
 * code, where `atan2` is not inlined. @alloc none
 */
export function directions(): Float64Array {
  const point = POINT;
  const half = 1.5707963267948966;
  const whole = 3.141592653589793;
  const wholeLow = 1.2246467991473532e-16;
  const y = point[0];
  const x = point[1];
  const right = x > 0 || (x === 0 && 1 / x > 0);
  const a = Math.abs(y);
  const b = Math.abs(x);
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) {
    // zero, infinite or NaN: IEEE 754 defines the angle
    let edge = half;
    if (a === b && a > 0) edge = right ? 0.25 * whole : 0.75 * whole;
    else if (a === 0 || b === Infinity) edge = right ? 0 : whole;
    const up = y > 0 || (y === 0 && 1 / y > 0);
    point[0] = up ? edge : -edge;
    if (Number.isNaN(y) || Number.isNaN(x)) point[0] = NaN;
    point[1] = 1;
    return point;
  }
  // a ratio below this is negligible beside π/2
  const negligible = 8.673617379884035e-19; // 2⁻⁶⁰
  let angle: number;
  if (b < negligible * a) angle = half;
  else if (a < negligible * b) angle = right ? a / b : whole;
  else {
    // 2⁻⁵⁰⁰ and 2⁵⁰⁰: beyond, products and quotients overflow or underflow
    const small = 3.054936363499605e-151;
    const large = 3.273390607896142e150;
    const factor = a > large || b > large ? small : a < small || b < small ? large : 1;
    const legs = LEGS;
    legs[0] = factor * a;
    legs[1] = factor * b;
    legs[2] = 0;
    legs[3] = 0;
    ofRatio();
    const main = ANGLES[0];
    const low = ANGLES[1];
    angle = main + low;
    if (!right) {
      const rest = whole - main;
      const restLow = whole - rest - main + (wholeLow - low);
      angle = rest + restLow;
    }
  }
  point[0] = y > 0 ? angle : -angle;
  point[1] = 1;
  return point;
}

/** Replaces the slots of ARCS by arcsine and arccosine of the first. @alloc none */
function sineAndCosine(): Float64Array {
  const arcs = ARCS;
  const legs = LEGS;
  const quarter = 1.5707963267948966;
  const quarterLow = 6.123233995736766e-17;
  const half = 3.141592653589793;
  const x = arcs[0];
  const size = Math.abs(x);
  if (!(size < 1)) {
    arcs[0] = NaN;
    if (size === 1) arcs[0] = x * quarter;
    arcs[1] = NaN;
    if (size === 1) arcs[1] = x > 0 ? 0 : half;
    return arcs;
  }
  if (size < 1e-9) {
    arcs[1] = quarter - (x - quarterLow);
    return arcs;
  }
  // √(1 − x²) as two doubles
  const p = size * size;
  const square = 1 - p;
  const squareLow = 1 - square - p - productError(size, size, p);
  const root = Math.sqrt(square);
  const q = root * root;
  legs[0] = size;
  legs[1] = root;
  legs[2] = 0;
  const left = square - q - productError(root, root, q) + squareLow;
  legs[3] = left / (2 * root);
  ofRatio();
  const main = ANGLES[0];
  const low = ANGLES[1];
  const sine = main + low;
  arcs[0] = x > 0 ? sine : -sine;
  // the other angle of the triangle, plus π/2 where x is negative
  const otherLow = ANGLES[3];
  const other = ANGLES[2] + otherLow;
  if (x > 0) arcs[1] = other;
  else {
    const sum = quarter + main;
    arcs[1] = sum + (quarter - sum + main + (quarterLow + low));
  }
  return arcs;
}

/** arctan x, rad; error at most 1 ulp. @alloc none */
export function atan(x: number): number {
  POINT[0] = x;
  return directions()[0];
}

function setSecond(x: number): void {
  POINT[1] = x;
}

/** Angle of the point (x, y), −π to π rad, with the signs of zero of IEEE 754; error at most 1 ulp. @alloc none */
export function atan2(y: number, x: number): number {
  setSecond(x);
  return atan(y);
}

/** arcsin x, rad; error at most 1 ulp; NaN beyond ±1. @alloc none */
export function asin(x: number): number {
  ARCS[0] = x;
  return sineAndCosine()[0];
}

/** arccos x, rad; error at most 1 ulp; NaN beyond ±1. @alloc none */
export function acos(x: number): number {
  ARCS[0] = x;
  return sineAndCosine()[1];
}
