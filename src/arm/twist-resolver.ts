/**
 * Converts a twist of the tip into rates of the driven joints, and reports status, condition
 * number, manipulability and scale.
 */
import { ArmReadout, type ArmModel, taskAxes } from '../model/arm-spec.ts';
import { ResolvedRate } from '../control/resolved-rate.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import type { ArmJoints } from './arm-joints.ts';
import { JointStep } from './joint-step.ts';

/** Largest rate of a joint for which the robot defines none, rad/s or m/s. */
export const UNLIMITED_RATE = 10;

/** A base that moves. Its effect on the tip is removed before the joint rates are resolved. */
export interface UnsteadyBase {
  /**
   * Reduces the Jacobian (6 × rates) of the rigid arm and its task to those of the joints, for a
   * step of timing[0]. @alloc none
   */
  reduce(jacobian: Float64Array, twist: Float64Array, timing: Float64Array): void;
}

/** Converts a twist of the tip into rates of the driven joints. */
export class TwistResolver {
  /** Rates of the driven joints. */
  readonly rates: Float64Array;
  /** Columns of ARM_READOUT, in the arena. */
  readonly readout: Float64Array;
  /** Jacobian of the rigid arm in the last `resolve`, 6 × rates: those of a floating base, then those of all joints. */
  readonly jacobian: Float64Array;
  private readonly first: number;
  private readonly count: number;
  private readonly rigid: Tree;
  private readonly frame: number;
  private readonly position: Float64Array;
  private readonly resolved: ResolvedRate;
  private readonly measure: JointStep;
  private readonly base: UnsteadyBase | null;

  /**
   * @param position rotor positions
   * @param frame tip frame of the rigid arm
   * @param base null for a fixed base
   */
  constructor(
    model: ArmModel,
    joints: ArmJoints,
    rigid: Tree,
    frame: number,
    position: Float64Array,
    readout: Float64Array,
    base: UnsteadyBase | null,
  ) {
    const axes = taskAxes(model);
    const { lower, upper, rateLimit, count } = joints;
    this.count = count;
    this.first = count - model.driven;
    this.rigid = rigid;
    this.frame = frame;
    this.position = position;
    this.readout = readout;
    this.resolved = new ResolvedRate({
      ...model.rate,
      axes,
      lower: Array.from(lower.slice(this.first)),
      upper: Array.from(upper.slice(this.first)),
      rateLimit: Array.from(rateLimit.slice(this.first), (rate) => Math.min(rate, UNLIMITED_RATE)),
    });
    this.rates = this.resolved.rates;
    this.measure = new JointStep(model.driven, model.rate.length, axes);
    this.jacobian = new Float64Array(6 * rigid.n);
    this.base = base;
  }

  /** Resolves the twist at `at` for a step of timing[0] and fills its columns of `readout`. @alloc none */
  resolve(twist: Float64Array, at: number, timing: Float64Array): void {
    const { resolved, first, readout } = this;
    for (let a = 0; a < 6; a++) resolved.twist[a] = twist[at + a];
    this.rigid.frameJacobian(this.frame, this.jacobian);
    if (this.base !== null) this.base.reduce(this.jacobian, resolved.twist, timing);
    this.selectDriven(resolved.jacobian);
    for (let j = 0; j < resolved.position.length; j++) {
      resolved.position[j] = this.position[first + j];
    }
    resolved.compute();
    this.measure.measureManipulability(resolved.jacobian);
    readout[ArmReadout.status] = resolved.status;
    readout[ArmReadout.condition] = resolved.condition;
    readout[ArmReadout.manipulability] = this.measure.manipulability[0];
    readout[ArmReadout.rateScale] = resolved.scale;
  }

  /** Copies the columns of the driven joints (6 × driven) from the Jacobian of the rigid arm. */
  private selectDriven(out: Float64Array): void {
    const { jacobian } = this;
    const { n } = this.rigid;
    const first = n - this.count + this.first;
    const driven = n - first;
    for (let a = 0; a < 6; a++) {
      for (let j = 0; j < driven; j++) out[a * driven + j] = jacobian[a * n + first + j];
    }
  }
}
