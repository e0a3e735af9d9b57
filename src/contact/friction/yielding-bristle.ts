/**
 * The bristle of the LuGre law, and of Dahl's, which is that of a flat curve g = μ_C without damping: docs/theory/lugre-friction.md.
 *
 *   z' = v − α |v| z        α = σ0/g(v)        f_t = −f_n (σ0 z + σ1 z' + σ2 v)
 *
 * The implicit step takes g at the slip before it, and slip and yield at its end, z' = v' − α |v'| (z + h z'). With q = 1/(1 + h α |v'|) and
 * c = σ0 h + σ1 the drag over the load is
 *
 *   φ = σ0 z + c q (v' − α |v'| z) + σ2 v'        ∂φ/∂v' = (c q + σ2) T − c α q² (z + h v') v'ᵀ/|v'|        T = 1 − n nᵀ
 *
 * It grows with |v'| as long as |z| <= g/σ0, and is bounded for any step but for σ2: the slip of a contact by itself is the root of
 * |v'(|v'|)| = |v'| in an interval that holds one.
 */
import type { LuGreModel } from '../../model/contact-spec.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';
import type { LawMemory } from '../component.ts';
import { ContactReadout } from '../contact-readout.ts';
import { BRISTLE } from '../normal/normal-law.ts';
import { LOAD, NORMAL, SLIP, STEP } from '../pair.ts';
import { type FrictionLaw, NO_TORQUE, SLOPE, SLOPE_FORCE } from './friction-law.ts';

/** Slots of the work column. */
const YIELD = 0; //  α, 1/m² of slip
const FOLLOW = 1; // c = σ0 h + σ1
const SPAN = 2; //   h, s
const SPEED = 3; //  |v| of the last evaluation, m/s
const KEPT = 4; //   q
const BENT = 5; //   share of the slip that bends the bristle
const WORK = 6;

/** Slots of the constants. */
const STIFFNESS = 0;
const DAMPING = 1;
const VISCOUS = 2;
const FLOOR = 3; //  μ_C
const RISE = 4; //   μ_S − μ_C
const INVERSE = 5; // 1/v_s²

/** Halvings of the interval of the slip: to the last bit of its width. */
const HALVINGS = 54;

