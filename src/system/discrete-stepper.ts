/**
 * The discrete step: equal sub-steps as many as the stiffest contact needs, at most `maximumSubsteps`. In each: geometry
 * and contact events, elastic forces, velocities (other forces, then contacts), poses with the new velocities, contact states.
 * Contacts are implicit in their velocities (`implicit-contact`) or explicit (`symplectic-euler`). docs/theory/implicit-step.md.
 */
import { addressIn } from '../contact/contact-loops.ts';
import { ContactNewton } from '../integrate/contact-newton.ts';
import type { CrossingGuard } from './crossing-guard.ts';
import type { Dynamics } from './dynamics.ts';
import { prepareImplicit } from '../integrate/implicit-contact.ts';
import { FaceLevels } from './face-levels.ts';
import { FaceParts } from './face-parts.ts';
import { Rattle } from './rattle.ts';
import { type Portion, StepPortions } from './step-portions.ts';
import type { Stepper } from './stepper.ts';
import { LoopMode } from '../control/tool-port.ts';

/** Implicit or explicit contacts, poses with the new velocities. */
export class DiscreteStepper implements Stepper {
  substeps = 1;
  substepBoundHit = false;
  readonly guarded: boolean = true;
  readonly failed: boolean = false;
  endsMeasured = false;
  private readonly dynamics: Dynamics;
  private readonly guard: CrossingGuard;
  private readonly portions: StepPortions;
  readonly counts: Float64Array | null;
  /** Null where contacts are explicit. */
  private readonly newton: ContactNewton | null;
  private readonly faces: FaceParts;
  private readonly levels: FaceLevels;
  /** Null without constraints. */
  private readonly rattle: Rattle | null;
  /** Whether nothing moves but a payload and its arm, which touches nothing: poses then stay from the contacts on, but in simulation. */
  private readonly rests: boolean;
  /** Whether contacts have been measured, by `countSubsteps`, where the bodies stand. */
  private measured = false;
  /** [length of the sub-step, s]: a double passed to a call that is not inlined would be allocated. */
  private readonly timing: Float64Array;
  private readonly timingAt: number;

  constructor(dynamics: Dynamics, guard: CrossingGuard, implicit: boolean) {
    this.dynamics = dynamics;
    this.guard = guard;
    this.portions = new StepPortions(dynamics);
    this.timing = dynamics.columns.doubles(1);
    this.timingAt = addressIn(this.timing);
    const { drive, contacts } = dynamics;
    this.rests =
      this.portions.whole.freeCount === 0 &&
      drive !== null &&
      contacts.every(({ i, j }) => i !== drive.arm && j !== drive.arm);
    const { parts, ledger, loops } = dynamics;
    this.newton = implicit ? new ContactNewton(contacts, parts, ledger.oldTwists, loops) : null;
    this.counts = this.newton?.counts ?? null;
    this.faces = new FaceParts(dynamics);
    this.levels = new FaceLevels(dynamics);
    const { constraints } = dynamics;
    this.rattle = constraints === null ? null : new Rattle(dynamics, constraints);
  }

  step(): void {
    this.substepBoundHit = false;
    const n = this.countSubsteps();
    this.substeps = n;
    const { drive, stepLength, model, moving } = this.dynamics;
    const { portions } = this;
    this.endsMeasured = this.rests && drive?.port.mode !== LoopMode.SIMULATION;
    if (this.rattle !== null) this.rattle.open();
    const apart =
      this.rattle === null &&
      n > 1 &&
      drive === null &&
      moving.length > 1 &&
      !this.guard.armed &&
      this.dynamics.grapples.length === 0;
    if (!apart || !portions.find(stepLength, model.maximumSubsteps)) {
      this.advance(portions.whole, n);
      this.readParts();
      return;
    }
    for (let own = portions.next(0); own > 0; own = portions.next(own)) {
      portions.take(own);
      this.advance(portions.part, own);
    }
    this.dynamics.gather();
    this.readParts();
  }

  /** What faces took by themselves counts, too. */
  private readParts(): void {
    const { most, bounded } = this.faces;
    if (most > this.substeps) this.substeps = most;
    if (bounded) this.substepBoundHit = true;
  }

  /** Takes what belongs to a portion through the step in n sub-steps. */
  private advance(portion: Portion, n: number): void {
    this.timing[0] = this.dynamics.stepLength[0] / n;
    this.faces.divide(portion, n);
    this.measured = this.dynamics.drive === null; // a drive may move its payload before contacts are found
    for (let s = 0; s < n; s++) {
      this.guard.open(s, n);
      this.substep(portion);
      this.guard.close();
    }
  }

