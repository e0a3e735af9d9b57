/**
 * Steps of parts that touch: Newmark's method with the constraints imposed on the positions at the end of a step, `Kim 1999, 4.2`.
 *
 * q̇₊ = q̇ + [(1 − δ) q̈ + δ q̈₊] Δt,  q₊ = q + q̇ Δt + [(½ − α) q̈ + α q̈₊] Δt²,  α = δ = ½                     (4.4), (4.5)
 * f̂ = M q̈₊ + C q̇₊ + K q₊ + c − f + D λ;  K̂ Δq + D Δλ = −f̂,  P Δq = −g                                    (4.12)–(4.14)
 *
 * A step ends when the energy of the change is below 1e-6 of the largest in the step (4.27), forces are in balance within 1e-4 of the
 * contact forces (4.28), multipliers change by less than 1e-3 (4.29), and no node changes its state. Twenty rounds are the most.
 *
 * With α = ½ the rates of a held node swing with a period of four steps. `project` removes that where a step is shorter than a wave takes
 * through an element of the contact: rates lose what leads into the active rows, accelerations are computed again.
 *
 * E* = ½ q̇ᵀ M q̇ + ½ qᵀ K q + ½ (α − ¼) Δt² q̈ᵀ M q̈ is constant in a linear system without changes of the active set.
 */
import { positive, range } from '../base/parameter-checks.ts';
import { ConstraintRows } from './constraint-rows.ts';
import type { ContactPair } from './contact-pair.ts';
import type { Joint } from './joints.ts';
import type { Subsystem } from './subsystem.ts';

/** Limits of the end of a step, and most rounds. */
const ENERGY = 1e-6;
const BALANCE = 1e-4;
const FORCE = 1e-3;
const ROUNDS = 20;
/** Residual over the contact forces that is rounding: the energy of the change is then nothing but that. */
const ROUNDING = 1e-10;
/**
 * Energy of a change over the largest that is rounding: the residual is then that of the places, 1e-16 of them times 2 M/Δt², which exceeds the
 * limit of balance where a short step has small forces.
 */
const STILL = 1e-14;

/** How a system is stepped. */
export interface ContactStepOptions {
  /** Length of a step, s. */
  readonly step: number;
  /** Whether rates and accelerations are projected on the active rows. */
  readonly project: boolean;
  /** Newmark's α; ½ when left out. */
  readonly alpha?: number;
}

/** Steps of one system. Whatever it needs is allocated at construction. */
export class ContactStep {
  /** Rounds of the last step, and steps that did not settle. */
  rounds = 0;
  unsettled = 0;
  private readonly parts: readonly Subsystem[];
  private readonly pairs: readonly ContactPair[];
  private readonly joints: readonly Joint[];
  private readonly options: ContactStepOptions;
  private readonly alpha: number;
  private readonly rows: ConstraintRows;
  /** State at the start of the step. */
  private readonly q: readonly Float64Array[];
  private readonly rate: readonly Float64Array[];
  private readonly acceleration: readonly Float64Array[];
  private readonly residuals: readonly Float64Array[];
  private readonly changes: readonly Float64Array[];
  /** Largest energy of a change in this step, energy, residual, force of the rows, their change. */
  private readonly measure = new Float64Array(5);
  private readonly part = new Float64Array(3);

  constructor(
    parts: readonly Subsystem[],
    pairs: readonly ContactPair[],
    joints: readonly Joint[],
    options: ContactStepOptions,
  ) {
    const { step, alpha = 0.5 } = options;
    positive('step', step);
    range('alpha', alpha, alpha >= 0.25, '>= 0.25');
    this.parts = parts;
    this.pairs = pairs;
    this.joints = joints;
    this.options = options;
    this.alpha = alpha;
    const capacity =
      pairs.reduce((sum, pair) => sum + pair.capacity, 0) +
      joints.reduce((sum, joint) => sum + joint.capacity, 0);
    this.rows = new ConstraintRows(parts, capacity);
    const vectors = (): readonly Float64Array[] => parts.map(({ size }) => new Float64Array(size));
    this.q = vectors();
    this.rate = vectors();
    this.acceleration = vectors();
    this.residuals = vectors();
    this.changes = vectors();
    const a1 = 0.5 / (alpha * step);
    for (const part of parts) part.setStep(1 / (alpha * step * step), a1);
    for (const joint of joints) joint.setStep?.(a1);
    this.computeAccelerations();
  }

  /** One step. Returns false when it did not settle. @alloc none */
  advance(): boolean {
    const { parts, pairs } = this;
    for (let p = 0; p < parts.length; p++) {
      this.q[p].set(parts[p].q);
      this.rate[p].set(parts[p].rate);
      this.acceleration[p].set(parts[p].acceleration);
    }
    for (const pair of pairs) pair.begin();
    for (const pair of pairs) pair.search();
    let settled = false;
    this.rounds = 0;
    while (!settled && this.rounds < ROUNDS) {
      this.rounds++;
      this.updateRates();
      if (!this.solveRound()) break;
      let changed = false;
      for (const pair of pairs) changed = pair.revise() || changed;
      for (const pair of pairs) changed = pair.search() || changed;
      if (changed || !this.isSmall()) continue;
      for (const pair of pairs) changed = pair.checkPower() || changed;
      settled = !changed;
    }
    this.updateRates();
    for (const pair of pairs) pair.finish();
    let active = 0;
    for (const pair of pairs) active += pair.activeNodes();
    if (active > 0 && this.options.project) this.project();
    if (!settled) this.unsettled++;
    return settled;
  }

