/**
 * A compiled contact system: a constant model, one arena that holds everything that evolves, and one fixed step.
 */
import type { ArmDrive } from '../arm/arm-drive.ts';
import type { Slice } from '../math/arena.ts';
import { checkModel } from './check-model.ts';
import type { Accommodation } from '../control/fma.ts';
import type { ToolPort } from '../control/tool-port.ts';
import { addressIn, type ContactKernels } from '../contact/contact-loops.ts';
import { PENETRATED, REFUSED } from '../contact/faceted/faceted-contact.ts';
import { LIMITED_STEPS } from '../contact/elastic/elastic-contact.ts';
import { shareImpacts } from '../contact/shared-impact.ts';
import { CrossingGuard } from './crossing-guard.ts';
import { Dynamics } from './dynamics.ts';
import { index, room } from '../base/argument-checks.ts';
import { FACE_READOUT } from '../contact/elastic/face-readout.ts';
import { POINT_READOUT } from '../contact/elastic/point-readout.ts';
import { BerthError } from '../base/errors.ts';
import { expect } from '../base/parameter-checks.ts';
import { CONSTRAINT_READOUT, type StartChange } from './system-constraints.ts';
import { ENERGY_READOUT } from './energy-ledger.ts';
import type { SystemModel } from '../model/model.ts';
import { BODY_STATE } from '../multibody/body.ts';
import { CURVATURE_LENGTH } from '../shapes/surfaces/surface-curvature.ts';
import { TOUCH_READOUT } from '../shapes/surfaces/touch-readout.ts';
import type { OverlapMethod } from '../overlap/kernel.ts';
import { makeStepper } from './make-stepper.ts';
import type { Stepper } from './stepper.ts';
import { LoopMode } from '../control/tool-port.ts';

export { CONTACT_READOUT, ContactReadout } from '../contact/contact-readout.ts';
export { FACE_READOUT, FaceReadout } from '../contact/elastic/face-readout.ts';
export { POINT_READOUT, PointReadout } from '../contact/elastic/point-readout.ts';
export { VALIDITY_FLAGS, ValidityFlag } from '../contact/validity-flags.ts';
export { ToolPort } from '../control/tool-port.ts';
export { CONSTRAINT_READOUT, ConstraintReadout } from './system-constraints.ts';
export { TOUCH_READOUT, TouchReadout } from '../shapes/surfaces/touch-readout.ts';
export { ENERGY_READOUT, EnergyReadout } from './energy-ledger.ts';

/** Up to so many numbers of a state a kernel is no faster. */
const FEW = 100;

/** A system that can be stepped. Built by `makeSystem`. */
export class System {
  readonly model: SystemModel;
  /** Everything that evolves, time included. */
  readonly state: Float64Array;
  /** Bodies and links of trees. */
  readonly bodyCount: number;
  readonly contactCount: number;
  readonly constraintCount: number;
  readonly tool: ToolPort | null;
  /** Force and moment accommodation of the tool; its setting may be changed between steps. */
  readonly accommodation: Accommodation | null;
  /** The simulated arm as an articulated tree; null when it has no joints. */
  readonly arm: ArmDrive | null;
  /** Lets the model's schedule fly the tool. */
  useSchedule = true;
  private readonly dynamics: Dynamics;
  private readonly stepper: Stepper;
  private readonly guard: CrossingGuard;
  /** Parts of the last step, where the method takes no sub-steps by itself; whether there should have been more. */
  private divisions = 1;
  private divisionBoundHit = false;
  private readonly previous: Float64Array;
  /** The state of the last `restore`. */
  private readonly restored: Float64Array;
  private readonly stateAt: number;

  /** Index of the constraint without a point of contact for which the last failed step failed, −1 for none. */
  lostConstraint = -1;
  constructor(model: SystemModel, kernels: ContactKernels | null) {
    const dynamics = new Dynamics(model, kernels);
    this.model = model;
    this.dynamics = dynamics;
    this.state = dynamics.state;
    this.stateAt = addressIn(this.state);
    this.bodyCount = dynamics.parts.length;
    this.contactCount = model.contacts.length;
    this.constraintCount = model.constraints?.length ?? 0;
    this.tool = dynamics.tool;
    this.accommodation = dynamics.drive?.accommodation ?? null;
    this.arm = dynamics.drive?.joints ?? null;
    this.guard = new CrossingGuard(dynamics);
    this.stepper = makeStepper(model, dynamics, this.guard);
    this.previous = dynamics.state.slice();
    this.restored = dynamics.state.slice();
  }

