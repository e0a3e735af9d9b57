/**
 * The container of a contact: one geometric pair, one normal law, one friction law, and the slices of the arena that hold
 * their states, internal parameters and read-out. Components have no reference to each other or to the place of their memory.
 * `Gonthier 2007, A.1`.
 */
import { columnOf, type Columns, OWN_COLUMNS } from '../math/columns.ts';
import { tangentBasis } from '../math/vec3.ts';
import type { ContactAssembly, ContactBody } from './contact-body.ts';
import { COMMON_READOUT, ContactReadout } from './contact-readout.ts';
import {
  type FrictionLaw,
  SLOPE,
  SLOPE_FORCE,
  SLOPE_FORCE_SPIN,
  SLOPE_MOMENT,
  SLOPE_MOMENT_SPIN,
} from './friction/friction-law.ts';
import {
  BRISTLE,
  DAMPING,
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  MEAN_RATE,
  NORMAL_RATE,
  NORMAL_RESULT,
  NORMAL_TIMING,
  type NormalLaw,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  SPAN,
  STORED,
  TURN,
  TURN_AREA,
  TURN_DEPTH,
  TURN_LIMIT,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from './normal/normal-law.ts';
import {
  AREA,
  ARM_I,
  ARM_J,
  type ContactPair,
  GAP,
  GYRATION,
  INERTIA,
  KINEMATICS,
  LOAD,
  MOBILITY,
  NORMAL,
  POINT,
  RATE,
  RESISTANCE,
  SLIP,
  SPIN,
  STEP,
  VELOCITY,
  VOLUME,
} from './pair.ts';
import { writePhaseLimit } from './phase-limit.ts';
import { CALM, CALM_ENERGY, CALM_STEPS } from './rest-limits.ts';
import type { RollingLaw } from './rolling/rolling-law.ts';

/** One contact of a system. */
export class ContactModel {
  readonly name: string;
  readonly i: ContactBody;
  readonly j: ContactBody;
  readonly pair: ContactPair;
  readonly normalLaw: NormalLaw;
  readonly friction: FrictionLaw;
  readonly rolling: RollingLaw;
  /** Slots of pair.ts. */
  readonly kinematics: Float64Array;
  /** Slots of normal-law.ts. */
  readonly normal: Float64Array;
  /** Force on body i at the contact point, world, N. */
  readonly force: Float64Array;
  /** Moment on body i beside that of the force: friction about the normal and rolling resistance, world, N m. */
  readonly torque: Float64Array;
  /** Whether there is such a moment at all. */
  readonly turns: boolean;
  /** Solved in its own way where it stands by itself: its force is that of many places. */
  readonly whole: boolean = false;
  /** Whether it has a slope against the twist of its bodies; what has none is solved by itself, in turn with the others. */
  readonly sloped: boolean = true;
  /** One of the pool of a volumetric contact. */
  readonly pooled: boolean;
  /** Whether `storeEnergy` is asked for what is found at time zero. */
  atStart = false;
  /** Began in the present (sub-)step; kept by a volumetric contact for its sub-models. */
  fresh = false;
  /** [number of contacts that stop an impact together, among which the energy is shared] for the sub-step rule. */
  readonly share: Float64Array;
  /**
   * [active, normal force, most sub-steps a second of the contact phase], in the arena. A calm contact needs no memory of its phase: there
   * the last one is minus the number of calm steps in a row.
   */
  readonly flags: Float64Array;
  /** Columns of CONTACT_READOUT, in the arena. */
  readonly readout: Float64Array;
  /** Two tangents and the normal: a right-handed frame. */
  readonly basis: Float64Array;
  /** Energy in the contact spring and in the bristles, J, of the last `storeEnergy`. */
  readonly stored: Float64Array;
  /** Inverse contact mass: tangential (11, 12, 22) and normal, 1/kg; then the slots of pair.ts. */
  readonly mobility: Float64Array;
  /** Slots of `measureTurn`. */
  readonly turning: Float64Array;
  /** Slots of `NormalLaw.advance`. */
  private readonly normalTiming: Float64Array;
  /** Whether rest needs no sub-steps: the smooth step of a tree with springs holds its load to the order h² only. */
  readonly mayRest: boolean;
  /** [mean square of the speed of rocking, m²/s²] */
  readonly rocking: Float64Array;
  /** Stiffness at rest, N/m, which the implicit step takes to the end of the step; 0 in motion. */
  readonly restStiffness: Float64Array;
  /** [sub-steps that a step needs] of the last `computePhase`. */
  readonly phase: Float64Array;
  /** Sum of the inverse inertias, row by row, 1/(kg m²). */
  readonly spinMobility: Float64Array;
  /** Work space of the implicit step that solves friction and rolling moment together. */
  readonly coupling: Float64Array;
  /** Slots of friction-law.ts, and −∂τ/∂w of the rolling law. */
  readonly frictionSlope: Float64Array;
  readonly rollingSlope: Float64Array;
  /** Force on i that `applyImpulse` applies. */
  readonly impulseForce: Float64Array;
  /** Force of the solution before the last one, N: what a sweep over contacts changed. */
  readonly priorForce: Float64Array;
  /** Relative velocity and relative angular velocity at the start of the step. */
  readonly oldVelocity: Float64Array;
  /** Impulse on its way to a body. */
  private readonly impulse: Float64Array;
  /** The assembly that both bodies belong to, or null. */
  private readonly coupled: ContactAssembly | null;

  constructor(
    name: string,
    i: ContactBody,
    j: ContactBody,
    pair: ContactPair,
    normalLaw: NormalLaw,
    friction: FrictionLaw,
    rolling: RollingLaw,
    flags: Float64Array,
    readout: Float64Array,
    columns: Columns = OWN_COLUMNS,
  ) {
    this.kinematics = columns.doubles(KINEMATICS);
    this.normal = columns.doubles(NORMAL_RESULT);
    this.force = columns.doubles(3);
    this.torque = columns.doubles(3);
    this.basis = columns.doubles(9);
    this.stored = columns.doubles(2);
    this.mobility = columns.doubles(MOBILITY);
    this.turning = columns.doubles(TURN);
    this.normalTiming = columns.doubles(NORMAL_TIMING);
    this.rocking = columns.doubles(1);
    this.restStiffness = columns.doubles(1);
    this.phase = columns.doubles(1);
    this.spinMobility = columns.doubles(9);
    this.coupling = columns.doubles(12);
    this.frictionSlope = columns.doubles(SLOPE);
    this.rollingSlope = columns.doubles(9);
    this.impulseForce = columns.doubles(3);
    this.priorForce = columns.doubles(3);
    this.oldVelocity = columns.doubles(6);
    this.impulse = columns.doubles(3);
    this.share = columnOf(columns, 1);
    this.name = name;
    this.i = i;
    this.j = j;
    this.pair = pair;
    this.normalLaw = normalLaw;
    this.friction = friction;
    this.rolling = rolling;
    this.flags = flags;
    this.readout = readout;
    this.coupled = i.assembly === j.assembly ? i.assembly : null;
    this.mayRest = i.assembly === null && j.assembly === null;
    this.turns = rolling.active || friction.spins;
    this.pooled = readout.length > COMMON_READOUT;
  }

  /** True between onset and loss. */
  get active(): boolean {
    return this.flags[0] !== 0;
  }

  /** Places that push. */
  get pairCount(): number {
    return this.active ? 1 : 0;
  }

  /** Solves a contact of many places against the present velocities, as `solveImplicit` does one of a single place. @alloc none */
  solveWhole(): void {
    return;
  }

  /** Gap, normal, point and lever arms from the poses. @alloc none */
  measure(): void {
    const k = this.kinematics;
    this.pair.compute(this.i, this.j, k);
    const a = this.i.state;
    const b = this.j.state;
    k[ARM_I] = k[POINT] - a[0];
    k[ARM_I + 1] = k[POINT + 1] - a[1];
    k[ARM_I + 2] = k[POINT + 2] - a[2];
    k[ARM_J] = k[POINT] - b[0];
    k[ARM_J + 1] = k[POINT + 1] - b[1];
    k[ARM_J + 2] = k[POINT + 2] - b[2];
    this.measureVelocity();
  }

  /** Relative velocity, normal rate and slip from the velocities of the bodies. @alloc none */
  measureVelocity(): void {
    const k = this.kinematics;
    const a = this.i.state;
    const b = this.j.state;
    const vx =
      a[7] +
      a[11] * k[ARM_I + 2] -
      a[12] * k[ARM_I + 1] -
      (b[7] + b[11] * k[ARM_J + 2] - b[12] * k[ARM_J + 1]);
    const vy =
      a[8] +
      a[12] * k[ARM_I] -
      a[10] * k[ARM_I + 2] -
      (b[8] + b[12] * k[ARM_J] - b[10] * k[ARM_J + 2]);
    const vz =
      a[9] +
      a[10] * k[ARM_I + 1] -
      a[11] * k[ARM_I] -
      (b[9] + b[10] * k[ARM_J + 1] - b[11] * k[ARM_J]);
    const nx = k[NORMAL];
    const ny = k[NORMAL + 1];
    const nz = k[NORMAL + 2];
    const rate = vx * nx + vy * ny + vz * nz;
    k[VELOCITY] = vx;
    k[VELOCITY + 1] = vy;
    k[VELOCITY + 2] = vz;
    k[RATE] = rate;
    k[SLIP] = vx - rate * nx;
    k[SLIP + 1] = vy - rate * ny;
    k[SLIP + 2] = vz - rate * nz;
    k[SPIN] = a[10] - b[10];
    k[SPIN + 1] = a[11] - b[11];
    k[SPIN + 2] = a[12] - b[12];
  }

  /** Onset of contact; `rate` is the normal rate at touch. @alloc none */
  begin(rate: number, depth: number): void {
    this.flags[0] = 1;
    this.takeGeometry();
    this.normalLaw.begin(rate, depth, this.normal);
    this.friction.begin();
    this.rolling.begin();
  }

  /** Loss of contact: everything is forgotten. @alloc none */
  end(): void {
    this.flags.fill(0);
    this.normalLaw.end();
    this.forget();
  }

  /** Forces of the last evaluation are no longer read, because nothing touches. @alloc none */
  forget(): void {
    this.friction.end();
    this.rolling.end();
    this.rolling.torque.fill(0);
    this.torque.fill(0);
    this.force.fill(0);
  }

  /** Onset and loss for a fixed step that finds the overlap after it began; once a step. @alloc none */
  detect(): void {
    const gap = this.kinematics[GAP];
    if (this.active) {
      if (gap >= 0) this.end();
    } else if (gap < 0) {
      this.begin(this.kinematics[RATE], -gap);
    }
  }

  /** Elastic force, damping and stored energy at the present gap. @alloc none */
  computeElastic(): void {
    this.takeGeometry();
    this.normalLaw.evaluate(this.normal);
    this.mobility[RESISTANCE] = this.normal[DAMPING];
    this.friction.computeStored(this.flags, this.normal, this.kinematics);
  }

  /** What a normal law takes from the kinematics. */
  private takeGeometry(): void {
    const k = this.kinematics;
    const gap = k[GAP];
    this.normal[DEPTH] = Math.max(0, -gap); // a choice between −gap and 0 would be allocated
    this.normal[OVERLAP_VOLUME] = k[VOLUME];
    this.normal[OVERLAP_AREA] = k[AREA];
    this.normal[NORMAL_RATE] = k[RATE];
  }

  /** The explicit reference evaluation: force and state rates at the present state. @alloc none */
  computeForce(): void {
    const k = this.kinematics;
    this.computeElastic();
    let f = this.normal[ELASTIC] - this.normal[DAMPING] * k[RATE];
    if (!(f > this.normal[LEAST])) f = this.normal[LEAST];
    this.flags[1] = f;
    this.mobility[LOAD] = f > 0 ? f : 0;
    this.friction.evaluate(k, this.mobility);
    if (this.rolling.active) this.rolling.evaluate(k, this.mobility);
    this.combine();
  }

  /**
   * The implicit step: force and torque when the step ends with the present velocities of the bodies, elastic force and damping as
   * prepared. @alloc none
   */
  respond(): void {
    this.measureVelocity();
    const k = this.kinematics;
    let f = this.normal[ELASTIC] - this.normal[DAMPING] * k[RATE];
    if (!(f > this.normal[LEAST])) f = this.normal[LEAST];
    this.flags[1] = f;
    this.mobility[LOAD] = f > 0 ? f : 0;
    this.friction.respond(k, this.mobility);
    if (this.rolling.active) this.rolling.evaluate(k, this.mobility);
    this.combine();
  }

  /** Friction and rolling resistance with factor[0] times their tolerances from here on. @alloc none */
  widen(factor: Float64Array): void {
    this.friction.widen(factor);
    this.rolling.widen(factor);
  }

  /**
   * The slope K of the wrench on body i at the contact point against the relative twist there, at the last `respond`: −∂(F, τ)/∂(v, w),
   * 6 × 6 row by row. With f = f_el − B v_n, load f_+ = max(f, 0), friction −f_+ φ, moment −f_+ m n + τ_r:
   *
   *   K_vv = B n nᵀ − B_+ φ nᵀ + f_+ ∂φ/∂v                     K_vw = f_+ ∂φ/∂w_n nᵀ
   *   K_wv = n (f_+ ∂m/∂v − B_+ m n)ᵀ + B_+ ∂τ_r/∂f_+ nᵀ       K_ww = f_+ ∂m/∂w_n n nᵀ − ∂τ_r/∂w
   *
   * B_+ is B where the load is f, B and B_+ are 0 where f is the least force. @alloc none
   */
  computeSlope(slope: Float64Array, secant: boolean): void {
    const k = this.kinematics;
    const s = this.frictionSlope;
    const f = this.flags[1];
    const load = this.mobility[LOAD];
    const damping = f > this.normal[LEAST] ? this.normal[DAMPING] : 0;
    const part = f > 0 ? damping : 0;
    const share = load > 0 ? part / load : 0;
    this.friction.computeSlope(k, s, secant);
    const force = this.friction.force; // −f_+ φ
    for (let a = 0; a < 3; a++) {
      const left = damping * k[NORMAL + a] + share * force[a];
      for (let b = 0; b < 3; b++) {
        slope[6 * a + b] = left * k[NORMAL + b] + load * s[SLOPE_FORCE + 3 * a + b];
        slope[6 * a + 3 + b] = load * s[SLOPE_FORCE_SPIN + a] * k[NORMAL + b];
      }
    }
    if (!this.turns) {
      for (let a = 18; a < 36; a++) slope[a] = 0;
      return;
    }
    const spin = this.friction.torque; // −f_+ m n
    const roll = this.rolling.torque;
    const turn = this.rollingSlope;
    if (this.rolling.active) this.rolling.computeSlope(this.mobility, turn, secant);
    const ofRolling = this.rolling.loaded ? share : 0;
    for (let a = 0; a < 3; a++) {
      const n = k[NORMAL + a];
      const left = share * spin[a] + ofRolling * roll[a];
      for (let b = 0; b < 3; b++) {
        slope[18 + 6 * a + b] = left * k[NORMAL + b] + n * load * s[SLOPE_MOMENT + b];
        slope[21 + 6 * a + b] = n * load * s[SLOPE_MOMENT_SPIN] * k[NORMAL + b] + turn[3 * a + b];
      }
    }
  }

  /** force := f n + friction, torque := spin + rolling. @alloc none */
  combine(): void {
    const f = this.flags[1];
    const k = this.kinematics;
    const t = this.friction.force;
    this.force[0] = f * k[NORMAL] + t[0];
    this.force[1] = f * k[NORMAL + 1] + t[1];
    this.force[2] = f * k[NORMAL + 2] + t[2];
    if (!this.turns) return;
    const spin = this.friction.torque;
    const roll = this.rolling.torque;
    if (this.friction.spins) for (let a = 0; a < 3; a++) this.torque[a] = spin[a] + roll[a];
    else for (let a = 0; a < 3; a++) this.torque[a] = roll[a];
  }

  /** Adds the force to the wrenches of both bodies. @alloc none */
  addWrenches(): void {
    addForce(this.i.wrench, this.kinematics, ARM_I, this.force, 1);
    addForce(this.j.wrench, this.kinematics, ARM_J, this.force, -1);
    if (!this.turns) return;
    const { torque } = this;
    for (let a = 0; a < 3; a++) {
      this.i.wrench[3 + a] += torque[a];
      this.j.wrench[3 + a] -= torque[a];
    }
  }

  /**
   * Changes the velocities of both bodies by the impulse h times `impulseForce` on i; h is in mobility[STEP]. Numbers pass
   * through arrays, because a call that is not inlined allocates for each double.
   * @alloc none
   */
  applyImpulse(): void {
    const p = this.impulse;
    const h = this.mobility[STEP];
    for (let a = 0; a < 3; a++) p[a] = h * this.impulseForce[a];
    if (this.i.yields) this.i.push(this.kinematics, ARM_I, p);
    if (!this.j.yields) return;
    for (let a = 0; a < 3; a++) p[a] = -p[a];
    this.j.push(this.kinematics, ARM_J, p);
  }

  /** Changes the velocities of both bodies by the impulses of the present force and torque. @alloc none */
  pushBodies(): void {
    for (let a = 0; a < 3; a++) this.impulseForce[a] = this.force[a];
    this.applyImpulse();
    if (!this.turns) return;
    this.turnBody(this.i, this.torque, 1);
    this.turnBody(this.j, this.torque, -1);
  }

  /** Takes the rolling moment of the last solution back, before the contact is solved anew. @alloc none */
  removeRollingImpulse(): void {
    this.turnBody(this.i, this.rolling.torque, -1);
    this.turnBody(this.j, this.rolling.torque, 1);
  }

  /** Solves the rolling law against the present angular velocities and applies its moment. @alloc none */
  roll(): void {
    this.measureVelocity();
    this.rolling.solve(this.kinematics, this.spinMobility, this.mobility);
    this.applyTorque();
  }

  /** Changes the angular velocities of both bodies by the present rolling moment. @alloc none */
  applyTorque(): void {
    this.turnBody(this.i, this.rolling.torque, 1);
    this.turnBody(this.j, this.rolling.torque, -1);
  }

  /** Takes the moment of friction about the normal back, before the contact is solved anew. @alloc none */
  removeSpinImpulse(): void {
    this.turnBody(this.i, this.friction.torque, -1);
    this.turnBody(this.j, this.friction.torque, 1);
  }

  /** Solves the moment of friction about the normal against the present angular velocities and applies it. @alloc none */
  spin(): void {
    this.measureVelocity();
    this.friction.solveSpin(this.kinematics, this.spinMobility, this.mobility);
    this.turnBody(this.i, this.friction.torque, 1);
    this.turnBody(this.j, this.friction.torque, -1);
  }

  private turnBody(body: ContactBody, torque: Float64Array, sign: number): void {
    if (!body.yields) return;
    const p = this.impulse;
    const h = sign * this.mobility[STEP];
    for (let a = 0; a < 3; a++) p[a] = h * torque[a];
    body.turn(p);
  }

  /** Sum of the inverse inertias of both bodies into `spinMobility`, for the rolling law. @alloc none */
  computeSpinMobility(): void {
    const m = this.spinMobility;
    for (let a = 0; a < 9; a++) m[a] = 0;
    if (this.i.yields) this.i.addSpinMobility(m);
    if (this.j.yields) this.j.addSpinMobility(m);
    if (this.coupled !== null) this.coupled.addSpinCoupling(this.i.place, this.j.place, m);
  }

  /** Inverse contact masses in the contact frame: a·K b, K the sum over both bodies. @alloc none */
  computeMobility(): void {
    const k = this.kinematics;
    const t = this.basis;
    const w = this.mobility;
    tangentBasis(t, k, NORMAL);
    for (let a = 0; a < 3; a++) t[6 + a] = k[NORMAL + a];
    for (let a = 0; a < 4; a++) w[a] = 0;
    if (this.i.yields) this.i.addMobility(k, ARM_I, t, w);
    if (this.j.yields) this.j.addMobility(k, ARM_J, t, w);
    if (this.coupled !== null) this.coupled.addCoupling(this.i.place, this.j.place, k, ARM_I, t, w);
  }

  /**
   * Sub-steps that a step of stepLength[0] needs, into `phase`: the contact phase w_c dt at the depth where the present energy would
   * stop, over the phase that one sub-step may cover. The most of a contact phase is kept until the contact is lost or calm: a sub-step
   * that changed during an impact would change the restitution. A contact at rest needs none: its stiffness is taken to the end of the
   * step. Needs `measure`; a contact that will touch within the step also gets its mobility. docs/theory/implicit-step.md.
   * @alloc none
   */
  computePhase(stepLength: Float64Array): void {
    const dt = stepLength[0];
    this.phase[0] = 0;
    this.restStiffness[0] = 0;
    const gap = this.kinematics[GAP];
    const rate = this.kinematics[RATE];
    if (gap >= 0 && gap + rate * dt >= 0) return;
    this.computeMobility();
    const w = this.mobility[3];
    if (w === 0) return;
    const turn = this.turning;
    turn[TURN_DEPTH] = Math.max(0, -gap);
    turn[TURN_RATE] = rate;
    turn[TURN_INVERSE_MASS] = w * this.share[0];
    turn[TURN_VOLUME] = this.kinematics[VOLUME];
    turn[TURN_AREA] = this.kinematics[AREA];
    this.normalLaw.measureTurn(turn);
    const { flags } = this;
    writePhaseLimit(turn);
    const demand = Math.sqrt(turn[TURN_STIFFNESS] * w) / turn[TURN_LIMIT];
    const slow = CALM * this.normalLaw.internals[IMPACT_SPEED];
    const calm = this.active && Math.abs(rate) < slow;
    const energy = (0.5 * rate * rate) / turn[TURN_INVERSE_MASS];
    this.measureRocking();
    const rests =
      calm && this.rocking[0] < slow * slow && energy < CALM_ENERGY * this.normal[STORED];
    if (rests) {
      const before = flags[2] < 0 ? flags[2] : 0;
      flags[2] = before > -CALM_STEPS ? before - 1 : -CALM_STEPS;
      if (flags[2] === -CALM_STEPS && this.mayRest) this.restStiffness[0] = turn[TURN_STIFFNESS];
      else this.phase[0] = demand * dt;
      return;
    }
    if (calm || demand > flags[2]) flags[2] = demand;
    this.phase[0] = flags[2] * dt;
  }

  /** Mean square of the speed in the overlap by turning about axes across the normal: (T w)·J_v (T w)/V. */
  private measureRocking(): void {
    const k = this.kinematics;
    this.rocking[0] = 0;
    if (!(k[VOLUME] > 0)) return;
    const along = k[SPIN] * k[NORMAL] + k[SPIN + 1] * k[NORMAL + 1] + k[SPIN + 2] * k[NORMAL + 2];
    const x = k[SPIN] - along * k[NORMAL];
    const y = k[SPIN + 1] - along * k[NORMAL + 1];
    const z = k[SPIN + 2] - along * k[NORMAL + 2];
    const square =
      x * x * k[INERTIA] +
      y * y * k[INERTIA + 1] +
      z * z * k[INERTIA + 2] +
      2 * (x * y * k[INERTIA + 3] + x * z * k[INERTIA + 4] + y * z * k[INERTIA + 5]);
    this.rocking[0] = square / k[VOLUME];
  }

  /** At rest: damping of the step that takes the elastic force at its end, f_el − (B + h k) v_n. @alloc none */
  stiffenAtRest(): void {
    this.normal[DAMPING] += this.mobility[STEP] * this.restStiffness[0];
    this.mobility[RESISTANCE] = this.normal[DAMPING];
  }

  /** States of the laws to the end of a discrete step of timing[0]; velocities are measured. @alloc none */
  advance(timing: Float64Array): void {
    const k = this.kinematics;
    const v = this.oldVelocity;
    const t = this.normalTiming;
    t[SPAN] = timing[0];
    t[MEAN_RATE] = 0.5 * (k[RATE] + v[0] * k[NORMAL] + v[1] * k[NORMAL + 1] + v[2] * k[NORMAL + 2]);
    this.normalLaw.advance(t);
    this.friction.advance(timing);
  }

  /** Energy in the contact spring and in the bristles into `stored`, J (present after an evaluation). @alloc none */
  storeEnergy(): void {
    this.stored[0] = this.active ? this.normal[STORED] : 0;
    this.stored[1] = this.active ? this.normal[BRISTLE] : 0;
  }

  /** Copies the results of the last evaluation into the arena. @alloc none */
  writeReadout(): void {
    const r = this.readout;
    const k = this.kinematics;
    const gap = k[GAP];
    r[ContactReadout.active] = this.flags[0];
    r[ContactReadout.penetration] = Math.max(0, -gap);
    r[ContactReadout.penetrationRate] = -k[RATE];
    r[ContactReadout.normalForce] = this.flags[1];
    for (let a = 0; a < 3; a++) {
      r[ContactReadout.ft_x + a] = this.friction.force[a];
      r[ContactReadout.slip_x + a] = k[SLIP + a];
      r[ContactReadout.point_x + a] = k[POINT + a];
      r[ContactReadout.normal_x + a] = k[NORMAL + a];
      r[ContactReadout.torque_x + a] = this.torque[a];
    }
    this.friction.read(r);
    r[ContactReadout.impactSpeed] = this.normalLaw.internals[IMPACT_SPEED];
    if (r.length === COMMON_READOUT) return;
    const t = this.friction.torque;
    r[ContactReadout.volume] = k[VOLUME];
    r[ContactReadout.area] = k[AREA];
    r[ContactReadout.spinTorque] = t[0] * k[NORMAL] + t[1] * k[NORMAL + 1] + t[2] * k[NORMAL + 2];
    r[ContactReadout.gyration] = k[GYRATION];
  }
}

function addForce(
  wrench: Float64Array,
  k: Float64Array,
  arm: number,
  f: Float64Array,
  sign: number,
): void {
  wrench[0] += sign * f[0];
  wrench[1] += sign * f[1];
  wrench[2] += sign * f[2];
  wrench[3] += sign * (k[arm + 1] * f[2] - k[arm + 2] * f[1]);
  wrench[4] += sign * (k[arm + 2] * f[0] - k[arm] * f[2]);
  wrench[5] += sign * (k[arm] * f[1] - k[arm + 1] * f[0]);
}
