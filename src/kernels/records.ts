/**
 * Where things lie: a record of 32-bit addresses and whole numbers for each body, law and contact.
 * The caller writes it once, in this order of fields (src/contact/contact-loops.ts). What an address leads to is the column of the same
 * name in the reference modules of src/contact, src/multibody and src/integrate.
 */
import { Doubles } from './columns';

/** A body. */
@unmanaged
@final
export class Body {
  /** p(3) q(4) v(3) w(3). */
  state: Doubles;
  inertia: Doubles;
  inverseInertia: Doubles;
  /** [mass, inverse mass] */
  masses: Doubles;
  /** 1 where contacts move it. */
  yields: i32;
}

/** A law of a contact: its kind, and what the loops of this kind need. */
@unmanaged
@final
export class Law {
  kind: i32;
  constants: Doubles;
  states: Doubles;
  rates: Doubles;
  internals: Doubles;
  /** Scratch column. */
  work: Doubles;
  force: Doubles;
  torque: Doubles;
  /** Direction of a force at its limit. */
  bent: Doubles;
  /** 1 for friction about the normal, or for rolling resistance that grows with the load. */
  mark: i32;
  /** Slot of the dwell state; −1 without one. */
  dwell: i32;
}

/** A contact. */
@unmanaged
@final
export class Contact {
  i: Body;
  j: Body;
  normalLaw: Law;
  friction: Law;
  rolling: Law;
  kinematics: Doubles;
  normal: Doubles;
  force: Doubles;
  torque: Doubles;
  share: Doubles;
  flags: Doubles;
  basis: Doubles;
  stored: Doubles;
  mobility: Doubles;
  turning: Doubles;
  rocking: Doubles;
  restStiffness: Doubles;
  phase: Doubles;
  spinMobility: Doubles;
  frictionSlope: Doubles;
  rollingSlope: Doubles;
  oldVelocity: Doubles;
  readout: Doubles;
  /** 1 where there is a moment beside that of the force. */
  turns: i32;
  /** 1 where rest needs no sub-steps. */
  mayRest: i32;
  /** 1 in the pool of a volumetric contact. */
  pooled: i32;
}
