/** States of a contact node, `Kim 1999, 2.5`. */

export const RELEASE = 0;
export const STICK = 1;
export const SLIDE = 2;

/** Coefficients of friction; 0 for none. */
export interface ContactFriction {
  readonly static: number;
  readonly sliding: number;
}

/** What the decision between sticking and sliding takes of a contact, by node. */
export interface ContactNodes {
  readonly friction: ContactFriction;
  readonly state: Uint8Array;
  /** Multipliers, N. */
  readonly normalForce: Float64Array;
  readonly tangentForce: Float64Array;
  /** Whether a node's class is fixed for the rest of the step. */
  readonly latched: Uint8Array;
  /** From a node to the one after it, m. */
  readonly lengths: Float64Array;
  /** Work space for tractions: normal, tangential, diagonal. */
  readonly tractions: readonly Float64Array[];
  /** Whether a node has been part of a solution in its present state. */
  isSolved(k: number): boolean;
  /** Lets a node slide for the rest of the step, in the direction of the friction that held it. */
  slide(k: number): void;
}
