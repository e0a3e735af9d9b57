/** Linear isotropic elasticity: σ = E ε, `Kim 1999, (2.32)`. Stresses in Pa; shear strains are engineering strains γ. */
import { positive, range } from '../base/parameter-checks.ts';

/** A material. */
export interface ElasticMaterial {
  /** Young's modulus, Pa. */
  readonly young: number;
  /** Poisson's ratio, −1 to 0.5, ends excluded. */
  readonly poisson: number;
  /** Density, kg/m³. */
  readonly density: number;
}

/** What is assumed of the direction that a mesh in the plane does not have. */
export type StressState = 'plane-stress' | 'plane-strain' | 'axisymmetric' | 'solid';

/** Components of strain: xx, yy, xy; rr, zz, θθ, rz; xx, yy, zz, xy, yz, zx. */
export const STRAINS: Readonly<Record<StressState, number>> = {
  'plane-stress': 3,
  'plane-strain': 3,
  axisymmetric: 4,
  solid: 6,
};

/** @throws BerthError for a number out of range */
export function checkMaterial({ young, poisson, density }: ElasticMaterial): void {
  positive('material.young', young);
  range('material.poisson', poisson, poisson > -1 && poisson < 0.5, 'to lie between −1 and 0.5');
  positive('material.density', density);
}

/** The matrix E, row by row. */
export function elasticityMatrix(material: ElasticMaterial, state: StressState): Float64Array {
  const { young, poisson } = material;
  const size = STRAINS[state];
  const e = new Float64Array(size * size);
  const shear = young / (2 * (1 + poisson));
  const normals = size === 6 ? 3 : size - 1;
  if (state === 'plane-stress') {
    const stiff = young / (1 - poisson * poisson);
    e.set([stiff, stiff * poisson, 0, stiff * poisson, stiff, 0, 0, 0, shear]);
    return e;
  }
  const lambda = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson));
  for (let i = 0; i < normals; i++) {
    for (let j = 0; j < normals; j++) e[size * i + j] = lambda + (i === j ? 2 * shear : 0);
  }
  for (let i = normals; i < size; i++) e[(size + 1) * i] = shear;
  return e;
}
