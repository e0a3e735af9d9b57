/**
 * An articulated tree: rigid and flexible links, joints of all kinds, drives with rotors; fixed, moving or free base.
 *
 *   M(q) u' + bias(q, u) = τ + Σ Jᵀ w
 *
 * The bias holds centrifugal and Coriolis forces, gravity, the acceleration of the base, and stiffness and damping of beams and drives.
 * Coordinates, frames and signs: docs/theory/trees.md. `Featherstone 2008, 5 and 6`, `Kim 1999, (3.48)–(3.51)`.
 */
import { normalizeQuaternion } from '../../math/quaternion.ts';
import { ArticulatedBody } from './tree-articulated.ts';
import { TreeElastic } from './tree-elastic.ts';
import { TreeFactors } from './tree-factors.ts';
import type { TreeFriction } from './tree-friction.ts';
import { TreeKinematics } from './tree-kinematics.ts';
import type { TreeLayout } from './tree-layout.ts';
import { FRAME_STATE, type TreeLink } from './tree-link.ts';
import { TreeMass } from './tree-mass.ts';
import type { TreeModel } from '../../model/tree-model.ts';
import { TreeNewtonEuler } from './tree-newton-euler.ts';
import { advancePositions, computePositionRates, normalizePositions } from './tree-positions.ts';
import { TreeSums } from './tree-sums.ts';

const NO_GRAVITY: Float64Array = new Float64Array(3);

/** One tree of a system. */
export class Tree {
  readonly name: string;
  readonly model: TreeModel;
  readonly layout: TreeLayout;
  /** Number of rates. */
  readonly n: number;
  /** Positions, then rates: memory of the caller, which may write it and then calls `refresh`. */
  readonly state: Float64Array;
  /** Whether there are orientations among the positions, which have more numbers than rates. */
  readonly hasOrientations: boolean;
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** Uniform, world, m/s²; zero unless set. */
  readonly gravity: Float64Array = new Float64Array(3);
  /**
   * Pose and twist of the base (p q v w, world) and its acceleration (of its origin, angular). For a base that is moved from
   * outside they are set before a step; `step` moves them on.
   */
  readonly baseState: Float64Array;
  readonly baseAcceleration: Float64Array;
  readonly links: readonly TreeLink[];
  private readonly kinematics: TreeKinematics;
  private readonly mass: TreeMass;
  private readonly newtonEuler: TreeNewtonEuler;
  private readonly elastic: TreeElastic;
  private readonly articulated: ArticulatedBody;
  private readonly sums: TreeSums;
  private readonly massMatrix: Float64Array;
  private readonly factors: TreeFactors;
  /** Whether `factors` belong to the present state: those of M, or those that `prepareStep` made. */
  private factored = false;
  private readonly zero: Float64Array;
  private readonly noTime: Float64Array = new Float64Array(1);
  private readonly work: Float64Array;
  private readonly rows: Float64Array;
  private readonly jacobian: Float64Array;
  /** State at the beginning of a step, and its two parts. */
  private readonly oldState: Float64Array;
  private readonly oldQ: Float64Array;
  private readonly oldU: Float64Array;
  private readonly oldBase: Float64Array = new Float64Array(FRAME_STATE);
  private readonly half: Float64Array = new Float64Array(1);
  private readonly weights: Float64Array = new Float64Array(2);

  /** Whether M has Cholesky factors at the present state; what follows from one without is not finite. */
  get regular(): boolean {
    this.factorize();
    return this.factors.regular;
  }

