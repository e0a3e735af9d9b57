/**
 * Bristle friction of a contact area that slides and spins: the bristle of tangential-bristle.ts for the slip, a torsional one for the spin,
 * coupled by Contensou factors. `Gonthier 2007, (4.205)–(4.243)`, docs/theory/volumetric-contact.md.
 *
 *   v_avg² = |v_t|² + (r w_n)²       C_v = |v_t|/max(v_avg, v_eps)       C_w = r |w_n|/max(v_avg, v_eps)       r = r_gyr
 *   s = exp(−v_avg²/v_s²)            C_vs = s + (1 − s) C_v              C_ws = s + (1 − s) C_w
 *
 * Both bristles have one form, z' = s v + (1 − s)(g v − z/τ_br) with g = μ_C/σ1 C G(|v|), G the factor of the regularised direction
 * (of r w_n for the spin), and the limits μ_max C_vs and μ_max C_ws/r.
 *
 * States: z (world, kept in the tangent plane by projection), θ and, unless the dwell effect is off, s_dw. `evaluate` is the explicit
 * reference. The implicit step takes s, the fading and the limits from the start of the step, the rates at its end, and corrects C G once
 * at the slip found; the spin uses the latest slip and the slip the latest spin.
 *
 * Limits: one mean slip for the whole area, an ellipse for the coupling of force and moment (up to twice the moment of a paraboloid of
 * pressure in fast sliding). Not strictly passive: raising the load on a bent bristle makes energy.
 */
import type { VolumetricBristleModel } from '../../contact-spec.ts';
import { notNegative } from '../../parameter-checks.ts';
import type { LawDefinition, LawMemory } from '../component.ts';
import { BRISTLE } from '../normal/normal-law.ts';
import { GYRATION, LOAD, NORMAL, SPIN, STEP } from '../pair.ts';
import type { FrictionLaw } from './friction-law.ts';
import {
  checkBristle,
  CREEP,
  FOLLOW,
  OWN,
  SLIDE,
  SLIDING,
  SLIP_FACTOR,
  SLIP_GAIN,
  SPINNING,
  SPRING,
  STICK,
  TangentialBristle,
  TOP,
} from './tangential-bristle.ts';

// slots of the states
const TORSION = 3;
const DWELL = 4;
// slots of the scratch column beside those of the bristle: SPINNING is (r w_n)², SLIP_FACTOR C_vs, SLIP_GAIN C_vs G(|v_t|)
const SPIN_GAIN = OWN; //       C_ws G(r |w_n|)
const SPIN_FACTOR = OWN + 1; // C_ws
const SPIN_LIMIT = OWN + 2; //  μ_max C_ws at the start of the step

/** The volumetric bristle law of one contact. */
export class VolumetricBristle extends TangentialBristle {
  readonly spins: boolean = true;
  readonly torque: Float64Array = new Float64Array(3);
  private readonly spinScale: number;

  constructor(model: VolumetricBristleModel, memory: LawMemory) {
    super(model, memory, DWELL);
    this.spinScale = model.spinScale ?? 1;
  }

  override end(): void {
    super.end();
    this.torque.fill(0);
  }

