/**
 * Single-joint mode: an operator moves one joint while the others hold. It replaces the control
 * law. docs/theory/arm.md, Single joint.
 *
 *   full stick = min(largest rate of the joint, v_max/|J_v|, w_max/|J_w|),   J: column of the joint in the Jacobian of the rigid arm
 *
 * v_max and w_max are the largest speeds of the tool, at most those of its accommodation. Near a
 * limit the joint slows as in resolved-rate motion: within `limitTime`, to a stop at `limitMargin`.
 * The rate follows the stick with the lag of the accommodation.
 */
import { ArmReadout, ArmStatus } from '../model/arm-spec.ts';
import type { ResolvedRateModel } from '../model/control-spec.ts';
import type { ArmLaw, ArmView } from './arm-law.ts';
import { UNLIMITED_RATE } from './twist-resolver.ts';

/** Law of the single-joint mode: one joint moves, the servos hold the others. */
export class SingleJoint implements ArmLaw {
  limited = 0;
  /** Index of the moving joint; −1: the arm follows its control law. */
  joint = -1;
  /** In: stick deflection, −1 … 1. */
  readonly level: Float64Array = new Float64Array(1);
  /** In: [largest speed of the tool, m/s; largest angular speed, rad/s; lag, s]. The loop may lower the speeds. */
  readonly bounds: Float64Array = new Float64Array(3);
  /** Out: rate of the joint, filtered. It lies in the arena. */
  readonly rate: Float64Array;
  private readonly view: ArmView;
  private readonly model: Pick<ResolvedRateModel, 'limitMargin' | 'limitTime'>;
  private readonly rateLimit: Float64Array;

  /** @param rate one arena value */
  constructor(
    view: ArmView,
    model: Pick<ResolvedRateModel, 'limitMargin' | 'limitTime'>,
    rate: Float64Array,
  ) {
    this.view = view;
    this.model = model;
    this.rate = rate;
    this.rateLimit = view.joints.rateLimit.map((most) => Math.min(most, UNLIMITED_RATE));
  }

  /** @alloc none */
  compute(_wrench: Float64Array, timing: Float64Array): void {
    const { servo, resolver, reference, position, rate, spring } = this.view;
    resolver.resolve(reference, 7, timing); // a zero twist updates the Jacobian and the readout of the pose
    this.findRate(timing);
    const { referenceRate } = servo;
    for (let j = 0; j < referenceRate.length; j++) {
      referenceRate[j] = j === this.joint ? this.rate[0] : 0;
    }
    servo.compute(position, rate, spring, timing);
    this.limited = servo.saturated;
  }

  /** Does nothing: the arm settles its servos itself. */
  settle(): void {
    this.limited = 0;
    this.rate[0] = 0;
  }

  private findRate(timing: Float64Array): void {
    const { joint: j, bounds, model, level, rate, view } = this;
    const { position, joints } = view;
    const { jacobian, readout } = view.resolver;
    const n = view.rigid.n;
    const column = n - position.length + j;
    let most = this.rateLimit[j];
    for (let half = 0; half < 2; half++) {
      let square = 0.0;
      for (let a = 3 * half; a < 3 * half + 3; a++) {
        const entry = jacobian[a * n + column];
        square += entry * entry;
      }
      const reach = Math.sqrt(square);
      if (reach * most > bounds[half]) most = bounds[half] / reach;
    }
    const asked = level[0] * most;
    const above = joints.upper[j] - model.limitMargin - position[j];
    const below = position[j] - joints.lower[j] - model.limitMargin;
    const up = above > 0 ? above / model.limitTime : 0;
    const down = below > 0 ? -below / model.limitTime : 0;
    const wanted = asked > up ? up : asked < down ? down : asked;
    const lag = bounds[2];
    const next = rate[0] + (timing[0] < lag ? timing[0] / lag : 1) * (wanted - rate[0]);
    // the filtered rate must keep the limit too
    rate[0] = next > up ? up : next < down ? down : next;
    if (wanted === asked) {
      readout[ArmReadout.status] = ArmStatus.NOMINAL;
      readout[ArmReadout.rateScale] = 1;
    } else {
      readout[ArmReadout.status] =
        wanted === 0 ? ArmStatus.AT_JOINT_LIMIT : ArmStatus.NEAR_JOINT_LIMIT;
      readout[ArmReadout.rateScale] = wanted / asked;
    }
  }
}
