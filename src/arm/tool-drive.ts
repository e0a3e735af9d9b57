/**
 * Motion of tool and payload in a step: pose of the payload, wrench on the arm, motion of the arm.
 *
 *   simulation   payload at the arm, wrench of the model
 *   virtual      payload at the measured motion, wrench of the model
 *   hardware     payload at the measured motion (shadow contact), measured wrench
 *
 * The arm follows its reference twist exactly, or it is the tip of an articulated tree
 * (arm-drive.ts).
 */
import type { ArmDrive } from './arm-drive.ts';
import { Accommodation } from '../control/fma.ts';
import { computePoseError } from '../control/pose-error.ts';
import { LoopMode, ToolMotion, type ToolPort } from '../control/tool-port.ts';
import type { CommandStep, ToolModel } from '../model/model.ts';
import { advanceQuaternion } from '../math/quaternion.ts';
import { BODY_STATE, type RigidBody } from '../multibody/body.ts';

/** Steps in which held joints return to their prescribed motion. With fewer steps they oscillate about it. */
const HOLDING_STEPS = 5;

/** A place on a way, m, and the turn of all of it, rad. */
interface PayloadWay {
  readonly state: Float64Array;
  readonly spin: Float64Array;
}

/** Drives arm and payload of a system from its tool port. */
export class ToolDrive {
  readonly port: ToolPort;
  readonly arm: RigidBody;
  readonly payload: RigidBody;
  readonly accommodation: Accommodation;
  /** The arm's joints and links; null when it has none. */
  readonly joints: ArmDrive | null;
  /** Wrench on the arm in the newest evaluation. */
  private readonly armWrench = new Float64Array(6);
  private readonly half = new Float64Array(1);
  /** Pose error from the arm to its prescribed motion. */
  private readonly error = new Float64Array(6);
  /** Twist of the arm before the step. */
  private readonly oldTwist = new Float64Array(6);
  /**
   * Energy of the last motion of an arm with joints, J: [taken by contacts and dampers beyond the
   * ledger's account, work from outside].
   */
  readonly armWork: Float64Array = new Float64Array(2);
  private readonly scheduleTimes: Float64Array;
  private readonly scheduleTwists: Float64Array;

  constructor(
    port: ToolPort,
    model: ToolModel,
    arm: RigidBody,
    payload: RigidBody,
    schedule: readonly CommandStep[],
    joints: ArmDrive | null,
  ) {
    this.port = port;
    this.arm = arm;
    this.payload = payload;
    this.accommodation = new Accommodation(model);
    this.scheduleTimes = Float64Array.from(schedule, (piece) => piece.time);
    this.scheduleTwists = Float64Array.from(schedule.flatMap((piece) => [...piece.twist]));
    payload.driven = true;
    this.joints = joints;
    if (joints !== null) {
      copyMotion(arm.state, joints.tip);
      joints.single.bounds.set([model.maximumSpeed, model.maximumAngularSpeed, model.lag]);
    }
    copyMotion(port.measuredMotion, arm.state);
    copyMotion(port.setpoint, arm.state);
  }

  /** Sets the command that the schedule holds at the time in clock[0]. @alloc none */
  followSchedule(clock: Float64Array): void {
    const time = clock[0];
    const times = this.scheduleTimes;
    let piece = times.length - 1;
    // half a nanosecond covers the rounding of a summed time
    while (piece >= 0 && times[piece] > time + 5e-10) piece--;
    for (let a = 0; a < 6; a++) {
      this.port.command[a] = piece < 0 ? 0 : this.scheduleTwists[6 * piece + a];
    }
  }

  /** Places the payload as the mode requires. */
  placePayload(): void {
    const source =
      this.port.mode === LoopMode.SIMULATION ? this.arm.state : this.port.measuredMotion;
    copyMotion(this.payload.state, source);
    this.payload.refresh();
  }

  /**
   * Places the payload at the part part[0] of its way from the pose `from`, p(3) q(4), to the measured one; its twist stays as measured.
   * @alloc none
   */
  standOn(way: PayloadWay, from: Float64Array, part: Float64Array): void {
    const { payload } = this;
    for (let a = 0; a < 3; a++) payload.state[a] = way.state[a];
    advanceQuaternion(payload.state, 3, from, 3, way.spin, 0, part);
    payload.refresh();
  }

