/**
 * Rational B-spline curves and surfaces. Sums are those of the homogeneous net (w P, w); the derivatives of the quotient follow from
 * A = W S. `Piegl & Tiller 1997, (4.8), (4.20)`.
 */
import { SplineBasis } from './spline-basis.ts';
import type { Curve, Surface } from './surface.ts';
import type { NurbsCurve, NurbsSurface } from './surface-spec.ts';

/** A rational B-spline curve. */
export class CompiledNurbsCurve implements Curve {
  readonly domain: Float64Array;
  readonly period: number;
  private readonly basis: SplineBasis;
  /** w P and w of each control point. */
  private readonly net: Float64Array;
  private readonly sums: Float64Array = new Float64Array(12);

  constructor(spec: NurbsCurve) {
    const { degree, knots, points, weights, closed = false } = spec;
    this.basis = new SplineBasis(degree, knots, closed);
    const { low, high } = this.basis;
    this.domain = Float64Array.of(low, high);
    this.period = closed ? high - low : 0;
    this.net = Float64Array.from(points.flatMap((p, i) => weighted(p, weights?.[i] ?? 1)));
  }

  /** @alloc none */
  evaluate(at: Float64Array, slot: number, out: Float64Array): void {
    const { basis, net, sums } = this;
    basis.evaluate(at, slot);
    const { values, degree } = basis;
    const row = degree + 1;
    const base = 4 * basis.first[0];
    for (let d = 0; d < 3; d++) {
      for (let a = 0; a < 4; a++) {
        let sum = 0;
        for (let r = 0; r < row; r++) sum += values[d * row + r] * net[base + 4 * r + a];
        sums[4 * d + a] = sum;
      }
    }
    const inverse = 1 / sums[3];
    const w1 = sums[7];
    const w2 = sums[11];
    for (let a = 0; a < 3; a++) {
      const c = sums[a] * inverse;
      const c1 = (sums[4 + a] - w1 * c) * inverse;
      out[a] = c;
      out[3 + a] = c1;
      out[6 + a] = (sums[8 + a] - 2 * w1 * c1 - w2 * c) * inverse;
    }
  }
}

/** A rational B-spline surface. */
export class CompiledNurbsSurface implements Surface {
  readonly domain: Float64Array;
  readonly periods: Float64Array;
  readonly sign = 1;
  private readonly basisU: SplineBasis;
  private readonly basisV: SplineBasis;
  /** w P and w of each control point, along v first. */
  private readonly net: Float64Array;
  /** A and W by the order of derivatives: as `evaluate` writes them, four numbers each. */
  private readonly sums: Float64Array = new Float64Array(24);

  constructor(spec: NurbsSurface) {
    const { closedU = false, closedV = false, weights } = spec;
    const u = new SplineBasis(spec.degreeU, spec.knotsU, closedU);
    const v = new SplineBasis(spec.degreeV, spec.knotsV, closedV);
    this.basisU = u;
    this.basisV = v;
    this.domain = Float64Array.of(u.low, u.high, v.low, v.high);
    this.periods = Float64Array.of(closedU ? u.high - u.low : 0, closedV ? v.high - v.low : 0);
    this.net = Float64Array.from(
      spec.points.flatMap((line, i) => line.flatMap((p, j) => weighted(p, weights?.[i][j] ?? 1))),
    );
  }

  /** @alloc none */
  evaluate(at: Float64Array, out: Float64Array): void {
    const { basisU, basisV, net, sums } = this;
    basisU.evaluate(at, 0);
    basisV.evaluate(at, 1);
    const nu = basisU.values;
    const nv = basisV.values;
    const rowU = basisU.degree + 1;
    const rowV = basisV.degree + 1;
    const firstU = basisU.first[0];
    const firstV = basisV.first[0];
    for (let a = 0; a < 4; a++) {
      let s = 0;
      let su = 0;
      let sv = 0;
      let suu = 0;
      let suv = 0;
      let svv = 0;
      for (let i = 0; i < rowU; i++) {
        const base = 4 * ((firstU + i) * basisV.count + firstV) + a;
        let line = 0;
        let lineV = 0;
        let lineVV = 0;
        for (let j = 0; j < rowV; j++) {
          const p = net[base + 4 * j];
          line += nv[j] * p;
          lineV += nv[rowV + j] * p;
          lineVV += nv[2 * rowV + j] * p;
        }
        const n = nu[i];
        const n1 = nu[rowU + i];
        s += n * line;
        su += n1 * line;
        sv += n * lineV;
        suu += nu[2 * rowU + i] * line;
        suv += n1 * lineV;
        svv += n * lineVV;
      }
      sums[a] = s;
      sums[4 + a] = su;
      sums[8 + a] = sv;
      sums[12 + a] = suu;
      sums[16 + a] = suv;
      sums[20 + a] = svv;
    }
    const inverse = 1 / sums[3];
    const wu = sums[7];
    const wv = sums[11];
    const wuu = sums[15];
    const wuv = sums[19];
    const wvv = sums[23];
    for (let a = 0; a < 3; a++) {
      const s = sums[a] * inverse;
      const su = (sums[4 + a] - wu * s) * inverse;
      const sv = (sums[8 + a] - wv * s) * inverse;
      out[a] = s;
      out[3 + a] = su;
      out[6 + a] = sv;
      out[9 + a] = (sums[12 + a] - 2 * wu * su - wuu * s) * inverse;
      out[12 + a] = (sums[16 + a] - wu * sv - wv * su - wuv * s) * inverse;
      out[15 + a] = (sums[20 + a] - 2 * wv * sv - wvv * s) * inverse;
    }
  }
}

const weighted = (p: readonly number[], w: number): readonly number[] => [
  w * p[0],
  w * p[1],
  w * p[2],
  w,
];
