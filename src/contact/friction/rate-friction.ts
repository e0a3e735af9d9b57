/**
 * Friction that is a function of the present slip alone, without memory:
 *
 *   f_t = −f_n (μ(|v_t|) dir(v_t) + σ2 v_t)        μ(v) = μ_C + (μ_S − μ_C) exp(−(v/v_s)²)
 *
 * Two kinds are made of it: `regularized-coulomb` (μ_S = μ_C, σ2 = 0) and `stribeck`; docs/theory/regularized-friction.md.
 *
 * Explicit: near rest the law is a damper of slope 3/2 (cubic) or 3 (modia3d) times μ f_n/v_eps, so a step h with the tangential
 * inverse mass W needs h W · slope < 2, or the slip chatters. Implicit (`solve`): the slip after the step, see drag-solver.ts; stable
 * and dissipative for every step. μ starts from the slip before the step and is corrected at the slip found. Each pass goes on in
 * the direction of the one before, so where the falling branch admits sticking and sliding both, the contact keeps what it did.
 *
 * Limits: no sticking. Under a steady force below μ f_n the contact creeps, at a speed below v_eps. It stores no energy and takes
 * some out of any slip, so it is passive.
 */
import { columnOf, OWN_COLUMNS } from '../../math/columns.ts';
import type { Regularization } from '../../model/contact-spec.ts';
import type { LawLoop, LawMemory } from '../component.ts';
import { RATE_LOOP } from '../loop-kinds.ts';
import { DragSolver } from '../drag-solver.ts';
import {
  BEND,
  CORRECTIONS,
  DEVELOPED,
  DRAG,
  GAIN,
  LIMIT,
  SPEED,
  START,
  VISCOUS,
} from '../drag-slots.ts';
import { LOAD, NORMAL, SLIP, STEP } from '../pair.ts';
import { ContactReadout } from '../contact-readout.ts';
import { type FrictionLaw, NO_TORQUE, SLOPE, SLOPE_FORCE } from './friction-law.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';

/** What both kinds are made of. */
export interface RateFrictionParameters {
  readonly stiction: number;
  readonly coulomb: number;
  /** σ2, s/m. */
  readonly viscousDamping: number;
  /** v_s, m/s. */
  readonly stribeckVelocity: number;
  readonly regularization: Regularization;
  /** v_eps, m/s. */
  readonly velocityTolerance: number;
}

/** A memoryless friction law of one contact. */
export class RateFriction implements FrictionLaw {
  readonly states: Float64Array = new Float64Array(0);
  readonly rates: Float64Array = new Float64Array(0);
  readonly force: Float64Array;
  readonly loop: LawLoop;
  readonly spins: boolean = false;
  readonly torque: Float64Array = NO_TORQUE;
  private readonly solver: DragSolver;
  /** [slip at the start of the step, m/s] */
  private readonly start: Float64Array;
  /** [μ_C, μ_S − μ_C, 1/v_s², 1 for the cubic direction]: an array, because reading a double field may allocate. */
  private readonly curve: Float64Array;
  private readonly flat: boolean;

  constructor(
    parameters: RateFrictionParameters,
    { columns = OWN_COLUMNS }: Partial<LawMemory> = {},
  ) {
    const { regularization, velocityTolerance } = parameters;
    this.force = columns.doubles(3);
    this.solver = new DragSolver(regularization, velocityTolerance, columns);
    this.start = this.solver.column.subarray(START);
    this.solver.parameters[VISCOUS] = parameters.viscousDamping;
    this.solver.mobility[8] = 0;
    this.solver.parameters[DEVELOPED] = 1; // as after `end`: the read-out of a contact apart has no history
    const { coulomb, stiction, stribeckVelocity } = parameters;
    this.curve = columnOf(
      columns,
      coulomb,
      stiction - coulomb,
      1 / (stribeckVelocity * stribeckVelocity),
      regularization === 'cubic' ? 1 : 0,
    );
    this.flat = stiction === coulomb;
    this.loop = {
      kind: RATE_LOOP,
      constants: this.curve,
      work: this.solver.column,
      force: this.force,
    };
  }

