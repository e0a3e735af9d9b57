/** Sums over the rows w = (n; ρ × n) of the contacts of a pair, six numbers each. */

/** out := Σ f w, six numbers. @alloc none */
export function sumWrenches(
  rows: Float64Array,
  forces: Float64Array,
  count: number,
  out: Float64Array,
): void {
  let x = 0;
  let y = 0;
  let z = 0;
  let u = 0;
  let v = 0;
  let w = 0;
  for (let c = 0, o = 0; c < count; c++, o += 6) {
    const f = forces[c];
    x += f * rows[o];
    y += f * rows[o + 1];
    z += f * rows[o + 2];
    u += f * rows[o + 3];
    v += f * rows[o + 4];
    w += f * rows[o + 5];
  }
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = u;
  out[4] = v;
  out[5] = w;
}

/** out := Σ k w wᵀ, 6 × 6 row by row. @alloc none */
export function sumSquares(
  rows: Float64Array,
  weights: Float64Array,
  count: number,
  out: Float64Array,
): void {
  sumFirstColumns(rows, weights, count, out);
  sumLastColumns(rows, weights, count, out);
  for (let a = 0; a < 6; a++) for (let b = a + 1; b < 6; b++) out[6 * a + b] = out[6 * b + a];
}

/** Columns 0 and 1 of the lower half; half of all sums at a time stay in registers. */
function sumFirstColumns(
  rows: Float64Array,
  weights: Float64Array,
  count: number,
  out: Float64Array,
): void {
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let xu = 0;
  let xv = 0;
  let xw = 0;
  let yy = 0;
  let yz = 0;
  let yu = 0;
  let yv = 0;
  let yw = 0;
  for (let c = 0, o = 0; c < count; c++, o += 6) {
    const k = weights[c];
    const kx = k * rows[o];
    const y = rows[o + 1];
    const ky = k * y;
    const z = rows[o + 2];
    const u = rows[o + 3];
    const v = rows[o + 4];
    const w = rows[o + 5];
    xx += kx * rows[o];
    xy += kx * y;
    xz += kx * z;
    xu += kx * u;
    xv += kx * v;
    xw += kx * w;
    yy += ky * y;
    yz += ky * z;
    yu += ky * u;
    yv += ky * v;
    yw += ky * w;
  }
  out[0] = xx;
  out[6] = xy;
  out[12] = xz;
  out[18] = xu;
  out[24] = xv;
  out[30] = xw;
  out[7] = yy;
  out[13] = yz;
  out[19] = yu;
  out[25] = yv;
  out[31] = yw;
}

/** Columns 2 to 5. */
function sumLastColumns(
  rows: Float64Array,
  weights: Float64Array,
  count: number,
  out: Float64Array,
): void {
  let zz = 0;
  let zu = 0;
  let zv = 0;
  let zw = 0;
  let uu = 0;
  let uv = 0;
  let uw = 0;
  let vv = 0;
  let vw = 0;
  let ww = 0;
  for (let c = 0, o = 0; c < count; c++, o += 6) {
    const k = weights[c];
    const z = rows[o + 2];
    const u = rows[o + 3];
    const v = rows[o + 4];
    const w = rows[o + 5];
    const kz = k * z;
    const ku = k * u;
    const kv = k * v;
    zz += kz * z;
    zu += kz * u;
    zv += kz * v;
    zw += kz * w;
    uu += ku * u;
    uv += ku * v;
    uw += ku * w;
    vv += kv * v;
    vw += kv * w;
    ww += k * w * w;
  }
  out[14] = zz;
  out[20] = zu;
  out[26] = zv;
  out[32] = zw;
  out[21] = uu;
  out[27] = uv;
  out[33] = uw;
  out[28] = vv;
  out[34] = vw;
  out[35] = ww;
}