  /** out := [kinetic energy, energy of springs, E*], J. @alloc none */
  energies(out: Float64Array): void {
    const { parts, part, alpha } = this;
    const { step } = this.options;
    out.fill(0, 0, 3);
    for (const one of parts) {
      one.energies(part);
      out[0] += part[0];
      out[1] += part[1];
      out[2] += part[0] + part[1] + (alpha - 0.25) * step * step * part[2];
    }
  }

  /** Rates and accelerations that belong to q, (4.24), (4.25). */
  private updateRates(): void {
    const { parts, alpha } = this;
    const { step } = this.options;
    const a0 = 1 / (alpha * step * step);
    const a2 = 1 / (alpha * step);
    const a3 = 0.5 / alpha - 1;
    for (let p = 0; p < parts.length; p++) {
      const { q, rate, acceleration, size } = parts[p];
      for (let e = 0; e < size; e++) {
        const next =
          a0 * (q[e] - this.q[p][e]) - a2 * this.rate[p][e] - a3 * this.acceleration[p][e];
        acceleration[e] = next;
        rate[e] = this.rate[p][e] + 0.5 * step * (this.acceleration[p][e] + next);
      }
    }
  }

  /** One solution with the present states of the nodes; fills `measure`. Returns false when the rows depend on each other. */
  private solveRound(): boolean {
    const { parts, rows, residuals, changes, measure } = this;
    this.fillRows(true);
    for (let p = 0; p < parts.length; p++) {
      parts[p].prepare();
      parts[p].residual(residuals[p]);
      changes[p].fill(0);
    }
    // D λ for itself first: the size of the contact forces
    rows.addForces(changes, false);
    measure[2] = 0;
    measure[3] = 0;
    for (let p = 0; p < parts.length; p++) {
      for (let e = 0; e < parts[p].size; e++) {
        measure[3] += changes[p][e] * changes[p][e];
        residuals[p][e] += changes[p][e];
        changes[p][e] = residuals[p][e];
        measure[2] += residuals[p][e] * residuals[p][e];
      }
    }
    if (!rows.eliminate(changes, false)) return false;
    measure[1] = 0;
    for (let p = 0; p < parts.length; p++) {
      const { q, size } = parts[p];
      for (let e = 0; e < size; e++) {
        measure[1] += changes[p][e] * residuals[p][e];
        q[e] += changes[p][e];
      }
    }
    measure[0] = Math.max(this.rounds === 1 ? 0 : measure[0], Math.abs(measure[1]));
    measure[4] = 0;
    for (let r = 0; r < rows.count; r++) {
      rows.forces[r] += rows.change[r];
      measure[4] += rows.change[r] * rows.change[r];
    }
    let row = 0;
    for (const joint of this.joints) {
      for (let r = 0; r < joint.count; r++) joint.forces[r] = rows.forces[row++];
    }
    for (const pair of this.pairs) row = pair.collect(rows, row);
    return true;
  }

  /** Whether the last round changed little. */
  private isSmall(): boolean {
    const { measure, rows } = this;
    if (this.rounds < 2) return false;
    const still = Math.abs(measure[1]) <= ENERGY * measure[0];
    if (rows.count === 0) return still;
    let forces = 0;
    for (let r = 0; r < rows.count; r++) forces += rows.forces[r] * rows.forces[r];
    const size = Math.max(measure[3], forces);
    if (!still && measure[2] > ROUNDING * ROUNDING * size) return false;
    const balanced =
      measure[2] <= BALANCE * BALANCE * size || Math.abs(measure[1]) <= STILL * measure[0];
    return balanced && measure[4] <= FORCE * FORCE * forces;
  }

  private fillRows(friction: boolean): void {
    const { rows } = this;
    rows.clear();
    for (const joint of this.joints) joint.fill(rows);
    for (const pair of this.pairs) pair.fill(rows, friction);
  }

  /** Rates lose what leads into the active rows; accelerations follow. */
  private project(): void {
    const { parts, rows, changes } = this;
    this.fillRows(false);
    for (let r = 0; r < rows.count; r++) rows.gaps[r] = 0;
    for (let p = 0; p < parts.length; p++) {
      parts[p].prepareMass();
      changes[p].fill(0);
      const { rate, size } = parts[p];
      for (let r = 0; r < rows.count; r++) {
        let sum = 0;
        for (let e = 0; e < size; e++) sum += rows.rows[p][size * r + e] * rate[e];
        rows.gaps[r] += sum;
      }
    }
    if (!rows.eliminate(changes, true)) return;
    for (let p = 0; p < parts.length; p++) {
      for (let e = 0; e < parts[p].size; e++) parts[p].rate[e] += changes[p][e];
    }
    this.computeAccelerations();
  }

  /**
   * M q̈ = f − C q̇ − K q − c − D λ with P q̈ + Ṗ q̇ = 0; of Ṗ q̇ the accelerations of the points at present rates are taken, not the turn of
   * the normal.
   */
  private computeAccelerations(): void {
    const { parts, rows, changes } = this;
    rows.biased = true;
    this.fillRows(true);
    rows.biased = false;
    for (let r = 0; r < rows.count; r++) rows.gaps[r] = rows.bias[r];
    for (let p = 0; p < parts.length; p++) {
      parts[p].acceleration.fill(0);
      parts[p].prepareMass();
      parts[p].residual(changes[p]);
    }
    rows.addForces(changes, true);
    if (!rows.eliminate(changes, true)) return;
    for (let p = 0; p < parts.length; p++) parts[p].acceleration.set(changes[p]);
  }
}
