/**
 * On which side of a plane, or of a line, a point lies, without an error of rounding. Floating point decides where its error bound lets it
 * (`Shewchuk 1997, Adaptive precision floating-point arithmetic`), whole numbers decide the rest: a double is a whole number times a power of
 * two, so that all coordinates of a determinant are whole numbers of one unit. It allocates and is for construction.
 */

const ROUNDING = Number.EPSILON / 2;
/** Error of a determinant of three rows, and of two, over the sum of the sizes of its products. */
const BOUND_3 = (7 + 56 * ROUNDING) * ROUNDING;
const BOUND_2 = (3 + 16 * ROUNDING) * ROUNDING;

/** Sign of det(a − d, b − d, c − d): 1 where d lies below the plane of a, b, c, which are counter-clockwise seen from above. */
export function sideOfPlane(
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
): -1 | 0 | 1 {
  if (d === a || d === b || d === c) return 0;
  const [ax, ay, az] = [v[a] - v[d], v[a + 1] - v[d + 1], v[a + 2] - v[d + 2]];
  const [bx, by, bz] = [v[b] - v[d], v[b + 1] - v[d + 1], v[b + 2] - v[d + 2]];
  const [cx, cy, cz] = [v[c] - v[d], v[c + 1] - v[d + 1], v[c + 2] - v[d + 2]];
  const det = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay);
  const size =
    Math.abs(az) * (Math.abs(bx * cy) + Math.abs(cx * by)) +
    Math.abs(bz) * (Math.abs(cx * ay) + Math.abs(ax * cy)) +
    Math.abs(cz) * (Math.abs(ax * by) + Math.abs(bx * ay));
  if (Math.abs(det) > BOUND_3 * size) return det > 0 ? 1 : -1;
  const [p, q, r, s] = whole(
    [a, b, c, d].flatMap((at) => [v[at], v[at + 1], v[at + 2]]),
    3,
  );
  const [x, y, z] = [minus(p, s), minus(q, s), minus(r, s)];
  return signOf(
    x[2] * (y[0] * z[1] - z[0] * y[1]) +
      y[2] * (z[0] * x[1] - x[0] * z[1]) +
      z[2] * (x[0] * y[1] - y[0] * x[1]),
  );
}

/** Sign of det(a − c, b − c) of two coordinates: 1 where a, b, c are counter-clockwise. */
export function sideOfLine(
  v: Float64Array,
  [i, j]: readonly [number, number],
  a: number,
  b: number,
  c: number,
): -1 | 0 | 1 {
  if (c === a || c === b) return 0;
  const left = (v[a + i] - v[c + i]) * (v[b + j] - v[c + j]);
  const right = (v[a + j] - v[c + j]) * (v[b + i] - v[c + i]);
  const det = left - right;
  if (Math.abs(det) > BOUND_2 * (Math.abs(left) + Math.abs(right))) return det > 0 ? 1 : -1;
  const [p, q, r] = whole(
    [a, b, c].flatMap((at) => [v[at + i], v[at + j]]),
    2,
  );
  const [x, y] = [minus(p, r), minus(q, r)];
  return signOf(x[0] * y[1] - x[1] * y[0]);
}

const signOf = (value: bigint): -1 | 0 | 1 => (value > 0n ? 1 : value < 0n ? -1 : 0);
const minus = (p: readonly bigint[], q: readonly bigint[]): bigint[] =>
  p.map((value, k) => value - q[k]);

/** Coordinates as whole numbers of one unit, by points. */
function whole(values: readonly number[], coordinates: number): bigint[][] {
  const view = new DataView(new ArrayBuffer(8));
  const parts = values.map((value) => {
    view.setFloat64(0, value);
    const bits = view.getBigUint64(0);
    const exponent = Number((bits >> 52n) & 0x7ffn);
    const fraction = bits & 0xfffffffffffffn;
    const size = exponent === 0 ? fraction : fraction | 0x10000000000000n;
    return { size: value < 0 ? -size : size, exponent: Math.max(exponent, 1) };
  });
  const least = Math.min(...parts.map(({ exponent }) => exponent));
  const numbers = parts.map(({ size, exponent }) => size << BigInt(exponent - least));
  return Array.from({ length: values.length / coordinates }, (_, k) =>
    numbers.slice(coordinates * k, coordinates * (k + 1)),
  );
}
