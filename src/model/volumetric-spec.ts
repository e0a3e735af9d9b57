/** The plain description of the parts of a volumetric contact. Everything is SI. `Gonthier 2007, chapter 4`. */
import type { BristleModel, HystereticModel } from './law-spec.ts';
import type { NormalMethod } from '../overlap/contact-normal.ts';
import type { OverlapMethod } from '../overlap/kernel.ts';

export type { NormalMethod } from '../overlap/contact-normal.ts';

/** The cells of body i against the cells of body j; one sub-model for each pair of cells that touch. `Gonthier 2007, A.4`. */
export interface VolumetricPairModel {
  readonly kind: 'volumetric';
  /** How overlaps are computed; `auto` when left out. */
  readonly method?: 'auto' | OverlapMethod;
  /** Relative error of a volume by rays at which they stop, by their estimate, 1e-11 to 0.1; when left out, a fixed number of nodes. */
  readonly relativeError?: number;
  /** Longest side of a voxel that the surface cuts, m, > 0, for `voxels`; 1 mm when left out. */
  readonly voxelSize?: number;
  /** In place of it the force of one voxel, N, > 0: its side is (δf/k_v)^⅓ with the stiffness k_v of the normal law. `Gonthier 2007, 4.5`. */
  readonly forceResolution?: number;
  /** `vector-area` when left out: it creates no energy. The thesis takes `principal-axis`. */
  readonly normal?: NormalMethod;
  /** Most cell pairs that may touch at once; as many as there are pairs when left out, at most 256. */
  readonly maximumPairs?: number;
  /** One impact speed for all cell pairs of a body pair, so that the damping does not depend on the cutting; true when left out. */
  readonly sharedImpactSpeed?: boolean;
}

/** Normal force k_v V (1 − A v_n), exact damping factor. `Gonthier 2007, (4.62), (4.132), (4.178)`. */
export interface VolumetricLawModel
  extends Omit<
    HystereticModel,
    'kind' | 'stiffness' | 'exponent' | 'restitution' | 'relaxationTime' | 'damping'
  > {
  readonly kind: 'volumetric';
  /** Effective restitution e in (0, 1]. */
  readonly restitution: number;
  /** Volumetric stiffness k_v of the pair, N/m³, > 0: 1/k_v = 1/k_vi + 1/k_vj. */
  readonly stiffness: number;
  /** Relaxation time constant T_rlx of the volume found at onset, s; 0 switches it off. */
  readonly relaxationTime: number;
}

/** Bristle friction with torsion and Contensou factors. `Gonthier 2007, (4.205)–(4.243)`. */
export interface VolumetricBristleModel extends Omit<BristleModel, 'kind'> {
  readonly kind: 'volumetric-bristle';
  /** Factor on the spin torque, >= 0; 1 when left out. The thesis' modified tippe-top takes 0.65. */
  readonly spinScale?: number;
  /**
   * How slip and spin share the friction: by the ellipse of the thesis, or exactly for a round patch under a paraboloid of pressure.
   * `ellipse` when left out.
   */
  readonly contensou?: 'ellipse' | 'paraboloid';
}

/** Rolling resistance −k_v A (V_r/V) J_v w_t of the damped foundation. `Gonthier 2007, (4.67), (4.183)`. */
export interface VolumetricRollingModel {
  readonly kind: 'volumetric';
}
