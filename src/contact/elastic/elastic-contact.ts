/**
 * The contact of an elastic face as a whole: its points push a half-space of body j, and the force of all is one force and one moment on body i.
 *
 * Where neither body yields, the pose of the points is that at mid-step, from the present twists: with the mean force of the step a closed
 * path of poses creates no energy. Where one yields, the poses of the step advance with the new velocities, and the patch is staggered
 * (elastic-patch.ts): its pose is h/4 of what other forces change of the relative twist from the present one, and its mobility (h²/4) S with
 * the response S of both bodies. It is solved by itself; docs/theory/elastic-contact.md.
 *
 * Where nothing else touches its bodies it takes sub-steps of its own within the step of the system (patch-substeps.ts): `parts` of them.
 * Its impulse comes in two: what brings the bodies to where it ends, before their poses advance, and the rest by `pushLate`.
 */
import { advanceQuaternion, rotationOf } from '../../math/quaternion.ts';
import { copy3, rotate3, tangentBasis, unrotate3 } from '../../math/vec3.ts';
import { ContactModel } from '../contact-model.ts';
import type { ContactBody } from '../contact-body.ts';
import { ContactReadout } from '../contact-readout.ts';
import { writeLargestEigenvalue, writeRelativeResponse } from '../faceted/response.ts';
import type { FrictionLaw } from '../friction/friction-law.ts';
import {
  DAMPING,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  type NormalLaw,
  STORED,
} from '../normal/normal-law.ts';
import {
  AREA,
  ARM_I,
  ARM_J,
  GAP,
  KINEMATICS,
  LOAD,
  NORMAL,
  RATE,
  SPIN,
  STEP,
  VELOCITY,
} from '../pair.ts';
import { CALM, CALM_ENERGY, CALM_STEPS } from '../rest-limits.ts';
import type { RollingLaw } from '../rolling/rolling-law.ts';
import type { ElasticPatch } from './elastic-patch.ts';
import type { PatchPlane } from './patch-plane.ts';
import { PatchSubsteps } from './patch-substeps.ts';
import { PointReadout } from './point-readout.ts';
import { LIMITED, OPEN, STICK, UNSETTLED } from './patch-problem.ts';
import { turnResponse } from './turn-response.ts';

/** Contact phase ω h that one sub-step may cover: an eighth of the time of contact π/ω. */
const PHASE = 0.4;
/** Part of PHASE above which a (sub-)step is too long: rounding of its length, no more. */
const RESOLVED = 1 + 1e-9;
/** Amplitude of the points below which modes count as at rest, m. */
const QUIET = 1e-9;
/** Acceleration that may bring a face to its target within a step of which it takes parts, m/s². */
const SUDDEN = 100;

/** Slots of the memory in the arena. */
const UNSETTLED_STEPS = 0; //        (sub-)steps whose forces did not settle
export const LIMITED_STEPS = 1; //   (sub-)steps with more points than may push at once
const ENERGY = 2; //                 elastic energy at the end of the last (sub-)step, J
const UNRESOLVED = 3; //             touches with too long (sub-)steps
const COUNTED = 4; //                1 when the present touch is among them
export const PATCH_MEMORY = 5;

/** A unit of time, for a rotation vector in place of an angular velocity. */
const ONE = Float64Array.of(1);

