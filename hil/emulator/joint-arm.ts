/**
 * The emulated robot as an arm of joints. In each cycle its controller
 *
 *   1. computes by tracking-law.ts the twist of the tool at the end of the cycle, a = (v_next − v)/h,
 *   2. resolves it into joint accelerations, q'' = Jᵀ (J Jᵀ + λ² 1)⁻¹ (a − J' q'), within the limits of the rates,
 *   3. and into torques by the arm's own dynamics (computed torque), within the limits of the drives.
 *
 * The arm then moves by its dynamics under those torques, gravity, joint friction and the load on
 * its tool (`Tree.step` with constant torques, friction implicit). The controller has the masses
 * and compensates most of the friction, but does not measure the load. Feedback removes the
 * remaining error. At rest, brakes hold the joints.
 *
 * A cycle longer than a millisecond is moved in steps of at most one: a load that stands for 4 ms
 * makes a stiff contact swing by itself (docs/theory/loop-energy.md, The jam).
 *
 * Base and tool are placed so that the home joints hold the tool at its start pose, with the base
 * upright.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
import { length3 } from '../../src/math/vec3.ts';
import { TreeFriction, treeFrictionStates } from '../../src/multibody/tree/tree-friction.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeModel } from '../../src/model/tree-model.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { type ArmJoint, JOINTS, armJoints, mounted } from './arm-mounting.ts';
import { RobotFault } from './guard.ts';
import { rotateBy } from './rotation.ts';
import { Motion, type ToolCarrier } from './tool-motion.ts';
import { TrackingLaw, type TrackingLimits } from './tracking-law.ts';

/** Distance to the end of a joint's range, rad, at which motion towards it stops the arm. */
const LIMIT_MARGIN_RAD = 0.02;
/**
 * Manipulability relative to that at home below which the arm stops: near a singularity it cannot
 * move in every direction.
 */
const SINGULAR_PART = 0.02;
/** λ², m². It adds an error of some 1e-8 of the wanted acceleration, and keeps rates finite at singularities. */
const DAMPING = 1e-8;
/** Part of the joint friction that the controller compensates, and the rate over which it changes sign, rad/s. */
const COUNTERED = 0.8;
const SIGN_RATE_RADPS = 1e-3;
/**
 * The brakes close at the speed that the deceleration removes in so many cycles, so that remaining
 * friction does not cost another cycle.
 */
const CLOSING = 1.25;
/** Longest step of the arm's dynamics and of the load on its tool, s. */
const LONGEST_STEP_S = 1e-3;
/** Gravity on the ground, m/s². */
const GRAVITY = [0, 0, -9.81] as const;
const TOOL = 0;

/** Steps of the arm in one cycle of its controller. */
export function stepsPerCycle(period_s: number): number {
  return Math.ceil(period_s / LONGEST_STEP_S - 1e-9);
}

/** Emulated arm with joints. */
export class JointArm implements ToolCarrier {
  readonly tool: Motion = new Motion();
  readonly reference: Motion = new Motion();
  readonly load: Float64Array = new Float64Array(6);
  /** Brings `load` to the motion of the tool, between two steps of one cycle. */
  onStep: () => void = () => undefined;
  fault = 0;
  readonly #joints: readonly ArmJoint[];
  readonly #tree: Tree;
  readonly #friction: TreeFriction;
  readonly #law: TrackingLaw;
  /** Cycle of the controller, and step of the arm, s. */
  readonly #timing: Float64Array;
  readonly #step: Float64Array;
  readonly #steps: number;
  readonly #jacobian = new Float64Array(6 * JOINTS);
  readonly #square = new Float64Array(36);
  readonly #bias = new Float64Array(6);
  /** Wanted acceleration of the tool. */
  readonly #task = new Float64Array(6);
  readonly #acceleration = new Float64Array(JOINTS);
  readonly #torque = new Float64Array(JOINTS);
  readonly #tolerance = Float64Array.of(1e-14);
  /** Manipulability now and at home, det J. */
  readonly #manipulability = Float64Array.of(1.5, 1.5);
  #jointLimited = 0;