  /** Writes the initial state of the model into `state`, which has `treeFreedoms(model)` positions and rates. */
  constructor(model: TreeModel, state: Float64Array) {
    this.name = model.name;
    this.model = model;
    this.kinematics = new TreeKinematics(model);
    this.layout = this.kinematics.layout;
    this.links = this.kinematics.links;
    const { positions, rates: n } = this.layout;
    this.n = n;
    this.hasOrientations = positions > n;
    this.state = state;
    this.q = new Float64Array(state.buffer, state.byteOffset, positions);
    this.u = new Float64Array(state.buffer, state.byteOffset + 8 * positions, n);
    this.baseState = this.kinematics.base.endState;
    this.baseAcceleration = this.kinematics.base.motion;
    this.elastic = new TreeElastic(model, this.layout, this.links);
    this.mass = new TreeMass(this.kinematics, this.elastic.rotors);
    this.newtonEuler = new TreeNewtonEuler(this.kinematics);
    this.articulated = new ArticulatedBody(this.kinematics, this.elastic.rotors);
    this.sums = new TreeSums(this.kinematics, this.elastic);
    this.massMatrix = new Float64Array(n * n);
    this.factors = new TreeFactors(this.layout);
    this.zero = new Float64Array(n);
    this.work = new Float64Array(n);
    this.rows = new Float64Array(6 * n);
    this.jacobian = new Float64Array(6 * n);
    this.oldState = new Float64Array(positions + n);
    this.oldQ = new Float64Array(this.oldState.buffer, 0, positions);
    this.oldU = new Float64Array(this.oldState.buffer, 8 * positions, n);
    this.reset();
  }

  /** Back to the state of the model at time zero; the base too. */
  reset(): void {
    const { q, u, model } = this;
    this.baseState.fill(0);
    this.baseState.set(model.position);
    this.baseState.set(model.orientation, 3);
    normalizeQuaternion(this.baseState, 3);
    this.baseAcceleration.fill(0);
    model.links.forEach(({ joint, beam }, i) => {
      const places = this.layout.links[i];
      const { position, rate, rotorPosition, rotorRate, modePosition, modeRate } = places;
      if (joint.kind === 'revolute' || joint.kind === 'prismatic') {
        q[position] = joint.position;
        u[rate] = joint.rate;
        if (rotorRate >= 0) {
          q[rotorPosition] = joint.position;
          u[rotorRate] = joint.rate;
        }
      }
      if (joint.kind === 'universal') {
        q.set(joint.angles, position);
        u.set(joint.rates, rate);
      }
      if (joint.kind === 'spherical') {
        q.set(joint.orientation, position);
        normalizeQuaternion(q, position);
        u.set(joint.angularVelocity, rate);
      }
      if (joint.kind === 'free') {
        q.set([...joint.position, ...joint.orientation], position);
        normalizeQuaternion(q, position + 3);
        u.set([...joint.velocity, ...joint.angularVelocity], rate);
      }
      const count = places.modes[0] + places.modes[1];
      q.fill(0, modePosition, modePosition + count);
      u.fill(0, modeRate, modeRate + count);
      if (beam?.deflection !== undefined) q.set(beam.deflection, modePosition);
      if (beam?.deflectionRate !== undefined) u.set(beam.deflectionRate, modeRate);
    });
    this.refresh();
  }

  /** The base stands for good: nothing of it is computed again. */
  fixBase(): void {
    this.kinematics.fixBase();
  }

  /** Poses and twists of links and frames from the state and the motion of the base. @alloc none */
  refresh(): void {
    this.kinematics.refresh(this.q, this.u);
    this.factored = false;
  }

  /** Twists of the links from the rates, at the poses that are there. @alloc none */
  refreshTwists(): void {
    this.kinematics.refreshTwists(this.q, this.u);
  }

  /** Spatial accelerations of the links for rates of change `acc`, of gravity none. @alloc none */
  refreshAccelerations(acc: Float64Array): void {
    this.kinematics.computeAccelerations(acc, NO_GRAVITY);
  }

  /** World motions of unit rates about a common point, those that move each link, and that point. */
  get motions(): Pick<TreeKinematics, 'columns' | 'columnsOf' | 'origin'> {
    return this.kinematics;
  }

  /** Pose and twist (p q v w, world) of the frame of a link, at its joint. A view that `refresh` keeps up to date. */
  linkState(i: number): Float64Array {
    return this.links[i].state;
  }

  /** Pose and twist of the end frame of a link: that of a rigid link is the link's frame. */
  linkEndState(i: number): Float64Array {
    return this.links[i].endState;
  }

  /** Pose and twist of a named frame. */
  frameState(f: number): Float64Array {
    return this.kinematics.frames[f].state;
  }

