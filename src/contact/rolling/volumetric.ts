/**
 * Rolling resistance of the damped foundation: the damping pressure of a rolling contact is larger in front than behind,
 *
 *   τ_i = −(B/V) T J_v T w        B = k_v A V_r, T = 1 − n nᵀ        τ_j = −τ_i
 *
 * with the volume inertia J_v of the overlap and the damping B of the normal law. `Gonthier 2007, (4.67), (4.183)`,
 * docs/theory/volumetric-contact.md. The thesis writes J_v w_t, which is the same for a principal axis n; projected, the moment
 * has no part about the normal and takes energy out for any n.
 *
 * Implicit: (1 + h M C) w' = w*, C = (B/V) T J_v T, M the sum of the inverse inertias. Solved exactly; dissipative for every step,
 * as the mean velocity of the step is (1 + h M C/2) w' and w'·C (1 + h M C/2) w' >= 0.
 *
 * Limits: viscous, so no holding at rest; independent of friction; the slower the impact that began the contact, the stronger.
 */
import type { VolumetricRollingModel } from '../../model/contact-spec.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import { type LawDefinition, type LawLoop, type LawMemory, NO_MEMORY } from '../component.ts';
import { VOLUMETRIC_ROLLING_LOOP } from '../loop-kinds.ts';
import { INERTIA, NORMAL, RESISTANCE, SPIN, STEP, VOLUME } from '../pair.ts';
import type { RollingLaw } from './rolling-law.ts';

/** The rolling resistance of one volumetric contact. */
export class VolumetricRolling implements RollingLaw {
  readonly active: boolean = true;
  readonly loaded: boolean = false;
  readonly torque: Float64Array;
  readonly loop: LawLoop;
  /** C, row by row. */
  private readonly drag: Float64Array;
  /** 1 + h M C, row by row. */
  private readonly system: Float64Array;
  /** Angular velocity that the drag acts on, rad/s. */
  private readonly spin: Float64Array;

  constructor({ columns = OWN_COLUMNS }: Partial<LawMemory> = {}) {
    const work = columns.doubles(21);
    this.torque = columns.doubles(3);
    this.drag = work.subarray(0, 9);
    this.system = work.subarray(9, 18);
    this.spin = work.subarray(18);
    this.loop = { kind: VOLUMETRIC_ROLLING_LOOP, work, torque: this.torque };
  }

  begin(): void {
    return;
  }

  end(): void {
    this.torque.fill(0);
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    this.computeDrag(kinematics, mobility);
    for (let a = 0; a < 3; a++) this.spin[a] = kinematics[SPIN + a];
    this.apply();
  }

  solve(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void {
    this.computeDrag(kinematics, mobility);
    const c = this.drag;
    const m = this.system;
    const h = mobility[STEP];
    for (let a = 0; a < 3; a++) {
      const p = h * inertia[3 * a];
      const q = h * inertia[3 * a + 1];
      const r = h * inertia[3 * a + 2];
      for (let b = 0; b < 3; b++) {
        m[3 * a + b] = (a === b ? 1 : 0) + p * c[b] + q * c[3 + b] + r * c[6 + b];
      }
    }
    // Cramer's rule: M C has eigenvalues >= 0, so the determinant is at least 1
    const x = kinematics[SPIN];
    const y = kinematics[SPIN + 1];
    const z = kinematics[SPIN + 2];
    const c0 = m[4] * m[8] - m[5] * m[7];
    const c1 = m[5] * m[6] - m[3] * m[8];
    const c2 = m[3] * m[7] - m[4] * m[6];
    const k = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
    const w = this.spin;
    w[0] = k * (x * c0 + y * (m[2] * m[7] - m[1] * m[8]) + z * (m[1] * m[5] - m[2] * m[4]));
    w[1] = k * (x * c1 + y * (m[0] * m[8] - m[2] * m[6]) + z * (m[2] * m[3] - m[0] * m[5]));
    w[2] = k * (x * c2 + y * (m[1] * m[6] - m[0] * m[7]) + z * (m[0] * m[4] - m[1] * m[3]));
    this.apply();
  }

  widen(): void {
    return;
  }

  computeSlope(_mobility: Float64Array, slope: Float64Array): void {
    for (let a = 0; a < 9; a++) slope[a] = this.drag[a];
  }

  /** torque := −C spin. */
  private apply(): void {
    const c = this.drag;
    const w = this.spin;
    for (let a = 0; a < 3; a++) {
      this.torque[a] = -(c[3 * a] * w[0] + c[3 * a + 1] * w[1] + c[3 * a + 2] * w[2]);
    }
  }

  /** drag := (B/V) T J_v T; 0 without an overlap. */
  private computeDrag(kinematics: Float64Array, mobility: Float64Array): void {
    const c = this.drag;
    const volume = kinematics[VOLUME];
    const k = volume > 0 ? mobility[RESISTANCE] / volume : 0;
    const xx = k * kinematics[INERTIA];
    const yy = k * kinematics[INERTIA + 1];
    const zz = k * kinematics[INERTIA + 2];
    const xy = k * kinematics[INERTIA + 3];
    const xz = k * kinematics[INERTIA + 4];
    const yz = k * kinematics[INERTIA + 5];
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    // T J T = J − n (J n)ᵀ − (J n) nᵀ + (n·J n) n nᵀ = J − n uᵀ − u nᵀ with u = J n − (n·J n) n/2
    let ux = xx * nx + xy * ny + xz * nz;
    let uy = xy * nx + yy * ny + yz * nz;
    let uz = xz * nx + yz * ny + zz * nz;
    const half = 0.5 * (ux * nx + uy * ny + uz * nz);
    ux -= half * nx;
    uy -= half * ny;
    uz -= half * nz;
    c[0] = xx - 2 * ux * nx;
    c[4] = yy - 2 * uy * ny;
    c[8] = zz - 2 * uz * nz;
    c[1] = c[3] = xy - nx * uy - ux * ny;
    c[2] = c[6] = xz - nx * uz - ux * nz;
    c[5] = c[7] = yz - ny * uz - uy * nz;
  }
}

export const VOLUMETRIC_ROLLING: LawDefinition<VolumetricRollingModel, RollingLaw> = {
  needs: ['volume', 'inertia'],
  check: () => undefined,
  size: () => NO_MEMORY,
  make: (_model, memory) => new VolumetricRolling(memory),
  loops: true,
};
