/**
 * The constraints of a system: their rows, their multipliers and the movers that they push. Steppers ask for multipliers at the level of
 * accelerations (`addForces`) or of velocities, and for the closure of what integration has let drift. docs/theory/locks.md.
 */
import { checkRows, rowNames } from '../constraints/check-rows.ts';
import { type Constraint, LANDINGS, OPEN, RELEASES, ROW } from '../constraints/constraint.ts';
import { makeConstraint, memoryOf } from '../constraints/make-constraint.ts';
import { RowSystem } from '../constraints/row-system.ts';
import { indicesOf, type NameIndices } from '../base/name-indices.ts';
import { BerthError } from '../base/errors.ts';
import type { ConstraintModel } from '../model/constraint-spec.ts';
import { CURVATURE_LENGTH } from '../shapes/surfaces/surface-curvature.ts';
import { TOUCH_READOUT } from '../shapes/surfaces/touch-readout.ts';
import type { Mover, Part } from './mover.ts';

/**
 * Columns of `System.readConstraint`: force on the first body and moment about its marker, world, N and N m; largest gap of the rows in
 * m and in rad; power that imposed motions feed in, W; the marker, or the point of contact of the first body, world, m; largest residual of the
 * rates of its rows, m/s and rad/s; least relative curvature of two surfaces over 1/CURVATURE_LENGTH, NaN of a lock.
 */
export const CONSTRAINT_READOUT = [
  'forceX',
  'forceY',
  'forceZ',
  'momentX',
  'momentY',
  'momentZ',
  'gap',
  'turn',
  'power',
  'placeX',
  'placeY',
  'placeZ',
  'rate',
  'spin',
  'curvature',
] as const;
/** Index of each of them. */
export const ConstraintReadout: NameIndices<typeof CONSTRAINT_READOUT> =
  indicesOf(CONSTRAINT_READOUT);

/** Gaps below it are closed, m and rad: the rounding of a mechanism of some metres is a thousandth of it. */
export const CLOSED = 1e-12;
/** Newton steps of a closure; each of them squares what is left. */
const MOST_CLOSURES = 10;
/** Largest gap that a start is freed of, m and rad. */
const LARGEST_START = 1e-3;
/** Gap from which surfaces that only press are apart at the start, m: below it they are closed, as any start. */
const LEAST_OPEN = 1e-6;
const UNIT_TIME: Float64Array = Float64Array.of(1);

/** Change of a velocity at the start that is no rounding, m/s and rad/s. */
const LEAST_CHANGE = 1e-6;

/** How rows changed the velocity of a body or link at the start, m/s and rad/s. */
export interface StartChange {
  readonly name: string;
  readonly linear: number;
  readonly angular: number;
}

/** All constraints of one system. */
export class SystemConstraints {
  readonly rows: RowSystem;
  /** [time, s] that imposed motions are asked for. */
  readonly clock: Float64Array = new Float64Array(1);
  /** Of the rows, N and N m, in the arena. */
  readonly multipliers: Float64Array;
  /** What the rows push. */
  readonly movers: readonly Mover[];
  readonly #parts: readonly Part[];
  readonly #accelerations: Float64Array;
  readonly #solved: Float64Array;
  readonly #imposed: Float64Array;
  readonly #kept: readonly Float64Array[];
  /** Of the bodies whose velocities did not fit the rows. */
  startChanges: readonly StartChange[] = [];

