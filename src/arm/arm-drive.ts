/**
 * Simulated arm of a tool: an articulated tree in the step of a system. docs/theory/arm.md.
 *
 *   reference twist → control law (make-law.ts) → flexible joints and links → pose and twist of the tip
 *
 * The contact wrench acts on the tip. The two arena slices of the constructor hold the whole state.
 */
import {
  ARM_READOUT,
  type ArmModel,
  ArmReadout,
  ArmStatus,
  JointReadout,
  jointCount,
} from '../model/arm-spec.ts';
import { ArmJoints } from './arm-joints.ts';
import type { ArmLaw } from './arm-law.ts';
import { FreeBase } from './free-base.ts';
import { JointServo } from './joint-servo.ts';
import { MovingBase } from './moving-base.ts';
import { lawMemory, makeLaw } from './make-law.ts';
import { rigidTree } from './rigid-tree.ts';
import { SingleJoint } from './single-joint.ts';
import { TipFollower } from './tip-follower.ts';
import { TipImpulse } from './tip-impulse.ts';
import { TwistResolver } from './twist-resolver.ts';
import { computePoseError } from '../control/pose-error.ts';
import type { RigidBody } from '../multibody/body.ts';
import { OrbitField } from '../multibody/tree/orbit-field.ts';
import { Tree } from '../multibody/tree/tree.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import { TreeFriction, treeFrictionStates } from '../multibody/tree/tree-friction.ts';

const BODY = 13;

/** Time constant of the mean wrench that bends a resting arm, s. It filters the noise of the sensor. */
const LOAD_TIME_s = 0.25;
const LOAD = 6;
/** Length of the state of the single-joint mode: one rate. */
const SINGLE = 1;

/** Number of arena values of an arm, beside the state of its tree. */
export function armMemory(model: Pick<ArmModel, 'tree' | 'control' | 'sway'>): number {
  const joints = jointCount(model);
  const kept = 2 * joints + treeFrictionStates(model.tree) + lawMemory(model, joints);
  const swaying = model.sway === undefined ? 0 : 1;
  return BODY + ARM_READOUT.length + LOAD + kept + SINGLE + swaying;
}

/** The simulated arm of a tool. */
export class ArmDrive {
  readonly tree: Tree;
  readonly joints: ArmJoints;
  readonly linkCount: number;
  readonly jointCount: number;
  /** Indices of the flexible links. */
  readonly bending: Int32Array;
  /** J M⁻¹ Jᵀ of the tip, 6 × 6, world frame, at the tool point. `computeMobility` updates it. */
  readonly mobility: Float64Array = new Float64Array(36);
  /** Reference motion in the layout of a body state. Only the twist at 7 is used. It lies in the arena. */
  readonly reference: Float64Array;
  /** Pose and twist of the flexible tip. */
  readonly tip: Float64Array;
  /** Pose and twist of the tip of the rigid arm whose joints are at the rotor positions. */
  readonly ledTip: Float64Array;
  /**
   * Law of the single-joint mode. It replaces the control law while a joint is selected; the
   * reference twist is then zero.
   */
  readonly single: SingleJoint;
  /**
   * Work done on the arm by servos, brakes and state resets, and energy taken by its dampers, J,
   * since the last read. The reader resets both.
   */
  readonly workIn: Float64Array = new Float64Array(1);
  readonly dissipated: Float64Array = new Float64Array(1);
  /** Whether the base moves freely. */
  readonly floats: boolean;
  private readonly frame: number;
  private readonly rigid: Tree;
  /**
   * Offset of the joint coordinates in the positions and rates of the rigid arm; a floating base
   * stands before them.
   */
  private readonly rigidPosition: number;
  private readonly rigidRate: number;
  /** Prescribed motion of the base; null on a base without one. */
  private readonly moving: MovingBase | null;
  private readonly follower: TipFollower;
  /** Index of the first driven joint. */
  private readonly first: number;
  private readonly servo: JointServo;
  private readonly law: ArmLaw;
  /** Gravity field of the orbit; null in a world at rest. */
  private readonly field: OrbitField | null;
  /** Friction of the motors; null when the robot defines none. */
  private readonly friction: TreeFriction | null;
  private readonly impulse = new TipImpulse();
  /** Columns of ARM_READOUT, in the arena. */
  private readonly readout: Float64Array;
  /** Mean of the wrench on the tip, in the arena. */
  private readonly steady: Float64Array;
  private readonly tau: Float64Array;
  private readonly rotorPosition: Float64Array;
  private readonly rotorRate: Float64Array;
  private readonly oldRotors: Float64Array;
  private readonly spring: Float64Array;
  private readonly load: Float64Array;
  private readonly energy = new Float64Array(3);
  private readonly potential = new Float64Array(1);
  private readonly error = new Float64Array(6);
  private mobilityKnown = false;
  private readonly heldTip = new Float64Array(BODY);