  /** Force and moment on a link from outside, world, about the origin of its frame: to add to; they stay until `clearWrenches`. */
  linkWrench(i: number): Float64Array {
    return this.links[i].wrench;
  }

  /** Place among the rates where the actuator of a link's joint acts: the rotor behind a flexible gear, else the joint. */
  driveRate(i: number): number {
    const { rate, rotorRate } = this.layout.links[i];
    return rotorRate < 0 ? rate : rotorRate;
  }

  /** Adds a force and moment (world, at the origin of the named frame) to what acts on its link. @alloc none */
  addFrameWrench(f: number, wrench: Float64Array): void {
    const { link, state } = this.kinematics.frames[f];
    const out = link.endWrench;
    const x = state[0] - link.endState[0];
    const y = state[1] - link.endState[1];
    const z = state[2] - link.endState[2];
    out[0] += wrench[0];
    out[1] += wrench[1];
    out[2] += wrench[2];
    out[3] += wrench[3] + y * wrench[2] - z * wrench[1];
    out[4] += wrench[4] + z * wrench[0] - x * wrench[2];
    out[5] += wrench[5] + x * wrench[1] - y * wrench[0];
  }

  /** Takes all wrenches off. @alloc none */
  clearWrenches(): void {
    for (let i = 0; i < this.links.length; i++) {
      for (let e = 0; e < 6; e++) {
        this.links[i].wrench[e] = 0;
        this.links[i].endWrench[e] = 0;
      }
    }
  }

  /** out (n × n, row by row) := M. @alloc none */
  computeMassMatrix(out: Float64Array): void {
    this.mass.compute(out);
  }

  /** out (n) := bias without external wrenches: M u' + bias = τ + Σ Jᵀ w. @alloc none */
  computeBias(out: Float64Array): void {
    this.newtonEuler.compute(this.zero, this.gravity, 0, out);
    this.elastic.addForces(this.q, this.u, this.noTime, out);
  }

  /** out (n) := generalized forces of gravity; everything must be at rest. @alloc none */
  computeWeight(out: Float64Array): void {
    this.newtonEuler.compute(this.zero, this.gravity, 0, out);
    for (let k = 0; k < this.n; k++) out[k] = -out[k];
  }

  /** out (n) := generalized forces of all external wrenches, Σ Jᵀ w. @alloc none */
  projectWrenches(out: Float64Array): void {
    this.newtonEuler.project(out);
  }

