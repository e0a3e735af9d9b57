/**
 * A geometric pair measures one possible contact between two bodies and knows nothing of forces. `Gonthier 2007, A.1, 5.1`.
 *
 * Results go to a kinematics column, so that any normal law and any friction law works with any pair. The normal is the
 * outward normal of body j and points from j to i; the gap is negative when the bodies overlap.
 */
import type { ContactBody } from './contact-body.ts';

/** Slots of the kinematics column of one contact. */
export const GAP = 0;
export const NORMAL = 1; //    3
export const POINT = 4; //     3, point of action
export const VELOCITY = 7; //  3, of i relative to j at the point
export const RATE = 10; //     normal rate v_n = dx/dt, negative on approach
export const SLIP = 11; //     3, tangential velocity
export const ARM_I = 14; //    3, point − origin of body i
export const ARM_J = 17; //    3
export const KINEMATICS = 20;

/** Slots of the mobility column behind the four inverse masses. */
export const STEP = 4; // sub-step h, s
export const LOAD = 5; // normal force, N

/** A pair fills GAP, NORMAL and POINT from the poses of the two bodies. */
export interface ContactPair {
  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void;
}
