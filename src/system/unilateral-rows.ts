/**
 * Constraints that only push, in a step by RATTLE: which of their rows act. Each stage of the step solves with those that act until
 *
 *   a row that acts has an impulse >= 0, and a row that does not act has a gap >= 0 at the end:
 *
 * a row whose impulse would pull opens, and its part of the last force is taken back; one whose gap would close acts, and its surfaces
 * meet at the end of the step. There the rate of the gap becomes −e times the one before, others as they are held.
 * Both impulses of an impact act against the approach, so that they take energy: p (ċ before + ċ after)/2. The half of the forces that the
 * drift begins with did its work on the way without the impact; what the shorter way leaves of that is no loss. docs/theory/locks.md.
 */
import { LANDINGS, OPEN, RELEASES, type Unilateral } from '../constraints/constraint.ts';
import type { RowSystem } from '../constraints/row-system.ts';
import { CLOSED } from './system-constraints.ts';

/** The rows of one system that may open. */
export class UnilateralRows {
  readonly count: number;
  /** Changes of the rows that act in one stage; the last choice stands after them. */
  readonly mostChanges: number;
  /** Of all rows: J v + c_t at the start of the step, and before the impulses of a stage. */
  readonly starts: Float64Array;
  readonly rates: Float64Array;
  /** [energy that impacts took in this step, J]. */
  readonly loss: Float64Array = new Float64Array(1);
  /** Of all rows: forces of the last step that are taken back, as impulses. */
  readonly returned: Float64Array;
  readonly #rows: RowSystem;
  readonly #places: Int32Array;
  readonly #owners: readonly Unilateral[];
  /** Whether a row was open at the start of the step, meets in it, and then leaves again. */
  readonly #wasOpen: Uint8Array;
  readonly #lands: Uint8Array;
  readonly #bounces: Uint8Array;
  /** Rate of the gap before the impact, m/s. */
  readonly #approach: Float64Array;
  /** Rates that the end of the step aims at. */
  readonly #targets: Float64Array;

  constructor(rows: RowSystem) {
    const places: number[] = [];
    const owners: Unilateral[] = [];
    rows.constraints.forEach(({ unilateral }, k) => {
      if (unilateral === null) return;
      places.push(rows.starts[k]);
      owners.push(unilateral);
    });
    this.#rows = rows;
    this.#places = Int32Array.from(places);
    this.#owners = owners;
    this.count = places.length;
    this.mostChanges = 2 * places.length + 2;
    this.starts = new Float64Array(rows.count);
    this.rates = new Float64Array(rows.count);
    this.returned = new Float64Array(rows.count);
    this.#wasOpen = new Uint8Array(places.length);
    this.#lands = new Uint8Array(places.length);
    this.#bounces = new Uint8Array(places.length);
    this.#approach = new Float64Array(places.length);
    this.#targets = new Float64Array(rows.count);
  }

  /** At the start of a step, before its forces. @alloc none */
  begin(): void {
    this.#rows.measureRates(this.starts);
    this.loss[0] = 0;
    this.#lands.fill(0);
    this.#bounces.fill(0);
    for (let k = 0; k < this.count; k++) this.#wasOpen[k] = this.#owners[k].memory[OPEN];
  }

  /**
   * Opens and closes rows after a drift; `returned` gets share[0] λ of those that open, and their multipliers become 0.
   * @returns whether the drift has to be made again
   * @alloc none
   */
  changeInDrift(impulses: Float64Array, multipliers: Float64Array, share: Float64Array): boolean {
    const { gaps } = this.#rows;
    let changed = false;
    this.returned.fill(0);
    for (let k = 0; k < this.count; k++) {
      const r = this.#places[k];
      const { memory } = this.#owners[k];
      if (memory[OPEN] === 1) {
        if (gaps[r] >= -CLOSED) continue; // a gap of NaN, of a lost foot, acts too: the step fails by it
        memory[OPEN] = 0;
        this.#lands[k] = this.#wasOpen[k];
        this.#approach[k] = this.rates[r];
        changed = true;
      } else if (impulses[r] + share[0] * multipliers[r] < 0) {
        memory[OPEN] = 1;
        this.#lands[k] = 0;
        this.returned[r] = -share[0] * multipliers[r];
        multipliers[r] = 0;
        changed = true;
      }
    }
    return changed;
  }

  /** What the impulses of a drift took from rows that meet, by the rates after it. @alloc none */
  bookDrift(impulses: Float64Array, after: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      const r = this.#places[k];
      if (this.#lands[k] === 0) continue;
      this.loss[0] -= impulses[r] * (this.starts[r] + 0.5 * (after[r] - this.rates[r]));
    }
  }

  /** out := right sides of the rows at the end of the step, which `factors.solve` turns into impulses. @alloc none */
  fillTargets(out: Float64Array): void {
    const targets = this.#targets;
    targets.fill(0);
    for (let k = 0; k < this.count; k++) {
      const { restitution, smallVelocity } = this.#owners[k];
      const speed = -this.#approach[k];
      this.#bounces[k] = this.#lands[k] === 1 && restitution > 0 && speed > smallVelocity ? 1 : 0;
      if (this.#bounces[k] === 1) targets[this.#places[k]] = restitution * speed;
    }
    for (let r = 0; r < out.length; r++) out[r] = targets[r] - this.rates[r];
  }

  /**
   * Opens rows that would pull at the end of the step. `before` are their impulses of this stage so far; `returned` gets minus those of rows
   * that open. @returns whether the rates have to be solved for again
   * @alloc none
   */
  changeAtEnd(impulses: Float64Array, before: Float64Array): boolean {
    let changed = false;
    this.returned.fill(0);
    for (let k = 0; k < this.count; k++) {
      const r = this.#places[k];
      const { memory } = this.#owners[k];
      if (memory[OPEN] === 1 || !(impulses[r] + before[r] < 0)) continue;
      memory[OPEN] = 1;
      this.returned[r] = -before[r];
      changed = true;
    }
    return changed;
  }

  /** Losses of the impacts, what parts again, and counts. @alloc none */
  finish(impulses: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      const r = this.#places[k];
      const { memory } = this.#owners[k];
      if (this.#lands[k] === 1) {
        memory[LANDINGS]++;
        this.loss[0] -= 0.5 * impulses[r] * (this.rates[r] + this.#targets[r]);
        if (this.#bounces[k] === 1) memory[OPEN] = 1;
      } else if (this.#wasOpen[k] === 0 && memory[OPEN] === 1) memory[RELEASES]++;
    }
  }

  /** multipliers := 0 where rows do not act. @alloc none */
  clearOpen(multipliers: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      if (this.#owners[k].memory[OPEN] === 1) multipliers[this.#places[k]] = 0;
    }
  }
}