  /** out (n × n) := weights[0] K + weights[1] D, stiffness and damping of modes and drives over the rates. @alloc none */
  computeElasticMatrix(weights: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.n * this.n; k++) out[k] = 0;
    this.elastic.addMatrices(weights, out);
  }

  /** out (n) := τ that gives the rates of change `acc` under the present wrenches. @alloc none */
  inverseDynamics(acc: Float64Array, out: Float64Array): void {
    this.newtonEuler.compute(acc, this.gravity, 1, out);
    this.elastic.addForces(this.q, this.u, this.noTime, out);
    const { rotors } = this.elastic;
    for (let r = 0; r < rotors.length; r++) {
      out[rotors[r].place] += rotors[r].inertia * acc[rotors[r].place];
    }
  }

  /** x := A⁻¹ x with the factors of the present state: those of M, or those that `prepareStep` made. @alloc none */
  solveFactored(x: Float64Array): void {
    this.factorize();
    this.factors.solve(x);
  }

  /** x[o..] := L⁻¹ x[o..] with the factors that are there; see TreeFactors. @alloc none */
  solveHalf(x: Float64Array, o: number): void {
    this.factors.solveHalf(x, o);
  }

  /** out (n) := u' under τ, and the present wrenches when `loaded` is 1, by Cholesky factors of M. @alloc none */
  forwardDynamics(tau: Float64Array, out: Float64Array, loaded = 1): void {
    this.factorize();
    this.newtonEuler.compute(this.zero, this.gravity, loaded, out);
    if (this.elastic.isElastic) this.elastic.addForces(this.q, this.u, this.noTime, out);
    for (let k = 0; k < this.n; k++) out[k] = tau[k] - out[k];
    this.factors.solve(out);
  }

  /** As `forwardDynamics`, by the articulated-body method: time in proportion to the number of links. @alloc none */
  articulatedBody(tau: Float64Array, out: Float64Array): void {
    const { work } = this;
    for (let k = 0; k < this.n; k++) work[k] = 0;
    this.elastic.addForces(this.q, this.u, this.noTime, work);
    for (let k = 0; k < this.n; k++) work[k] = tau[k] - work[k];
    this.articulated.compute(work, this.gravity, out);
  }

  /** out (as the state) := rate of change of the state under τ, and the present wrenches when `loaded` is 1. @alloc none */
  computeDerivative(tau: Float64Array, out: Float64Array, loaded = 1): void {
    const { q, u, work } = this;
    this.forwardDynamics(tau, work, loaded);
    const { positions } = this.layout;
    for (let k = 0; k < this.n; k++) out[positions + k] = work[k];
    if (this.hasOrientations) computePositionRates(this.links, q, u, out);
    else for (let k = 0; k < this.n; k++) out[k] = u[k];
  }

  /** out (6 × n, row by row) := Jacobian of a frame, world: velocity of its origin, then angular velocity. @alloc none */
  frameJacobian(f: number, out: Float64Array): void {
    this.kinematics.frameJacobian(f, out);
  }

  /** out (6) := acceleration of a frame with constant rates, J̇ u, and what the motion of the base adds. @alloc none */
  frameBias(f: number, out: Float64Array): void {
    this.kinematics.frameBias(f, out);
  }

  /** out (6 × 6) := J M⁻¹ Jᵀ of a frame: what a force and moment at its origin change in its twist per second. @alloc none */
  frameMobility(f: number, out: Float64Array): void {
    const { n, rows } = this;
    this.factorize();
    this.kinematics.frameJacobian(f, rows);
    for (let r = 0; r < 6; r++) this.factors.solveHalf(rows, r * n);
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = 0.0;
        for (let k = 0; k < n; k++) sum += rows[n * r + k] * rows[n * c + k];
        out[6 * r + c] = sum;
        out[6 * c + r] = sum;
      }
    }
  }

  /** Changes the rates by an impulse (N s, N m s; world, at the origin of the named frame), M⁻¹ Jᵀ p. @alloc none */
  applyFrameImpulse(f: number, impulse: Float64Array): void {
    const { n, jacobian, work } = this;
    this.factorize();
    this.kinematics.frameJacobian(f, jacobian);
    for (let k = 0; k < n; k++) {
      let sum = 0.0;
      for (let r = 0; r < 6; r++) sum += jacobian[n * r + k] * impulse[r];
      work[k] = sum;
    }
    this.factors.solve(work);
    for (let k = 0; k < n; k++) this.u[k] += work[k];
    this.kinematics.refresh(this.q, this.u);
  }

  /** out := [kinetic energy, strain energy of beams and drives, −Σ m g · c], J. @alloc none */
  computeEnergy(out: Float64Array): void {
    this.sums.computeEnergy(this.q, this.u, this.gravity, out);
  }

  /** sum[0] += what the dampers of beams and drives took in the last `step`, of timing[0], J. @alloc none */
  addDampingLoss(timing: Float64Array, sum: Float64Array): void {
    this.elastic.addLoss(this.oldState, this.q, timing, sum);
  }

  /** sum[0] += what friction took in the last `step`, what its bristles hold included, J. @alloc none */
  addFrictionLoss(friction: TreeFriction, sum: Float64Array): void {
    friction.addLoss(this.oldState, this.q, sum);
  }

  /** sum[0] += power that the dampers take at the rates `u`, W. @alloc none */
  addDampingPower(u: Float64Array, sum: Float64Array): void {
    this.elastic.addLossRate(u, sum);
  }

  /** out := momentum and angular momentum about the world's origin of all links; rotors count for nothing here. @alloc none */
  computeMomentum(out: Float64Array): void {
    this.sums.computeMomentum(this.u, out);
  }

  /**
   * Moves the tree on by timing[0] under τ and the present wrenches: linearly implicit mid-point in stiffness and damping of beams
   * and drives, explicit mid-point in the rest. No mode makes the implicit part unstable. Second order. Wrenches stay. With
   * `friction` its torques are added to τ, and it is moved on as well. @alloc none
   */
  step(tau: Float64Array, timing: Float64Array, friction: TreeFriction | null = null): void {
    const { oldState: old, oldBase, oldQ, oldU, state, work, u, n, half } = this;
    const { positions } = this.layout;
    const h = timing[0];
    for (let k = 0; k < old.length; k++) old[k] = state[k];
    for (let k = 0; k < FRAME_STATE; k++) oldBase[k] = this.baseState[k];
    this.factorStep(timing);
    this.computeHalfChange(oldQ, oldU, tau, timing, 1, work);
    if (friction !== null) {
      friction.solve(this.factors, u, work, timing);
      friction.addHalfChange(this.factors, work, timing);
    }
    for (let k = 0; k < n; k++) u[k] += work[k];
    half[0] = 0.5 * h;
    this.advancePositions(u, half);
    this.kinematics.base.advance(half);
    this.refresh();
    this.factorStep(timing);
    this.computeHalfChange(oldQ, oldU, tau, timing, 1, work);
    if (friction !== null) {
      friction.addHalfChange(this.factors, work, timing);
      friction.law.advance(timing);
    }
    for (let k = 0; k < positions; k++) state[k] = old[k];
    for (let k = 0; k < n; k++) u[k] = old[positions + k] + work[k];
    this.advancePositions(u, timing);
    for (let k = 0; k < n; k++) u[k] += work[k];
    for (let k = 0; k < FRAME_STATE; k++) this.baseState[k] = oldBase[k];
    this.kinematics.base.advance(timing);
    this.refresh();
  }

  /** Factors for a step of timing[0] from the present state: until `refresh`, impulses are answered by them. @alloc none */
  prepareStep(timing: Float64Array): void {
    if (!this.elastic.isElastic) {
      this.factorize();
      return;
    }
    this.factorStep(timing);
    this.factored = true;
  }

  /**
   * out := half the change of the rates in a step of timing[0] that began at the positions `q` and rates `u`, with all but the linear
   * forces of springs taken as they are in the present state: (M + h/2 D + h²/4 K) δ = h/2 (τ + Jᵀ w − c − D u − K (x + h/2 u)). The
   * factors are there; wrenches count when `loaded` is 1. @alloc none
   */
  computeHalfChange(
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    timing: Float64Array,
    loaded: number,
    out: Float64Array,
  ): void {
    const { half } = this;
    half[0] = 0.5 * timing[0];
    this.newtonEuler.compute(this.zero, this.gravity, loaded, out);
    if (this.elastic.isElastic) this.elastic.addForces(q, u, half, out);
    for (let k = 0; k < this.n; k++) out[k] = half[0] * (tau[k] - out[k]);
    this.factors.solve(out);
  }

  /** Factors of M + h/2 D + h²/4 K at the present state. */
  private factorStep(timing: Float64Array): void {
    const { weights } = this;
    const h = timing[0];
    weights[0] = 0.25 * h * h;
    weights[1] = 0.5 * h;
    this.factored = false;
    this.mass.compute(this.massMatrix);
    this.elastic.addMatrices(weights, this.massMatrix);
    this.factors.factor(this.massMatrix);
  }

  /** Positions after timing[0] with the rates `u`; orientations by the exponential map. @alloc none */
  advancePositions(u: Float64Array, timing: Float64Array): void {
    const { q } = this;
    if (this.hasOrientations) {
      advancePositions(this.links, q, u, timing);
      return;
    }
    const h = timing[0];
    for (let k = 0; k < this.n; k++) q[k] += h * u[k]; // each position has its own rate
  }

  /** Orientations among the positions to unit length. @alloc none */
  normalize(): void {
    normalizePositions(this.links, this.q);
  }

  /** Factors of M, unless there are some for the present state. @alloc none */
  factorize(): void {
    if (this.factored) return;
    this.mass.compute(this.massMatrix);
    this.factors.factor(this.massMatrix);
    this.factored = true;
  }
}
