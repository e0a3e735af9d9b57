/**
 * Constraints in the discrete step, by RATTLE: gaps and J only, no second derivatives. `Andersen 1983`.
 *
 *   v½ = v + h/2 M⁻¹ (F(q) + Jᵀ λ)        q' = q + h v½
 *   repeat: Δ = −A⁻¹ c(q')/h, v½ += M⁻¹ Jᵀ Δ, q' = q + h v½
 *   v' = v½ + h/2 M⁻¹ (F(q') + J'ᵀ λ)     μ = −A'⁻¹ (J' v' + c_t), v' += M⁻¹ J'ᵀ μ        λ' = λ + 2 μ/h
 *
 * λ are the multipliers of the step before. For bodies they are only where the search for Δ begins. The smooth step of a tree, which is
 * the mid-point rule, meets the forces of the rows in its middle by them. While a contact touches what is constrained, forces count
 * fully at the start of the step and positions move with the rates that contacts leave, as without constraints: λ' = λ + (Δ + μ)/h.
 * Rows that only push are chosen anew in both stages: unilateral-rows.ts.
 */
import type { ContactModel } from '../contact/contact-model.ts';
import type { Dynamics } from './dynamics.ts';
import type { SystemConstraints } from './system-constraints.ts';
import { UnilateralRows } from './unilateral-rows.ts';

/** Closures of the positions in a step: what is left goes into the next one. Each leaves a part of the order of the turn in a step. */
const MOST_PASSES = 6;

/** The constraints of one system in its sub-steps. */
export class Rattle {
  readonly #dynamics: Dynamics;
  readonly #constraints: SystemConstraints;
  /** Contacts of what is constrained. */
  readonly #contacts: ReadonlySet<ContactModel>;
  /** States of the movers from which a drift begins. */
  readonly #starts: readonly Float64Array[];
  readonly #impulses: Float64Array;
  readonly #step: Float64Array;
  /** Rates that are imposed on the rows. */
  readonly #imposed: Float64Array;
  readonly #half: Float64Array = new Float64Array(1);
  readonly #work: Float64Array = new Float64Array(1);
  #touched = false;
  /** Null where every row holds both ways. */
  readonly #unilateral: UnilateralRows | null;
  /** Velocities and poses from which the drift of a step begins; its rates at the end; part of the step in [s] that λ acts in a stage. */
  readonly #launches: readonly Float64Array[];
  readonly #rates: Float64Array;
  readonly #share: Float64Array = new Float64Array(1);
  readonly #before: Float64Array;

  constructor(dynamics: Dynamics, constraints: SystemConstraints) {
    this.#dynamics = dynamics;
    this.#constraints = constraints;
    const parts = new Set<ContactModel['i']>(constraints.movers.flatMap((mover) => mover.parts));
    this.#contacts = new Set(dynamics.contacts.filter(({ i, j }) => parts.has(i) || parts.has(j)));
    this.#starts = constraints.movers.map(({ state }) => state.slice());
    this.#impulses = new Float64Array(constraints.rows.count);
    this.#step = new Float64Array(constraints.rows.count);
    this.#imposed = new Float64Array(constraints.rows.count);
    const unilateral = new UnilateralRows(constraints.rows);
    this.#unilateral = unilateral.count === 0 ? null : unilateral;
    this.#launches = constraints.movers.map(({ state }) => state.slice());
    this.#rates = new Float64Array(constraints.rows.count);
    this.#before = new Float64Array(constraints.rows.count);
  }

  /** Sets the time of a step back to that of the system. @alloc none */
  open(): void {
    this.#constraints.clock[0] = this.#dynamics.clock[0];
  }

