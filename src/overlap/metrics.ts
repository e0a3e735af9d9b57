/**
 * Column of overlap metrics: the data of the volume shared by two bodies for the volumetric contact
 * model. `Gonthier 2007, chapter 4`. Each closed form of this folder has sizes, checked at construction,
 * and writes one column for a pose without allocation. Pose and column lie in arrays of the caller.
 *
 * Frame of a column: z is the normal n, out of body j towards body i. With a ball the origin is its
 * centre, else a point of the plane (flat box, standing cylinder, edge of a box) or of the axis
 * (lying cylinder). Each form defines x and y.
 *
 * Depth is positive in overlap. A depth of 0 or less gives zeros, a depth beyond the body the
 * column of the whole body. A depth of NaN gives a volume of NaN.
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
