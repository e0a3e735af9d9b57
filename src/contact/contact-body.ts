/** What a contact needs of a body: its state, its rotation and how it answers an impulse. */

/** A body as contacts see it. The inverse masses are 0 for a body that contacts cannot move. */
export interface ContactBody {
  /** p(3) q(4) v(3) w(3), world. */
  readonly state: Float64Array;
  readonly rotation: Float64Array;
  readonly inverseMass: number;
  /** World frame, about the centre of mass. */
  readonly inverseInertia: Float64Array;
  /** Force and moment about the centre of mass, to add to. */
  readonly wrench: Float64Array;
}
