/**
 * Prescribed motion of the base of an arm: its pose, its effect on the tip, and the work that it
 * takes. docs/theory/arm.md. Its time runs in every motion of the arm, also while the arm is
 * stopped.
 *
 * The impulse on the base is the change of the arm's momentum less the impulse of the wrench on the
 * tip. Its work is
 *
 *   W = (ΔP − h F)·v_O + (ΔL − h M_O)·w         v_O, w: twist of the base in the middle of the step, at the world's origin
 */
import type { BaseSwayModel } from '../model/arm-spec.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import { BaseSway } from './base-sway.ts';
import type { UnsteadyBase } from './twist-resolver.ts';
import { addCross } from '../math/vec3.ts';

const MOTION = 13;

/** Moving base of an arm: its motion, its effect on the tip and its work. */
export class MovingBase implements UnsteadyBase {
  private readonly tree: Tree;
  private readonly rigid: Tree;
  private readonly rigidTip: Float64Array;
  private readonly sway: BaseSway;
  /** [time, s], in the arena. */
  private readonly time: Float64Array;
  private readonly when = new Float64Array(1);
  private readonly old = new Float64Array(6);
  private readonly momentum = new Float64Array(6);
  private readonly middle = new Float64Array(6);
  private readonly push = new Float64Array(6);
  /** Tip in the middle of a step, world, m. */
  private readonly middleTip = new Float64Array(3);

  /**
   * @param rigid the arm without flexibility, with the motion of its tip
   * @param time one arena value
   */
  constructor(
    model: BaseSwayModel,
    tree: Tree,
    rigid: Tree,
    rigidTip: Float64Array,
    time: Float64Array,
  ) {
    this.tree = tree;
    this.rigid = rigid;
    this.rigidTip = rigidTip;
    this.sway = new BaseSway(model, tree.baseState);
    this.time = time;
    this.place();
  }

  /** Places both trees on the base at its present time. The caller refreshes them. @alloc none */
  place(): void {
    this.sway.compute(this.time);
    const { state } = this.sway;
    for (let a = 0; a < MOTION; a++) {
      this.tree.baseState[a] = state[a];
      this.rigid.baseState[a] = state[a];
    }
  }

  /** Advances the time by timing[0]. @alloc none */
  advance(timing: Float64Array): void {
    this.time[0] += timing[0];
    this.place();
  }

  /**
   * Subtracts from the twist of the tip the part that the base causes in the middle of a step of
   * timing[0]. @alloc none
   */
  reduce(_jacobian: Float64Array, twist: Float64Array, timing: Float64Array): void {
    this.when[0] = this.time[0] + 0.5 * timing[0];
    this.sway.compute(this.when);
    this.sway.subtractTwist(twist, this.rigidTip);
  }

  /**
   * Prepares a step of the tree: the acceleration in its middle holds for the whole step, which
   * makes it of second order. @alloc none
   */
  beginStep(timing: Float64Array): void {
    const { sway, tree, old, momentum, middle } = this;
    this.when[0] = this.time[0] + 0.5 * timing[0];
    sway.compute(this.when);
    for (let a = 0; a < 6; a++) tree.baseAcceleration[a] = sway.acceleration[a];
    const s = sway.state;
    middle[0] = s[7] - s[11] * s[2] + s[12] * s[1];
    middle[1] = s[8] - s[12] * s[0] + s[10] * s[2];
    middle[2] = s[9] - s[10] * s[1] + s[11] * s[0];
    for (let a = 0; a < 3; a++) middle[3 + a] = s[10 + a];
    tree.computeMomentum(momentum);
    for (let a = 0; a < 6; a++) old[a] = momentum[a];
  }

  /** Ends a step: work[0] += W, with `wrench` on the tip half a step back. @alloc none */
  endStep(wrench: Float64Array, tip: Float64Array, timing: Float64Array, work: Float64Array): void {
    const { tree, old, momentum, middle, push, middleTip } = this;
    const h = timing[0];
    this.advance(timing);
    tree.refresh();
    tree.computeMomentum(momentum);
    for (let a = 0; a < 3; a++) middleTip[a] = tip[a] - 0.5 * h * tip[7 + a];
    for (let a = 0; a < 6; a++) push[a] = wrench[a];
    addCross(push, 3, middleTip, 0, push, 0);
    for (let a = 0; a < 6; a++) work[0] += (momentum[a] - old[a] - h * push[a]) * middle[a];
  }
}