  /**
   * Places the payload within a step of timing[0]. The tree moves by the mid-point rule under the
   * wrench at the start of the step. That wrench is computed half a step ahead, so that it does no
   * net work. @alloc none
   */
  placeWithin(timing: Float64Array): void {
    this.placePayload();
    if (this.joints === null || this.port.mode !== LoopMode.SIMULATION) return;
    this.half[0] = 0.5 * timing[0];
    this.payload.advancePose(this.half);
    this.payload.refresh();
  }

  /** Restarts the mean wrench of the step. @alloc none */
  beginStep(): void {
    for (let a = 0; a < 6; a++) this.port.meanArmWrench[a] = 0;
  }

  /**
   * Moves the arm by timing[0], a part of the step stepLength[0]: velocity first, then pose. The
   * model wrench is in the port. @alloc none
   */
  moveArm(timing: Float64Array, stepLength: Float64Array): void {
    const port = this.port;
    const x = this.arm.state;
    if (this.joints !== null) {
      this.moveJoints(this.joints, timing, stepLength);
      return;
    }
    if (port.motion === ToolMotion.FOLLOW) {
      if (port.mode !== LoopMode.SIMULATION) copyMotion(x, port.measuredMotion);
      for (let a = 7; a < BODY_STATE; a++) x[a] = 0;
    } else if (port.motion === ToolMotion.BRAKE) {
      this.accommodation.brake(x, port, timing);
      this.arm.advancePose(timing);
    } else {
      this.selectWrench();
      const share = timing[0] / stepLength[0];
      for (let a = 0; a < 6; a++) port.meanArmWrench[a] += share * this.armWrench[a];
      this.accommodation.computeReference(port.command, this.armWrench);
      this.accommodation.track(x, timing);
      this.arm.advancePose(timing);
    }
  }

  /** Moves an arm with joints. In a stop the set-point follows the stopping motion even where the joints cannot. */
  private moveJoints(joints: ArmDrive, timing: Float64Array, stepLength: Float64Array): void {
    const { port, accommodation, armWrench, oldTwist } = this;
    this.selectWrench();
    for (let a = 0; a < 6; a++) oldTwist[a] = this.arm.state[7 + a];
    if (port.motion === ToolMotion.FOLLOW) {
      if (port.mode !== LoopMode.SIMULATION) joints.follow(port.measuredMotion, armWrench, timing);
      else if (!joints.floats) {
        // no pose is prescribed: a fixed arm rests in place as after a stop, a floating one goes on
        for (let a = 7; a < BODY_STATE; a++) this.arm.state[a] = 0;
        joints.stop(this.arm.state, armWrench, timing);
      }
    } else if (port.motion === ToolMotion.BRAKE) {
      accommodation.brake(this.arm.state, port, timing);
      this.arm.advancePose(timing);
      joints.stop(this.arm.state, armWrench, timing);
      this.account(joints, timing);
      return;
    } else {
      const share = timing[0] / stepLength[0];
      for (let a = 0; a < 6; a++) port.meanArmWrench[a] += share * armWrench[a];
      joints.single.joint = port.joint;
      joints.single.level[0] = port.jointLevel[0];
      if (port.joint < 0) {
        accommodation.computeReference(port.command, armWrench);
        accommodation.track(joints.reference, timing);
      } else for (let a = 7; a < BODY_STATE; a++) joints.reference[a] = 0;
      joints.drive(armWrench, timing);
    }
    copyMotion(this.arm.state, joints.tip);
    this.account(joints, timing);
  }