  /**
   * @param state positions and rates of the tree
   * @param memory `armMemory` values of the arena
   * @param target body that carries the reference, if the law has one
   */
  constructor(
    model: ArmModel,
    gravity: ArrayLike<number>,
    state: Float64Array,
    memory: Float64Array,
    target: RigidBody | null,
  ) {
    const tree = new Tree(model.tree, state);
    tree.gravity.set(Array.from(gravity));
    const rigidModel = rigidTree(model.tree);
    this.tree = tree;
    this.field =
      model.orbit === undefined ? null : new OrbitField(model.orbit, model.tree, tree.links);
    this.frame = model.tree.frames.findIndex(({ name }) => name === model.tip);
    this.tip = tree.frameState(this.frame);
    this.joints = new ArmJoints(model.tree, tree);
    this.linkCount = model.tree.links.length;
    this.bending = Int32Array.from(
      model.tree.links.flatMap(({ beam }, i) => (beam === undefined ? [] : [i])),
    );
    const n = this.joints.count;
    this.jointCount = n;
    const rigidSize = treeFreedoms(rigidModel);
    this.rigid = new Tree(rigidModel, new Float64Array(rigidSize.positions + rigidSize.rates));
    this.rigid.gravity.set(tree.gravity);
    this.rigidPosition = rigidSize.positions - n;
    this.rigidRate = rigidSize.rates - n;
    this.floats = this.rigidRate > 0;
    const floating = this.floats ? new FreeBase(tree, this.rigid) : null;
    this.ledTip = this.rigid.frameState(this.frame);
    let at = 0;
    const part = (length: number): Float64Array => memory.subarray(at, (at += length));
    this.reference = part(BODY);
    this.readout = part(ARM_READOUT.length);
    this.steady = part(LOAD);
    const servoReference = part(n);
    const torque = part(n);
    const bristles = treeFrictionStates(model.tree);
    this.friction = bristles === 0 ? null : new TreeFriction(model.tree, part(bristles));
    this.moving =
      model.sway === undefined
        ? null
        : new MovingBase(model.sway, tree, this.rigid, this.ledTip, part(1));
    const moved = floating?.movedInertia() ?? diagonalOfMass(this.rigid);
    const rotor = moved.map((inertia, j) =>
      this.joints.stiffness[j] > 0 ? this.joints.rotorInertia[j] : inertia,
    );
    this.servo = new JointServo(
      model.servos,
      { moved, rotor },
      this.joints.effortLimit,
      servoReference,
      torque,
    );
    this.first = n - model.driven;
    this.follower = new TipFollower(tree, this.joints, this.frame, this.first, model.rate.length);
    this.tau = new Float64Array(tree.n);
    this.rotorPosition = new Float64Array(n);
    this.rotorRate = new Float64Array(n);
    this.oldRotors = new Float64Array(n);
    this.spring = new Float64Array(n);
    this.load = new Float64Array(n);
    const { joints, rigid, frame, ledTip, rotorPosition, readout } = this;
    const base = floating ?? this.moving;
    const view = {
      tree,
      joints,
      first: this.first,
      rigid,
      frame,
      tip: ledTip,
      position: rotorPosition,
      rate: this.rotorRate,
      spring: this.spring,
      reference: this.reference,
      resolver: new TwistResolver(model, joints, rigid, frame, rotorPosition, readout, base),
      servo: this.servo,
    };
    this.single = new SingleJoint(view, model.rate, part(SINGLE));
    this.law = makeLaw(model, view, target, this.tip, part(lawMemory(model, n)));
    if (this.moving !== null) {
      tree.refresh();
      this.follower.hold();
    }
    this.reference.set(this.tip);
    this.joints.readRotors(tree.q, tree.u, this.rotorPosition, this.rotorRate, this.spring);
    this.load.set(this.spring);
    this.servo.settle(this.rotorPosition, this.load);
    this.startAtRest();
  }

  /** Updates everything that follows from the state. @alloc none */
  refresh(): void {
    if (this.moving !== null) this.moving.place();
    this.tree.refresh();
    this.updateRotors();
    this.mobilityKnown = false;
  }

