/** Correlated dispersions by a Gaussian copula: the normal scores of a design get a correlation matrix, and stay in the unit cube. */
import { expect } from '../base/parameter-checks.ts';
import { factorCholesky } from '../math/cholesky.ts';
import type { Design } from './designs.ts';
import { normalProbability, normalQuantile } from './normal.ts';

/** Pivots of a correlation matrix may fall to this: below, a dispersion is a sum of others. */
const LEAST_PIVOT = Float64Array.of(1e-12);

/**
 * The design with normal scores z := L z, where L Lᵀ is the correlation of the scores, d × d, row by row with ones on the diagonal.
 * @throws BerthError naming `field` for a matrix that no correlated quantities have
 */
export function correlate(field: string, design: Design, correlation: Float64Array): Design {
  const { count, dimensions: d } = design;
  const l = new Float64Array(d * d);
  const ok = factorCholesky(l, correlation, d, LEAST_PIVOT) === 1;
  expect(field, Array.from(correlation), ok, 'to be positive definite');
  const points = new Float64Array(count * d);
  const z = new Float64Array(d);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < d; j++) z[j] = normalQuantile(design.points[d * i + j]);
    for (let j = 0; j < d; j++) {
      let sum = 0;
      // a factor of zero is left out: the score of an end is infinite
      for (let k = 0; k <= j; k++) if (l[d * j + k] !== 0) sum += l[d * j + k] * z[k];
      points[d * i + j] = normalProbability(sum);
    }
  }
  return { count, dimensions: d, points };
}
