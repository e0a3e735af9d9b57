/**
 * Kim's planar arm in closed form: a heavy spacecraft that turns about its centre of mass, two flexible links with one clamped–free
 * mode each, a point mass at the tip. Coordinates (θ1, θ2, θ3, b1, b2); M ψ̈ + bias = τ + Jᵀ w with w the force on the tip.
 *
 * Written out link by link, `Kim 1999, (3.26), (3.48)–(3.51)` in the plane, independently of the general tree of `src/multibody/tree`,
 * which it serves to check.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';

/** Coordinates: three angles, two modes. */
export const ARM_SIZE = 5;
/** First clamped–free mode, normalised to ∫φ² = L: φ(L), φ'(L) L, ∫φ/L, ∫xφ/L², ∫φ''² L³. */
const MODE = {
  tip: 2,
  slope: 2.753011,
  mean: 0.7829918,
  moment: 0.5688257,
  stiffness: 12.3623634,
} as const;

/** `Kim 1999, table 6.2`; the shoulder lies 1 m from the spacecraft's centre. */
export const KIM_ARM = {
  shoulder: 1,
  spacecraftInertia: 8e5,
  length: 8.13,
  mass: 163,
  bendingStiffness: 88_100,
  tipMass: 2.3,
  /** Part of critical damping. */
  damping: 0.01,
} as const;
/** Stiffness of the mode of a link, N/m. */
export const MODE_STIFFNESS = (MODE.stiffness * KIM_ARM.bendingStiffness) / KIM_ARM.length ** 3;

/** What a run needs of the arm; the general tree can give it too. */
export interface PlanarDynamics {
  readonly mass: Float64Array;
  readonly bias: Float64Array;
  readonly tip: Float64Array;
  readonly tipVelocity: Float64Array;
  readonly jacobian: Float64Array;
  readonly jacobianBias: Float64Array;
  evaluate(q: Float64Array, u: Float64Array): void;
  accelerate(torque: Float64Array, force: Float64Array, rigid: boolean, out: Float64Array): void;
}

/** Mass matrix, bias and tip of the arm at one state; all arrays are its own and are filled by `evaluate`. */
export class PlanarArm implements PlanarDynamics {
  /** 5 × 5, row by row. */
  readonly mass: Float64Array = new Float64Array(25);
  readonly bias: Float64Array = new Float64Array(5);
  /** Tip position, velocity, Jacobian 2 × 5 and J̇ψ̇. */
  readonly tip: Float64Array = new Float64Array(2);
  readonly tipVelocity: Float64Array = new Float64Array(2);
  readonly jacobian: Float64Array = new Float64Array(10);
  readonly jacobianBias: Float64Array = new Float64Array(2);
  /** Kinetic and strain energy of the last state, J. */
  energy = 0.5;
  private readonly factors = new Float64Array(25);
  private readonly rigidFactors = new Float64Array(9);
  private readonly zero = new Float64Array(1);
  private readonly jo = new Float64Array(10);
  private readonly jw = new Float64Array(5);
  private readonly co = new Float64Array(2);
  private readonly o = new Float64Array(2);
  /** Direction cosine and sine of the link at hand. */
  private readonly e = new Float64Array(2);
  private readonly tipMass: number;
  /** Damping of a mode, N s/m. */
  readonly dampingFactor: number;

  /** @param tipMass 0 where the end-effector is a body of its own, kg */
  constructor(damping: number = KIM_ARM.damping, tipMass: number = KIM_ARM.tipMass) {
    this.tipMass = tipMass;
    this.dampingFactor = 2 * damping * Math.sqrt(MODE_STIFFNESS * KIM_ARM.mass);
  }

