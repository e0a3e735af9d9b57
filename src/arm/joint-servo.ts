/**
 * Servos of the joints of an arm: each drives its rotor to a reference position and rate, docs/theory/arm.md.
 *
 *   tau = Kp (q_d − q_m) + Kv (q'_d − q'_m),  Kp = I w²,  Kv = 2 z I w,  I: what the joint moves at the start, rotor included
 *
 * The torque holds for a whole step, and behind a soft joint a rotor is light beside what it moves: so the rate in the law is the one
 * that the rotor will have, with rotor inertia J and the torque T_s of the joint's spring,
 *
 *   q'+ = q' + h (tau − T_s)/J,  q+ = q + h q'+   ⇒   tau = (Kp (q_d − q − h q') + Kv (q'_d − q') + a T_s)/(1 + a),  a = (h Kv + h² Kp)/J
 *
 * which cannot swing up, however light the rotor, and at rest is Kp (q_d − q_m) = T_s. A reference that the largest torque cannot hold is
 * drawn along with the rotor.
 */
import type { ArmServoModel } from '../model/arm-spec.ts';

/** Servos of the joints of one arm. All arrays have one number per joint. */
export class JointServo {
  /** q_d, in the arena. */
  readonly reference: Float64Array;
  /** q'_d. */
  readonly referenceRate: Float64Array;
  /** Torque of the last step, in the arena. */
  readonly torque: Float64Array;
  /** 1 when a torque was at its limit in the last step. */
  saturated = 0;
  private readonly stiffness: Float64Array;
  private readonly damping: Float64Array;
  private readonly inertia: Float64Array;
  private readonly limit: Float64Array;

  /**
   * @param inertia that a joint moves at the start, and that of its rotor alone
   * @param limit largest torques
   */
  constructor(
    models: readonly ArmServoModel[],
    inertia: { readonly moved: ArrayLike<number>; readonly rotor: ArrayLike<number> },
    limit: ArrayLike<number>,
    reference: Float64Array,
    torque: Float64Array,
  ) {
    this.reference = reference;
    this.torque = torque;
    this.referenceRate = new Float64Array(reference.length);
    this.stiffness = Float64Array.from(
      models,
      ({ bandwidth }, j) => inertia.moved[j] * bandwidth * bandwidth,
    );
    this.damping = Float64Array.from(
      models,
      ({ bandwidth, dampingRatio }, j) => 2 * dampingRatio * inertia.moved[j] * bandwidth,
    );
    this.inertia = Float64Array.from(inertia.rotor);
    this.limit = Float64Array.from(limit);
  }

  /** Torques for positions, rates and spring torques on the rotors, for a step of timing[0]. @alloc none */
  compute(
    position: Float64Array,
    rate: Float64Array,
    spring: Float64Array,
    timing: Float64Array,
  ): void {
    const h = timing[0];
    const { reference, referenceRate, stiffness, damping, inertia, limit, torque } = this;
    this.saturated = 0;
    for (let j = 0; j < torque.length; j++) {
      const kp = stiffness[j];
      const kv = damping[j];
      const a = (h * kv + h * h * kp) / inertia[j];
      reference[j] += h * referenceRate[j];
      const pull =
        kp * (reference[j] - position[j] - h * rate[j]) + kv * (referenceRate[j] - rate[j]);
      const wanted = (pull + a * spring[j]) / (1 + a);
      const most = limit[j];
      if (wanted > most || wanted < -most) {
        torque[j] = wanted > 0 ? most : -most;
        this.saturated = 1;
        const reach = most / kp;
        if (reference[j] - position[j] > reach) reference[j] = position[j] + reach;
        else if (position[j] - reference[j] > reach) reference[j] = position[j] - reach;
      } else torque[j] = wanted;
    }
  }

  /** References with which the servos hold the spring torques at these positions. @alloc none */
  settle(position: Float64Array, spring: Float64Array): void {
    const { reference, referenceRate, stiffness, torque } = this;
    for (let j = 0; j < torque.length; j++) {
      reference[j] = position[j] + spring[j] / stiffness[j];
      referenceRate[j] = 0;
      torque[j] = spring[j];
    }
  }
}