  /**
   * @param model six revolute joints in a row; its first frame is the tool
   * @param position position of the tool at start
   * @param orientation orientation of the tool at start
   * @throws BerthError for another arm
   */
  constructor(
    model: TreeModel,
    bandwidth_Hz: number,
    damping: number,
    period_s: number,
    limits: TrackingLimits,
    position: ArrayLike<number>,
    orientation: ArrayLike<number>,
  ) {
    this.#joints = armJoints(model);
    this.#timing = Float64Array.of(period_s);
    this.#steps = stepsPerCycle(period_s);
    this.#step = Float64Array.of(period_s / this.#steps);
    this.#law = new TrackingLaw(bandwidth_Hz, damping, period_s, limits);
    const placed = mounted(model, position, orientation);
    const { positions, rates } = treeFreedoms(placed);
    this.#tree = new Tree(placed, new Float64Array(positions + rates));
    this.#tree.gravity.set(GRAVITY);
    this.#friction = new TreeFriction(placed, new Float64Array(treeFrictionStates(placed)));
    this.home = this.#tree.q.slice();
    this.#readTool();
    this.reference.restAt(this.tool);
    this.#factorTask();
    this.#manipulability[1] = this.#manipulability[0];
  }

  get limited(): number {
    return this.#law.limited + this.#jointLimited;
  }

  /** Joint angles, rad. */
  get angles(): Float64Array {
    return this.#tree.q;
  }

  /** Joint angles at the start, rad. */
  readonly home: Float64Array;

  /** Torques of the last cycle, N m. */
  get torques(): Float64Array {
    return this.#torque;
  }

  /** Acceleration of the tool per force and moment on it without the servo, J M⁻¹ Jᵀ, 6 × 6; allocates. */
  get mobility(): Float64Array {
    const out = new Float64Array(36);
    this.#tree.frameMobility(TOOL, out);
    return out;
  }

  follow(): void {
    const h = this.#timing[0];
    const { next } = this.#law;
    const { position, orientation, twist } = this.reference;
    this.#law.compute(this.tool, this.reference);
    for (let i = 0; i < 6; i++) this.#task[i] = (next[i] - this.tool.twist[i]) / h;
    this.#move();
    for (let i = 0; i < 3; i++) position[i] += h * twist[i];
    rotateBy(h * twist[3], h * twist[4], h * twist[5], orientation, orientation);
  }

  brake(deceleration: number, angularDeceleration: number): boolean {
    const h = this.#timing[0];
    const v = this.tool.twist;
    const speed = length3(v, 0);
    const spin = length3(v, 3);
    const slow = deceleration * h;
    const slowSpin = angularDeceleration * h;
    const keep = speed > CLOSING * slow ? 1 - slow / speed : 0;
    const keepSpin = spin > CLOSING * slowSpin ? 1 - slowSpin / spin : 0;
    if (keep === 0 && keepSpin === 0) {
      // the brakes close
      this.#tree.u.fill(0);
      this.#tree.refresh();
      this.#readTool();
      this.fault = 0;
    } else {
      for (let i = 0; i < 3; i++) {
        this.#task[i] = ((keep - 1) * v[i]) / h;
        this.#task[3 + i] = ((keepSpin - 1) * v[3 + i]) / h;
      }
      this.#move();
    }
    this.reference.restAt(this.tool);
    return keep === 0 && keepSpin === 0;
  }