  /** @param memory of the arena: multipliers, and what constraints keep */
  constructor(models: readonly ConstraintModel[], movers: readonly Mover[], memory: Float64Array) {
    const all = movers.flatMap(({ parts }) => parts);
    const partOf = (name: string | null): Part | null =>
      all.find((part) => part.name === name) ?? null;
    let kept = memory.length;
    const make = (model: ConstraintModel): Constraint => {
      const end = kept;
      kept -= memoryOf(model);
      const own = memory.subarray(kept, end);
      const [first, second] = [partOf(model.first.body), partOf(model.second.body)];
      return makeConstraint(model, first, second, this.clock, own);
    };
    this.rows = new RowSystem(models.map(make));
    this.multipliers = memory.subarray(0, this.rows.count);
    this.#parts = this.rows.parts.flatMap((body) => all.filter((part) => part === body));
    this.movers = movers.filter((mover) => this.#parts.some((part) => mover.parts.includes(part)));
    this.#accelerations = new Float64Array(6 * this.#parts.length);
    this.#solved = new Float64Array(this.rows.count);
    this.#imposed = new Float64Array(this.rows.count);
    this.#kept = this.movers.map(({ velocities }) => velocities.slice());
  }

  /**
   * Closes what the start leaves open: positions by the least way and velocities by the least impulses, in the metric of the masses.
   * @throws BerthError for rows that hold nothing, and for bodies further apart than LARGEST_START
   */
  start(): void {
    const { rows } = this;
    rows.measureGaps();
    rows.constraints.forEach(({ unilateral }, k) => {
      if (unilateral !== null && rows.gaps[rows.starts[k]] > LEAST_OPEN)
        unilateral.memory[OPEN] = 1;
    });
    rows.build();
    rows.gaps.forEach((gap, row) => {
      if (Math.abs(gap) <= LARGEST_START || rows.factors.open[row] === 1) return;
      const unit = this.#turns(row) ? 'rad' : 'm';
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected constraints to start within ${LARGEST_START} m and rad, got ${gap.toPrecision(6)} ${unit} in ${rowNames(rows)[row]}`,
        { field: 'constraints' },
      );
    });
    checkRows(rows);
    this.closePositions();
    const { open } = rows.factors;
    const worst = rows.gaps.findIndex((gap, r) => open[r] === 0 && !(Math.abs(gap) <= CLOSED));
    if (worst >= 0) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected constraints that can be closed, got ${rows.gaps[worst].toPrecision(6)} left in ${rowNames(rows)[worst]} after ${MOST_CLOSURES} steps`,
        { field: 'constraints' },
      );
    }
    const before = this.#parts.map(({ state }) => state.slice());
    this.closeVelocities();
    const changes = this.#parts.map(({ name, state }, p) => {
      const old = before[p];
      const size = (at: number): number => {
        const x = state[at] - old[at];
        const y = state[at + 1] - old[at + 1];
        const z = state[at + 2] - old[at + 2];
        return Math.sqrt(x * x + y * y + z * z);
      };
      return { name, linear: size(7), angular: size(10) };
    });
    this.startChanges = changes.filter(
      (one) => one.linear > LEAST_CHANGE || one.angular > LEAST_CHANGE,
    );
  }

  /** Rows that those before them hold at the last poses: their multiplier is 0. @alloc none */
  get redundantRows(): number {
    const { redundant, open } = this.rows.factors;
    let count = 0;
    for (let r = 0; r < redundant.length; r++) count += redundant[r] - open[r];
    return count;
  }

  /** Whether constraint k may open, and is open. @alloc none */
  isOpen(k: number): boolean {
    const { unilateral } = this.rows.constraints[k];
    return unilateral !== null && unilateral.memory[OPEN] === 1;
  }

  /** How often constraints opened, and how often they met again, since time zero. @alloc none */
  get releases(): number {
    return this.#sum(RELEASES);
  }

  get landings(): number {
    return this.#sum(LANDINGS);
  }

  /** Index of the first constraint that lost its point of contact, −1 for none. @alloc none */
  get firstLost(): number {
    const { constraints } = this.rows;
    for (let k = 0; k < constraints.length; k++) if (constraints[k].lost) return k;
    return -1;
  }

  /** Whether every gap of the last measurement is closed, but for rows that do not act. @alloc none */
  get closed(): boolean {
    const { gaps, factors } = this.rows;
    for (let r = 0; r < gaps.length; r++) {
      if (factors.open[r] === 0 && !(Math.abs(gaps[r]) <= CLOSED)) return false;
    }
    return true;
  }

  /** Rows and gaps at the present poses, at this time. @alloc none */
  measure(time: Float64Array): void {
    this.clock[0] = time[0];
    this.rows.measureGaps();
    this.rows.build();
  }

  /** Newton steps q ← q − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ c until the gaps are closed. `Tasora, (12)` with the masses as weights. @alloc none */
  closePositions(): void {
    const { rows, movers } = this;
    const step = this.#solved;
    for (let pass = 0; pass < MOST_CLOSURES; pass++) {
      rows.measureGaps();
      if (this.closed) return;
      rows.build();
      for (let r = 0; r < step.length; r++) step[r] = -rows.gaps[r];
      rows.factors.solve(step);
      for (let m = 0; m < movers.length; m++) {
        this.#kept[m].set(movers[m].velocities);
        movers[m].velocities.fill(0);
        movers[m].refresh();
      }
      rows.push(step);
      for (let m = 0; m < movers.length; m++) {
        movers[m].pushed = true;
        movers[m].advancePose(UNIT_TIME);
        movers[m].pushed = false;
        movers[m].velocities.set(this.#kept[m]);
        movers[m].refresh();
      }
    }
    rows.measureGaps();
  }

  /** Impulses that bring J v + c_t to 0; the rows are built here. @alloc none */
  closeVelocities(): void {
    this.rows.build();
    this.solveVelocities(this.#solved);
    this.rows.push(this.#solved);
    this.refresh();
  }

  /** What follows from the states of the movers, with the bits that a restored state has. @alloc none */
  refresh(): void {
    for (let m = 0; m < this.movers.length; m++) this.movers[m].refresh();
  }

  /** out := impulses of the rows that bring J v + c_t to 0. @alloc none */
  solveVelocities(out: Float64Array): void {
    this.rows.measureRates(out);
    for (let r = 0; r < out.length; r++) out[r] = -out[r];
    this.rows.factors.solve(out);
  }

  /**
   * Multipliers from J v̇ = Q, for accelerations that the movers have just computed without them: their forces are added to the wrenches,
   * and the derivatives made again. @alloc none
   */
  addForces(): void {
    const { rows, movers, multipliers } = this;
    rows.build();
    for (let m = 0; m < movers.length; m++) movers[m].refreshAccelerations();
    for (let p = 0; p < this.#parts.length; p++) {
      this.#parts[p].writeAcceleration(this.#accelerations, 6 * p);
    }
    rows.measureAccelerations(this.#accelerations, multipliers);
    for (let r = 0; r < multipliers.length; r++) multipliers[r] = -multipliers[r];
    rows.factors.solve(multipliers);
    rows.addWrenches(multipliers);
    for (let m = 0; m < movers.length; m++) movers[m].computeDerivative();
  }

  /** sum[0] += power that imposed motions feed in, W: −Σ λ (c_t + J v of bodies that do not yield). @alloc none */
  addPower(sum: Float64Array): void {
    this.rows.measureImposed(this.#imposed);
    for (let r = 0; r < this.multipliers.length; r++) {
      sum[0] -= this.multipliers[r] * this.#imposed[r];
    }
  }

  /** Columns of CONSTRAINT_READOUT of constraint k, at the poses of the last `build`. @alloc none */
  read(k: number, out: Float64Array, at: number): void {
    const { rows, multipliers } = this;
    const { turns, touch } = rows.constraints[k];
    const rates = this.#solved;
    rows.measureRates(rates);
    rows.measureImposed(this.#imposed);
    for (let c = 0; c < CONSTRAINT_READOUT.length; c++) out[at + c] = 0;
    rows.constraints[k].writePlace(out, at + ConstraintReadout.placeX);
    for (let i = 0; i < turns.length; i++) {
      const r = rows.starts[k] + i;
      const gap = Math.abs(rows.gaps[r]);
      const own = at + (turns[i] === 1 ? ConstraintReadout.turn : ConstraintReadout.gap);
      if (gap > out[own]) out[own] = gap;
      const rate = Math.abs(rates[r]);
      const moving = at + (turns[i] === 1 ? ConstraintReadout.spin : ConstraintReadout.rate);
      if (rate > out[moving]) out[moving] = rate;
      out[at + ConstraintReadout.power] -= multipliers[r] * this.#imposed[r];
      const from = turns[i] === 1 ? ROW * r + 3 : ROW * r;
      const to = at + (turns[i] === 1 ? ConstraintReadout.momentX : ConstraintReadout.forceX);
      for (let a = 0; a < 3; a++) out[to + a] += multipliers[r] * rows.jacobian[from + a];
    }
    const curvature = at + ConstraintReadout.curvature;
    out[curvature] = Number.NaN;
    if (touch === null) return;
    touch.writeLeastCurvature(out, curvature);
    out[curvature] *= CURVATURE_LENGTH;
  }

  /** Residuals of the rows that act, as of the last step: largest gap, m and rad, and rate, m/s and rad/s, four numbers. @alloc none */
  readDrift(out: Float64Array, at: number): void {
    const { rows } = this;
    const rates = this.#imposed;
    rows.measureRates(rates);
    for (let c = 0; c < 4; c++) out[at + c] = 0;
    for (let k = 0; k < rows.constraints.length; k++) {
      const { turns } = rows.constraints[k];
      for (let i = 0; i < turns.length; i++) {
        const r = rows.starts[k] + i;
        if (rows.factors.open[r] === 1) continue;
        const gap = Math.abs(rows.gaps[r]);
        const rate = Math.abs(rates[r]);
        const c = at + turns[i];
        if (gap > out[c]) out[c] = gap;
        if (rate > out[c + 2]) out[c + 2] = rate;
      }
    }
  }

  /** The least curvature of surfaces that touch, 1/m, no more than out[at]; adds Newton steps since they were made, and their places. @alloc none */
  addTouches(out: Float64Array, at: number): void {
    const { constraints } = this.rows;
    const own = this.#imposed;
    for (let k = 0; k < constraints.length; k++) {
      const { touch, lost } = constraints[k];
      if (touch === null) continue;
      out[at + 1] += touch.work[0];
      if (lost || this.isOpen(k)) continue;
      out[at + 2]++;
      touch.writeLeastCurvature(own, 0);
      if (!(out[at] <= own[0])) out[at] = own[0];
    }
  }

  /** Columns of TOUCH_READOUT of constraint k; 0 of one that is open, or has no surfaces. @alloc none */
  readTouch(k: number, out: Float64Array, at: number): void {
    const { touch, lost } = this.rows.constraints[k];
    for (let c = 0; c < TOUCH_READOUT.length; c++) out[at + c] = 0;
    if (touch !== null && !lost && !this.isOpen(k)) touch.writeTouch(out, at);
  }

  #sum(slot: number): number {
    const { constraints } = this.rows;
    let sum = 0;
    for (let k = 0; k < constraints.length; k++) {
      const { unilateral } = constraints[k];
      if (unilateral !== null) sum += unilateral.memory[slot];
    }
    return sum;
  }

  #turns(row: number): boolean {
    const { constraints } = this.rows;
    return constraints.flatMap(({ turns }) => [...turns])[row] === 1;
  }
}
