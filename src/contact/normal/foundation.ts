/**
 * Two deformable bodies as one Winkler foundation, and where the contact plate between them would lie. All force and moment
 * expressions keep the form of one body with the stiffness of the pair. `Gonthier 2007, (4.127)–(4.198)`.
 */

import { expect } from '../../base/parameter-checks.ts';

/**
 * Stiffness of the pair, N/m³: 1/k_v = 1/k_vi + 1/k_vj. A rigid body has Infinity; not both. `Gonthier 2007, (4.132)`.
 * @param stiffnessI k_vi, N/m³, > 0
 * @param stiffnessJ k_vj, N/m³, > 0
 */
export function combineStiffness(stiffnessI: number, stiffnessJ: number): number {
  for (const [name, value] of Object.entries({ stiffnessI, stiffnessJ })) {
    expect(name, value, value > 0, '> 0, N/m³');
  }
  return 1 / (1 / stiffnessI + 1 / stiffnessJ);
}

/** Share of the overlap by which body i yields, r_i = k_vj/(k_vi + k_vj): the stiffer body yields less. `Gonthier 2007, (4.127)`. */
export function yieldShare(stiffnessI: number, stiffnessJ: number): number {
  return stiffnessI === Number.POSITIVE_INFINITY ? 0 : 1 / (1 + stiffnessI / stiffnessJ);
}

/**
 * Distance of the contact plate from the centroid of the overlap along the normal, m, positive towards body i:
 * rho_n = (r_i − r_j) h_v/2 with h_v = V/A_c. Exact where the section does not change along the normal. For drawing and pressure maps:
 * the force acts at the centroid. `Gonthier 2007, (4.143)`.
 */
export function plateOffset(
  stiffnessI: number,
  stiffnessJ: number,
  volume: number,
  area: number,
): number {
  return ((2 * yieldShare(stiffnessI, stiffnessJ) - 1) * 0.5 * volume) / area;
}
