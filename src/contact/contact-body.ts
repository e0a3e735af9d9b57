/**
 * What a contact needs of a body: its state, its rotation and how it answers an impulse. A rigid body answers by its own mass
 * and inertia, a link by those of its whole tree.
 */

/** Bodies that answer an impulse together, such as the links of a tree. `place` distinguishes them. */
export interface ContactAssembly {
  /**
   * Adds −d_a·(K_ij + K_ji) d_b to the mobility (11, 12, 22, normal), where K_ij is the velocity of the contact point of body i by
   * a unit impulse on body j there. A contact between two bodies of one assembly has this beside the terms of each.
   * @alloc none
   */
  addCoupling(
    placeI: number,
    placeJ: number,
    kinematics: Float64Array,
    armI: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void;
  /** The same for angular velocities and moments, nine numbers row by row, 1/(kg m²). @alloc none */
  addSpinCoupling(placeI: number, placeJ: number, spinMobility: Float64Array): void;
  /**
   * The velocity of body i at its origin and its angular velocity by a unit impulse at the origin of body j and a unit moment: a 6 × 6
   * block, row by row in `out` from `at`, with `stride` numbers a row. @alloc none
   */
  writeResponse(
    placeI: number,
    placeJ: number,
    out: Float64Array,
    at: number,
    stride: number,
  ): void;
}

/** What a kernel has to know of a body of its own: src/kernels/records.ts. */
export interface BodyLoop {
  /** World inertia and its inverse; [mass, inverse mass]. */
  readonly inertia: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly masses: Float64Array;
}

/** Where a body is. */
export interface PosedBody {
  /** p(3) …, world; the origin is the centre of mass. */
  readonly state: Float64Array;
  readonly rotation: Float64Array;
}

/** A body as contacts see it. Numbers pass through arrays: a double passed to a call that is not inlined is allocated. */
export interface ContactBody extends PosedBody {
  /** p(3) q(4) v(3) w(3), world; the origin is the centre of mass. */
  readonly state: Float64Array;
  readonly rotation: Float64Array;
  /** Force and moment about the centre of mass, to add to. */
  readonly wrench: Float64Array;
  /** False for a body that contacts cannot move: the methods below are then not to be called. */
  readonly yields: boolean;
  /** Absent where a kernel cannot move it. */
  readonly loop?: BodyLoop;
  /** What it answers impulses with; null for a body of its own. */
  readonly assembly: ContactAssembly | null;
  /** Its place in the assembly. */
  readonly place: number;
  /** Changes the velocities by the impulse[0..2], N s, at the point origin + kinematics[arm..arm+2]. @alloc none */
  push(kinematics: Float64Array, arm: number, impulse: Float64Array): void;
  /** Changes the velocities by the moment impulse[0..2], N m s. @alloc none */
  turn(impulse: Float64Array): void;
  /**
   * Adds its inverse contact masses d_a·K d_b, 1/kg, at the point origin + kinematics[arm..]: tangential (11, 12, 22) in
   * mobility[0..2], normal in mobility[3]. The basis holds two tangents and the normal.
   * @alloc none
   */
  addMobility(
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void;
  /** Adds its inverse inertia, 1/(kg m²), nine numbers row by row, world. @alloc none */
  addSpinMobility(spinMobility: Float64Array): void;
  /** Its own 6 × 6 block of `ContactAssembly.writeResponse`. @alloc none */
  writeResponse(out: Float64Array, at: number, stride: number): void;
  /**
   * momentum[at..at+5] := the impulse that changes its twist by change[at..at+5], of a body of its own; one of an assembly leaves it.
   * @alloc none
   */
  writeMomentum(change: Float64Array, momentum: Float64Array, at: number): void;
}
