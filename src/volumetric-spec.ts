/** The plain description of the parts of a volumetric contact. Everything is SI. `Gonthier 2007, chapter 4`. */
import type { NormalMethod } from './overlap/contact-normal.ts';
import type { OverlapMethod } from './overlap/kernel.ts';

export type { NormalMethod } from './overlap/contact-normal.ts';

/** The cells of body i against the cells of body j; one sub-model for each pair of cells that touch. `Gonthier 2007, A.4`. */
export interface VolumetricPairModel {
  readonly kind: 'volumetric';
  /** How overlaps are computed; `auto` when left out. */
  readonly method?: 'auto' | OverlapMethod;
  /** `principal-axis` when left out. */
  readonly normal?: NormalMethod;
  /** Most cell pairs that may touch at once; as many as there are pairs when left out, at most 256. */
  readonly maximumPairs?: number;
  /** One impact speed for all cell pairs of a body pair, so that the damping does not depend on the cutting; true when left out. */
  readonly sharedImpactSpeed?: boolean;
}

/** Normal force k_v V (1 − A v_n), exact damping factor. `Gonthier 2007, (4.62), (4.132), (4.178)`. */
export interface VolumetricLawModel {
  readonly kind: 'volumetric';
  /** Volumetric stiffness k_v of the pair, N/m³, > 0: 1/k_v = 1/k_vi + 1/k_vj. */
  readonly stiffness: number;
  /** Effective restitution e in (0, 1]. */
  readonly restitution: number;
  /** Impact speed used in place of a smaller one, m/s, > 0. */
  readonly smallVelocity: number;
  /** Relaxation time constant T_rlx of the volume found at onset, s; 0 switches it off. */
  readonly relaxationTime: number;
}

/** Bristle friction with torsion and Contensou factors. `Gonthier 2007, (4.205)–(4.243)`. */
export interface VolumetricBristleModel {
  readonly kind: 'volumetric-bristle';
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
  /** Factor on the spin torque, >= 0; 1 when left out. The thesis' modified tippe-top takes 0.65. */
  readonly spinScale?: number;
}

/** Rolling resistance −k_v A (V_r/V) J_v w_t of the damped foundation. `Gonthier 2007, (4.67), (4.183)`. */
export interface VolumetricRollingModel {
  readonly kind: 'volumetric';
}
