/**
 * The place where two features are nearest, or deepest in each other, from a place near it. Newton on the common normal; a parameter that
 * leaves a face goes on along the edge, one that leaves an edge at its vertex or on the next edge, and a place on a border goes back into the
 * face when the gap falls that way. Gap and normal are continuous over all of these. docs/theory/freeform.md
 *
 * With g a face, f the other feature and D = F − G, the equations are g_u·D = 0, g_v·D = 0 and f_p·n = 0 for each parameter p of f; without a
 * face, the derivatives of |D|²/2.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV } from '../shapes/surfaces/surface.ts';
import { writeNormalRates } from '../shapes/surfaces/surface-curvature.ts';
import type { FeaturePoint } from './feature-point.ts';
import { writeFlatStep } from './flat-step.ts';
import { EDGE, FACE, VERTEX } from './surface-body.ts';

/** Newton steps of one solution, changes of features included. */
const MOST_STEPS = 40;
/** The same from a seed: what takes longer goes to another place, or to none. */
const MOST_FROM_SEED = 14;
/** Step over the length scale at which the next one is below rounding: errors fall as its square. */
const STILL = 1e-9;
/** Longest step over the length scale. */
const LONGEST = 0.25;
/** Slope of the gap into a face from which a place leaves its border: rounding of a normal is below. */
const INWARD = 1e-10;

/** Square of the sine of the angle between two edges up to which they are parallel. */
const PARALLEL = 1e-12;
/** What is added to the equations of such edges, over their size. */
const SIDE = 1e-6;
/** Cosine of the angle to their outward normals from which the way between them is inward. */
const OUTWARD = 0.5;

/** Slots of `result`. */
export const GAP_FOUND = 0;
/** Of the normal, from j to i. */
export const NORMAL_FOUND = 1;
export const FOUND = 4;

/** Solver of two features. */
export class FeatureSolver {
  readonly i: FeaturePoint;
  readonly j: FeaturePoint;
  /** Gap of the features, m, less the radii of balls, and unit normal from j to i. */
  readonly result: Float64Array = new Float64Array(FOUND);
  /** [Newton steps of the last solution] */
  readonly steps: Int32Array = new Int32Array(1);
  /** [Newton steps of all solutions since it was made] */
  readonly work: Float64Array = new Float64Array(1);
  /** [length scale, m] */
  private readonly scale: Float64Array;
  private readonly matrix: Float64Array = new Float64Array(16);
  private readonly change: Float64Array = new Float64Array(4);
  private readonly pivots: Int32Array = new Int32Array(4);
  /** Outward normal of a face, then its derivatives by u and v. */
  private readonly n: Float64Array = new Float64Array(9);
  private readonly d: Float64Array = new Float64Array(3);
  private readonly point: Float64Array = new Float64Array(2);
  /** [place along a step at which it leaves a face, place on the edge] */
  private readonly crossing: Float64Array = new Float64Array(2);
  /** [1 where the distance of two edges, or of an edge and a vertex, is least and not largest] */
  private readonly least: Uint8Array = new Uint8Array(1);
  /** [longest move of the last step, m] */
  private readonly moved: Float64Array = new Float64Array(1);

  /** [longest step, m] */
  private readonly most: Float64Array;

  /** @param scale length scale, m */
  constructor(i: FeaturePoint, j: FeaturePoint, scale: number) {
    this.i = i;
    this.j = j;
    this.scale = Float64Array.of(scale);
    this.most = Float64Array.of(LONGEST * scale);
  }

  /** From the present features and parameters to the nearest place; false where there is none to be found. @alloc none */
  solve(): boolean {
    const found = this.iterate(MOST_STEPS);
    this.work[0] += this.steps[0];
    return found;
  }

  /** The same with fewer steps. @alloc none */
  solveFromSeed(): boolean {
    const found = this.iterate(MOST_FROM_SEED);
    this.work[0] += this.steps[0];
    return found;
  }

  /** Gap and normal at the present features and parameters; false where they have no normal. @alloc none */
  refresh(): boolean {
    this.i.evaluate();
    this.j.evaluate();
    return this.measure();
  }

  private iterate(most: number): boolean {
    const { i, j, steps } = this;
    steps[0] = 0;
    let still = false;
    while (steps[0] < most) {
      i.evaluate();
      j.evaluate();
      if (still) {
        if (!this.measure()) return false;
        if (!this.release(i, 1) && !this.release(j, -1)) return true;
        still = false;
        steps[0]++;
        continue;
      }
      steps[0]++;
      if (!this.computeStep()) return false;
      const changed = this.apply();
      still = !changed && this.moved[0] <= STILL * this.scale[0];
    }
    return false;
  }