  /** Updates `mobility`. @alloc none */
  computeMobility(): void {
    if (this.mobilityKnown) return;
    this.tree.frameMobility(this.frame, this.mobility);
    this.mobilityKnown = true;
  }

  /** Whether the single-joint mode may move this joint. */
  drives(joint: number): boolean {
    return Number.isInteger(joint) && joint >= this.first && joint < this.jointCount;
  }

  /** Follows the twist of `reference` for timing[0] with `wrench` on the tip. @alloc none */
  drive(wrench: Float64Array, timing: Float64Array): void {
    const { readout, single } = this;
    const law = single.joint >= 0 ? single : this.law;
    if (readout[ArmReadout.brake] === 1) {
      // start from the held pose, bent by the present wrench
      for (let a = 0; a < BODY; a++) this.heldTip[a] = this.tip[a];
      this.moveTo(this.heldTip, wrench, timing);
      // a law may use the servo references for another purpose
      if (single.joint >= 0) this.servo.settle(this.rotorPosition, this.load);
    }
    law.compute(wrench, timing);
    if (law.limited === 1) readout[ArmReadout.status] = ArmStatus.EFFORT_LIMITED;
    this.advance(wrench, timing);
  }

  /**
   * Moves the tip along a motion that comes to rest, p(3) q(4) v(3) w(3). The motion is prescribed,
   * because vibration must not lengthen a stop. At rest the brakes hold. On a base with a
   * prescribed motion the joints go on to hold the tip. @alloc none
   */
  stop(motion: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    const { readout } = this;
    let rests = 1;
    for (let a = 7; a < BODY; a++) if (motion[a] !== 0) rests = 0;
    if (readout[ArmReadout.brake] === 1 && rests === 1 && this.moving === null)
      this.averageWrench(wrench, timing);
    else this.follow(motion, wrench, timing);
    readout[ArmReadout.brake] = rests;
  }

  /** Sets the joints so that the tip is at a measured pose, at rest and bent by the wrench. @alloc none */
  follow(measured: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    if (this.moving !== null) {
      this.addEnergyToWork(-1);
      this.moving.advance(timing);
      this.tree.refresh();
      this.addEnergyToWork(1);
    }
    this.moveTo(measured, wrench, timing);
  }

  /** `follow` without motion of the base. */
  private moveTo(measured: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    this.averageWrench(wrench, timing);
    const { tree, joints, follower, readout } = this;
    this.addEnergyToWork(-1);
    readout[ArmReadout.brake] = 0;
    const there = follower.moveTo(measured, this.steady, this.load);
    readout[ArmReadout.status] = there === 1 ? ArmStatus.NOMINAL : ArmStatus.NOT_REACHED;
    if (this.moving !== null) follower.hold();
    joints.readRotors(tree.q, tree.u, this.rotorPosition, this.rotorRate, this.spring);
    this.servo.settle(this.rotorPosition, this.load);
    this.addEnergyToWork(1);
    this.startAtRest();
  }

  /** Changes the twist of the tip by an impulse, as far as the tip can move. @alloc none */
  applyTipImpulse(change: Float64Array): void {
    this.computeMobility();
    this.impulse.compute(this.mobility, change);
    this.addEnergyToWork(-1);
    this.tree.applyFrameImpulse(this.frame, this.impulse.impulse);
    this.addEnergyToWork(1);
    this.updateRotors();
  }

  /** out := [kinetic energy, strain energy, potential energy of gravity or of the orbit], J. @alloc none */
  computeEnergy(out: Float64Array): void {
    this.tree.computeEnergy(out);
    if (this.field === null) return;
    this.potential[0] = 0;
    this.field.addPotentialEnergy(this.potential);
    out[2] += this.potential[0];
  }

  /** out := pose of a link, p(3) q(4), world. @alloc none */
  readLink(i: number, out: Float64Array, at: number): void {
    const x = this.tree.linkState(i);
    for (let a = 0; a < 7; a++) out[at + a] = x[a];
  }

  /** out := pose of the frame at the end of a link. @alloc none */
  readLinkEnd(i: number, out: Float64Array, at: number): void {
    const x = this.tree.linkEndState(i);
    for (let a = 0; a < 7; a++) out[at + a] = x[a];
  }