  /**
   * Computes the work of the wrenches on the tip with the mean of its twists. The ledger uses the
   * twist before the step. A prescribed arm motion does the work that the wrench does not do.
   */
  private account(joints: ArmDrive, timing: Float64Array): void {
    const { port, armWrench, oldTwist, armWork } = this;
    const x = this.arm.state;
    const h = timing[0];
    const moves = port.motion !== ToolMotion.FOLLOW && port.motion !== ToolMotion.BRAKE;
    const inner = port.mode === LoopMode.SIMULATION;
    let taken = 0.0;
    let outer = 0.0;
    for (let a = 0; a < 6; a++) {
      if (moves) outer += 0.5 * armWrench[a] * (oldTwist[a] + x[7 + a]);
      if (inner) taken -= 0.5 * port.modelWrench[a] * (x[7 + a] - oldTwist[a]);
    }
    armWork[0] = h * taken + joints.dissipated[0];
    armWork[1] = h * (outer + taken) + joints.workIn[0];
    joints.dissipated[0] = 0;
    joints.workIn[0] = 0;
  }

  /** Changes the twist of the arm between steps by an impulse on its tip, and the set-point with it. @alloc none */
  setTwist(twist: Float64Array, at: number): void {
    const x = this.arm.state;
    if (this.joints === null) {
      for (let a = 0; a < 6; a++) x[7 + a] = twist[at + a];
    } else {
      for (let a = 0; a < 6; a++) this.armWrench[a] = twist[at + a] - x[7 + a];
      this.joints.applyTipImpulse(this.armWrench);
      this.armWork[0] = 0;
      this.armWork[1] = this.joints.workIn[0];
      this.joints.workIn[0] = 0;
      copyMotion(x, this.joints.tip);
    }
    for (let a = 7; a < BODY_STATE; a++) this.port.setpoint[a] = x[a];
  }

  /**
   * Moves the arm along a limited motion. An arm without joints, or a braked one, takes that
   * motion. Joints under their own law get an impulse that returns the tip within HOLDING_STEPS
   * steps of timing[0]. A displacement of the payload in contact does work against the contact
   * wrench. @alloc none
   */
  hold(motion: Float64Array, timing: Float64Array): void {
    const { port, armWork, error } = this;
    const x = this.arm.state;
    computePoseError(error, motion, 0, x, 0);
    if (
      this.joints !== null &&
      port.motion !== ToolMotion.FOLLOW &&
      port.motion !== ToolMotion.BRAKE
    ) {
      const back = 1 / (HOLDING_STEPS * timing[0]);
      for (let a = 0; a < 6; a++) error[a] = motion[7 + a] + back * error[a];
      this.setTwist(error, 0);
      return;
    }
    let work = 0.0;
    if (port.mode === LoopMode.SIMULATION) {
      for (let a = 0; a < 6; a++) work -= port.modelWrench[a] * error[a];
    }
    armWork[0] = work;
    armWork[1] = work;
    copyMotion(x, motion);
    if (port.mode === LoopMode.SIMULATION) this.placePayload();
    this.publish();
  }

  /** Updates everything that follows from the state. @alloc none */
  refresh(): void {
    if (this.joints !== null) this.joints.refresh();
    this.publish();
  }

  /** Computes the rates of the arm for Runge–Kutta. @alloc none */
  computeRates(): void {
    if (this.port.motion !== ToolMotion.FOLLOW && this.port.motion !== ToolMotion.BRAKE) {
      this.selectWrench();
      for (let a = 0; a < 6; a++) this.port.meanArmWrench[a] = this.armWrench[a];
      this.accommodation.computeReference(this.port.command, this.armWrench);
      this.accommodation.computeRates(this.arm.state, this.arm.rate);
    }
  }

  /** Advances what is not an ordinary differential equation, once before a Runge–Kutta step. @alloc none */
  beforeRungeKutta(timing: Float64Array): void {
    if (this.port.motion === ToolMotion.BRAKE)
      this.accommodation.brake(this.arm.state, this.port, timing);
    else if (this.port.motion === ToolMotion.FOLLOW) this.moveArm(timing, timing);
  }

  /** Writes the set-point of the step. @alloc none */
  publish(): void {
    copyMotion(this.port.setpoint, this.arm.state);
  }

  private selectWrench(): void {
    const { port, armWrench } = this;
    const source = port.mode === LoopMode.HARDWARE ? port.measuredWrench : port.modelWrench;
    for (let a = 0; a < 6; a++) armWrench[a] = source[a] + port.addedWrench[a];
  }
}

function copyMotion(to: Float64Array, from: Float64Array): void {
  for (let a = 0; a < BODY_STATE; a++) to[a] = from[a];
}
