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
  /** Whether weights differ; where they do not, W is 1. */
  private readonly rational: boolean;
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
    this.rational = weights?.some((line) => line.some((w) => w !== weights[0][0])) ?? false;
    this.basisU = u;
    this.basisV = v;
    this.domain = Float64Array.of(u.low, u.high, v.low, v.high);
    this.periods = Float64Array.of(closedU ? u.high - u.low : 0, closedV ? v.high - v.low : 0);
    this.net = Float64Array.from(
      spec.points.flatMap((line, i) =>
        line.flatMap((p, j) => weighted(p, this.rational ? (weights?.[i][j] ?? 1) : 1)),
      ),
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
    sums.fill(0);
    for (let i = 0; i < rowU; i++) {
      let at = 4 * ((firstU + i) * basisV.count + firstV);
      let x = 0;
      let y = 0;
      let z = 0;
      let xv = 0;
      let yv = 0;
      let zv = 0;
      let xvv = 0;
      let yvv = 0;
      let zvv = 0;
      for (let j = 0; j < rowV; j++) {
        const n = nv[j];
        const n1 = nv[rowV + j];
        const n2 = nv[2 * rowV + j];
        const px = net[at];
        const py = net[at + 1];
        const pz = net[at + 2];
        at += 4;
        x += n * px;
        y += n * py;
        z += n * pz;
        xv += n1 * px;
        yv += n1 * py;
        zv += n1 * pz;
        xvv += n2 * px;
        yvv += n2 * py;
        zvv += n2 * pz;
      }
      const n = nu[i];
      const n1 = nu[rowU + i];
      const n2 = nu[2 * rowU + i];
      sums[0] += n * x;
      sums[1] += n * y;
      sums[2] += n * z;
      sums[4] += n1 * x;
      sums[5] += n1 * y;
      sums[6] += n1 * z;
      sums[8] += n * xv;
      sums[9] += n * yv;
      sums[10] += n * zv;
      sums[12] += n2 * x;
      sums[13] += n2 * y;
      sums[14] += n2 * z;
      sums[16] += n1 * xv;
      sums[17] += n1 * yv;
      sums[18] += n1 * zv;
      sums[20] += n * xvv;
      sums[21] += n * yvv;
      sums[22] += n * zvv;
    }
    if (!this.rational) {
      for (let d = 0; d < 6; d++) {
        for (let a = 0; a < 3; a++) out[3 * d + a] = sums[4 * d + a];
      }
      return;
    }
    this.sumWeights();
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

  /** W and its derivatives into their places among the sums. */
  private sumWeights(): void {
    const { basisU, basisV, net, sums } = this;
    const nu = basisU.values;
    const nv = basisV.values;
    const rowU = basisU.degree + 1;
    const rowV = basisV.degree + 1;
    for (let i = 0; i < rowU; i++) {
      let at = 4 * ((basisU.first[0] + i) * basisV.count + basisV.first[0]) + 3;
      let w = 0;
      let wv = 0;
      let wvv = 0;
      for (let j = 0; j < rowV; j++) {
        w += nv[j] * net[at];
        wv += nv[rowV + j] * net[at];
        wvv += nv[2 * rowV + j] * net[at];
        at += 4;
      }
      sums[3] += nu[i] * w;
      sums[7] += nu[rowU + i] * w;
      sums[11] += nu[i] * wv;
      sums[15] += nu[2 * rowU + i] * w;
      sums[19] += nu[rowU + i] * wv;
      sums[23] += nu[i] * wvv;
    }
  }
}

const weighted = (p: readonly number[], w: number): readonly number[] => [
  w * p[0],
  w * p[1],
  w * p[2],
  w,
];