  /** out := columns of JOINT_READOUT. @alloc none */
  readJoint(j: number, out: Float64Array, at: number): void {
    const { tree, joints, servo } = this;
    const position = tree.q[joints.position[j]];
    out[at + JointReadout.position] = position;
    out[at + JointReadout.rate] = tree.u[joints.rate[j]];
    out[at + JointReadout.reference] = servo.reference[j];
    out[at + JointReadout.torque] = servo.torque[j];
    out[at + JointReadout.deflection] = tree.q[joints.rotorPosition[j]] - position;
    const below = position - joints.lower[j];
    const above = joints.upper[j] - position;
    out[at + JointReadout.margin] = below < above ? below : above;
    joints.readBending(tree, j, out, at + JointReadout.bending);
  }

  /** out := columns of ARM_READOUT. @alloc none */
  readArm(out: Float64Array, at: number): void {
    for (let i = 0; i < ARM_READOUT.length; i++) out[at + i] = this.readout[i];
  }

  /** Reads the rotors and their springs and sets the rigid arm to the rotor positions. */
  private updateRotors(): void {
    const { tree, joints, rigid, jointCount, rigidPosition, rigidRate } = this;
    joints.readRotors(tree.q, tree.u, this.rotorPosition, this.rotorRate, this.spring);
    for (let i = 0; i < rigidPosition; i++) rigid.q[i] = tree.q[i];
    for (let i = 0; i < rigidRate; i++) rigid.u[i] = tree.u[i];
    for (let j = 0; j < jointCount; j++) {
      rigid.q[rigidPosition + j] = this.rotorPosition[j];
      rigid.u[rigidRate + j] = this.rotorRate[j];
    }
    rigid.refresh();
  }

  /** Steps the tree under the torques of the law. */
  private advance(wrench: Float64Array, timing: Float64Array): void {
    const { tree, joints, servo, tau, oldRotors, rotorPosition, workIn } = this;
    this.averageWrench(wrench, timing);
    for (let j = 0; j < this.jointCount; j++) {
      tau[joints.rotorRate[j]] = servo.torque[j];
      oldRotors[j] = rotorPosition[j];
    }
    tree.clearWrenches();
    if (this.field !== null) this.field.addWrenches();
    tree.addFrameWrench(this.frame, wrench);
    if (this.moving !== null) this.moving.beginStep(timing);
    tree.step(tau, timing, this.friction);
    if (this.moving !== null) this.moving.endStep(wrench, this.tip, timing, workIn);
    this.mobilityKnown = false;
    this.computeDeflection();
    tree.addDampingLoss(timing, this.dissipated);
    if (this.friction !== null) tree.addFrictionLoss(this.friction, this.dissipated);
    for (let j = 0; j < this.jointCount; j++) {
      workIn[0] += servo.torque[j] * (rotorPosition[j] - oldRotors[j]);
    }
  }

  /**
   * Adds or subtracts the present energy of the arm. A pair of calls brackets a change of state
   * that no force explains.
   */
  private addEnergyToWork(sign: 1 | -1): void {
    const { energy, workIn } = this;
    this.computeEnergy(energy);
    workIn[0] += sign * (energy[0] + energy[1] + energy[2]);
  }

  private averageWrench(wrench: Float64Array, timing: Float64Array): void {
    const part = timing[0] < LOAD_TIME_s ? timing[0] / LOAD_TIME_s : 1;
    for (let a = 0; a < LOAD; a++) this.steady[a] += part * (wrench[a] - this.steady[a]);
  }

  /** Computes the distance of the tip from the tip of the rigid arm. */
  private computeDeflection(): void {
    const { error, readout } = this;
    this.updateRotors();
    computePoseError(error, this.tip, 0, this.ledTip, 0);
    for (let a = 0; a < 3; a++) readout[ArmReadout.deflectionX + a] = error[a];
    readout[ArmReadout.deflectionAngle] = Math.sqrt(
      error[3] * error[3] + error[4] * error[4] + error[5] * error[5],
    );
  }

  /** Starts the arm at rest in its present pose: zero reference, unloaded bristles. */
  private startAtRest(): void {
    this.friction?.law.begin();
    for (let a = 7; a < BODY; a++) this.reference[a] = 0;
    this.readout[ArmReadout.rateScale] = 1;
    this.mobilityKnown = false;
    this.computeDeflection();
    this.law.settle(this.load, this.steady);
    this.single.settle();
  }
}

/** Inertia that each joint moves on a fixed base. */
function diagonalOfMass(tree: Tree): number[] {
  const mass = new Float64Array(tree.n * tree.n);
  tree.computeMassMatrix(mass);
  return Array.from({ length: tree.n }, (_, j) => mass[(tree.n + 1) * j]);
}