  /** Model time, s. */
  get time(): number {
    return this.dynamics.clock[0];
  }

  /** Sub-steps of the last step. */
  get substeps(): number {
    return this.divisions * this.stepper.substeps;
  }

  /** Whether the last step needed more sub-steps than the model allows. */
  get substepBoundHit(): boolean {
    return this.stepper.substepBoundHit || this.divisionBoundHit;
  }

  /** Slots of NewtonCount since the start: what the implicit step did; null for a method that has none. */
  get solverCounts(): Float64Array | null {
    return this.stepper.counts;
  }

  /** Names of the bodies, then of the links of the trees, in the order of their indices. */
  get bodyNames(): readonly string[] {
    return this.dynamics.parts.map((part) => part.name);
  }

  /** Index of a body or link; throws for a name that is not there. */
  bodyIndex(name: string): number {
    return this.dynamics.bodyIndex(name);
  }

  /** Index of a contact; throws for a name that is not there. */
  contactIndex(name: string): number {
    return this.dynamics.contactIndex(name);
  }

  /** p(3) q(4) v(3) w(3) of a body or link. @alloc none */
  readBody(i: number, out: Float64Array, at: number): void {
    index('body', i, this.bodyCount);
    room('out', out, at, BODY_STATE);
    const x = this.dynamics.parts[i].state;
    for (let a = 0; a < BODY_STATE; a++) out[at + a] = x[a];
  }

  /** Sets the motion of a prescribed body; between calls it keeps its twist. */
  setBodyMotion(i: number, motion: Float64Array, at: number): void {
    index('body', i, this.bodyCount);
    room('motion', motion, at, BODY_STATE);
    const body = i < this.dynamics.bodies.length ? this.dynamics.bodies[i] : null;
    if (body === null || !body.prescribed) {
      throw new BerthError(
        'BERTH_WRONG_STATE',
        `The motion of body "${this.dynamics.parts[i].name}" cannot be set: it is not prescribed`,
      );
    }
    for (let a = 0; a < BODY_STATE; a++) body.state[a] = motion[at + a];
    body.refresh();
  }

  /** Changes the twist of the simulated arm between steps; the set-point goes with it. @alloc none */
  setArmTwist(twist: Float64Array, at: number): void {
    room('twist', twist, at, 6);
    const drive = this.dynamics.drive;
    if (drive === null) return;
    drive.setTwist(twist, at);
    this.dynamics.ledger.addArm(drive.armWork);
  }

  /**
   * Takes the arm along a motion that others bound, p(3) q(4) v(3) w(3), between steps; the set-point goes with it.
   * @param taken out: energy that the joints of the arm lost by that, J
   * @alloc none
   */
  holdArm(motion: Float64Array, taken: Float64Array): void {
    room('motion', motion, 0, BODY_STATE);
    room('taken', taken, 0, 1);
    taken[0] = 0;
    const drive = this.dynamics.drive;
    if (drive === null) return;
    drive.hold(motion, this.dynamics.stepLength);
    if (drive.joints !== null) taken[0] = -drive.armWork[1];
    this.dynamics.ledger.addArm(drive.armWork);
  }

  /**
   * Puts the payload where the tool is measured, as if it had been there before: no way leads there on which it could have touched.
   * Between steps; nothing without a tool. @alloc none
   */
  placeTool(): void {
    this.dynamics.drive?.placePayload();
  }

  /** Force and moment about the centre of mass, world; kept until set again. @alloc none */
  setExternalWrench(i: number, wrench: Float64Array, at: number): void {
    index('body', i, this.bodyCount);
    room('wrench', wrench, at, 6);
    for (let a = 0; a < 6; a++) this.dynamics.external[6 * i + a] = wrench[at + a];
  }