  /** Whether features of two faces oppose each other, and a place of a face or an edge is nearest and not farthest. @alloc none */
  get isNearest(): boolean {
    const { i, j, result, d } = this;
    if (i.kind === FACE && j.kind === FACE) {
      const a = i.normal;
      const b = j.normal;
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0;
    }
    const face = j.kind === FACE ? j : i;
    const other = face === j ? i : j;
    if (face.kind !== FACE) return this.least[0] === 1;
    if (other.kind !== VERTEX) return result[GAP_FOUND] > -Infinity;
    const s = face.out;
    const sign = face === j ? 1 : -1;
    let uu = 0;
    let uv = 0;
    let vv = 0;
    for (let a = 0; a < 3; a++) {
      const x = sign * d[a];
      uu += s[BY_U + a] * s[BY_U + a] - s[BY_UU + a] * x;
      uv += s[BY_U + a] * s[BY_V + a] - s[BY_UV + a] * x;
      vv += s[BY_V + a] * s[BY_V + a] - s[BY_VV + a] * x;
    }
    return uu > 0 && uu * vv - uv * uv > 0;
  }

  /** `change` := the step of all parameters, those of i first; false where the equations are singular. */
  private computeStep(): boolean {
    const { i, j, d, matrix, change, pivots } = this;
    for (let a = 0; a < 3; a++) d[a] = i.out[a] - j.out[a];
    const size = i.kind + j.kind;
    this.least[0] = 1;
    if (size === 0) return true;
    if (j.kind === FACE) this.fillOnFace(i, j, 1);
    else if (i.kind === FACE) this.fillOnFace(j, i, -1);
    else this.fillApart();
    if (!factorize(matrix, size, pivots)) {
      if (j.kind === FACE) return writeFlatStep(change, i, j, 1, d, this.n, this.most);
      return i.kind === FACE && writeFlatStep(change, j, i, -1, d, this.n, this.most);
    }
    solveFactored(matrix, size, pivots, change, 0);
    for (let k = 0; k < size; k++) if (!Number.isFinite(change[k])) return false;
    return true;
  }

  /** Equations of f against the face g; columns in the order i, j. @param sign of D = F − G over I − J */
  private fillOnFace(f: FeaturePoint, g: FeaturePoint, sign: number): void {
    const { matrix: m, change, d, n } = this;
    const s = g.out;
    const p = f.out;
    const count = f.kind;
    const size = count + 2;
    const ofF = sign > 0 ? 0 : 2; // columns
    const ofG = sign > 0 ? count : 0;
    for (let a = 0; a < 3; a++) n[a] = g.normal[a];
    writeNormalRates(n, 3, s, g.normal);
    for (let row = 0; row < 2; row++) {
      const by = row === 0 ? BY_U : BY_V;
      const again = row === 0 ? BY_UU : BY_UV;
      const other = row === 0 ? BY_UV : BY_VV;
      let value = 0;
      let u = 0;
      let v = 0;
      for (let a = 0; a < 3; a++) {
        const x = sign * d[a];
        value += s[by + a] * x;
        u += s[again + a] * x - s[by + a] * s[BY_U + a];
        v += s[other + a] * x - s[by + a] * s[BY_V + a];
      }
      change[row] = -value;
      m[row * size + ofG] = u;
      m[row * size + ofG + 1] = v;
      for (let c = 0; c < count; c++) {
        const of = BY_U + 3 * c;
        m[row * size + ofF + c] = s[by] * p[of] + s[by + 1] * p[of + 1] + s[by + 2] * p[of + 2];
      }
    }
    if (count === 0 && !(m[0] < 0 && m[0] * m[3] - m[1] * m[2] > 0)) {
      // the distance has no least value near by in its second order: its first order alone leads downhill
      for (let row = 0; row < 2; row++) {
        const by = row === 0 ? BY_U : BY_V;
        for (let c = 0; c < 2; c++) {
          const of = c === 0 ? BY_U : BY_V;
          m[2 * row + c] = -(s[by] * s[of] + s[by + 1] * s[of + 1] + s[by + 2] * s[of + 2]);
        }
      }
    }
    for (let r = 0; r < count; r++) {
      const row = (2 + r) * size;
      const by = BY_U + 3 * r;
      change[2 + r] = -(p[by] * n[0] + p[by + 1] * n[1] + p[by + 2] * n[2]);
      m[row + ofG] = p[by] * n[3] + p[by + 1] * n[4] + p[by + 2] * n[5];
      m[row + ofG + 1] = p[by] * n[6] + p[by + 1] * n[7] + p[by + 2] * n[8];
      for (let c = 0; c < count; c++) {
        const of = BY_UU + 3 * (r + c);
        m[row + ofF + c] = p[of] * n[0] + p[of + 1] * n[1] + p[of + 2] * n[2];
      }
    }
  }

