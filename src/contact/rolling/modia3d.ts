/**
 * Rolling resistance of Modia3D: τ_i = −μ_r R f_n w_rel/reg(|w_rel|, w_small), on all three components of the relative angular
 * velocity (spin about the normal included), with the effective radius R of the pair as lever. Body j gets −τ_i.
 * `Modia3D, contact force law`, docs/theory/rolling-resistance.md.
 *
 * A rolling ball slows by 5/7 μ_r g (solid) and comes to rest exponentially once |w| < w_small. Explicit steps need
 * 3 μ_r R f_n h/(w_small J) < 2 with the moment of inertia J; the implicit step (`solve`, drag-solver.ts) with the 3 × 3 mobility
 * I_i⁻¹ + I_j⁻¹ is dissipative for every step. implicit-contact.ts solves friction and moment together.
 *
 * Limits: a torque, not a shift of the normal force; no holding at rest (below μ_r f_n R the contact creeps); R of a pair other than
 * sphere–sphere or sphere–plane is a rough guess.
 *
 * Parameters: μ_r from the slope on which a ball just keeps rolling, tan(angle); or from the deceleration on the level, 7 a/(5 g).
 */
import type { RollingResistanceModel } from '../../model/contact-spec.ts';
import { notNegative, positive } from '../../base/parameter-checks.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import {
  type LawDefinition,
  type LawLoop,
  type LawMemory,
  NO_MEMORY,
  type PairGeometry,
} from '../component.ts';
import { MODIA3D_ROLLING_LOOP } from '../loop-kinds.ts';
import { DragSolver } from '../drag-solver.ts';
import { BEND, DRAG, DRAG_CONSTANTS, GAIN, LIMIT } from '../drag-slots.ts';
import { LOAD, SPIN, STEP } from '../pair.ts';
import type { RollingLaw } from './rolling-law.ts';

/** The rolling resistance of one contact. */
export class RollingResistance implements RollingLaw {
  readonly active: boolean = true;
  readonly loaded: boolean = true;
  readonly torque: Float64Array;
  readonly loop: LawLoop;
  private readonly solver: DragSolver;

  constructor(
    model: RollingResistanceModel,
    geometry: PairGeometry,
    { columns = OWN_COLUMNS }: Partial<LawMemory> = {},
  ) {
    this.torque = columns.doubles(3);
    this.solver = new DragSolver('modia3d', model.angularVelocityTolerance, columns);
    this.loop = {
      kind: MODIA3D_ROLLING_LOOP,
      constants: columns.doubles(DRAG_CONSTANTS),
      work: this.solver.column,
      torque: this.torque,
      mark: true,
    };
    this.solver.parameters[LIMIT] = model.rollingFriction * geometry.effectiveRadius;
  }

  begin(): void {
    return;
  }

  end(): void {
    for (let a = 0; a < 3; a++) this.torque[a] = 0;
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const solver = this.solver;
    for (let a = 0; a < 3; a++) solver.target[a] = kinematics[SPIN + a];
    solver.evaluate();
    for (let a = 0; a < 3; a++) this.torque[a] = -load * solver.drag[a];
  }

  solve(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void {
    const solver = this.solver;
    for (let a = 0; a < 3; a++) solver.target[a] = kinematics[SPIN + a];
    for (let a = 0; a < 9; a++) solver.mobility[a] = inertia[a];
    const load = mobility[LOAD];
    solver.parameters[GAIN] = mobility[STEP] * load;
    solver.solve();
    for (let a = 0; a < 3; a++) this.torque[a] = -load * solver.drag[a];
  }

  widen(factor: Float64Array): void {
    this.solver.widen(factor);
  }

  computeSlope(mobility: Float64Array, slope: Float64Array, secant: boolean): void {
    const load = mobility[LOAD];
    const { parameters: p, target: w } = this.solver;
    this.solver.computeSlope();
    const bend = secant ? 0 : p[BEND];
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        slope[3 * a + b] = load * ((a === b ? p[DRAG] : 0) + bend * w[a] * w[b]);
      }
    }
  }
}

export const ROLLING_RESISTANCE: LawDefinition<RollingResistanceModel, RollingLaw> = {
  needs: ['effective-radius'],
  check(model, field) {
    notNegative(`${field}.rollingFriction`, model.rollingFriction);
    positive(`${field}.angularVelocityTolerance`, model.angularVelocityTolerance);
  },
  size: () => NO_MEMORY,
  make: (model, memory, geometry) => new RollingResistance(model, geometry, memory),
  loops: true,
};
