/**
 * Computed torque: the joints follow the integrated resolved rates, and the law cancels the
 * dynamics of the rigid arm. docs/theory/arm.md.
 *
 *   q_d' of the reference twist,  τ = M (q_d'' + K_d (q_d' − q') + K_p (q_d − q)) + bias,  |τ| <= effort
 *
 * Joints that are not driven are held by the same law. The rotor drags along a reference that the
 * largest torque cannot hold.
 */
import type { ArmModel } from '../model/arm-spec.ts';
import { ComputedTorque } from '../control/computed-torque.ts';
import type { ComputedTorqueModel } from '../model/control-spec.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import type { ArmLaw, ArmView } from './arm-law.ts';
import { SoftDrives } from './soft-drives.ts';
import { TreeDynamics } from './tree-dynamics.ts';

/** Number of arena values of the law, beside the references of the servos. */
export function computedTorqueMemory(joints: number): number {
  return joints;
}

/** Computed-torque control law of an arm. */
export class ComputedTorqueLaw implements ArmLaw {
  limited = 0;
  private readonly view: ArmView;
  private readonly law: ComputedTorque;
  private readonly dynamics: TreeDynamics;
  private readonly soft: SoftDrives;
  /** Rates of the reference in the last step. They lie in the arena. */
  private readonly prior: Float64Array;
  private readonly torque: Float64Array;
  private readonly factors: Float64Array;
  private readonly tolerance = new Float64Array(1);

  constructor(model: ArmModel, gains: ComputedTorqueModel, view: ArmView, memory: Float64Array) {
    const n = view.joints.count;
    this.view = view;
    this.law = new ComputedTorque(n, gains);
    this.dynamics = new TreeDynamics(model, view.rigid);
    this.soft = new SoftDrives(view.joints, 0);
    this.prior = memory;
    this.torque = new Float64Array(n);
    this.factors = new Float64Array(n * n);
  }

  /** @alloc none */
  compute(_wrench: Float64Array, timing: Float64Array): void {
    const { law, dynamics, soft, prior, torque } = this;
    const { gains } = law;
    const { resolver, reference, first, servo, position, rate, spring } = this.view;
    const h = timing[0];
    resolver.resolve(reference, 7, timing);
    const n = torque.length;
    for (let j = 0; j < n; j++) {
      const wanted = j < first ? 0 : resolver.rates[j - first];
      law.rate[j] = wanted;
      law.acceleration[j] = (wanted - prior[j]) / h;
      prior[j] = wanted;
      servo.reference[j] += h * wanted;
      law.position[j] = servo.reference[j];
    }
    dynamics.compute();
    law.compute(dynamics.mass, dynamics.bias, position, rate);
    const slope = h * (gains[1] + h * gains[0]);
    for (let j = 0; j < n; j++) torque[j] = law.torque[j];
    for (let i = 0; i < n * n; i++) soft.slope[i] = slope * dynamics.mass[i];
    soft.apply(torque, spring);
    this.limit();
  }

  /** Sets q_d so that the law holds the spring torques: M K_p (q_d − q) + bias = T. @alloc none */
  settle(load: Float64Array): void {
    const { dynamics, factors, torque, prior } = this;
    const { gains } = this.law;
    const { servo, position } = this.view;
    const n = torque.length;
    dynamics.compute();
    factorCholesky(factors, dynamics.mass, n, this.tolerance);
    for (let j = 0; j < n; j++) torque[j] = load[j] - dynamics.bias[j];
    solveLower(factors, n, torque, 0);
    solveLowerTransposed(factors, n, torque, 0);
    for (let j = 0; j < n; j++) {
      servo.reference[j] = position[j] + torque[j] / gains[0];
      prior[j] = 0;
    }
    this.limited = 0;
  }

  private limit(): void {
    const { torque, dynamics } = this;
    const { gains } = this.law;
    const { servo, joints, position } = this.view;
    const n = torque.length;
    this.limited = 0;
    for (let j = 0; j < n; j++) {
      const most = joints.effortLimit[j];
      const wanted = torque[j];
      if (!(wanted > most || wanted < -most)) {
        servo.torque[j] = wanted;
        continue;
      }
      servo.torque[j] = wanted > 0 ? most : -most;
      this.limited = 1;
      const reach = most / (gains[0] * dynamics.mass[(n + 1) * j]);
      const ahead = servo.reference[j] - position[j];
      if (ahead > reach) servo.reference[j] = position[j] + reach;
      else if (ahead < -reach) servo.reference[j] = position[j] - reach;
    }
  }
}
