/**
 * The simulated arm of a tool as an articulated tree in the step of a system: reference twist → control law (src/arm/make-law.ts) →
 * flexible joints and links under the contact wrench → pose and twist of the tip. docs/theory/arm.md.
 *
 * Everything that the next step depends on lies in the two slices of the arena that the constructor gets.
 */
import { ARM_READOUT, ARM_STATUSES, type ArmModel, jointCount } from '../model/arm-spec.ts';
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
import { RateStatus } from '../control/resolved-rate.ts';
import type { RigidBody } from '../multibody/body.ts';
import { OrbitField } from '../multibody/tree/orbit-field.ts';
import { Tree } from '../multibody/tree/tree.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import { TreeFriction, treeFrictionStates } from '../multibody/tree/tree-friction.ts';

const BODY = 13;
const STATUS = ARM_READOUT.indexOf('status');
const SCALE = ARM_READOUT.indexOf('rateScale');
const DEFLECTION = ARM_READOUT.indexOf('deflectionX');
const ANGLE = ARM_READOUT.indexOf('deflectionAngle');
const BRAKE = ARM_READOUT.indexOf('brake');
const EFFORT = ARM_STATUSES.indexOf('effort_limited');
const NOT_REACHED = ARM_STATUSES.indexOf('not_reached');

/** What bends a resting arm is the mean of the wrench over this time, s: noise of the sensor does not. */
const LOAD_TIME_s = 0.25;
const LOAD = 6;
/** Rate of a joint that is turned by itself. */
const SINGLE = 1;