  /** Derivatives of |D|²/2 by the parameters of edges. */
  private fillApart(): void {
    const { i, j, matrix: m, change, d } = this;
    const p = i.out;
    const s = j.out;
    const ofI = i.kind === EDGE;
    const ofJ = j.kind === EDGE;
    let pd = 0;
    let pp = 0;
    let sd = 0;
    let ss = 0;
    let ps = 0;
    for (let a = 0; a < 3; a++) {
      pd += p[BY_U + a] * d[a];
      pp += p[BY_U + a] * p[BY_U + a] + p[BY_UU + a] * d[a];
      sd += s[BY_U + a] * d[a];
      ss += s[BY_U + a] * s[BY_U + a] - s[BY_UU + a] * d[a];
      ps += p[BY_U + a] * s[BY_U + a];
    }
    if (ofI && ofJ) {
      m[0] = pp;
      m[1] = -ps;
      m[2] = -ps;
      m[3] = ss;
      change[0] = -pd;
      change[1] = sd;
      const across = pp * ss - ps * ps;
      this.least[0] = pp > 0 && across > -PARALLEL * pp * ss ? 1 : 0;
      if (Math.abs(across) <= PARALLEL * pp * ss) {
        // side by side each place is as near as the others: the step across alone
        m[0] += SIDE * pp;
        m[3] += SIDE * ss;
      }
    } else {
      this.least[0] = (ofI ? pp : ss) > 0 ? 1 : 0;
      m[0] = ofI ? pp : ss;
      change[0] = ofI ? -pd : sd;
    }
  }

  /** Takes the step, shortened where it is long; true when a feature changed. */
  private apply(): boolean {
    const { i, j, change, moved, most } = this;
    const counts = i.kind;
    let longest = 0;
    for (let k = 0; k < counts + j.kind; k++) {
      const at = BY_U + 3 * (k < counts ? k : k - counts);
      const o = k < counts ? i.out : j.out;
      const length =
        Math.abs(change[k]) *
        Math.sqrt(o[at] * o[at] + o[at + 1] * o[at + 1] + o[at + 2] * o[at + 2]);
      if (length > longest) longest = length;
    }
    moved[0] = longest;
    if (longest > most[0]) for (let k = 0; k < 4; k++) change[k] *= most[0] / longest;
    const first = this.move(i, 0);
    const second = this.move(j, counts);
    return first || second;
  }

  /** Moves a feature by its part of the step; true when it becomes another one. */
  private move(f: FeaturePoint, from: number): boolean {
    const { kind, q, body } = f;
    const { change, point, crossing } = this;
    if (kind === VERTEX) return false;
    const faces = body.faces.length;
    if (kind === EDGE) {
      const e = f.edge;
      const t = q[0] + change[from];
      if (t >= 0 && t <= 1) {
        q[0] = t;
        return false;
      }
      const next = t < 0 ? body.before[e] : body.after[e];
      if (next === e) {
        q[0] = t - Math.floor(t);
        return false;
      }
      f.feature[0] = faces + body.edgeCount + (t < 0 ? e : next);
      return true;
    }
    point[0] = q[0] + change[from];
    point[1] = q[1] + change[from + 1];
    const { region } = body.faces[f.feature[0]];
    if (region.contains(point)) {
      region.reduce(point);
      q[0] = point[0];
      q[1] = point[1];
      return false;
    }
    const e = this.leave(f);
    q[0] = crossing[1];
    q[1] = 0;
    f.feature[0] = body.collapsed[e] === 1 ? faces + body.edgeCount + e : faces + e;
    return true;
  }

  /** The edge at which the way from q to `point` leaves the face, or the nearest one in the plane of the parameters; its place into `crossing`. */
  private leave(f: FeaturePoint): number {
    const { point, crossing } = this;
    const { body, q } = f;
    const { region, first } = body.faces[f.feature[0]];
    const { periods } = region;
    const count = region.border.length;
    const du = point[0] - q[0];
    const dv = point[1] - q[1];
    let found = -1;
    let nearest = first;
    let least = Infinity;
    let place = 0;
    crossing[0] = Infinity;
    for (let k = 0; k < count; k++) {
      const e = first + k;
      for (let turn = -1; turn <= 1; turn++) {
        if (turn !== 0 && periods[0] === 0 && periods[1] === 0) continue;
        const au = body.ends[4 * e] + turn * periods[0];
        const av = body.ends[4 * e + 1] + turn * periods[1];
        const bu = body.ends[4 * e + 2] - body.ends[4 * e];
        const bv = body.ends[4 * e + 3] - body.ends[4 * e + 1];
        const x = au - q[0];
        const y = av - q[1];
        const across = du * bv - dv * bu;
        const along = (x * bv - y * bu) / across;
        const t = (x * dv - y * du) / across;
        // outward through the segment: the region is on its left
        if (across > 0 && along >= 0 && along <= 1 && t >= 0 && t <= 1 && along < crossing[0]) {
          found = e;
          crossing[0] = along;
          crossing[1] = t;
        }
        const square = bu * bu + bv * bv;
        const part = square > 0 ? ((point[0] - au) * bu + (point[1] - av) * bv) / square : 0;
        const near = part < 0 ? 0 : part > 1 ? 1 : part;
        const ou = point[0] - au - near * bu;
        const ov = point[1] - av - near * bv;
        if (!(ou * ou + ov * ov < least)) continue;
        least = ou * ou + ov * ov;
        nearest = e;
        place = near;
      }
    }
    if (found >= 0) return found;
    crossing[1] = place;
    return nearest;
  }