/** The bristle of one contact. */
export class YieldingBristle implements FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly force: Float64Array;
  readonly spins: boolean = false;
  readonly torque: Float64Array = NO_TORQUE;
  private readonly constants: Float64Array;
  private readonly work: Float64Array;
  /** [slip along both tangents, its rate of the bristle] of `solve`. */
  private readonly plane: Float64Array = new Float64Array(4);

  constructor(model: Omit<LuGreModel, 'kind'>, { states, rates, columns }: LawMemory) {
    this.force = (columns ?? OWN_COLUMNS).doubles(3);
    this.states = states;
    this.rates = rates;
    this.work = new Float64Array(WORK);
    this.constants = Float64Array.of(
      model.bristleStiffness,
      model.bristleDamping,
      model.viscousDamping,
      model.coulomb,
      model.stiction - model.coulomb,
      1 / (model.stribeckVelocity * model.stribeckVelocity),
    );
  }

  begin(): void {
    this.states.fill(0);
  }

  end(): void {
    this.states.fill(0);
    this.force.fill(0);
    this.work[BENT] = 0;
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const { states: z, rates: r, force: f, work: w, constants: c } = this;
    const load = mobility[LOAD];
    this.measure(kinematics);
    const fade = w[YIELD] * w[SPEED];
    let out = 0;
    for (let a = 0; a < 3; a++) out += z[a] * kinematics[NORMAL + a];
    for (let a = 0; a < 3; a++) {
      const v = kinematics[SLIP + a];
      const bent = z[a] - out * kinematics[NORMAL + a];
      r[a] = v - fade * bent;
      f[a] = -load * (c[STIFFNESS] * bent + c[DAMPING] * r[a] + c[VISCOUS] * v);
    }
    this.measureBending(kinematics);
  }

  prepare(kinematics: Float64Array, timing: Float64Array): void {
    const { work: w, constants: c } = this;
    this.flatten(kinematics);
    this.measure(kinematics);
    w[SPAN] = timing[0];
    w[FOLLOW] = c[STIFFNESS] * timing[0] + c[DAMPING];
  }

  respond(kinematics: Float64Array, mobility: Float64Array): void {
    const { states: z, rates: r, force: f, work: w, constants: c } = this;
    const load = mobility[LOAD];
    const x = kinematics[SLIP];
    const y = kinematics[SLIP + 1];
    const t = kinematics[SLIP + 2];
    w[SPEED] = Math.sqrt(x * x + y * y + t * t);
    const fade = w[YIELD] * w[SPEED];
    w[KEPT] = 1 / (1 + w[SPAN] * fade);
    for (let a = 0; a < 3; a++) {
      const v = kinematics[SLIP + a];
      r[a] = (v - fade * z[a]) * w[KEPT];
      f[a] = -load * (c[STIFFNESS] * z[a] + w[FOLLOW] * r[a] + c[VISCOUS] * v);
    }
    this.measureBending(kinematics);
  }

  computeSlope(kinematics: Float64Array, slope: Float64Array, secant: boolean): void {
    const { states: z, work: w, constants: c } = this;
    const speed = w[SPEED];
    const drag = w[FOLLOW] * w[KEPT] + c[VISCOUS];
    const bends = !secant && speed > 0;
    const bend = bends ? (-w[FOLLOW] * w[YIELD] * w[KEPT] * w[KEPT]) / speed : 0;
    for (let a = 0; a < SLOPE; a++) slope[a] = 0;
    for (let a = 0; a < 3; a++) {
      const left = bend * (z[a] + w[SPAN] * kinematics[SLIP + a]);
      for (let b = 0; b < 3; b++) {
        const across = (a === b ? 1 : 0) - kinematics[NORMAL + a] * kinematics[NORMAL + b];
        slope[SLOPE_FORCE + 3 * a + b] = drag * across + left * kinematics[SLIP + b];
      }
    }
  }

  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void {
    const { states: z, rates: r, force: f, work: w, constants: c, plane } = this;
    const gain = mobility[STEP] * mobility[LOAD];
    let va = 0;
    let vb = 0;
    let za = 0;
    let zb = 0;
    for (let a = 0; a < 3; a++) {
      va += kinematics[SLIP + a] * basis[a];
      vb += kinematics[SLIP + a] * basis[3 + a];
      za += z[a] * basis[a];
      zb += z[a] * basis[3 + a];
    }
    const waa = gain * mobility[0];
    const wab = gain * mobility[1];
    const wbb = gain * mobility[2];
    // W z, the slip that a unit of spring takes away
    const ya = waa * za + wab * zb;
    const yb = wab * za + wbb * zb;
    const stiffest = Math.max(c[STIFFNESS], w[SPAN] > 0 ? c[DAMPING] / w[SPAN] : 0);
    let low = 0;
    let high = Math.sqrt(va * va + vb * vb) + stiffest * Math.sqrt(ya * ya + yb * yb);
    let na = va;
    let nb = vb;
    let fade = 0;
    let kept = 1;
    for (let n = 0; n <= HALVINGS; n++) {
      const speed = 0.5 * (low + high);
      fade = w[YIELD] * speed;
      kept = 1 / (1 + w[SPAN] * fade);
      const spring = c[STIFFNESS] - w[FOLLOW] * fade * kept;
      const damper = w[FOLLOW] * kept + c[VISCOUS];
      const m11 = 1 + waa * damper;
      const m12 = wab * damper;
      const m22 = 1 + wbb * damper;
      const inverse = 1 / (m11 * m22 - m12 * m12);
      const pa = va - spring * ya;
      const pb = vb - spring * yb;
      na = (m22 * pa - m12 * pb) * inverse;
      nb = (m11 * pb - m12 * pa) * inverse;
      if (na * na + nb * nb > speed * speed) low = speed;
      else high = speed;
    }
    plane[0] = na;
    plane[1] = nb;
    plane[2] = (na - fade * za) * kept;
    plane[3] = (nb - fade * zb) * kept;
    w[SPEED] = Math.sqrt(na * na + nb * nb);
    w[KEPT] = kept;
    const load = mobility[LOAD];
    for (let a = 0; a < 3; a++) {
      const v = plane[0] * basis[a] + plane[1] * basis[3 + a];
      r[a] = plane[2] * basis[a] + plane[3] * basis[3 + a];
      f[a] = -load * (c[STIFFNESS] * z[a] + w[FOLLOW] * r[a] + c[VISCOUS] * v);
    }
    w[BENT] = plane[0] * plane[2] + plane[1] * plane[3];
    this.takeShare();
  }

  solveSpin(): void {
    return;
  }

  /** Its direction needs no smoothing. */
  widen(): void {
    return;
  }

  advance(timing: Float64Array): void {
    const { states: z, rates: r } = this;
    for (let a = 0; a < 3; a++) z[a] += timing[0] * r[a];
  }

  computeStored(flags: Float64Array, normal: Float64Array): void {
    const z = this.states;
    const bent = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    normal[BRISTLE] = 0.5 * flags[1] * this.constants[STIFFNESS] * bent;
  }

  read(readout: Float64Array): void {
    for (let a = 0; a < 3; a++) readout[ContactReadout.z_x + a] = this.states[a];
    readout[ContactReadout.dwell] = 0;
    readout[ContactReadout.stick] = this.work[BENT];
  }

  /** z into the tangent plane. */
  private flatten(kinematics: Float64Array): void {
    const z = this.states;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const out = z[0] * nx + z[1] * ny + z[2] * nz;
    z[0] -= out * nx;
    z[1] -= out * ny;
    z[2] -= out * nz;
  }

  /** Speed and α of the slip. */
  private measure(kinematics: Float64Array): void {
    const { work: w, constants: c } = this;
    const x = kinematics[SLIP];
    const y = kinematics[SLIP + 1];
    const z = kinematics[SLIP + 2];
    const square = x * x + y * y + z * z;
    w[SPEED] = Math.sqrt(square);
    EXPONENTIALS[0] = -square * c[INVERSE];
    w[YIELD] = c[STIFFNESS] / (c[FLOOR] + c[RISE] * exponentials()[0]);
  }

  /** Share of the slip that bends the bristle: 1 at rest, 0 in steady sliding. */
  private measureBending(kinematics: Float64Array): void {
    const r = this.rates;
    let along = 0;
    for (let a = 0; a < 3; a++) along += r[a] * kinematics[SLIP + a];
    this.work[BENT] = along;
    this.takeShare();
  }

  /** work[BENT] := z'·v over v², from 0 to 1. */
  private takeShare(): void {
    const w = this.work;
    const square = w[SPEED] * w[SPEED];
    if (!(square > 0) || w[BENT] > square) w[BENT] = 1;
    else w[BENT] = w[BENT] > 0 ? w[BENT] / square : 0;
  }
}