  /** Rows at the start of a sub-step, and the forces of their last multipliers into the wrenches. @alloc none */
  begin(): void {
    const { rows, multipliers } = this.#constraints;
    const { items, count } = this.#dynamics.current;
    this.#touched = false;
    for (let k = 0; k < count; k++) if (this.#contacts.has(items[k])) this.#touched = true;
    rows.build();
    this.#unilateral?.begin();
    rows.measureImposed(this.#imposed);
    rows.addWrenches(multipliers);
  }

  /** Positions after timing[0], on the rows, and the velocities there; the work of imposed motions. @alloc none */
  move(timing: Float64Array): void {
    const { movers, clock } = this.#constraints;
    const h = timing[0];
    if (this.#touched) {
      for (let m = 0; m < movers.length; m++) movers[m].pushed = true;
    } else {
      this.#half[0] = -0.5 * h; // half of what `applyWrenches` gave to bodies waits for the end
      for (let m = 0; m < movers.length; m++) movers[m].applyWrenches(this.#half);
    }
    clock[0] += h;
    this.#work[0] = 0;
    if (this.#unilateral === null) this.#drift(timing);
    else this.#driftAndMeet(timing, this.#unilateral);
    if (this.#touched) this.#closeTouched(timing);
    else this.#closeSmooth(timing);
    this.#constraints.refresh();
    this.#dynamics.ledger.addImposedWork(this.#work);
    if (this.#unilateral !== null) this.#dynamics.ledger.addImpactLoss(this.#unilateral.loss);
  }

  /** Drifts until no row pulls and no gap is below 0. */
  #driftAndMeet(timing: Float64Array, unilateral: UnilateralRows): void {
    const { rows, movers, multipliers } = this.#constraints;
    const impulses = this.#impulses;
    this.#share[0] = this.#touched ? timing[0] : 0.5 * timing[0];
    for (let m = 0; m < movers.length; m++) this.#launches[m].set(movers[m].state);
    rows.measureRates(unilateral.rates);
    for (let change = 0; ; change++) {
      this.#drift(timing);
      if (change === unilateral.mostChanges) break;
      if (!unilateral.changeInDrift(impulses, multipliers, this.#share)) break;
      for (let m = 0; m < movers.length; m++) {
        movers[m].state.set(this.#launches[m]);
        movers[m].refresh();
        movers[m].prepare(timing);
      }
      rows.push(unilateral.returned);
      if (!this.#touched) rows.pushLinks(unilateral.returned); // which took the whole
      this.#markPushed();
      for (let m = 0; m < movers.length; m++) this.#launches[m].set(movers[m].state);
      rows.rebuild();
      rows.measureRates(unilateral.rates);
    }
    rows.measureRates(this.#rates);
    unilateral.bookDrift(impulses, this.#rates);
  }

  /** step := impulses that bring the velocities onto the rows; `before` are those of the stage so far. */
  #solveEnd(step: Float64Array): void {
    const unilateral = this.#unilateral;
    if (unilateral === null) {
      this.#constraints.solveVelocities(step);
      return;
    }
    const { rows, multipliers } = this.#constraints;
    rows.measureRates(unilateral.rates);
    for (let change = 0; change <= unilateral.mostChanges; change++) {
      unilateral.fillTargets(step);
      rows.factors.solve(step);
      if (!unilateral.changeAtEnd(step, this.#before)) break;
      if (!this.#touched) {
        rows.push(unilateral.returned);
        rows.measureRates(unilateral.rates);
      }
      unilateral.clearOpen(multipliers);
      rows.rebuild();
    }
    unilateral.finish(step);
  }

  /** Drifts and closes the gaps at the end; the impulses of the rows are left in `impulses`. */
  #drift(timing: Float64Array): void {
    const { rows, movers } = this.#constraints;
    const impulses = this.#impulses;
    const step = this.#step;
    impulses.fill(0);
    for (let pass = 0; ; pass++) {
      for (let m = 0; m < movers.length; m++) {
        this.#starts[m].set(movers[m].state);
        movers[m].advancePose(timing);
        movers[m].refresh();
      }
      rows.measureGaps();
      if (pass === MOST_PASSES || this.#constraints.closed) return;
      for (let m = 0; m < movers.length; m++) {
        movers[m].state.set(this.#starts[m]);
        movers[m].refresh();
        movers[m].prepare(timing);
      }
      for (let r = 0; r < step.length; r++) step[r] = -rows.gaps[r] / timing[0];
      rows.factors.solve(step);
      rows.push(step);
      this.#markPushed();
      for (let r = 0; r < step.length; r++) impulses[r] += step[r];
    }
  }

  /** Second half of the forces, and velocities onto the rows. */
  #closeSmooth(timing: Float64Array): void {
    const { rows, movers, multipliers } = this.#constraints;
    const impulses = this.#impulses;
    const step = this.#step;
    const half = 0.5 * timing[0];
    for (let r = 0; r < step.length; r++) {
      step[r] = -half * multipliers[r];
      impulses[r] -= step[r];
    }
    rows.pushLinks(step); // of J(q) the smooth step of a tree has taken the whole
    rows.build();
    for (let r = 0; r < step.length; r++) step[r] = half * multipliers[r];
    this.#before.set(step);
    rows.push(step);
    this.#dynamics.collectForces();
    this.#half[0] = half;
    for (let m = 0; m < movers.length; m++) {
      if (!movers[m].wholeSteps) movers[m].applyWrenches(this.#half);
    }
    this.#solveEnd(step);
    rows.push(step);
    this.#markPushed();
    this.#addWork(impulses);
    for (let r = 0; r < step.length; r++) {
      step[r] += half * multipliers[r];
      multipliers[r] = step[r] / half;
    }
    this.#unilateral?.clearOpen(multipliers);
    rows.measureImposed(this.#imposed);
    this.#addWork(step);
  }

  /** Velocities onto the rows; the multipliers are the mean of the step. */
  #closeTouched(timing: Float64Array): void {
    const { rows, multipliers } = this.#constraints;
    const impulses = this.#impulses;
    const step = this.#step;
    const h = timing[0];
    for (let r = 0; r < step.length; r++) impulses[r] += h * multipliers[r];
    rows.build();
    this.#before.set(impulses);
    this.#solveEnd(step);
    rows.push(step);
    this.#addWork(impulses);
    rows.measureImposed(this.#imposed);
    this.#addWork(step);
    for (let r = 0; r < step.length; r++) multipliers[r] = (impulses[r] + step[r]) / h;
    this.#unilateral?.clearOpen(multipliers);
  }

  /** Work of imposed motions at the rates that are there, by impulses of the rows. */
  #addWork(impulses: Float64Array): void {
    const imposed = this.#imposed;
    for (let r = 0; r < impulses.length; r++) this.#work[0] -= impulses[r] * imposed[r];
  }

  /** Impulses of rows do not count as those of contacts: see Mover. */
  #markPushed(): void {
    const { movers } = this.#constraints;
    for (let m = 0; m < movers.length; m++) movers[m].pushed = this.#touched;
  }
}
