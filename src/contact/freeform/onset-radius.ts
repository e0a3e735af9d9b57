/**
 * Radius of the Hertz contact at the place where two bodies touch, from the eigenvalues k_1, k_2 of the relative curvature K = B_1 + B_2 in
 * the tangent plane, with B = −n·S_ab in orthonormal axes (convex positive), and a normal law that has the radius of its onset: its force then
 * keeps its potential while the curvatures change. R √(k_1 k_2) is an even function of ln(k_1/k_2) alone; a table of it is interpolated.
 * `Johnson 1985, (4.24)–(4.28)`, docs/theory/freeform.md
 */
import { exp } from '../../math/elementary/exponential.ts';
import { log } from '../../math/elementary/logarithm.ts';
import { tangentBasis } from '../../math/vec3.ts';
import type { FeaturePoint } from '../../proximity/feature-point.ts';
import { FACE } from '../../proximity/surface-body.ts';
import { writeCurvature } from '../../shapes/surfaces/surface-curvature.ts';
import { TouchCurvature } from '../../shapes/surfaces/touch-readout.ts';
import {
  DAMPING,
  ELASTIC,
  type NormalLaw,
  STORED,
  TURN_INVERSE_MASS,
  TURN_STIFFNESS,
} from '../normal/normal-law.ts';
import { equivalentRadius } from '../pairs/elliptic-contact.ts';

/** Distance of two entries of the table in ln(k_1/k_2), and where it ends: beyond, contacts are along a line. */
const SPACING = 0.1;
const ENTRIES = 140;
/** Least k_2/k_1 of a contact at a point. */
const LINE = exp(-SPACING * (ENTRIES - 2));

/** R √(k_1 k_2) at the multiples of SPACING from −1 on. */
const table = (): Float64Array =>
  Float64Array.from({ length: ENTRIES + 2 }, (_, k) => {
    const root = exp(0.5 * SPACING * Math.abs(k - 1));
    return equivalentRadius(root, 1 / root);
  });

/** Curvatures of one pair of points. */
export class OnsetRadius {
  /** [radius of the last measure, m; 0 where there is no contact at a point] */
  readonly radius: Float64Array = new Float64Array(1);
  /** [least and largest sum of the curvatures of the last measure, 1/m; NaN where a body has none] */
  readonly curvatures: Float64Array = new Float64Array(2);
  private readonly table: Float64Array = table();
  private readonly basis: Float64Array = new Float64Array(6);
  /** K: 11, 12, 22, 1/m */
  private readonly k: Float64Array = new Float64Array(3);
  /** The parts of both bodies in K, in the tangents of `basis`. */
  private readonly ofI: Float64Array = new Float64Array(3);
  private readonly ofJ: Float64Array = new Float64Array(3);
  private readonly touch: TouchCurvature = new TouchCurvature();

  /** The radius at two points with the common normal n = normal[at..at+2]. @alloc none */
  measure(i: FeaturePoint, j: FeaturePoint, normal: Float64Array, at: number): void {
    const { curvatures, radius } = this;
    radius[0] = 0;
    this.measureCurvatures(i, j, normal, at);
    const least = curvatures[0];
    const most = curvatures[1];
    if (!(most > 0 && least > LINE * most)) return;
    const x = log(most / least) / SPACING;
    const entry = Math.floor(x);
    const t = x - entry;
    const { table: h } = this;
    // through four entries; entry e stands at e + 1
    const a = h[entry];
    const b = h[entry + 1];
    const c = h[entry + 2];
    const d = h[entry + 3];
    const value =
      (-t * (t - 1) * (t - 2) * a) / 6 +
      ((t + 1) * (t - 1) * (t - 2) * b) / 2 -
      ((t + 1) * t * (t - 2) * c) / 2 +
      ((t + 1) * t * (t - 1) * d) / 6;
    radius[0] = value / Math.sqrt(most * least);
  }

  /** The curvatures there. @alloc none */
  measureCurvatures(i: FeaturePoint, j: FeaturePoint, normal: Float64Array, at: number): void {
    const { k, curvatures, ofI, ofJ } = this;
    curvatures.fill(Number.NaN);
    if (!this.measureBoth(i, j, normal, at)) return;
    for (let e = 0; e < 3; e++) k[e] = ofI[e] + ofJ[e];
    const mean = 0.5 * (k[0] + k[2]);
    const half = 0.5 * (k[0] - k[2]);
    const root = Math.sqrt(half * half + k[1] * k[1]);
    curvatures[1] = mean + root;
    // of planes on each other both are 0
    curvatures[0] = curvatures[1] === 0 ? 0 : (k[0] * k[2] - k[1] * k[1]) / curvatures[1];
  }

  /** Columns of TOUCH_READOUT from `least` on, axes of the normal; nothing where a body has no curvature. @alloc none */
  writeTouch(
    out: Float64Array,
    o: number,
    i: FeaturePoint,
    j: FeaturePoint,
    normal: Float64Array,
    at: number,
  ): void {
    if (this.measureBoth(i, j, normal, at)) {
      this.touch.write(out, o, this.ofI, this.ofJ, this.basis);
    }
  }

  /** The curvatures of both bodies; false where one has none. */
  private measureBoth(i: FeaturePoint, j: FeaturePoint, normal: Float64Array, at: number): boolean {
    tangentBasis(this.basis, normal, at);
    return this.measureOne(i, this.ofI) && this.measureOne(j, this.ofJ);
  }

  private measureOne(f: FeaturePoint, own: Float64Array): boolean {
    const ball = f.body.radius[0];
    if (ball > 0) {
      own[0] = own[2] = 1 / ball;
      own[1] = 0;
      return true;
    }
    if (f.kind !== FACE) return false;
    writeCurvature(own, f.out, f.normal, this.basis);
    return Number.isFinite(own[0]);
  }
}

/** What the law of an onset asks of its pair. */
export interface RadiusSource {
  /** √(R/R_0) of the present place into the memory of the pair. @alloc none */
  freezeRadius(): void;
  /** [√(R/R_0)], in the arena */
  readonly factor: Float64Array;
}

/** A law whose forces are proportional to √R, with the radius of its onset. */
export class OnsetRadiusLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  private readonly law: NormalLaw;
  private readonly source: RadiusSource;

  constructor(law: NormalLaw, source: RadiusSource) {
    this.law = law;
    this.source = source;
    this.states = law.states;
    this.rates = law.rates;
    this.internals = law.internals;
  }

  begin(rate: number, depth: number, onset: Float64Array): void {
    this.source.freezeRadius();
    this.law.begin(rate, depth, onset);
  }

  end(): void {
    this.law.end();
  }

  evaluate(result: Float64Array): void {
    const factor = this.source.factor[0];
    this.law.evaluate(result);
    result[ELASTIC] *= factor;
    result[DAMPING] *= factor;
    result[STORED] *= factor;
  }

  advance(timing: Float64Array): void {
    this.law.advance(timing);
  }

  measureTurn(turn: Float64Array): void {
    const factor = this.source.factor[0];
    turn[TURN_INVERSE_MASS] *= factor; // the energy of the impact over the stiffness
    this.law.measureTurn(turn);
    turn[TURN_INVERSE_MASS] /= factor;
    turn[TURN_STIFFNESS] *= factor;
  }
}
