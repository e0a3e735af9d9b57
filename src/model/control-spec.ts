/** The plain descriptions of the control laws of an arm: gains, paths and limits. SI, radians; docs/theory/arm.md. */

/** Gains that give each joint a pair of poles of this angular frequency, rad/s, and damping ratio. */
export interface ComputedTorqueModel {
  readonly frequency: number;
  readonly damping: number;
}

/** A point of the path and when it is reached, s. */
export interface PathPoint {
  readonly time: number;
  readonly position: readonly number[];
}

/** Impedance of the end-effector, row by row of the task: force rows (N, m), moment rows (N m, rad). */
export interface ImpedanceModel {
  /** kg, kg m². */
  readonly mass: readonly number[];
  /** N s/m, N m s/rad. */
  readonly damping: readonly number[];
  /** N/m, N m/rad. */
  readonly stiffness: readonly number[];
}

/** The arm and how it may be moved. */
export interface ResolvedRateModel {
  /** Range of each joint, rad or m; infinite without limits. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Largest rate of each joint, > 0. */
  readonly rateLimit: readonly number[];
  /** Length that makes turns comparable with moves: about the reach of the arm, m. */
  readonly length: number;
  /** Distance from a limit at which a joint stops, rad or m; from further away it slows within `limitTime`, s. */
  readonly limitMargin: number;
  readonly limitTime: number;
  /** Condition number from which the command slows, and at which it stops. */
  readonly conditionSlow: number;
  readonly conditionStop: number;
  /** Part of the joint rates that a redundant arm may spend on keeping off its limits, 0 … 1. */
  readonly limitAvoidance: number;
  /** Rows of the twist that the arm follows, of 0 … 5 (linear, then angular, world); all six when left out. */
  readonly axes?: readonly number[];
}
