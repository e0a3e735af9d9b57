/**
 * atan, atan2, asin and acos from + − × ÷ √ alone, so that their bits are the same on every machine.
 *
 * A ratio t ≤ 1 is kept with what its division lost. With c = i/16 next to it, atan t = atan c + atan u, u = (t − c)/(1 + c t); |u| ≤ 1/32, and its Taylor
 * series ends after eight terms. asin x = atan2(x, √(1 − x²)), the root kept as two doubles.
 */
import { productError } from './double-double.ts';

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const PI_2 = 1.5707963267948966;
const PI_2_LOW = 6.123233995736766e-17;
/** A ratio that is smaller is as good as nothing beside π/2, and one that is larger is infinite. */
const NEGLIGIBLE = 1 / 2 ** 60;
/** Sizes between these have products and quotients that are neither too large nor too small. */
const LARGE = 2 ** 500;
const SMALL = 2 ** -500;

/** atan(i/16), and what does not fit into a double. */
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

/** Ratios below need no table. */
const NEAR = 3 / 32;

/** An angle as a sum of two doubles. */
const ANGLE = new Float64Array(2);
/** A root as a sum of two doubles. */
const ROOT = new Float64Array(2);

/** (atan u − u)/u, z = u². @alloc none */
function series(z: number): number {
  return (
    z *
    (-1 / 3 +
      z *
        (1 / 5 +
          z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13 + z * (-1 / 15 + z * (1 / 17))))))))
  );
}

/** Put atan(t + rest), 0 ≤ t ≤ 1, into ANGLE. @alloc none */
function arctangent(t: number, rest: number): void {
  if (t < NEAR) {
    ANGLE[0] = t;
    ANGLE[1] = t * series(t * t) + rest;
    return;
  }
  const i = Math.floor(16 * t + 0.5);
  const c = i / 16;
  const u = (t - c) / (1 + c * t);
  ANGLE[0] = TABLE[i];
  ANGLE[1] = u + (u * series(u * u) + (TABLE_LOW[i] + rest / (1 + t * t)));
}

/** atan(a/b), a, b > 0 of moderate size, each with what it lost; into ANGLE. @alloc none */
function ofRatio(a: number, b: number, aLow: number, bLow: number): void {
  const steep = a > b;
  const top = steep ? b : a;
  const under = steep ? a : b;
  const topLow = steep ? bLow : aLow;
  const underLow = steep ? aLow : bLow;
  const t = top / under;
  const p = t * under;
  const rest = (top - p - productError(t, under, p) + topLow - t * underLow) / under;
  arctangent(t, rest);
  if (!steep) return;
  const angle = PI_2 - ANGLE[0];
  ANGLE[1] = PI_2 - angle - ANGLE[0] + (PI_2_LOW - ANGLE[1]);
  ANGLE[0] = angle;
}

/** Put π less the angle into ANGLE. @alloc none */
function supplement(): void {
  const angle = PI - ANGLE[0];
  ANGLE[1] = PI - angle - ANGLE[0] + (PI_LOW - ANGLE[1]);
  ANGLE[0] = angle;
}

/** arctan x, rad; at most 1 ulp off. @alloc none */
export function atan(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1e-9)) return x;
  if (size > 1e18) return x > 0 ? PI_2 : -PI_2;
  ofRatio(size, 1, 0, 0);
  const angle = ANGLE[0] + ANGLE[1];
  return x > 0 ? angle : -angle;
}

/** Angle of the point (x, y), −π to π rad, with the signs of zero as IEEE 754 has them; at most 1 ulp off. @alloc none */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const up = y > 0 || (y === 0 && 1 / y > 0);
  const right = x > 0 || (x === 0 && 1 / x > 0);
  let a = Math.abs(y);
  let b = Math.abs(x);
  if (a === Infinity && b === Infinity) a = b = 1;
  let angle: number;
  if (a === 0) angle = right ? 0 : PI;
  else if (b === 0 || a === Infinity || b < NEGLIGIBLE * a) angle = PI_2;
  else if (b === Infinity || (!right && a < NEGLIGIBLE * b)) angle = right ? 0 : PI;
  else if (a < NEGLIGIBLE * b) angle = a / b;
  else {
    if (a > LARGE || b > LARGE) {
      a *= SMALL;
      b *= SMALL;
    } else if (a < SMALL || b < SMALL) {
      a *= LARGE;
      b *= LARGE;
    }
    ofRatio(a, b, 0, 0);
    if (!right) supplement();
    angle = ANGLE[0] + ANGLE[1];
  }
  return up ? angle : -angle;
}

/** Put √(1 − x²), 0 < x < 1, into ROOT. @alloc none */
function complement(x: number): void {
  const p = x * x;
  const square = 1 - p;
  const lost = 1 - square - p - productError(x, x, p);
  const root = Math.sqrt(square);
  const q = root * root;
  ROOT[0] = root;
  ROOT[1] = (square - q - productError(root, root, q) + lost) / (2 * root);
}

/** arcsin x, rad; at most 1 ulp off; NaN beyond ±1. @alloc none */
export function asin(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1e-9)) return x;
  if (!(size < 1)) return size === 1 ? x * PI_2 : NaN;
  complement(size);
  ofRatio(size, ROOT[0], 0, ROOT[1]);
  const angle = ANGLE[0] + ANGLE[1];
  return x > 0 ? angle : -angle;
}

/** arccos x, rad; at most 1 ulp off; NaN beyond ±1. @alloc none */
export function acos(x: number): number {
  const size = Math.abs(x);
  if (!(size < 1)) return x === 1 ? 0 : x === -1 ? PI : NaN;
  if (size < 1e-20) return PI_2;
  complement(size);
  ofRatio(ROOT[0], size, ROOT[1], 0);
  if (x < 0) supplement();
  return ANGLE[0] + ANGLE[1];
}