/** The contact. */
export class ElasticContact extends ContactModel {
  override readonly whole: boolean = true;
  override readonly sloped: boolean = false;
  readonly patch: ElasticPatch;
  /** Slots above, in the arena. */
  readonly memory: Float64Array;
  /** Parts of the present (sub-)step that it takes by itself; 1: none. */
  readonly parts: Int32Array = Int32Array.of(1);
  /** Work that the bodies gave the face in its parts of the last step over the length of that, W. */
  readonly power: Float64Array = new Float64Array(1);
  private readonly plane: PatchPlane;
  private readonly areas: Float64Array;
  private readonly given: boolean;
  /** Stiffness of all points as they move with the body, 6 × 6 about its origin, body axes; largest amplitude of a point in each mode. */
  private readonly stiffness: Float64Array;
  private readonly reaches: Float64Array;
  /** [length of the step, s] */
  private readonly span: Float64Array = new Float64Array(1);
  private readonly levers: Float64Array = new Float64Array(KINEMATICS);
  private readonly response: Float64Array = new Float64Array(36);
  /** S in the axes of body i. */
  private readonly turned: Float64Array = new Float64Array(36);
  /** How far i is from its place in the step, seen from j, world: displacement of its origin, rotation. */
  private readonly shift: Float64Array = new Float64Array(6);
  private readonly orientation: Float64Array = new Float64Array(4);
  private readonly rotation: Float64Array = new Float64Array(9);
  private readonly origin: Float64Array = new Float64Array(3);
  /** Axes of the target, world: t1, t2, n. */
  private readonly axes: Float64Array = new Float64Array(9);
  /** t1 and t2 in the frame of body j. */
  private readonly tangents: Float64Array = new Float64Array(6);
  private readonly energies: Float64Array = new Float64Array(2);
  private readonly value: Float64Array = new Float64Array(1);
  private readonly pointNormal: Float64Array = new Float64Array(3);
  private readonly own: PatchSubsteps = new PatchSubsteps();
  /** Mean over a step of what `pushLate` brings, and the force and moment of the last part. */
  private readonly late: Float64Array = new Float64Array(6);
  private readonly last: Float64Array = new Float64Array(6);

  constructor(
    name: string,
    i: ContactBody,
    j: ContactBody,
    pair: PatchPlane,
    normalLaw: NormalLaw,
    friction: FrictionLaw,
    rolling: RollingLaw,
    flags: Float64Array,
    readout: Float64Array,
    patch: ElasticPatch,
    areas: Float64Array,
    stiffness: Float64Array,
    memory: Float64Array,
  ) {
    super(name, i, j, pair, normalLaw, friction, rolling, flags, readout);
    this.plane = pair;
    this.patch = patch;
    this.areas = areas;
    this.stiffness = stiffness;
    this.memory = memory;
    this.given = !i.yields && !j.yields;
    tangentBasis(this.tangents, pair.normal, 0);
    const { shapes, count, modes } = patch.constants;
    this.reaches = Float64Array.from({ length: modes }, (_, k) => {
      const squares = Array.from({ length: count }, (_point, p) => {
        const o = 3 * (count * k + p);
        return (
          shapes[o] * shapes[o] + shapes[o + 1] * shapes[o + 1] + shapes[o + 2] * shapes[o + 2]
        );
      });
      return Math.sqrt(Math.max(...squares));
    });
  }

  /** Points that push. */
  override get pairCount(): number {
    const { states } = this.patch.problem;
    let count = 0;
    for (let p = 0; p < states.length; p++) if (states[p] !== OPEN) count++;
    return count;
  }

  /** (Sub-)steps since time zero whose forces did not settle. */
  get unsettledSteps(): number {
    return this.memory[UNSETTLED_STEPS];
  }

  /** Touches since time zero that had too long (sub-)steps. */
  get unresolvedTouches(): number {
    return this.memory[UNRESOLVED];
  }

  /** Columns of POINT_READOUT of point p, as of the last step; its place is that of the face as it is without load. @alloc none */
  readPoint(p: number, out: Float64Array, at: number): void {
    const { i, areas, patch, kinematics: k } = this;
    const { force, states } = patch.problem;
    out[at + PointReadout.state] = states[p];
    out[at + PointReadout.area] = areas[p];
    rotate3(out, at + PointReadout.place_x, i.rotation, patch.constants.points, 3 * p);
    rotate3(out, at + PointReadout.force_x, i.rotation, force, 3 * p);
    if (this.plane.target === null) copy3(this.pointNormal, 0, k, NORMAL);
    else rotate3(this.pointNormal, 0, i.rotation, patch.problem.normals, 3 * p);
    let load = 0;
    for (let a = 0; a < 3; a++) {
      out[at + PointReadout.place_x + a] += i.state[a];
      out[at + PointReadout.normal_x + a] = this.pointNormal[a];
      load += out[at + PointReadout.force_x + a] * this.pointNormal[a];
    }
    out[at + PointReadout.pressure] = areas[p] > 0 ? load / areas[p] : 0;
  }