  begin(): void {
    return;
  }

  end(): void {
    for (let a = 0; a < 3; a++) this.force[a] = 0;
    this.solver.parameters[DEVELOPED] = 1;
  }

  /** μ at the slip in parameters[SPEED], into parameters[LIMIT]. */
  private computeLimit(): void {
    const p = this.solver.parameters;
    const c = this.curve;
    p[LIMIT] = c[0];
    if (this.flat) return;
    EXPONENTIALS[0] = -p[SPEED] * p[SPEED] * c[2];
    p[LIMIT] += c[1] * exponentials()[0];
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const solver = this.solver;
    const v = solver.target;
    for (let a = 0; a < 3; a++) v[a] = kinematics[SLIP + a];
    solver.parameters[SPEED] = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    this.computeLimit();
    solver.evaluate();
    for (let a = 0; a < 3; a++) this.force[a] = -load * solver.drag[a];
  }

  prepare(kinematics: Float64Array): void {
    const x = kinematics[SLIP];
    const y = kinematics[SLIP + 1];
    const z = kinematics[SLIP + 2];
    this.start[0] = Math.sqrt(x * x + y * y + z * z);
  }

  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void {
    const solver = this.solver;
    const p = solver.parameters;
    const v = solver.target;
    const x = kinematics[SLIP];
    const y = kinematics[SLIP + 1];
    const z = kinematics[SLIP + 2];
    v[0] = x * basis[0] + y * basis[1] + z * basis[2];
    v[1] = x * basis[3] + y * basis[4] + z * basis[5];
    v[2] = 0; // `respond` leaves the slip of the world there
    solver.mobility[0] = mobility[0];
    solver.mobility[1] = mobility[1];
    solver.mobility[3] = mobility[1];
    solver.mobility[4] = mobility[2];
    const load = mobility[LOAD];
    p[GAIN] = mobility[STEP] * load;
    p[SPEED] = this.start[0];
    for (let pass = 0; pass < CORRECTIONS; pass++) {
      this.computeLimit();
      solver.solve();
      if (this.flat) break;
    }
    const fa = -load * solver.drag[0];
    const fb = -load * solver.drag[1];
    for (let a = 0; a < 3; a++) this.force[a] = fa * basis[a] + fb * basis[3 + a];
  }

  widen(factor: Float64Array): void {
    this.solver.widen(factor);
  }

  respond(kinematics: Float64Array, mobility: Float64Array): void {
    this.evaluate(kinematics, mobility);
  }

  /** ∂φ/∂v = D T + (D'/|v|) v vᵀ with T = 1 − n nᵀ, D = μ G + σ2, D' = μ' G + μ G'. */
  computeSlope(kinematics: Float64Array, slope: Float64Array, secant: boolean): void {
    const solver = this.solver;
    const p = solver.parameters;
    const c = this.curve;
    const speed = p[SPEED];
    solver.computeSlope();
    let bend = p[BEND];
    if (!this.flat && speed > 0) {
      bend -= (2 * c[2] * (p[LIMIT] - c[0]) * p[DEVELOPED]) / speed; // μ' G/|v|, μ' = −2 |v| (μ − μ_C)/v_s²
    }
    if (secant) bend = 0;
    for (let a = 0; a < SLOPE; a++) slope[a] = 0;
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        const across = (a === b ? 1 : 0) - kinematics[NORMAL + a] * kinematics[NORMAL + b];
        slope[SLOPE_FORCE + 3 * a + b] =
          p[DRAG] * across + bend * kinematics[SLIP + a] * kinematics[SLIP + b];
      }
    }
  }

  solveSpin(): void {
    return;
  }

  advance(): void {
    return;
  }

  computeStored(): void {
    return;
  }

  /** The stick state is how little of the friction is developed: 1 at rest, 0 from v_eps on. */
  read(readout: Float64Array): void {
    readout[ContactReadout.stick] = 1 - this.solver.parameters[DEVELOPED];
  }
}