  /** Gap and normal at the present place; false where it has no normal. */
  private measure(): boolean {
    const { i, j, d, result } = this;
    for (let a = 0; a < 3; a++) d[a] = i.out[a] - j.out[a];
    let x = 0;
    let y = 0;
    let z = 0;
    if (j.kind === FACE || i.kind === FACE) {
      const face = j.kind === FACE ? j : i;
      if (face.regular[0] === 0) return false;
      const sign = face === j ? 1 : -1;
      x = sign * face.normal[0];
      y = sign * face.normal[1];
      z = sign * face.normal[2];
    } else {
      const p = i.out;
      const s = j.out;
      let square = 0;
      let sizes = 0;
      if (i.kind === EDGE && j.kind === EDGE) {
        x = p[BY_U + 1] * s[BY_U + 2] - p[BY_U + 2] * s[BY_U + 1];
        y = p[BY_U + 2] * s[BY_U] - p[BY_U] * s[BY_U + 2];
        z = p[BY_U] * s[BY_U + 1] - p[BY_U + 1] * s[BY_U];
        square = x * x + y * y + z * z;
        sizes =
          (p[BY_U] * p[BY_U] + p[BY_U + 1] * p[BY_U + 1] + p[BY_U + 2] * p[BY_U + 2]) *
          (s[BY_U] * s[BY_U] + s[BY_U + 1] * s[BY_U + 1] + s[BY_U + 2] * s[BY_U + 2]);
      }
      const crossed = square > PARALLEL * sizes;
      if (!crossed) {
        x = d[0];
        y = d[1];
        z = d[2];
        square = x * x + y * y + z * z;
      }
      let outward = 0;
      let opening = 0;
      for (let a = 0; a < 3; a++) {
        const apart = j.normal[a] - i.normal[a];
        outward += apart * (a === 0 ? x : a === 1 ? y : z);
        opening += apart * apart;
      }
      // edges that cross, and those side by side whose way is against what is outward, have a depth
      const least = crossed ? 0 : sizes > 0 ? OUTWARD * Math.sqrt(opening * square) : Infinity;
      const scale = (outward < -least ? -1 : 1) / Math.sqrt(square);
      x *= scale;
      y *= scale;
      z *= scale;
    }
    const gap = x * d[0] + y * d[1] + z * d[2];
    if (!Number.isFinite(gap)) return false;
    result[GAP_FOUND] = gap - i.body.radius[0] - j.body.radius[0];
    result[NORMAL_FOUND] = x;
    result[NORMAL_FOUND + 1] = y;
    result[NORMAL_FOUND + 2] = z;
    this.n[0] = x;
    this.n[1] = y;
    this.n[2] = z;
    return true;
  }

  /** Leaves a border where the gap falls beside it; true when the feature becomes another one. @param side 1 of body i, −1 of body j */
  private release(f: FeaturePoint, side: number): boolean {
    const { kind, body } = f;
    if (kind === FACE || body.faces.length === 0) return false;
    const { n } = this;
    const e = f.edge;
    const faces = body.faces.length;
    if (kind === EDGE) {
      f.measureInto(e, n);
      if (side * f.slope[0] >= -INWARD) return false;
      this.enter(f, body.faceOfEdge[e]);
      return true;
    }
    const last = body.before[e];
    if (body.collapsed[e] === 0) {
      f.measureEdge(e, true, n);
      if (side * f.slope[0] < -INWARD) {
        f.feature[0] = faces + e;
        f.q[0] = 0;
        return true;
      }
    }
    if (body.collapsed[last] === 0) {
      f.measureEdge(last, false, n);
      if (side * f.slope[0] < -INWARD) {
        f.feature[0] = faces + last;
        f.q[0] = 1;
        return true;
      }
    }
    if (body.reflex[e] === 0) return false;
    f.measureInto(e, n);
    if (side * f.slope[0] >= -INWARD) return false;
    this.enter(f, body.faceOfEdge[e]);
    return true;
  }

  private enter(f: FeaturePoint, face: number): void {
    f.feature[0] = face;
    f.q[0] = f.uv[0];
    f.q[1] = f.uv[1];
  }
}