  /** Onset where a point may touch within the step; loss where none does and the modes are at rest. @alloc none */
  override detect(): void {
    const { kinematics: k } = this;
    const gap = k[GAP];
    const h = this.span[0];
    // in parts of its own it has to be asked before anything brings it to its target within the step
    const ahead =
      this.parts[0] > 1 ? (k[RATE] < 0 ? h * k[RATE] : 0) - SUDDEN * h * h : 0.5 * h * k[RATE];
    const touches = gap < 0 || gap + ahead < 0;
    if (!this.active) {
      if (touches) this.begin(k[RATE], gap < 0 ? -gap : 0);
    } else if (!touches && this.pairCount === 0 && this.isQuiet()) this.end();
  }

  override begin(rate: number, depth: number): void {
    super.begin(rate, depth);
    this.memory[COUNTED] = 0;
  }

  override end(): void {
    super.end();
    this.memory[ENERGY] = 0;
    this.patch.clear();
  }

  /** Whether no point moves by more than QUIET in the modes. */
  private isQuiet(): boolean {
    const { eta, etaRate, constants } = this.patch;
    let amplitude = 0;
    for (let k = 0; k < eta.length; k++) {
      const rate = etaRate[k] * etaRate[k];
      amplitude += this.reaches[k] * Math.sqrt(eta[k] * eta[k] + rate / constants.squares[k]);
    }
    return amplitude < QUIET;
  }

  /** Energy of the last step; the force itself is that of the step. @alloc none */
  override computeElastic(): void {
    const { normal } = this;
    normal[ELASTIC] = this.flags[1];
    normal[DAMPING] = 0;
    normal[LEAST] = 0;
    normal[STORED] = this.memory[ENERGY];
  }

  /** An overlap at time zero has the energy of the present pose; later, the solution itself goes from touch to touch. @alloc none */
  override storeEnergy(): void {
    super.storeEnergy();
    if (!this.atStart) return;
    this.shift.fill(0);
    this.place();
    this.patch.problem.moves[0] = 0;
    this.patch.solve();
    this.patch.energies(this.energies);
    this.stored[0] = this.energies[0];
    this.patch.clear();
  }

  /** This contact against the present velocities, its impulse of before taken back. @alloc none */
  override solveWhole(): void {
    const { force, torque, friction, mobility, patch } = this;
    for (let a = 0; a < 3; a++) {
      this.priorForce[a] = force[a];
      force[a] = -force[a];
      torque[a] = -friction.torque[a];
    }
    if (!this.given) this.pushBodies();
    this.measureVelocity();
    this.span[0] = mobility[STEP];
    if (!patch.isAnchored) this.anchor();
    if (this.parts[0] > 1) {
      this.solveParts();
      return;
    }
    patch.setStep(this.span);
    this.foresee();
    this.place();
    this.fillMobility();
    patch.solve();
    this.takeWrench();
    if (!this.given) this.pushBodies();
  }

  /**
   * Anchors of the first step: where the points begin it. Staggered forces are those of the present pose, which is then half a (sub-)step behind
   * the mean one of the step: so are the anchors.
   */
  private anchor(): void {
    const { shift, oldVelocity, given, patch } = this;
    const back = given ? 0 : (-0.5 * this.mobility[STEP]) / this.parts[0];
    for (let a = 0; a < 6; a++) shift[a] = back * oldVelocity[a];
    this.toOrigin();
    this.place();
    patch.start();
  }

  /** Sub-steps of its own; pushes the bodies by what brings them to where it ends. */
  private solveParts(): void {
    const { own, patch, shift, force, torque, friction, late, last, kinematics: k } = this;
    const { impulse, early } = own;
    const h = this.mobility[STEP];
    this.takeTwist(this.oldVelocity, 0, own.start);
    this.takeTwist(k, VELOCITY, own.free);
    shift.fill(0);
    this.place();
    this.fillResponse();
    for (let a = 0; a < 36; a++) own.response[a] = this.turned[a];
    own.run(patch, this.span, this.parts[0]);
    this.power[0] = -own.sums[0] / h;
    for (let a = 0; a < 6; a++) {
      impulse[a] /= h;
      early[a] /= h;
      late[a] = impulse[a] - early[a];
    }
    this.takeOut(early, force, torque);
    this.pushBodies();
    this.takeOut(late, force, torque);
    for (let a = 0; a < 3; a++) {
      late[a] = force[a];
      late[3 + a] = torque[a];
    }
    this.takeOut(own.last, force, torque);
    for (let a = 0; a < 3; a++) {
      last[a] = force[a];
      last[3 + a] = torque[a];
    }
    const load = force[0] * k[NORMAL] + force[1] * k[NORMAL + 1] + force[2] * k[NORMAL + 2];
    this.flags[1] = load;
    this.mobility[LOAD] = load;
    for (let a = 0; a < 3; a++) {
      friction.force[a] = force[a] - load * k[NORMAL + a];
      friction.torque[a] = torque[a];
    }
    this.takeOut(impulse, force, torque);
  }

