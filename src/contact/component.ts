/**
 * What every component of a contact declares before it is built: the kinematics that it needs or supplies beside the common
 * ones, its memory, and the parameters that it accepts. `Gonthier 2007, A.1`.
 */

import type { Columns } from '../math/columns.ts';

/**
 * Kinematics that not every pair can supply: the radius of the Hertz contact, the volume of an overlap, its volume inertia, one depth for
 * all of it, one slip, the compliance of points. Gap, normal, point of action, relative velocity and relative angular velocity come with
 * every pair.
 */
export type Kinematic = 'effective-radius' | 'volume' | 'inertia' | 'depth' | 'slip' | 'compliance';

/** Number of values that a component keeps in the arena: states are integrated, internals are stored. */
export interface MemorySize {
  readonly states: number;
  readonly internals: number;
}

/** The slices of one component: states, their rates, and internals. */
export interface LawMemory {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  /** Where a law takes its other arrays from; arrays by themselves when left out. */
  readonly columns?: Columns;
}

/** What the loop of a kernel has to know of a law: its kind (loop-kinds.ts) and columns. src/kernels/records.ts. */
export interface LawLoop {
  readonly kind: number;
  readonly constants?: Float64Array;
  readonly states?: Float64Array;
  readonly rates?: Float64Array;
  readonly internals?: Float64Array;
  readonly work?: Float64Array;
  readonly force?: Float64Array;
  readonly torque?: Float64Array;
  readonly bent?: Float64Array;
  readonly mark?: boolean;
  readonly dwell?: number;
}

/** What laws may take from the geometry when the contact is built. */
export interface PairGeometry {
  /** Radius of the Hertz contact, m: 1/R = 1/R_i + 1/R_j; 0 when the pair does not supply `effective-radius`. */
  readonly effectiveRadius: number;
}

/** One kind of law: `M` is its description, `L` what it builds. */
export interface LawDefinition<M, L> {
  readonly needs: readonly Kinematic[];
  /** @throws BerthError naming `field` and what is allowed */
  check(model: M, field: string): void;
  size(model: M): MemorySize;
  make(model: M, memory: LawMemory, geometry: PairGeometry): L;
  /** Whether it is the law that adds nothing, to any pair. */
  readonly absent?: true;
  /** Whether what `make` builds has a `loop`. */
  readonly loops?: true;
  /** Whether it has one for a description, where not for all. */
  loopsFor?(model: M): boolean;
  /** Stiffness of a foundation, N/m³; only of a law whose stiffness is proportional to the area that touches. */
  stiffnessPerArea?(model: M): number;
}

/** A law without memory. */
export const NO_MEMORY: MemorySize = Object.freeze({ states: 0, internals: 0 });
