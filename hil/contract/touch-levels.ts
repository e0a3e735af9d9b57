/** How surfaces of free form touch, by their least relative curvature k₂ over 1/L, L = 10 mm. `Tasora, 10` */

/** Below it a place runs fast, and below the second one it is a line or an area. */
const WEAK = 1e-3;
const LINE = 1e-6;
/** A place is held well again, or no line any more, from so many times the limit on, so that rounding makes no events. */
const APART = 1.5;

/**
 * Level of k₂ L: 0 held well, 1 a place that runs fast over the surface, 2 a line or an area, 3 surfaces that cross near the place.
 * @param before level of the touch until now; it stays where k₂ is not known. @alloc none
 */
export function touchLevel(k2L: number, before: number): number {
  if (!(k2L === k2L)) return before;
  if (k2L < -LINE) return 3;
  if (k2L < (before >= 2 ? APART * LINE : LINE)) return 2;
  return k2L < (before >= 1 ? APART * WEAK : WEAK) ? 1 : 0;
}