  /** Fills everything for positions q and rates u, five each. */
  evaluate(q: Float64Array, u: Float64Array): void {
    const { mass, bias, jo, jw, co, o } = this;
    const { shoulder, spacecraftInertia, length } = KIM_ARM;
    mass.fill(0);
    bias.fill(0);
    jo.fill(0);
    jw.fill(0);
    jw[0] = 1;
    mass[0] = spacecraftInertia;
    o[0] = shoulder * Math.cos(q[0]);
    o[1] = shoulder * Math.sin(q[0]);
    jo[0] = -o[1];
    jo[5] = o[0];
    co[0] = -u[0] * u[0] * o[0];
    co[1] = -u[0] * u[0] * o[1];
    let angle = q[0];
    let rate = u[0];
    for (let link = 0; link < 2; link++) {
      const b = 3 + link;
      angle += q[1 + link];
      rate += u[1 + link];
      jw[1 + link] = 1;
      this.e[0] = Math.cos(angle);
      this.e[1] = Math.sin(angle);
      this.addLink(b, q[b], u[b], rate);
      this.advance(b, q[b], u[b], rate);
      jw[b] = MODE.slope / length;
      angle += jw[b] * q[b];
      rate += jw[b] * u[b];
    }
    this.addTip(u);
    this.energy = 0.5 * MODE_STIFFNESS * (q[3] * q[3] + q[4] * q[4]);
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 5; j++) this.energy += 0.5 * u[i] * mass[5 * i + j] * u[j];
    }
  }

  /** Mass and bias of a link whose origin has the Jacobian `jo`, turning with `jw`. */
  private addLink(b: number, bend: number, bendRate: number, w: number): void {
    const { mass, bias, jo, jw, co, e } = this;
    const { mass: m, length } = KIM_ARM;
    const s1 = MODE.mean * m;
    const s2 = MODE.moment * m * length;
    const s3 = m;
    const half = (m * length) / 2;
    const sx = -e[0] * s1 * bend - e[1] * half;
    const sy = -e[1] * s1 * bend + e[0] * half;
    const px = -e[1] * s1;
    const py = e[0] * s1;
    const turn = (m * length * length) / 3 + s3 * bend * bend;
    const along = w * w * half + 2 * w * s1 * bendRate;
    const across = w * w * s1 * bend;
    const fx = e[0] * along - e[1] * across - m * co[0];
    const fy = e[1] * along + e[0] * across - m * co[1];
    const fw = -2 * w * bend * s3 * bendRate - (sx * co[0] + sy * co[1]);
    const fb =
      w * w * s3 * bend -
      MODE_STIFFNESS * bend -
      this.dampingFactor * bendRate -
      (px * co[0] + py * co[1]);
    for (let i = 0; i < 5; i++) {
      const xi = jo[i];
      const yi = jo[5 + i];
      const wi = jw[i];
      const bi = i === b ? 1 : 0;
      bias[i] -= xi * fx + yi * fy + wi * fw + bi * fb;
      for (let j = 0; j < 5; j++) {
        const xj = jo[j];
        const yj = jo[5 + j];
        const wj = jw[j];
        const bj = j === b ? 1 : 0;
        mass[5 * i + j] +=
          m * (xi * xj + yi * yj) +
          (xi * sx + yi * sy) * wj +
          wi * (sx * xj + sy * yj) +
          turn * wi * wj +
          (xi * px + yi * py) * bj +
          bi * (px * xj + py * yj) +
          s2 * (wi * bj + bi * wj) +
          s3 * bi * bj;
      }
    }
  }

  /** Moves `o`, `jo` and `co` to the end of the link. */
  private advance(b: number, bend: number, bendRate: number, w: number): void {
    const { jo, jw, co, o, e } = this;
    const dx = e[0] * KIM_ARM.length - e[1] * MODE.tip * bend;
    const dy = e[1] * KIM_ARM.length + e[0] * MODE.tip * bend;
    o[0] += dx;
    o[1] += dy;
    for (let i = 0; i < 5; i++) {
      jo[i] -= dy * jw[i];
      jo[5 + i] += dx * jw[i];
    }
    jo[b] -= e[1] * MODE.tip;
    jo[5 + b] += e[0] * MODE.tip;
    const gyro = 2 * w * MODE.tip * bendRate;
    co[0] -= w * w * dx + gyro * e[0];
    co[1] -= w * w * dy + gyro * e[1];
  }

  private addTip(u: Float64Array): void {
    const { mass, bias, jo, co, o } = this;
    const m = this.tipMass;
    this.tipVelocity.fill(0);
    for (let i = 0; i < 5; i++) {
      this.jacobian[i] = jo[i];
      this.jacobian[5 + i] = jo[5 + i];
      this.tipVelocity[0] += jo[i] * u[i];
      this.tipVelocity[1] += jo[5 + i] * u[i];
      bias[i] += m * (jo[i] * co[0] + jo[5 + i] * co[1]);
      for (let j = 0; j < 5; j++) {
        mass[5 * i + j] += m * (jo[i] * jo[j] + jo[5 + i] * jo[5 + j]);
      }
    }
    for (let a = 0; a < 2; a++) {
      this.tip[a] = o[a];
      this.jacobianBias[a] = co[a];
    }
  }

  /** Acceleration under joint torques (three) and the force on the tip; with rigid links that of the modes is zero. */
  accelerate(torque: Float64Array, force: Float64Array, rigid: boolean, out: Float64Array): void {
    const size = rigid ? 3 : 5;
    const factors = rigid ? this.rigidFactors : this.factors;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) factors[size * i + j] = this.mass[5 * i + j];
      out[i] =
        (i < 3 ? torque[i] : 0) -
        this.bias[i] +
        this.jacobian[i] * force[0] +
        this.jacobian[5 + i] * force[1];
    }
    for (let i = size; i < 5; i++) out[i] = 0;
    factorCholesky(factors, factors, size, this.zero);
    solveLower(factors, size, out, 0);
    solveLowerTransposed(factors, size, out, 0);
  }
}