  /**
   * One fixed step. Returns 0, or 1 when the result was not finite or an adaptive method could not finish: the state is then the one
   * before the step, and `lostConstraint` names a constraint that was the reason. @alloc none
   */
  step(dt: number): number {
    if (!(dt > 0 && dt < Infinity)) expect('dt', dt, false, 'to be finite and > 0, s');
    const { dynamics, state } = this;
    const { drive, declared } = dynamics;
    this.previous.set(state);
    this.guard.begin();
    this.divisions = 1;
    this.divisionBoundHit = false;
    if (drive !== null) {
      if (this.useSchedule) drive.followSchedule(dynamics.clock);
      drive.beginStep();
      drive.placePayload();
    }
    dynamics.stepLength[0] = dt;
    if (drive !== null) drive.accommodation.advance(dynamics.stepLength);
    this.guard.foresee();
    if (this.stepper.guarded || !this.guard.armed) this.stepper.step();
    else this.stepDivided();
    dynamics.clock[0] += dt;
    if (drive !== null) {
      if (drive.port.mode === LoopMode.SIMULATION) drive.placePayload();
      drive.publish();
    }
    declared.writeReadouts();
    declared.observe();
    dynamics.ledger.store(this.stepper.endsMeasured);
    for (let k = 0; k < dynamics.grapples.length; k++) dynamics.grapples[k].store(dynamics.ledger);
    if (this.isFinite() && !this.stepper.failed) return 0;
    this.lostConstraint = dynamics.constraints?.firstLost ?? -1;
    this.restore(this.previous);
    return 1;
  }

  /** A step of a method without sub-steps in as many parts as the guard asks for. */
  private stepDivided(): void {
    const { guard, stepper, dynamics } = this;
    const { stepLength, model } = dynamics;
    const whole = stepLength[0];
    const wanted = guard.substeps;
    this.divisionBoundHit = wanted > model.maximumSubsteps;
    this.divisions = this.divisionBoundHit ? model.maximumSubsteps : wanted;
    stepLength[0] = whole / this.divisions;
    for (let k = 0; k < this.divisions && !stepper.failed; k++) {
      guard.open(k, this.divisions);
      stepper.step();
      guard.close();
    }
    stepLength[0] = whole;
  }

  /** Whether every number of the state is finite, what is stored too: a force of NaN from a latched value counts as none. */
  private isFinite(): boolean {
    const { state } = this;
    const { loops } = this.dynamics;
    const n = state.length;
    if (loops !== null && n > FEW) return loops.exports.areFinite(this.stateAt, n) !== 0;
    let check = 0;
    let other = 0; // two sums that do not wait for each other
    let i = 0;
    for (; i + 1 < n; i += 2) {
      check += state[i] - state[i];
      other += state[i + 1] - state[i + 1];
    }
    if (i < n) check += state[i] - state[i];
    return check + other === 0;
  }

  /**
   * Columns of CONTACT_READOUT, as of the force evaluation of the last step. A volumetric contact sums up its cell pairs, see
   * src/contact/declared-contacts.ts. @alloc none
   */
  readContact(k: number, out: Float64Array, at: number): void {
    index('contact', k, this.contactCount);
    room('out', out, at, 1);
    this.dynamics.declared.read(k, out, at);
  }

  /**
   * Least distance of two bodies of facets that make contact, m, and that distance over their standoff, as of the last step: two numbers from `at`
   * on, NaN without such a contact. @alloc none
   */
  readLeastDistance(out: Float64Array, at: number): void {
    room('out', out, at, 2);
    this.dynamics.declared.readLeastDistance(out, at);
  }

  /**
   * Pairs of facets nearer than their standoff, as of the last step: more than the pairs of the contacts where several share their closest
   * features. @alloc none
   */
  get nearPairs(): number {
    return this.dynamics.declared.nearPairs;
  }

  /** Bits of VALIDITY_FLAGS: the limits of its model that contact k exceeds after the last step. 0 without a touch. @alloc none */
  validityOf(k: number): number {
    index('contact', k, this.contactCount);
    return this.dynamics.declared.validityOf(k, this.state, this.previous);
  }