  /**
   * What is left of the impulse of its own sub-steps, where the bodies will meet: the point goes with body i. That differs from the sub-steps where
   * body j yields, and so does its work. @alloc none
   */
  pushLate(): void {
    const { i, j, priorForce, kinematics: k, power } = this;
    const h = this.mobility[STEP];
    if (j.yields) {
      power[0] += this.latePower() + 0.5 * this.lateAnswer();
      for (let a = 0; a < 3; a++) {
        priorForce[a] = k[ARM_J + a];
        k[ARM_J + a] += h * (i.state[7 + a] - j.state[7 + a]);
      }
      power[0] -= 0.5 * this.latePower();
    }
    this.applyLate();
    if (!j.yields) return;
    power[0] -= 0.5 * this.latePower();
    for (let a = 0; a < 3; a++) k[ARM_J + a] = priorForce[a];
  }

  private applyLate(): void {
    const { i, j, late, shift, impulseForce } = this;
    const h = this.mobility[STEP];
    for (let a = 0; a < 3; a++) impulseForce[a] = late[a];
    this.applyImpulse();
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? i : j;
      if (!body.yields) continue;
      for (let a = 0; a < 3; a++) shift[a] = (side === 0 ? h : -h) * late[3 + a];
      body.turn(shift);
    }
  }

  /** Power of the second push at the present velocities. */
  private latePower(): number {
    const { late, kinematics: k } = this;
    this.measureVelocity();
    let power = 0;
    for (let a = 0; a < 3; a++) power += late[a] * k[VELOCITY + a] + late[3 + a] * k[SPIN + a];
    return power;
  }

  /** What the second push adds to its power in the sub-steps. */
  private lateAnswer(): number {
    const { own } = this;
    let power = 0;
    for (let a = 0; a < 6; a++) {
      const left = own.impulse[a] - own.early[a];
      for (let b = 0; b < 6; b++) {
        power += left * own.response[6 * a + b] * (own.impulse[b] - own.early[b]);
      }
    }
    return this.mobility[STEP] * power;
  }

  /** out := the relative twist of body i about its origin, its axes, from velocities at the point of the contact. */
  private takeTwist(velocities: Float64Array, at: number, out: Float64Array): void {
    const { kinematics: k, shift, i } = this;
    const spin = velocities === k ? SPIN : 3;
    for (let a = 0; a < 3; a++) {
      shift[a] = velocities[at + a];
      shift[3 + a] = velocities[spin + a];
    }
    this.toOrigin();
    unrotate3(out, 0, i.rotation, shift, 0);
    unrotate3(out, 3, i.rotation, shift, 3);
  }

  /** Force and moment at the point of the contact from a wrench about the origin of body i in its axes. */
  private takeOut(wrench: Float64Array, force: Float64Array, torque: Float64Array): void {
    const { i, kinematics: k } = this;
    rotate3(force, 0, i.rotation, wrench, 0);
    rotate3(torque, 0, i.rotation, wrench, 3);
    torque[0] -= k[ARM_I + 1] * force[2] - k[ARM_I + 2] * force[1];
    torque[1] -= k[ARM_I + 2] * force[0] - k[ARM_I] * force[2];
    torque[2] -= k[ARM_I] * force[1] - k[ARM_I + 1] * force[0];
  }

  /** shift, a twist at the point of the contact, to the origin of body i: v − w × r. */
  private toOrigin(): void {
    const { kinematics: k, shift } = this;
    const x = k[ARM_I];
    const y = k[ARM_I + 1];
    const z = k[ARM_I + 2];
    shift[0] -= shift[4] * z - shift[5] * y;
    shift[1] -= shift[5] * x - shift[3] * z;
    shift[2] -= shift[3] * y - shift[4] * x;
  }

  /** shift := where the points are met, from the present place. */
  private foresee(): void {
    const { kinematics: k, oldVelocity: old, shift, given } = this;
    const part = (given ? 0.5 : 0.25) * this.mobility[STEP];
    for (let a = 0; a < 3; a++) {
      shift[a] = part * (k[VELOCITY + a] - (given ? 0 : old[a]));
      shift[3 + a] = part * (k[SPIN + a] - (given ? 0 : old[3 + a]));
    }
    this.toOrigin();
  }

  /** Pose of body i in the axes of the target, shifted. */
  private place(): void {
    const { i, j, kinematics: k, axes, shift, orientation, rotation, origin } = this;
    const { plane, tangents } = this;
    const { pose } = this.patch;
    // the axes are fixed in body j: anchors turn with it; over a shape they are its own
    if (plane.target !== null) {
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) axes[3 * a + b] = j.rotation[3 * b + a];
        origin[a] = i.state[a] + shift[a] - j.state[a];
      }
    } else {
      rotate3(axes, 0, j.rotation, tangents, 0);
      rotate3(axes, 3, j.rotation, tangents, 3);
      for (let a = 0; a < 3; a++) {
        axes[6 + a] = k[NORMAL + a];
        origin[a] = i.state[a] + shift[a] - j.state[a] - plane.offset * k[NORMAL + a];
      }
    }
    advanceQuaternion(orientation, 0, i.state, 3, shift, 3, ONE);
    rotationOf(rotation, orientation, 0);
    for (let a = 0; a < 3; a++) {
      const x = axes[3 * a];
      const y = axes[3 * a + 1];
      const z = axes[3 * a + 2];
      pose[a] = x * origin[0] + y * origin[1] + z * origin[2];
      for (let b = 0; b < 3; b++) {
        pose[3 + 3 * a + b] = x * rotation[b] + y * rotation[3 + b] + z * rotation[6 + b];
      }
    }
  }

  /** turned := S about the origin of body i, in its axes. */
  private fillResponse(): void {
    const { i, j, levers, response, turned } = this;
    for (let a = 0; a < 3; a++) levers[ARM_J + a] = i.state[a] - j.state[a];
    writeRelativeResponse(i, j, levers, response);
    turnResponse(response, i.rotation, turned);
  }

  private fillMobility(): void {
    const { problem } = this.patch;
    problem.moves[0] = this.given ? 0 : 1;
    if (this.given) return;
    this.fillResponse();
    const h = this.mobility[STEP];
    for (let a = 0; a < 36; a++) problem.mobility[a] = 0.25 * h * h * this.turned[a];
  }

  /** Force and moment at the point of the contact, and their parts along the normal and across it. */
  private takeWrench(): void {
    const { force, torque, friction, kinematics: k, axes, flags } = this;
    const { wrench } = this.patch;
    for (let a = 0; a < 3; a++) {
      force[a] = axes[a] * wrench[0] + axes[3 + a] * wrench[1] + axes[6 + a] * wrench[2];
      torque[a] = axes[a] * wrench[3] + axes[3 + a] * wrench[4] + axes[6 + a] * wrench[5];
    }
    torque[0] -= k[ARM_I + 1] * force[2] - k[ARM_I + 2] * force[1];
    torque[1] -= k[ARM_I + 2] * force[0] - k[ARM_I] * force[2];
    torque[2] -= k[ARM_I] * force[1] - k[ARM_I + 1] * force[0];
    let load = wrench[2];
    if (this.plane.target !== null) {
      load = force[0] * k[NORMAL] + force[1] * k[NORMAL + 1] + force[2] * k[NORMAL + 2];
    }
    flags[1] = load;
    this.mobility[LOAD] = load;
    for (let a = 0; a < 3; a++) {
      friction.force[a] = force[a] - load * k[NORMAL + a];
      friction.torque[a] = torque[a];
    }
  }

  override combine(): void {
    return;
  }

  override advance(): void {
    const { patch, memory, energies, force, torque, kinematics: k, own, last } = this;
    if (this.parts[0] > 1) {
      memory[UNSETTLED_STEPS] += own.sums[1];
      memory[LIMITED_STEPS] += own.sums[2];
      this.judge(own.sums[3] > 0);
      memory[ENERGY] = own.energies[0] + own.energies[1];
      for (let a = 0; a < 3; a++) {
        force[a] = last[a];
        torque[a] = last[3 + a];
      }
      return;
    }
    patch.advance();
    memory[UNSETTLED_STEPS] += patch.problem.readout[UNSETTLED];
    memory[LIMITED_STEPS] += patch.problem.readout[LIMITED];
    this.judge(this.pairCount > 0);
    // the force is half a step older than the work that it did
    patch.energies(energies);
    let power = 0;
    for (let a = 0; a < 3; a++) power += force[a] * k[VELOCITY + a] + torque[a] * k[SPIN + a];
    const statics = energies[0] - 0.5 * this.span[0] * power;
    memory[ENERGY] = (statics > 0 ? statics : 0) + energies[1];
  }

  /** Counts a touch whose (sub-)steps are too long, once. */
  private judge(touched: boolean): void {
    const { memory, span, parts } = this;
    if (!touched || memory[COUNTED] !== 0) return;
    if (!((this.flags[2] * span[0]) / parts[0] > RESOLVED)) return;
    memory[COUNTED] = 1;
    memory[UNRESOLVED]++;
  }

  /**
   * Sub-steps that a step needs: ω h ≤ PHASE with the largest frequency ω of the bodies on the whole face. Kept until the contact is lost or at
   * rest, as `ContactModel.computePhase` does. @alloc none
   */
  override computePhase(stepLength: Float64Array): void {
    const { kinematics: k, flags, value } = this;
    const dt = stepLength[0];
    this.span[0] = dt;
    this.phase[0] = 0;
    const reach = (k[RATE] < 0 ? -k[RATE] : 0) * dt + SUDDEN * dt * dt;
    if (this.given || (!this.active && k[GAP] >= reach)) return;
    this.fillResponse();
    writeLargestEigenvalue(this.turned, this.stiffness, value);
    const demand = Math.sqrt(value[0]) / PHASE;
    if (this.isCalm()) {
      const before = flags[2] < 0 ? flags[2] : 0;
      flags[2] = before > -CALM_STEPS ? before - 1 : -CALM_STEPS;
      if (flags[2] > -CALM_STEPS) this.phase[0] = demand * dt;
      return;
    }
    if (demand > flags[2]) flags[2] = demand;
    this.phase[0] = flags[2] * dt;
  }

  /** Whether the bodies hardly move against each other for what the face holds. */
  private isCalm(): boolean {
    const { kinematics: k, normal } = this;
    if (!this.active) return false;
    const slow = CALM * this.normalLaw.internals[IMPACT_SPEED];
    if (!(Math.abs(k[RATE]) < slow)) return false;
    this.computeMobility();
    const energy = (0.5 * k[RATE] * k[RATE]) / this.mobility[3];
    return energy < CALM_ENERGY * normal[STORED];
  }

  /** The row of the whole: the moment is about the centre of load. @alloc none */
  override writeReadout(): void {
    const { patch, readout: r, kinematics: k, force, torque, areas } = this;
    const { force: forces, states, normals } = patch.problem;
    const { points } = patch.constants;
    const { i } = this;
    let load = 0;
    let sticks = 0;
    let count = 0;
    const c = this.origin;
    c.fill(0);
    k[AREA] = 0;
    for (let p = 0; p < states.length; p++) {
      if (states[p] === OPEN) continue;
      count++;
      if (states[p] === STICK) sticks++;
      k[AREA] += areas[p];
      const o = 3 * p;
      let f = 0;
      for (let a = 0; a < 3; a++) f += forces[o + a] * normals[o + a];
      load += f;
      for (let a = 0; a < 3; a++) c[a] += f * points[o + a];
    }
    super.writeReadout();
    r[ContactReadout.active] = count > 0 ? 1 : 0;
    if (!(load > 0)) return;
    for (let a = 0; a < 3; a++) c[a] /= load;
    rotate3(this.shift, 0, i.rotation, c, 0);
    for (let a = 0; a < 3; a++) {
      r[ContactReadout.point_x + a] = i.state[a] + this.shift[a];
      c[a] = this.shift[a] - k[ARM_I + a];
    }
    r[ContactReadout.torque_x] = torque[0] - (c[1] * force[2] - c[2] * force[1]);
    r[ContactReadout.torque_y] = torque[1] - (c[2] * force[0] - c[0] * force[2]);
    r[ContactReadout.torque_z] = torque[2] - (c[0] * force[1] - c[1] * force[0]);
    r[ContactReadout.stick] = sticks / count;
  }
}
