/**
 * A column of overlap metrics: what the volumetric contact model needs to know of the space that two bodies share. `Gonthier 2007,
 * 4.1`. Each form of this folder has sizes, checked once when it is made, and writes one column for a pose, without allocation;
 * pose and column lie in arrays of the caller.
 *
 * Frame of a column: z is the normal n, out of body j towards body i. With a ball the origin is its centre, else it is
 * a point of the plane (flat box, standing cylinder, edge of a box) or of the axis (lying cylinder); each form says what x and y are.
 *
 * Depth is positive in overlap. A depth of 0 or less gives a column of zeros, one beyond the whole body that of the whole
 * body; a depth that is not a number gives a volume that is not either.
 */

/** Slots of a column. */
export const OVERLAP = {
  /** V, m³. */
  volume: 0,
  /** A_c, m²: the area through which the bodies meet, projected on the normal. ∂V/∂depth where only the depth changes. */
  area: 1,
  /** Centroid p_c (x, y, z), m. */
  centroid: 2,
  /** Second moments about the centroid S = ∫ (p − p_c)(p − p_c)ᵀ dV (xx, yy, zz, xy, xz, yz), m⁵. */
  second: 5,
} as const;

/** Numbers in a column. */
export const OVERLAP_SIZE = 11;

/** No overlap: zeros. */
export function clearOverlap(out: Float64Array, o: number): void {
  for (let k = 0; k < OVERLAP_SIZE; k++) out[o + k] = 0;
}

/**
 * Volume inertia J_v = tr(S) 1 − S about the centroid at unit density, m⁵, as nine numbers row by row. `Gonthier 2007, (4.47)`.
 * Its zz is J_nn = n·J_v n, and r_gyr = √(J_nn/V).
 */
export function volumeInertia(
  out: Float64Array,
  o: number,
  metrics: Float64Array,
  m: number,
): void {
  const s = m + OVERLAP.second;
  const xx = metrics[s];
  const yy = metrics[s + 1];
  const zz = metrics[s + 2];
  out[o] = yy + zz;
  out[o + 4] = xx + zz;
  out[o + 8] = xx + yy;
  out[o + 1] = out[o + 3] = -metrics[s + 3];
  out[o + 2] = out[o + 6] = -metrics[s + 4];
  out[o + 5] = out[o + 7] = -metrics[s + 5];
}
