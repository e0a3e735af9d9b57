/**
 * Friction of the axis joints of a tree: the bristle law with one bristle to a joint, docs/theory/joint-friction.md.
 * `Gonthier 2007, (3.28)–(3.42)` for one coordinate, with torques for coefficients times a load.
 *
 *   s = exp(−u²/v_s²)        z' = s u + (1 − s)(T_C G u/σ1 − z/τ_br)        τ_br = σ1/σ0
 *   T = σ0 z + σ1 z', cut to ±(T_C + (T_S − T_C) s_dw)        torque on the joint = −(T + σ2 u)
 *
 * G is the factor of the regularised sign. States: z and s_dw of each joint. The step is implicit: s, the fading and the limits come
 * from the start of the step, rates and bristle rates from its end. G is corrected once at the rate found. Below its limit a
 * bristle is then linear in the new rates. Torques of joints act on each other through the inertia of the tree, so all rates of a
 * step are found together: u = u* − h W (T(u) + σ2 u), W the part of M⁻¹ of these joints.
 */
import { factorize, solveFactored } from '../../math/lu.ts';
import type { JointFrictionModel } from '../../model/tree-model.ts';
import { EXPONENTIALS, exp, exponentials } from '../../math/elementary/exponential.ts';

/** States of one joint: bristle, rad or m, and dwell. */
export const JOINT_FRICTION_STATES = 2;

/** Speed below which the sign of the rate is smooth, as a part of the Stribeck speed: slip weighs less than 1 − exp(−1e-4) there. */
const SMOOTH_SIGN = 0.01;
/** Sweeps when the joints cannot agree on which of them slip. */
const SWEEPS = 40;

/** The friction of some joints. */
export class JointFriction {
  readonly count: number;
  /** Bristle and dwell of each joint, in the arena. */
  readonly states: Float64Array;
  /** Torque on each joint in the last step, N m or N. */
  readonly torque: Float64Array;
  private readonly stiction: Float64Array;
  private readonly coulomb: Float64Array;
  private readonly s0: Float64Array;
  private readonly s1: Float64Array;
  private readonly s2: Float64Array;
  private readonly stribeck: Float64Array;
  private readonly dwellTime: Float64Array;
  private readonly stick: Float64Array;
  private readonly limit: Float64Array;
  /** T = pull + damper u while the bristle holds. */
  private readonly pull: Float64Array;
  private readonly damper: Float64Array;
  private readonly creep: Float64Array;
  private readonly slide: Float64Array;
  private readonly follow: Float64Array;
  /** New rates and bristle rates of the last step. */
  private readonly rates: Float64Array;
  private readonly bristleRates: Float64Array;
  /** 0 while a bristle holds, the sign of its torque at the limit. */
  private readonly modes: Int8Array;
  private readonly matrix: Float64Array;
  private readonly pivots: Int32Array;

  constructor(models: readonly JointFrictionModel[], states: Float64Array) {
    const n = models.length;
    this.count = n;
    this.states = states;
    this.torque = new Float64Array(n);
    this.stiction = Float64Array.from(models, (m) => m.stiction);
    this.coulomb = Float64Array.from(models, (m) => m.coulomb);
    this.s0 = Float64Array.from(models, (m) => m.bristleStiffness);
    this.s1 = Float64Array.from(models, (m) => m.bristleDamping);
    this.s2 = Float64Array.from(models, (m) => m.viscous);
    this.stribeck = Float64Array.from(models, (m) => m.stribeckSpeed);
    this.dwellTime = Float64Array.from(models, (m) => m.dwellTime);
    this.stick = new Float64Array(n);
    this.limit = new Float64Array(n);
    this.pull = new Float64Array(n);
    this.damper = new Float64Array(n);
    this.creep = new Float64Array(n);
    this.slide = new Float64Array(n);
    this.follow = new Float64Array(n);
    this.rates = new Float64Array(n);
    this.bristleRates = new Float64Array(n);
    this.modes = new Int8Array(n);
    this.matrix = new Float64Array(n * n);
    this.pivots = new Int32Array(n);
    this.begin();
  }

  /** Straight bristles, full dwell: the joints have long been at rest. */
  begin(): void {
    for (let k = 0; k < this.count; k++) {
      this.states[JOINT_FRICTION_STATES * k] = 0;
      this.states[JOINT_FRICTION_STATES * k + 1] = 1;
    }
    this.torque.fill(0);
  }

  /**
   * `rates`: what the joints would do without friction in the step of timing[0], replaced by what they do; `before`: their rates at its
   * start; `mobility`: count × count, the change of rates by unit torque impulses. `torque` then holds what makes the difference.
   * @alloc none
   */
  solve(
    before: Float64Array,
    rates: Float64Array,
    mobility: Float64Array,
    timing: Float64Array,
  ): void {
    const n = this.count;
    this.prepare(before, timing);
    // where the search for the bristles that hold begins follows from the state: a restored run goes on bit for bit
    for (let k = 0; k < n; k++) this.rates[k] = before[k];
    this.computeDampers(before);
    for (let k = 0; k < n; k++) this.modes[k] = this.modeOf(k);
    for (let pass = 0; pass < 2; pass++) {
      this.computeDampers(this.rates);
      this.findRates(rates, mobility, timing);
    }
    for (let k = 0; k < n; k++) {
      rates[k] = this.rates[k];
      const z = this.states[JOINT_FRICTION_STATES * k];
      const held = this.cut(k);
      this.bristleRates[k] = (held - this.s0[k] * z) / this.follow[k];
      this.torque[k] = -(held + this.s2[k] * rates[k]);
    }
  }