  /** What becomes of a touch of contact k: `act` on the bodies, or only be seen, with a warning or without. */
  responseOf(k: number): 'act' | 'observe' | 'warn' {
    index('contact', k, this.contactCount);
    const { normalLaw } = this.model.contacts[k];
    if (normalLaw.kind !== 'observer') return 'act';
    return normalLaw.alarm === true ? 'warn' : 'observe';
  }

  /** Most cell pairs of contact k that can touch at once; 0 for a point contact. */
  pairCount(k: number): number {
    index('contact', k, this.contactCount);
    return this.dynamics.declared.groupOf(k)?.slots.length ?? 0;
  }

  /** Columns of CONTACT_READOUT of sub-model `pair` < pairCount(k), as of the last step; `active` is 0 for a free one. @alloc none */
  readPair(k: number, pair: number, out: Float64Array, at: number): void {
    index('pair', pair, this.pairCount(k));
    room('out', out, at, 1);
    this.dynamics.declared.readPair(k, pair, out, at);
  }

  /** Points of the elastic face of contact k; 0 where it has none. */
  pointCount(k: number): number {
    index('contact', k, this.contactCount);
    return this.dynamics.declared.pointCountOf(k);
  }

  /** Columns of POINT_READOUT of point `p` < pointCount(k), as of the last step. @alloc none */
  readPoint(k: number, p: number, out: Float64Array, at: number): void {
    index('point', p, this.pointCount(k));
    room('out', out, at, POINT_READOUT.length);
    this.dynamics.declared.readPoint(k, p, out, at);
  }

  /** Columns of FACE_READOUT of all elastic faces together, as of the last step. @alloc none */
  readFaces(out: Float64Array, at: number): void {
    room('out', out, at, FACE_READOUT.length);
    this.dynamics.declared.readFaces(out, at);
  }

  /** Which cells each sub-model of contact k has, as `cell of i/cell of j`; empty for a free one. */
  cellPairs(k: number): string[] {
    const { declared } = this.dynamics;
    return Array.from({ length: this.pairCount(k) }, (_, slot) => declared.pairName(k, slot));
  }

  /** How many pairs of cells of contact k have their overlap computed by which method; empty for a point contact. */
  overlapMethods(k: number): ReadonlyMap<OverlapMethod, number> {
    index('contact', k, this.contactCount);
    return this.dynamics.declared.groupOf(k)?.methods ?? new Map<OverlapMethod, number>();
  }

  /**
   * Largest estimate of the relative error of a volume among the cell pairs of contact k, as of the last step; 0 by exact methods
   * and for a point contact.
   */
  overlapError(k: number): number {
    index('contact', k, this.contactCount);
    return this.dynamics.declared.groupOf(k)?.overlapError ?? 0;
  }

  /** Pairs of cells or facets that touched and found no room, and steps of elastic faces with more points than may push at once, summed over sub-steps and contacts since time zero. @alloc none */
  get exhaustedPairs(): number {
    const { groups } = this.dynamics.declared;
    let sum = 0;
    for (let g = 0; g < groups.length; g++) sum += groups[g].exhausted;
    const { spread } = this.dynamics.declared;
    for (let k = 0; k < spread.length; k++) sum += spread[k].memory[REFUSED];
    const { elastic } = this.dynamics.declared;
    for (let k = 0; k < elastic.length; k++) sum += elastic[k].memory[LIMITED_STEPS];
    return sum;
  }

  /**
   * The contacts whose bodies of facets are inside of each other where they were measured last, as `name (body and body)`: the standoff was
   * too thin for the impact, and their forces mean nothing. Empty as a rule.
   */
  get penetrations(): string[] {
    return this.dynamics.declared.spread
      .filter(({ penetrates }) => penetrates)
      .map(({ name }) => {
        const spec = this.model.contacts[this.contactIndex(name)];
        return `${name} (${spec.bodyI} and ${spec.bodyJ})`;
      });
  }

