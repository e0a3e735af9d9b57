/**
 * Eigenvalues of a general real matrix, for design work: balancing, reduction to Hessenberg form by elimination, then double-shift QR.
 * `Golub & Van Loan 2013, 7.4–7.5`; steps as in EISPACK `balanc`, `elmhes`, `hqr` (Wilkinson & Reinsch 1971, II/11–II/14).
 */
import { BerthError } from '../base/errors.ts';

/** One eigenvalue; complex ones come in conjugate pairs, each listed. */
export interface Eigenvalue {
  readonly re: number;
  readonly im: number;
}

/** Eigenvalues of the n × n matrix a (row by row), by rising real part, then imaginary part. */
export function eigenvalues(a: Float64Array, n: number): Eigenvalue[] {
  const h = a.slice();
  for (const x of h) {
    if (!Number.isFinite(x)) {
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `Expected finite entries of a matrix, got ${x}`,
      );
    }
  }
  balance(h, n);
  reduce(h, n);
  return shiftedQr(h, n).sort((x, y) => x.re - y.re || x.im - y.im);
}

/** Balances a matrix: scales rows and columns by powers of two until their sums are similar. The scaling is exact. */
function balance(a: Float64Array, n: number): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < n; i++) {
      let column = 0;
      let row = 0;
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        column += Math.abs(a[j * n + i]);
        row += Math.abs(a[i * n + j]);
      }
      if (column === 0 || row === 0) continue;
      const sum = column + row;
      let f = 1;
      while (column < row / 2) {
        f *= 2;
        column *= 4;
      }
      while (column >= row * 2) {
        f /= 2;
        column /= 4;
      }
      if ((column + row) / f >= 0.95 * sum) continue;
      changed = true;
      for (let j = 0; j < n; j++) a[i * n + j] /= f;
      for (let j = 0; j < n; j++) a[j * n + i] *= f;
    }
  }
}

/**
 * Reduces a matrix to upper Hessenberg form by elimination with pivots, and clears everything below
 * the first subdiagonal.
 */
function reduce(a: Float64Array, n: number): void {
  for (let m = 1; m < n - 1; m++) {
    let pivot = m;
    for (let j = m; j < n; j++) {
      if (Math.abs(a[j * n + m - 1]) > Math.abs(a[pivot * n + m - 1])) pivot = j;
    }
    const x = a[pivot * n + m - 1];
    if (x === 0) continue;
    if (pivot !== m) {
      for (let j = m - 1; j < n; j++) swap(a, pivot * n + j, m * n + j);
      for (let j = 0; j < n; j++) swap(a, j * n + pivot, j * n + m);
    }
    for (let i = m + 1; i < n; i++) {
      const y = a[i * n + m - 1] / x;
      if (y === 0) continue;
      for (let j = m; j < n; j++) a[i * n + j] -= y * a[m * n + j];
      for (let j = 0; j < n; j++) a[j * n + m] += y * a[j * n + i];
    }
    for (let i = m + 1; i < n; i++) a[i * n + m - 1] = 0;
  }
}

function swap(a: Float64Array, i: number, j: number): void {
  const kept = a[i];
  a[i] = a[j];
  a[j] = kept;
}

function shiftedQr(a: Float64Array, n: number): Eigenvalue[] {
  const found: Eigenvalue[] = [];
  let norm = 0;
  for (let i = 0; i < n; i++) {
    for (let j = Math.max(i - 1, 0); j < n; j++) norm += Math.abs(a[i * n + j]);
  }
  let last = n - 1;
  let shift = 0;
  let iterations = 0;
  while (last >= 0) {
    const low = smallSubdiagonal(a, n, last, norm);
    let x = a[last * n + last];
    if (low === last) {
      found.push({ re: x + shift, im: 0 });
      last--;
      iterations = 0;
      continue;
    }
    let y = a[(last - 1) * n + last - 1];
    let w = a[last * n + last - 1] * a[(last - 1) * n + last];
    if (low === last - 1) {
      pushPair(found, x, y, w, shift);
      last -= 2;
      iterations = 0;
      continue;
    }
    if (iterations === 60) {
      throw new BerthError(
        'BERTH_UNSUPPORTED',
        `The eigenvalues of a ${n} × ${n} matrix were not found in 60 steps`,
      );
    }
    if (iterations % 10 === 0 && iterations > 0) {
      // exceptional shift
      shift += x;
      for (let i = 0; i <= last; i++) a[i * n + i] -= x;
      const s = Math.abs(a[last * n + last - 1]) + Math.abs(a[(last - 1) * n + last - 2]);
      x = 0.75 * s;
      y = x;
      w = -0.4375 * s * s;
    }
    iterations++;
    sweep(a, n, low, last, x, y, w);
  }
  return found;
}

