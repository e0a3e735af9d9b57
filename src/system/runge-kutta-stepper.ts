/**
 * Explicit Runge–Kutta with contact events once a step: the reference path. A contact that closes within the step is found by a
 * trial step, begun with the rate at touch (linear between the ends). The step is made again, so that no penetration is jumped
 * over.
 */
import { GAP, RATE } from '../contact/pair.ts';
import type { Dynamics } from './dynamics.ts';
import { START, STEP, TIMING } from '../integrate/one-step.ts';
import { ExplicitRungeKutta } from '../integrate/runge-kutta.ts';
import type { RungeKuttaTableau } from '../integrate/tableaus.ts';
import { DynamicsProblem } from './dynamics-problem.ts';
import type { Stepper } from './stepper.ts';

/** Of methods without an error estimate. */
const NO_TOLERANCE = Object.freeze({ relative: 1, absolute: 1 });

/** Steps the whole system by one Runge–Kutta step. */
export class RungeKuttaStepper implements Stepper {
  readonly substeps: number = 1;
  readonly substepBoundHit: boolean = false;
  readonly guarded: boolean = false;
  readonly failed: boolean = false;
  readonly endsMeasured: boolean;
  readonly counts: null = null;
  private readonly dynamics: Dynamics;
  private readonly problem: DynamicsProblem;
  private readonly method: ExplicitRungeKutta;
  private readonly timing: Float64Array = new Float64Array(TIMING);
  /** State before the trial step. */
  private readonly trial: Float64Array;
  private readonly gaps: Float64Array;
  private readonly gapRates: Float64Array;

  constructor(dynamics: Dynamics, tableau: RungeKuttaTableau) {
    this.dynamics = dynamics;
    this.endsMeasured = dynamics.drive === null;
    this.problem = new DynamicsProblem(dynamics, false);
    this.method = new ExplicitRungeKutta(this.problem, tableau, NO_TOLERANCE);
    this.trial = new Float64Array(dynamics.state.length);
    this.gaps = new Float64Array(dynamics.contacts.length);
    this.gapRates = new Float64Array(dynamics.contacts.length);
  }

  step(): void {
    const drive = this.dynamics.drive;
    this.timing[STEP] = this.dynamics.stepLength[0];
    this.timing[START] = 0;
    if (drive !== null) drive.beforeRungeKutta(this.timing);
    const { movers } = this.dynamics;
    for (let m = 0; m < movers.length; m++) if (movers[m].led) movers[m].refresh();
    const { points, groups } = this.dynamics.declared;
    for (let k = 0; k < points.length; k++) {
      const contact = points[k];
      contact.measure();
      contact.fresh = false;
      if (contact.active && contact.kinematics[GAP] >= 0) contact.end();
      else if (!contact.active && contact.kinematics[GAP] < 0) {
        contact.begin(contact.kinematics[RATE], 0);
        contact.fresh = true;
      }
      this.gaps[k] = contact.kinematics[GAP];
      this.gapRates[k] = contact.kinematics[RATE];
    }
    for (let g = 0; g < groups.length; g++) groups[g].update(false);
    this.prepareCurrent();
    this.trial.set(this.dynamics.state);
    this.advance();
    this.dynamics.place();
    if (this.closesWithinStep()) {
      this.advance();
      this.dynamics.place();
    }
    for (let m = 0; m < movers.length; m++) movers[m].normalize();
    this.problem.closeConstraints();
    if (drive !== null) drive.placePayload();
    this.dynamics.evaluateForces(); // forces of the read-out belong to the state after the step
  }

  /** One step from values where the bodies stand and point contacts are measured. */
  private advance(): void {
    const { drive, declared } = this.dynamics;
    if (drive !== null) {
      drive.placePayload();
      for (let k = 0; k < declared.points.length; k++) declared.points[k].measure();
    }
    this.problem.placed = true;
    this.method.start(this.timing);
    this.method.attempt(this.timing);
  }

  private closesWithinStep(): boolean {
    let closes = false;
    const { points, groups } = this.dynamics.declared;
    for (let k = 0; k < points.length; k++) {
      const contact = points[k];
      if (contact.active) continue;
      contact.measure();
      const gap = contact.kinematics[GAP];
      if (gap >= 0) continue;
      const fraction = this.gaps[k] / (this.gaps[k] - gap);
      this.gapRates[k] += fraction * (contact.kinematics[RATE] - this.gapRates[k]);
      this.gaps[k] = Number.NaN; // marks the contact for onset
      closes = true;
    }
    for (let g = 0; g < groups.length; g++) if (groups[g].findClosing()) closes = true;
    if (!closes) return false;
    this.dynamics.state.set(this.trial);
    this.dynamics.place();
    for (let k = 0; k < points.length; k++) {
      if (Number.isNaN(this.gaps[k])) points[k].begin(this.gapRates[k], 0);
      points[k].measure();
    }
    for (let g = 0; g < groups.length; g++) groups[g].beginClosing();
    this.dynamics.gather();
    return true;
  }

  /** Contacts that touch: what is fixed at the start of the step; energy found in new ones is booked. */
  private prepareCurrent(): void {
    const { dynamics } = this;
    dynamics.gather();
    const { items, count } = dynamics.current;
    for (let k = 0; k < count; k++) {
      const contact = items[k];
      if (contact.fresh) {
        contact.computeElastic();
        dynamics.ledger.addFound(contact, dynamics.clock[0] === 0);
      }
      contact.friction.prepare(contact.kinematics, this.timing);
    }
  }
}
