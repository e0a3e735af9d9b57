/**
 * Impedance: the tool point answers a wrench like a mass on a spring and damper about its
 * reference, whatever the arm's own inertia. `Kim 1999, (5.39)`, src/control/impedance.ts, on the
 * rigid arm at the positions of the rotors. docs/theory/arm.md.
 *
 * The law compensates the wrench components outside the task rows. It damps joint motion that does
 * not move the task rows: τ −= d (M − JᵀΓJ) q'. Servos hold the joints that are not driven or at
 * the end of their range; the law treats them as fixed.
 */
import type { ArmImpedance, ArmModel } from '../model/arm-spec.ts';
import { ImpedanceController } from '../control/impedance.ts';
import type { ImpedanceModel } from '../model/control-spec.ts';
import type { RigidBody } from '../multibody/body.ts';
import type { ArmLaw, ArmView } from './arm-law.ts';
import { GuardedTorque } from './guarded-torque.ts';
import { SoftDrives } from './soft-drives.ts';
import { TaskReference } from './task-law.ts';
import { TreeDynamics } from './tree-dynamics.ts';

/** Impedance control law of an arm. */
export class ImpedanceLaw implements ArmLaw {
  limited = 0;
  private readonly view: ArmView;
  private readonly rows: ImpedanceModel;
  /** Damping d of the self-motion, 1/s. */
  private readonly damping: Float64Array;
  private readonly slow: ImpedanceController;
  private readonly task: TaskReference;
  private readonly dynamics: TreeDynamics;
  private readonly soft: SoftDrives;
  private readonly guard: GuardedTorque;
  private readonly whole: Float64Array;
  private readonly drift = new Float64Array(6);
  private readonly mass: Float64Array;
  private readonly bias: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly jacobianBias: Float64Array;
  private readonly torque: Float64Array;
  /** 1 for each driven joint at the end of its range. */
  private readonly held: Uint8Array;
  private readonly column: Float64Array;
  private readonly push: Float64Array;

  constructor(
    model: ArmModel,
    impedance: ArmImpedance,
    view: ArmView,
    target: RigidBody | null,
    tip: Float64Array,
    memory: Float64Array,
  ) {
    const { driven } = model;
    const rows = impedance.rows.mass.length;
    this.view = view;
    this.rows = impedance.rows;
    this.damping = Float64Array.of(impedance.selfMotionDamping);
    this.slow = new ImpedanceController(driven, impedance.rows);
    this.task = new TaskReference(model, impedance, this.slow, view, target, tip, memory);
    this.dynamics = new TreeDynamics(model, view.rigid);
    this.soft = new SoftDrives(view.joints, view.first);
    this.guard = new GuardedTorque(view, model.rate.limitMargin);
    this.whole = new Float64Array(6 * view.rigid.n);
    this.mass = new Float64Array(driven * driven);
    this.bias = new Float64Array(driven);
    this.jacobian = new Float64Array(rows * driven);
    this.jacobianBias = new Float64Array(rows);
    this.torque = new Float64Array(driven);
    this.held = new Uint8Array(driven);
    this.column = new Float64Array(rows);
    this.push = new Float64Array(rows);
  }

  /** @alloc none */
  compute(wrench: Float64Array, timing: Float64Array): void {
    const { task, guard, torque, held } = this;
    task.evaluate(wrench, timing);
    this.selectDriven(wrench);
    this.computeTorques(timing);
    if (guard.findHeld(torque, this.bias, held) > 0) {
      this.fix();
      this.computeTorques(timing);
    }
    guard.apply(torque, timing);
    this.limited = guard.limited;
    task.advance(timing, guard.limited);
  }

  /** @alloc none */
  settle(_load: Float64Array, wrench: Float64Array): void {
    this.task.settle(wrench);
    this.limited = 0;
  }

  /** Computes the torques for the present M, J and bias. */
  private computeTorques(timing: Float64Array): void {
    const { slow, soft, torque } = this;
    slow.compute(this.mass, this.jacobian, this.jacobianBias, this.bias);
    for (let j = 0; j < torque.length; j++) torque[j] = slow.torque[j];
    this.dampSelfMotion();
    if (soft.soft.length === 0) return;
    this.computeSlope(timing);
    soft.apply(torque, this.view.spring);
  }

  /** Decouples the held joints from the other joints and from the tip. */
  private fix(): void {
    const { held, mass, bias, jacobian } = this;
    const d = held.length;
    for (let j = 0; j < d; j++) {
      if (held[j] === 0) continue;
      bias[j] = 0;
      for (let i = 0; i < d; i++) {
        if (i === j) continue;
        mass[d * i + j] = 0;
        mass[d * j + i] = 0;
      }
      for (let r = 0; r < this.column.length; r++) jacobian[d * r + j] = 0;
    }
  }

  /** Selects M, bias, Jacobian and J̇u of the driven joints in the rows of the task. */
  private selectDriven(wrench: Float64Array): void {
    const { dynamics, mass, bias, jacobian, whole, drift, torque } = this;
    const { rigid, frame, first } = this.view;
    const { axes, others } = this.task;
    const d = torque.length;
    const n = rigid.n;
    dynamics.compute();
    rigid.frameJacobian(frame, whole);
    rigid.frameBias(frame, drift);
    for (let i = 0; i < d; i++) {
      let sum = dynamics.bias[first + i];
      for (let r = 0; r < others.length; r++) {
        sum -= whole[n * others[r] + first + i] * wrench[others[r]];
      }
      bias[i] = sum;
      for (let j = 0; j < d; j++) mass[d * i + j] = dynamics.mass[n * (first + i) + first + j];
    }
    for (let r = 0; r < axes.length; r++) {
      this.jacobianBias[r] = drift[axes[r]];
      for (let j = 0; j < d; j++) jacobian[d * r + j] = whole[n * axes[r] + first + j];
    }
  }

  private dampSelfMotion(): void {
    const { slow, damping, mass, jacobian, torque, column, push } = this;
    const { rate, first } = this.view;
    const d = torque.length;
    const m = column.length;
    for (let r = 0; r < m; r++) {
      let sum = 0.0;
      for (let j = 0; j < d; j++) sum += jacobian[d * r + j] * rate[first + j];
      column[r] = sum;
    }
    slow.inertiaTimes(column, push);
    for (let i = 0; i < d; i++) {
      let sum = 0.0;
      for (let j = 0; j < d; j++) sum += mass[d * i + j] * rate[first + j];
      for (let r = 0; r < m; r++) sum -= jacobian[d * r + i] * push[r];
      torque[i] -= damping[0] * sum;
    }
  }

  /** slope := D = h (JᵀΓ (A⁻¹ (K_d + h K_p) − d) J + d M). */
  private computeSlope(timing: Float64Array): void {
    const { rows, damping, slow, soft, mass, jacobian, column, push } = this;
    const h = timing[0];
    const d = this.torque.length;
    const m = column.length;
    for (let j = 0; j < d; j++) {
      for (let r = 0; r < m; r++) {
        const gain = (rows.damping[r] + h * rows.stiffness[r]) / rows.mass[r] - damping[0];
        column[r] = h * gain * jacobian[d * r + j];
      }
      slow.inertiaTimes(column, push);
      for (let i = 0; i < d; i++) {
        let sum = h * damping[0] * mass[d * i + j];
        for (let r = 0; r < m; r++) sum += jacobian[d * r + i] * push[r];
        soft.slope[d * i + j] = sum;
      }
    }
  }
}