  /** Moves by one period towards the wanted acceleration of the tool. */
  #move(): void {
    this.#solveTask();
    this.#computeTorque();
    for (let n = 0; n < this.#steps; n++) {
      if (n > 0) {
        this.onStep();
        this.#tree.clearWrenches();
      }
      this.#tree.addFrameWrench(TOOL, this.load);
      this.#tree.step(this.#torque, this.#step, this.#friction);
      this.#readTool();
    }
    this.#judge();
  }

  /** Computes the factors of J Jᵀ + λ² 1 and the manipulability √det(J Jᵀ). */
  #factorTask(): void {
    const jacobian = this.#jacobian;
    const square = this.#square;
    this.#tree.frameJacobian(TOOL, jacobian);
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = r === c ? DAMPING : 0.0;
        for (let k = 0; k < JOINTS; k++) sum += jacobian[6 * r + k] * jacobian[6 * c + k];
        square[6 * r + c] = sum;
      }
    }
    factorCholesky(square, square, 6, this.#tolerance);
    let product = 1.0;
    for (let r = 0; r < 6; r++) product *= square[7 * r];
    this.#manipulability[0] = product;
  }

  /** Computes the joint accelerations for the wanted one of the tool, within the limits of the rates. */
  #solveTask(): void {
    const h = this.#timing[0];
    const task = this.#task;
    const acceleration = this.#acceleration;
    const jacobian = this.#jacobian;
    const { u } = this.#tree;
    this.#factorTask();
    this.#tree.frameBias(TOOL, this.#bias);
    for (let r = 0; r < 6; r++) task[r] -= this.#bias[r];
    solveLower(this.#square, 6, task, 0);
    solveLowerTransposed(this.#square, 6, task, 0);
    let scale = 1.0;
    for (let k = 0; k < JOINTS; k++) {
      let sum = 0.0;
      for (let r = 0; r < 6; r++) sum += jacobian[6 * r + k] * task[r];
      acceleration[k] = sum;
      const rate = Math.abs(u[k] + h * sum);
      const part = this.#joints[k].rateLimit / rate;
      if (part < scale) scale = part;
    }
    if (scale === 1) return;
    // one factor for all rates: the tool keeps its direction
    this.#jointLimited++;
    for (let k = 0; k < JOINTS; k++) {
      acceleration[k] = (scale * (u[k] + h * acceleration[k]) - u[k]) / h;
    }
  }

  /** Computes the torques for these accelerations, without the load on the tool, within the drives' limits. */
  #computeTorque(): void {
    const h = this.#timing[0];
    const torque = this.#torque;
    const { u } = this.#tree;
    this.#tree.clearWrenches();
    this.#tree.inverseDynamics(this.#acceleration, torque);
    let limited = false;
    for (let k = 0; k < JOINTS; k++) {
      const { coulomb, viscous, effortLimit } = this.#joints[k];
      const rate = u[k] + h * this.#acceleration[k];
      const sign = rate / (Math.abs(rate) + SIGN_RATE_RADPS);
      torque[k] += COUNTERED * (coulomb * sign + viscous * rate);
      if (torque[k] > effortLimit) {
        torque[k] = effortLimit;
        limited = true;
      } else if (torque[k] < -effortLimit) {
        torque[k] = -effortLimit;
        limited = true;
      }
    }
    if (limited) this.#jointLimited++;
  }

  #readTool(): void {
    const { tool } = this;
    const state = this.#tree.frameState(TOOL);
    for (let i = 0; i < 3; i++) tool.position[i] = state[i];
    for (let i = 0; i < 4; i++) tool.orientation[i] = state[3 + i];
    for (let i = 0; i < 6; i++) tool.twist[i] = state[7 + i];
  }

  #judge(): void {
    const { q, u } = this.#tree;
    let fault = 0;
    for (let k = 0; k < JOINTS; k++) {
      const { lower, upper } = this.#joints[k];
      if (u[k] < 0 && q[k] < lower + LIMIT_MARGIN_RAD) fault |= RobotFault.JOINT_LIMIT;
      if (u[k] > 0 && q[k] > upper - LIMIT_MARGIN_RAD) fault |= RobotFault.JOINT_LIMIT;
    }
    // manipulability at the start of the cycle
    if (this.#manipulability[0] < SINGULAR_PART * this.#manipulability[1]) {
      fault |= RobotFault.SINGULARITY;
    }
    this.fault = fault;
  }
}
