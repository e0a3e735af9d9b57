/**
 * The plain description of a contact: which geometric pair, which laws, with which parameters. Everything is SI; signs follow
 * docs/conventions.md. Each kind has one module under src/contact/ and one entry in src/contact/registry.ts.
 */

/** Three numbers. */
export type Triple = readonly [number, number, number];
/** Sphere on body i against a half-space on body j. `Gonthier 2007, A.2.1`. */
export interface SpherePlaneModel {
  readonly kind: 'sphere-plane';
  /** Sphere radius R, m, > 0. */
  readonly radius: number;
  /** Sphere centre in the frame of body i, m. */
  readonly center: Triple;
  /** Outward unit normal of the plane in the frame of body j. */
  readonly normal: Triple;
  /** Plane offset h_j along the normal from the origin of body j, m. */
  readonly offset: number;
}
/** Every geometric pair. */
export type PairModel = SpherePlaneModel;

/** Hysteretic normal law with the exact damping factor. `Gonthier 2007, (3.19)–(3.25), (3.43)–(3.45)`. */
export interface HystereticModel {
  readonly kind: 'hysteretic';
  /** Stiffness k, N/m^p, > 0. */
  readonly stiffness: number;
  /** Exponent p of the elastic law, 1, 1.5 or 2. */
  readonly exponent: number;
  /** Effective restitution e in (0, 1]. */
  readonly restitution: number;
  /** Impact speed used in place of a smaller one, m/s, > 0. */
  readonly smallVelocity: number;
  /** Relaxation time constant T_rlx, s; 0 switches relaxed penetration off. */
  readonly relaxationTime: number;
  /** Damping factor as a function of e; `exact` when left out. The other two do not return the e that was asked for. */
  readonly damping?: 'exact' | 'hunt-crossley' | 'lankarani-nikravesh';
}
/** Every normal law. */
export type NormalLawModel = HystereticModel;

/** No friction. */
export interface FrictionlessModel {
  readonly kind: 'none';
}
/** Seven-parameter bristle friction with dwell time. `Gonthier 2007, (3.28)–(3.42)`. */
export interface BristleModel {
  readonly kind: 'bristle';
  readonly stiction: number;
  readonly coulomb: number;
  /** Load-relative bristle stiffness sigma_0, 1/m, > 0. */
  readonly bristleStiffness: number;
  /** Load-relative bristle damping sigma_1, s/m, > 0. */
  readonly bristleDamping: number;
  /** Load-relative viscous damping sigma_2, s/m, >= 0. */
  readonly viscousDamping: number;
  /** Stribeck velocity v_s, m/s, > 0. */
  readonly stribeckVelocity: number;
  /** Dwell time constant tau_dw, s; 0 switches the dwell effect off. */
  readonly dwellTime: number;
  /** Velocity tolerance v_eps, m/s, 0 < v_eps <= v_s / 10. */
  readonly velocityTolerance: number;
  /** Dwell state at contact onset: sticking starts at s_dw = 1. */
  readonly startsSticking: boolean;
}
/** Every friction law. */
export type FrictionLawModel = FrictionlessModel | BristleModel;

/** No rolling resistance. */
export interface NoRollingModel {
  readonly kind: 'none';
}
/** Every rolling law. */
export type RollingLawModel = NoRollingModel;

/** A contact model is assembled: pair + normal law + friction law + rolling law. `Gonthier 2007, A.1`. */
export interface ContactModelSpec {
  readonly name: string;
  readonly bodyI: string;
  readonly bodyJ: string;
  readonly pair: PairModel;
  readonly normalLaw: NormalLawModel;
  readonly frictionLaw: FrictionLawModel;
  /** None when left out. */
  readonly rollingLaw?: RollingLawModel;
}
