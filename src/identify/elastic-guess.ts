/** Where the search for an elastic law begins. */
import { BerthError } from '../base/errors.ts';
import { pow } from '../math/elementary/power.ts';

/** Height, stiffness and way of the press from F^(1/p) = k^(1/p) (h − z), a straight line in z, over the bins above a fifth of the largest force. */
export function elasticGuess(
  z: Float64Array,
  f: Float64Array,
  largest: number,
  exponent: number,
): { stiffness: number; height: number; way: number } {
  let [n, sz, sy, szz, szy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < z.length; i++) {
    if (!(f[i] > 0.2 * largest)) continue;
    const y = pow(f[i], 1 / exponent);
    const x = z[i] - z[0];
    n++;
    sz += x;
    sy += y;
    szz += x * x;
    szy += x * y;
  }
  const spread = szz - (sz * sz) / n;
  const slope = spread > 0 ? (szy - (sz * sy) / n) / spread : 0;
  if (!(slope < 0)) {
    throw new BerthError(
      'BERTH_MISMATCH',
      'place: the force does not grow as the place falls; allowed: a place along the outward normal of the plate, against which the tool is pressed',
      { field: 'place' },
    );
  }
  const height = z[0] + (sz - sy / slope) / n;
  const way = pow(largest, 1 / exponent) / -slope;
  return { stiffness: pow(-slope, exponent), height, way };
}