  /**
   * The contacts that were crossed in the last step, as `name (body and body)`: their bodies moved through each other without a force, or by
   * more than a force could hold. Empty as a rule. docs/theory/crossing.md
   */
  get crossings(): string[] {
    return this.guard.crossed.map((k) => {
      const { name, bodyI, bodyJ } = this.model.contacts[k];
      return `${name} (${bodyI} and ${bodyJ})`;
    });
  }

  /** How many they are, and the index of the first one, −1 for none. @alloc none */
  get crossedCount(): number {
    return this.guard.count;
  }

  get firstCrossed(): number {
    return this.guard.first;
  }

  /** How many contacts have their bodies inside of each other, and the index of the first one, −1 for none. @alloc none */
  get penetratedCount(): number {
    const { spread } = this.dynamics.declared;
    let count = 0;
    for (let k = 0; k < spread.length; k++) if (spread[k].penetrates) count++;
    return count;
  }

  get firstPenetrated(): number {
    const { spread } = this.dynamics.declared;
    for (let k = 0; k < spread.length; k++)
      if (spread[k].penetrates) return this.contactIndex(spread[k].name);
    return -1;
  }

  /** (Sub-)steps and contacts that found bodies of facets inside of each other, since time zero. @alloc none */
  get penetratedSteps(): number {
    const { spread } = this.dynamics.declared;
    let sum = 0;
    for (let k = 0; k < spread.length; k++) sum += spread[k].memory[PENETRATED];
    return sum;
  }

  /** Poses of contacts of free form, in (sub-)steps since time zero, whose place was not found: a stand-in took its place. @alloc none */
  get standInPoses(): number {
    const { freeform } = this.dynamics.declared;
    let sum = 0;
    for (let k = 0; k < freeform.length; k++) sum += freeform[k].standIns;
    return sum;
  }

  /** Residuals of the constraint rows that act after the last step: m, rad, m/s, rad/s from `at` on; NaN without constraints. @alloc none */
  readDrift(out: Float64Array, at: number): void {
    room('out', out, at, 4);
    for (let c = 0; c < 4; c++) out[at + c] = Number.NaN;
    this.dynamics.constraints?.readDrift(out, at);
  }

  /**
   * Of surfaces that touch, sliding or in contacts of free form: the least k_2 L (NaN without), Newton steps since the system was made, and places
   * that are held or that the last searches found. No part of the state: after one is restored, steps are made again. @alloc none
   */
  readTouches(out: Float64Array, at: number): void {
    room('out', out, at, 3);
    out[at] = Number.NaN;
    out[at + 1] = 0;
    out[at + 2] = 0;
    this.dynamics.declared.addFreeform(out, at);
    this.dynamics.constraints?.addTouches(out, at);
    out[at] *= CURVATURE_LENGTH;
  }

  /** Places of contacts of free form that the last step followed without a search of all faces. No part of the state. @alloc none */
  get followedPlaces(): number {
    return this.dynamics.declared.followedPlaces;
  }

  /** Whether contact k, or constraint k − contactCount, is one of surfaces of free form. */
  hasSurfaces(k: number): boolean {
    const { declared, constraints } = this.dynamics;
    index('contact or constraint', k, this.contactCount + this.constraintCount);
    if (k < this.contactCount) return declared.isFreeform(k);
    return constraints?.rows.constraints[k - this.contactCount].touch !== null;
  }

  /** Columns of TOUCH_READOUT after the last step of contact k, or of constraint k − contactCount; 0 while no surfaces touch there. @alloc none */
  readTouch(k: number, out: Float64Array, at: number): void {
    const { contactCount } = this;
    index('contact or constraint', k, contactCount + this.constraintCount);
    room('out', out, at, TOUCH_READOUT.length);
    const { declared, constraints } = this.dynamics;
    if (k < contactCount) declared.readTouch(k, out, at);
    else constraints?.readTouch(k - contactCount, out, at);
  }

  /** What touches here and in a system of the same model began with the same impact, see src/contact/shared-impact.ts. @alloc none */
  shareImpacts(other: System): void {
    shareImpacts(this.dynamics.declared, other.dynamics.declared);
  }