  override evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    super.evaluate(kinematics, mobility);
    const r = this.rates;
    const w = this.scratch;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const radius = kinematics[GYRATION];
    const spin = nx * kinematics[SPIN] + ny * kinematics[SPIN + 1] + nz * kinematics[SPIN + 2];
    const theta = this.states[TORSION];
    let moment = 0;
    r[TORSION] = 0;
    if (radius > 0) {
      const s = w[STICK];
      const follow = s + (1 - s) * ((this.coulomb * w[SPIN_GAIN]) / this.s1);
      r[TORSION] = follow * spin - ((1 - s) / this.bristleTime) * theta;
      let g = this.s0 * theta + this.s1 * r[TORSION];
      const limit = w[SPIN_LIMIT] / radius;
      if (g > limit || g < -limit) {
        g = g > 0 ? limit : -limit;
        r[TORSION] = (g - this.s0 * theta) / this.s1;
      }
      moment = -this.spinScale * radius * radius * mobility[LOAD] * (g + this.s2 * spin);
    }
    this.torque[0] = moment * nx;
    this.torque[1] = moment * ny;
    this.torque[2] = moment * nz;
  }

  override solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void {
    super.solve(kinematics, basis, mobility);
    this.computeGains(); // the spin uses the latest slip
  }

  solveSpin(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void {
    const w = this.scratch;
    const r = this.rates;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const radius = kinematics[GYRATION];
    const before = nx * kinematics[SPIN] + ny * kinematics[SPIN + 1] + nz * kinematics[SPIN + 2];
    const theta = this.states[TORSION];
    let moment = 0;
    r[TORSION] = 0;
    if (radius > 0) {
      const m = inertia;
      const yielding =
        nx * (m[0] * nx + m[1] * ny + m[2] * nz) +
        ny * (m[3] * nx + m[4] * ny + m[5] * nz) +
        nz * (m[6] * nx + m[7] * ny + m[8] * nz);
      const load = this.spinScale * radius * radius * mobility[LOAD];
      const gain = mobility[STEP] * load * yielding;
      const pushed = before - gain * w[SPRING] * theta;
      let damper = 0;
      let after = 0;
      for (let pass = 0; pass < 2; pass++) {
        if (pass === 1) {
          w[SPINNING] = radius * radius * after * after;
          this.computeGains();
        }
        damper = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
        after = pushed / (1 + gain * (damper + this.s2));
      }
      let g = w[SPRING] * theta + damper * after;
      const limit = w[SPIN_LIMIT] / radius;
      if (g > limit || g < -limit) {
        g = g > 0 ? limit : -limit;
        after = (before - gain * g) / (1 + gain * this.s2);
      }
      r[TORSION] = (g - this.s0 * theta) / w[FOLLOW];
      moment = -load * (g + this.s2 * after);
      w[SPINNING] = radius * radius * after * after;
      this.computeGains();
    }
    this.torque[0] = moment * nx;
    this.torque[1] = moment * ny;
    this.torque[2] = moment * nz;
  }

  override computeStored(
    flags: Float64Array,
    normal: Float64Array,
    kinematics: Float64Array,
  ): void {
    const x = this.states;
    const r = kinematics[GYRATION];
    const bent = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const twisted = this.spinScale * r * r * x[TORSION] * x[TORSION];
    normal[BRISTLE] = 0.5 * flags[1] * this.s0 * (bent + twisted);
  }

  protected override measure(k: Float64Array): void {
    const w = this.scratch;
    const turn =
      k[GYRATION] *
      (k[NORMAL] * k[SPIN] + k[NORMAL + 1] * k[SPIN + 1] + k[NORMAL + 2] * k[SPIN + 2]);
    w[SPINNING] = turn * turn;
    super.measure(k);
    w[SPIN_LIMIT] = w[TOP] * w[SPIN_FACTOR];
  }

  /** Factors C_vs, C_ws and gains C G of the slip and spin in the scratch column, with its stick state. @alloc none */
  protected computeGains(): void {
    const w = this.scratch;
    const s = w[STICK];
    const slip = Math.sqrt(w[SLIDING]);
    const spin = Math.sqrt(w[SPINNING]);
    const mean = Math.sqrt(w[SLIDING] + w[SPINNING]);
    const share = (1 - s) / Math.max(mean, this.tolerance); // a choice between the two would be allocated
    w[SLIP_FACTOR] = s + share * slip;
    w[SPIN_FACTOR] = s + share * spin;
    // the formula of direction.ts, spelled out because a call may allocate its numbers
    const edge = this.tolerance;
    const r = slip / edge;
    const q = spin / edge;
    w[SLIP_GAIN] = w[SLIP_FACTOR] * (r >= 1 ? 1 / slip : (1.5 - 0.5 * r * r) / edge);
    w[SPIN_GAIN] = w[SPIN_FACTOR] * (q >= 1 ? 1 / spin : (1.5 - 0.5 * q * q) / edge);
  }
}

export const VOLUMETRIC_BRISTLE: LawDefinition<VolumetricBristleModel, FrictionLaw> = {
  needs: ['volume'],
  check(model, field) {
    checkBristle(model, field);
    notNegative(`${field}.spinScale`, model.spinScale ?? 1);
  },
  size: (model) => ({ states: model.dwellTime > 0 ? DWELL + 1 : DWELL, internals: 0 }),
  make: (model, memory) => new VolumetricBristle(model, memory),
};
