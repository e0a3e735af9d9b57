/**
 * A geometric pair measures one possible contact between two bodies and is independent of forces. `Gonthier 2007, A.1`.
 *
 * Results go to a kinematics column, so that any normal law and any friction law works with any pair. The normal is the
 * outward normal of body j and points from j to i; the gap is negative when the bodies overlap.
 */
import type { PairModel } from '../model/contact-spec.ts';
import type { Kinematic } from './component.ts';
import type { ContactBody } from './contact-body.ts';
import type { PairShapes } from './pairs/pair-shapes.ts';

/** Slots of the kinematics column of one contact. */
export const GAP = 0;
export const NORMAL = 1; //    3
export const POINT = 4; //     3, point of action
export const VELOCITY = 7; //  3, of i relative to j at the point
export const RATE = 10; //     normal rate v_n = dx/dt, negative on approach
export const SLIP = 11; //     3, tangential velocity
export const ARM_I = 14; //    3, point − origin of body i
export const ARM_J = 17; //    3
export const SPIN = 20; //     3, angular velocity of i relative to j
// a volumetric pair also fills:
export const VOLUME = 23; //   V, m³
export const AREA = 24; //     contact area A_c, m²
export const INERTIA = 25; //  volume inertia J_v about the centroid (xx, yy, zz, xy, xz, yz), m⁵
export const GYRATION = 31; // radius of gyration of the overlap about the normal, m
export const KINEMATICS = 32;

/** Slots of the mobility column behind the four inverse masses. */
export const STEP = 4; // sub-step h, s
export const LOAD = 5; // normal force, N
export const RESISTANCE = 6; // damping B of the normal law, N s/m, for the rolling resistance of a foundation
export const MOBILITY = 7;

/** One kind of pair: `M` is its description. */
export interface PairDefinition<M extends PairModel> {
  /** `point`: one contact model; `cells`: one for each pair of cells that touch, made of the cells of both bodies. */
  readonly step: 'point' | 'cells';
  readonly supplies: readonly Kinematic[];
  /** @throws BerthError naming `field` and what is allowed */
  check(model: M, field: string): void;
  /** Radius of the Hertz contact, m; 0 for a pair that does not supply `effective-radius`. */
  effectiveRadius(model: M): number;
  /** Whether the line of action may miss the origin of body i: pushing then turns it. */
  isEccentric(model: M): boolean;
  make(model: M): ContactPair;
  /** What there is to draw of it; nothing where the bodies bring cells of their own. */
  shapes(model: M): PairShapes;
}

/** A pair fills GAP, NORMAL and POINT from the poses of the two bodies. */
export interface ContactPair {
  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void;
}