/** Values that an arm keeps beside the state of its tree. */
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
  /** Links that bend. */
  readonly bending: Int32Array;
  /** J M⁻¹ Jᵀ of the tip, 6 × 6, world, at the tool point: its twist after a unit impulse. After `computeMobility`. */
  readonly mobility: Float64Array = new Float64Array(36);
  /** The reference as a body has it, of which the twist at 7 counts: what the accommodation moves. In the arena. */
  readonly reference: Float64Array;
  /** Pose and twist of the flexible tip. */
  readonly tip: Float64Array;
  /** Pose and twist of the tip of an arm without flexibility whose joints are where the rotors are: what the servos lead. */
  readonly ledTip: Float64Array;
  /** Takes the place of the law while it has a joint: then the reference twist is zero. It is changed while the arm is held. */
  readonly single: SingleJoint;
  /** What servos, brakes and whoever sets the arm's state gave it, and what its dampers took, J; set to zero by who takes it. */
  readonly workIn: Float64Array = new Float64Array(1);
  readonly dissipated: Float64Array = new Float64Array(1);
  /** Whether its base moves freely. */
  readonly floats: boolean;
  private readonly frame: number;
  private readonly rigid: Tree;
  /** Places of the joints among positions and rates of the rigid arm: behind those of a base that floats. */
  private readonly rigidPosition: number;
  private readonly rigidRate: number;
  /** Null on a base that others do not move. */
  private readonly moving: MovingBase | null;
  private readonly follower: TipFollower;
  /** First joint that is driven. */
  private readonly first: number;
  private readonly servo: JointServo;
  private readonly law: ArmLaw;
  /** Of the orbit; null in a world that rests. */
  private readonly field: OrbitField | null;
  /** Of the motors; null when the robot says none. */
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

  /** @param state of the tree; @param memory `armMemory` values; @param target body that the reference goes with, if the law has one */
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

  /** What is not state follows from the state. @alloc none */
  refresh(): void {
    if (this.moving !== null) this.moving.place();
    this.tree.refresh();
    this.updateRotors();
    this.mobilityKnown = false;
  }

  /** Brings `mobility` up to date. @alloc none */
  computeMobility(): void {
    if (this.mobilityKnown) return;
    this.tree.frameMobility(this.frame, this.mobility);
    this.mobilityKnown = true;
  }

  /** Whether a joint may be turned by itself. */
  drives(joint: number): boolean {
    return Number.isInteger(joint) && joint >= this.first && joint < this.jointCount;
  }

  /** The law follows the twist of `reference` for timing[0], with `wrench` on the tip. @alloc none */
  drive(wrench: Float64Array, timing: Float64Array): void {
    const { readout, single } = this;
    const law = single.joint >= 0 ? single : this.law;
    if (readout[BRAKE] === 1) {
      // as it was held, bent by what pushes now
      for (let a = 0; a < BODY; a++) this.heldTip[a] = this.tip[a];
      this.goTo(this.heldTip, wrench, timing);
      // a law may keep something else in the references of the servos
      if (single.joint >= 0) this.servo.settle(this.rotorPosition, this.load);
    }
    law.compute(wrench, timing);
    if (law.limited === 1) readout[STATUS] = EFFORT;
    this.advance(wrench, timing);
  }

  /**
   * The tip is taken along a motion that comes to rest, p(3) q(4) v(3) w(3): a stop is for the robot that follows, so what swings does
   * not make it longer. At rest the brakes hold; on a base that others move the joints go on to hold the tip. @alloc none
   */
  stop(motion: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    const { readout } = this;
    let rests = 1;
    for (let a = 7; a < BODY; a++) if (motion[a] !== 0) rests = 0;
    if (readout[BRAKE] === 1 && rests === 1 && this.moving === null)
      this.averageWrench(wrench, timing);
    else this.follow(motion, wrench, timing);
    readout[BRAKE] = rests;
  }

  /** The joints go where the tip is at a measured pose, everything at rest and bent by the wrench. @alloc none */
  follow(measured: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    if (this.moving !== null) {
      this.addEnergyToWork(-1);
      this.moving.advance(timing);
      this.tree.refresh();
      this.addEnergyToWork(1);
    }
    this.goTo(measured, wrench, timing);
  }

  /** `follow`, on the base as it stands. */
  private goTo(measured: Float64Array, wrench: Float64Array, timing: Float64Array): void {
    this.averageWrench(wrench, timing);
    const { tree, joints, follower, readout } = this;
    this.addEnergyToWork(-1);
    readout[BRAKE] = 0;
    const there = follower.goTo(measured, this.steady, this.load);
    readout[STATUS] = there === 1 ? RateStatus.NOMINAL : NOT_REACHED;
    if (this.moving !== null) follower.hold();
    joints.readRotors(tree.q, tree.u, this.rotorPosition, this.rotorRate, this.spring);
    this.servo.settle(this.rotorPosition, this.load);
    this.addEnergyToWork(1);
    this.startAtRest();
  }

  /** Changes the twist of the tip by an impulse on it, as far as the tip gives way. @alloc none */
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

  /** p(3) q(4) of a link, world. @alloc none */
  readLink(i: number, out: Float64Array, at: number): void {
    const x = this.tree.linkState(i);
    for (let a = 0; a < 7; a++) out[at + a] = x[a];
  }

  /** The same of the frame at the tip of a link. @alloc none */
  readLinkEnd(i: number, out: Float64Array, at: number): void {
    const x = this.tree.linkEndState(i);
    for (let a = 0; a < 7; a++) out[at + a] = x[a];
  }

  /** Columns of JOINT_READOUT. @alloc none */
  readJoint(j: number, out: Float64Array, at: number): void {
    const { tree, joints, servo } = this;
    const position = tree.q[joints.position[j]];
    out[at] = position;
    out[at + 1] = tree.u[joints.rate[j]];
    out[at + 2] = servo.reference[j];
    out[at + 3] = servo.torque[j];
    out[at + 4] = tree.q[joints.rotorPosition[j]] - position;
    const below = position - joints.lower[j];
    const above = joints.upper[j] - position;
    out[at + 5] = below < above ? below : above;
    joints.readBending(tree, j, out, at + 6);
  }

  /** Columns of ARM_READOUT. @alloc none */
  readArm(out: Float64Array, at: number): void {
    for (let i = 0; i < ARM_READOUT.length; i++) out[at + i] = this.readout[i];
  }

  /** Rotors, their springs, and the rigid arm that has their positions. */
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

  /** One step of the tree under the torques of the law. */
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

  /** Adds the present energy of the arm, or takes it off: around a change of the state that is not a motion under forces. */
  private addEnergyToWork(sign: 1 | -1): void {
    const { energy, workIn } = this;
    this.computeEnergy(energy);
    workIn[0] += sign * (energy[0] + energy[1] + energy[2]);
  }

  private averageWrench(wrench: Float64Array, timing: Float64Array): void {
    const part = timing[0] < LOAD_TIME_s ? timing[0] / LOAD_TIME_s : 1;
    for (let a = 0; a < LOAD; a++) this.steady[a] += part * (wrench[a] - this.steady[a]);
  }

  /** How far the tip is from where the rigid arm has it. */
  private computeDeflection(): void {
    const { error, readout } = this;
    this.updateRotors();
    computePoseError(error, this.tip, 0, this.ledTip, 0);
    for (let a = 0; a < 3; a++) readout[DEFLECTION + a] = error[a];
    readout[ANGLE] = Math.sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
  }

  /** At rest where the tree is: no reference, straight bristles, mobility and deflection brought up to date. */
  private startAtRest(): void {
    this.friction?.law.begin();
    for (let a = 7; a < BODY; a++) this.reference[a] = 0;
    this.readout[SCALE] = 1;
    this.mobilityKnown = false;
    this.computeDeflection();
    this.law.settle(this.load, this.steady);
    this.single.settle();
  }
}

/** What each joint of an arm on a base that stands moves. */
function diagonalOfMass(tree: Tree): number[] {
  const mass = new Float64Array(tree.n * tree.n);
  tree.computeMassMatrix(mass);
  return Array.from({ length: tree.n }, (_, j) => mass[(tree.n + 1) * j]);
}
