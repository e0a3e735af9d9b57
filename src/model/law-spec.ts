/** The plain description of the laws that contacts of a point and of a volume share. Everything is SI. */

/** Restitution e = 1 − α v of an impact at v, at least 0.01. `Gonthier 2007, (3.12)`. */
export interface RestitutionSlope {
  /** α, s/m, >= 0. */
  readonly slope: number;
}

/** Hysteretic normal law with the exact damping factor. `Gonthier 2007, (3.19)–(3.25), (3.43)–(3.45)`. */
export interface HystereticModel {
  readonly kind: 'hysteretic';
  /** Stiffness k, N/m^p, > 0. */
  readonly stiffness: number;
  /** Exponent p of the elastic law, in [1, 3]. */
  readonly exponent: number;
  /** Effective restitution e in (0, 1], or how it falls with the speed of the impact. */
  readonly restitution: number | RestitutionSlope;
  /** Impact speed used in place of a smaller one, m/s, > 0. */
  readonly smallVelocity: number;
  /** Relaxation time constant T_rlx, s; 0 switches relaxed penetration off. */
  readonly relaxationTime: number;
  /** Damping factor as a function of e; `exact` when left out. The others do not return the e that was asked for. */
  readonly damping?: 'exact' | 'hunt-crossley' | 'lankarani-nikravesh' | 'flores';
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