/** First row of the active block. */
function smallSubdiagonal(a: Float64Array, n: number, last: number, norm: number): number {
  for (let l = last; l >= 1; l--) {
    const s = Math.abs(a[(l - 1) * n + l - 1]) + Math.abs(a[l * n + l]) || norm;
    if (Math.abs(a[l * n + l - 1]) <= Number.EPSILON * s) {
      a[l * n + l - 1] = 0;
      return l;
    }
  }
  return 0;
}

/** Appends the eigenvalues of the 2 × 2 block with diagonal y, x and product w of the other two elements. */
function pushPair(found: Eigenvalue[], x: number, y: number, w: number, shift: number): void {
  const p = 0.5 * (y - x);
  const q = p * p + w;
  const z = Math.sqrt(Math.abs(q));
  const base = x + shift;
  if (q >= 0) {
    const far = p + (p >= 0 ? z : -z);
    found.push({ re: base + far, im: 0 });
    found.push({ re: far === 0 ? base : base - w / far, im: 0 });
  } else {
    found.push({ re: base + p, im: z });
    found.push({ re: base + p, im: -z });
  }
}

/** One double-shift QR sweep over rows low … last. */
function sweep(
  a: Float64Array,
  n: number,
  low: number,
  last: number,
  x: number,
  y: number,
  w: number,
): void {
  let p = 0;
  let q = 0;
  let r = 0;
  let m = last - 2;
  for (; m >= low; m--) {
    const z = a[m * n + m];
    const dx = x - z;
    const dy = y - z;
    p = (dx * dy - w) / a[(m + 1) * n + m] + a[m * n + m + 1];
    q = a[(m + 1) * n + m + 1] - z - dx - dy;
    r = a[(m + 2) * n + m + 1];
    const s = Math.abs(p) + Math.abs(q) + Math.abs(r);
    p /= s;
    q /= s;
    r /= s;
    if (m === low) break;
    const u = Math.abs(a[m * n + m - 1]) * (Math.abs(q) + Math.abs(r));
    const v =
      Math.abs(p) *
      (Math.abs(a[(m - 1) * n + m - 1]) + Math.abs(z) + Math.abs(a[(m + 1) * n + m + 1]));
    if (u <= Number.EPSILON * v) break;
  }
  for (let i = m + 2; i <= last; i++) {
    a[i * n + i - 2] = 0;
    if (i > m + 2) a[i * n + i - 3] = 0;
  }
  for (let k = m; k < last; k++) {
    let size = 1;
    if (k !== m) {
      p = a[k * n + k - 1];
      q = a[(k + 1) * n + k - 1];
      r = k === last - 1 ? 0 : a[(k + 2) * n + k - 1];
      size = Math.abs(p) + Math.abs(q) + Math.abs(r);
      if (size === 0) continue;
      p /= size;
      q /= size;
      r /= size;
    }
    const s = (p < 0 ? -1 : 1) * Math.sqrt(p * p + q * q + r * r);
    if (k === m) {
      if (low !== m) a[k * n + k - 1] = -a[k * n + k - 1];
    } else {
      a[k * n + k - 1] = -s * size;
    }
    p += s;
    const hx = p / s;
    const hy = q / s;
    const hz = r / s;
    q /= p;
    r /= p;
    const third = k !== last - 1;
    for (let j = k; j <= last; j++) {
      let t = a[k * n + j] + q * a[(k + 1) * n + j];
      if (third) {
        t += r * a[(k + 2) * n + j];
        a[(k + 2) * n + j] -= t * hz;
      }
      a[(k + 1) * n + j] -= t * hy;
      a[k * n + j] -= t * hx;
    }
    const end = last < k + 3 ? last : k + 3;
    for (let i = low; i <= end; i++) {
      let t = hx * a[i * n + k] + hy * a[i * n + k + 1];
      if (third) {
        t += hz * a[i * n + k + 2];
        a[i * n + k + 2] -= t * r;
      }
      a[i * n + k + 1] -= t * q;
      a[i * n + k] -= t;
    }
  }
}