  /** Bristles and dwell after the step. @alloc none */
  advance(timing: Float64Array): void {
    const h = timing[0];
    const x = this.states;
    for (let k = 0; k < this.count; k++) {
      const i = JOINT_FRICTION_STATES * k;
      x[i] += h * this.bristleRates[k];
      const r = this.rates[k] / this.stribeck[k];
      const gap = exp(-r * r) - x[i + 1];
      const time = gap >= 0 ? this.dwellTime[k] : this.s1[k] / this.s0[k];
      if (time > 0) {
        EXPONENTIALS[0] = -h / time;
        x[i + 1] -= gap * exponentials()[1];
      } else x[i + 1] += gap;
    }
  }

  /** energy[0] += what the bristles store, J. @alloc none */
  addStoredEnergy(energy: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      const z = this.states[JOINT_FRICTION_STATES * k];
      energy[0] += 0.5 * this.s0[k] * z * z;
    }
  }

  /** What the bristles are at the start of the step; they fade implicitly, z' = follow u − fade (z + h z'). */
  private prepare(before: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    for (let k = 0; k < this.count; k++) {
      const s0 = this.s0[k];
      const s1 = this.s1[k];
      const r = before[k] / this.stribeck[k];
      const s = exp(-r * r);
      const fade = ((1 - s) * s0) / s1;
      const kept = 1 / (1 + fade * h);
      const c = s0 * h + s1;
      this.stick[k] = s;
      this.follow[k] = c;
      this.pull[k] = (s0 - c * fade * kept) * this.states[JOINT_FRICTION_STATES * k];
      this.creep[k] = c * s * kept;
      this.slide[k] = (c * (1 - s) * kept * this.coulomb[k]) / s1;
      this.limit[k] =
        this.coulomb[k] +
        (this.stiction[k] - this.coulomb[k]) * this.states[JOINT_FRICTION_STATES * k + 1];
    }
  }

  /** The dampers with the regularised sign at some rates. */
  private computeDampers(at: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      const speed = Math.abs(at[k]);
      const edge = SMOOTH_SIGN * this.stribeck[k];
      const r = speed / edge;
      const sign = r >= 1 ? 1 / speed : (1.5 - 0.5 * r * r) / edge;
      this.damper[k] = this.creep[k] + this.slide[k] * sign;
    }
  }

  /** u of u = u* − h W (T(u) + σ2 u): exact once it is known which bristles are at their limit. */
  private findRates(free: Float64Array, mobility: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const n = this.count;
    const { matrix: a, rates: u, modes } = this;
    for (let round = 0; round < n + 4; round++) {
      for (let i = 0; i < n; i++) {
        let right = free[i];
        for (let k = 0; k < n; k++) {
          const w = h * mobility[i * n + k];
          const d = modes[k] === 0 ? this.damper[k] + this.s2[k] : this.s2[k];
          right -= w * (modes[k] === 0 ? this.pull[k] : modes[k] * this.limit[k]);
          a[i * n + k] = w * d;
        }
        a[i * n + i] += 1;
        u[i] = right;
      }
      if (!factorize(a, n, this.pivots)) break;
      solveFactored(a, n, this.pivots, u, 0);
      let changed = 0;
      for (let k = 0; k < n; k++) {
        const mode = this.modeOf(k);
        if (mode !== modes[k]) changed++;
        modes[k] = mode;
      }
      if (changed === 0) return;
    }
    this.sweep(free, mobility, timing);
  }

  /**
   * The same rates joint by joint: each sweep lowers the convex function whose gradient is the equation, so it cannot turn in a circle.
   * `a` holds the torques in its first row.
   */
  private sweep(free: Float64Array, mobility: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const n = this.count;
    const { matrix: torque, rates: u } = this;
    for (let k = 0; k < n; k++) {
      u[k] = free[k];
      torque[k] = 0;
    }
    for (let round = 0; round < SWEEPS; round++) {
      for (let k = 0; k < n; k++) {
        const w = h * mobility[k * n + k];
        const alone = u[k] + w * torque[k];
        u[k] = (alone - w * this.pull[k]) / (1 + w * (this.damper[k] + this.s2[k]));
        const mode = this.modeOf(k);
        this.modes[k] = mode;
        if (mode !== 0) u[k] = (alone - w * mode * this.limit[k]) / (1 + w * this.s2[k]);
        const old = torque[k];
        const held = mode === 0 ? this.pull[k] + this.damper[k] * u[k] : mode * this.limit[k];
        torque[k] = held + this.s2[k] * u[k];
        for (let i = 0; i < n; i++) {
          if (i !== k) u[i] -= h * mobility[i * n + k] * (torque[k] - old);
        }
      }
    }
  }

  /** Whether the bristle of a joint holds at its rate. */
  private modeOf(k: number): number {
    const candidate = this.pull[k] + this.damper[k] * this.rates[k];
    if (candidate > this.limit[k]) return 1;
    return candidate < -this.limit[k] ? -1 : 0;
  }

  /** T of a joint at its rate. */
  private cut(k: number): number {
    const candidate = this.pull[k] + this.damper[k] * this.rates[k];
    return Math.min(this.limit[k], Math.max(-this.limit[k], candidate));
  }
}