  private countSubsteps(): number {
    let phase = 0;
    const { points, groups } = this.dynamics.declared;
    const { stepLength } = this.dynamics;
    this.dynamics.declared.computePointPhases(stepLength);
    for (let g = 0; g < groups.length; g++) groups[g].computePhase(stepLength);
    this.guard.raisePhases();
    this.faces.claim(stepLength);
    for (let k = 0; k < points.length; k++) {
      if (points[k].phase[0] > phase) phase = points[k].phase[0];
    }
    for (let g = 0; g < groups.length; g++) {
      const together = Math.sqrt(groups[g].phaseSquare[0]);
      if (together > phase) phase = together;
    }
    const wanted = Math.ceil(phase);
    if (!(wanted > 1)) return 1;
    if (wanted <= this.dynamics.model.maximumSubsteps) return wanted;
    this.substepBoundHit = true;
    return this.dynamics.model.maximumSubsteps;
  }

  private substep(portion: Portion): void {
    const drive = this.dynamics.drive;
    if (drive !== null && drive.port.mode === LoopMode.SIMULATION) drive.placeWithin(this.timing);
    const { movers, moverCount } = portion;
    for (let m = 0; m < moverCount; m++) movers[m].prepare(this.timing);
    this.detect(portion);
    const { items, count } = this.dynamics.current;
    this.dynamics.collectForces();
    this.levels.carry(portion, this.timing);
    this.dynamics.ledger.rememberParts();
    const { grapples, ledger } = this.dynamics;
    for (let k = 0; k < grapples.length; k++) grapples[k].open(ledger);
    this.faces.open(portion);
    if (this.rattle !== null) this.rattle.begin();
    for (let m = 0; m < moverCount; m++) movers[m].applyForces(this.timing);
    if (this.newton === null) {
      for (let k = 0; k < count; k++) items[k].addWrenches();
    }
    for (let m = 0; m < moverCount; m++) movers[m].applyWrenches(this.timing);
    for (let k = 0; k < grapples.length; k++) grapples[k].apply(this.timing);
    this.faces.take();
    if (this.newton !== null) this.newton.solve(this.dynamics.current, this.timing);
    this.faces.finish();
    for (let k = 0; k < grapples.length; k++) grapples[k].account(ledger);
    if (this.rattle === null) this.account(portion);
    if (drive !== null) {
      this.dynamics.computeModelWrench();
      drive.moveArm(this.timing, this.dynamics.stepLength);
      this.dynamics.ledger.addArm(drive.armWork);
    }
    const { free, freeCount } = portion;
    for (let m = 0; m < freeCount; m++) {
      free[m].advancePose(this.timing);
      free[m].refresh();
    }
    this.faces.close();
    if (this.rattle !== null) {
      this.rattle.move(this.timing);
      this.account(portion); // impulses of rows belong to the step: its velocities end with them
    }
    const { loops } = this.dynamics;
    if (loops !== null && count > 0) {
      loops.exports.advanceContacts(loops.currentAt, count, this.timingAt);
    } else for (let k = 0; k < count; k++) items[k].advance(this.timing);
  }

  private account(portion: Portion): void {
    this.dynamics.ledger.account(portion, this.timing, this.dynamics.external);
  }

  /** Starts and ends of contacts, then the elastic forces of those that touch. */
  private detect(portion: Portion): void {
    const { dynamics } = this;
    const { points, pointCount, groups, groupCount } = portion;
    for (let k = 0; k < pointCount; k++) {
      const contact = points[k];
      if (!this.measured) contact.measure();
      const before = contact.active;
      contact.detect();
      contact.fresh = !before && contact.active;
    }
    for (let g = 0; g < groupCount; g++) groups[g].update(this.measured);
    this.measured = false;
    dynamics.gather();
    if (portion !== this.portions.whole) dynamics.current.keep(portion.contacts);
    const { items, count } = dynamics.current;
    if (dynamics.loops !== null && count > 0) {
      const { exports, currentAt } = dynamics.loops;
      exports.prepareContacts(currentAt, count, this.timingAt);
      for (let k = 0; k < count; k++) {
        if (items[k].fresh) dynamics.ledger.addFound(items[k], dynamics.clock[0] === 0);
      }
      return;
    }
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      dynamics.ledger.rememberVelocity(contact);
      if (this.newton !== null) prepareImplicit(contact, this.timing);
      else {
        contact.friction.prepare(contact.kinematics, this.timing);
        contact.computeForce();
      }
      if (contact.fresh) dynamics.ledger.addFound(contact, dynamics.clock[0] === 0);
    }
  }
}