  /** Sum of the contact wrenches on a body about a world point, as of the last step. @alloc none */
  contactWrench(
    body: number,
    px: number,
    py: number,
    pz: number,
    out: Float64Array,
    at: number,
  ): void {
    index('body', body, this.bodyCount);
    room('out', out, at, 6);
    for (let a = 0; a < 6; a++) out[at + a] = 0;
    const target = this.dynamics.parts[body];
    const { contacts } = this.dynamics;
    for (let k = 0; k < contacts.length; k++) {
      const contact = contacts[k];
      const sign = contact.i === target ? 1 : contact.j === target ? -1 : 0;
      if (sign === 0 || contact.readout[0] === 0) continue;
      const r = contact.readout;
      const fx = sign * (r[3] * r[19] + r[4]);
      const fy = sign * (r[3] * r[20] + r[5]);
      const fz = sign * (r[3] * r[21] + r[6]);
      const x = r[16] - px;
      const y = r[17] - py;
      const z = r[18] - pz;
      out[at] += fx;
      out[at + 1] += fy;
      out[at + 2] += fz;
      out[at + 3] += y * fz - z * fy + sign * r[22];
      out[at + 4] += z * fx - x * fz + sign * r[23];
      out[at + 5] += x * fy - y * fx + sign * r[24];
    }
  }

  /** Rows that the constraints before them hold after the last step, as in a singular place of a mechanism: they push nothing. @alloc none */
  get redundantRows(): number {
    return this.dynamics.constraints?.redundantRows ?? 0;
  }

  /** Whether constraint k has parted: a unilateral one that does not press. @alloc none */
  isOpen(k: number): boolean {
    index('constraint', k, this.constraintCount);
    return this.dynamics.constraints?.isOpen(k) ?? false;
  }

  /** How often unilateral constraints parted, and met again, bounces too, since time zero. @alloc none */
  get constraintReleases(): number {
    return this.dynamics.constraints?.releases ?? 0;
  }

  get constraintLandings(): number {
    return this.dynamics.constraints?.landings ?? 0;
  }

  /** Bodies and links whose velocities did not fit the constraints at the start, and by how much they were changed. */
  get startChanges(): readonly StartChange[] {
    return this.dynamics.constraints?.startChanges ?? [];
  }

  /** Columns of CONSTRAINT_READOUT of constraint k after the last step. @alloc none */
  readConstraint(k: number, out: Float64Array, at: number): void {
    index('constraint', k, this.constraintCount);
    room('out', out, at, CONSTRAINT_READOUT.length);
    this.dynamics.constraints?.read(k, out, at);
  }

  /** Columns of ENERGY_READOUT after the last step. @alloc none */
  readEnergy(out: Float64Array, at: number): void {
    room('out', out, at, ENERGY_READOUT.length);
    this.dynamics.ledger.read(out, at);
  }

  /** Names and places of what `state` is made of. */
  get slices(): readonly Slice[] {
    return this.dynamics.arena.slices;
  }

  /** Copies the whole state out; `into` is as long as `state`. @alloc none */
  snapshot(into: Float64Array): void {
    room('into', into, 0, this.state.length);
    this.dynamics.arena.snapshot(into);
  }

  /** Puts a snapshot back. @alloc none */
  restore(from: Float64Array): void {
    room('from', from, 0, this.state.length);
    const { arena } = this.dynamics;
    this.restored.set(from);
    arena.restore(from);
    this.dynamics.refresh();
    arena.restore(this.restored); // measuring moves places that are followed, whose memory is state
  }

  /** 64-bit FNV-1a of the state, hex. */
  hash(): string {
    return this.dynamics.arena.hash();
  }
}

/**
 * Builds a system; throws BerthError for a model that cannot be run. Allocates everything that a step needs.
 * @param kernels for contacts whose laws have loops; without them the reference modules give the same bits, more slowly
 */
export function makeSystem(model: SystemModel, kernels: ContactKernels | null = null): System {
  checkModel(model);
  const system = new System(model, kernels);
  const inside = system.penetrations;
  if (inside.length === 0) return system;
  throw new BerthError(
    'BERTH_MISMATCH',
    `Expected bodies of facets to start outside of each other, got bodies that cut or hold each other in contact ${inside.join(', ')}`,
    { field: 'contacts' },
  );
}
