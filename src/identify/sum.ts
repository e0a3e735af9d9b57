/** The sum of two parameters with its interval: their covariance v (JᵀJ)⁻¹ counts, so that what only the sum holds has a narrow one. */
import { factorCholesky, solveLower } from '../math/cholesky.ts';
import type { Identification } from './estimate.ts';

const TOLERANCE = 1e-14;

/** Value and interval of values j + k; null unless both are identified. */
export function sumOf(
  { estimates, values, basis }: Identification,
  j: number,
  k: number,
): { readonly value: number; readonly low: number; readonly high: number } | null {
  if ([j, k].some((one) => estimates[one].status !== 'identified')) return null;
  const { jacobian, bound } = basis.minimum;
  const all = estimates.length;
  const free = [...estimates.keys()].filter((i) => bound[i] === 0);
  const n = free.length;
  // columns over their lengths: parameters may be of any size
  const lengths = free.map((column) => {
    let squares = 0;
    for (let i = column; i < jacobian.length; i += all) squares += jacobian[i] * jacobian[i];
    return Math.sqrt(squares) || 1;
  });
  const square = new Float64Array(n * n);
  for (let row = 0; row < jacobian.length; row += all)
    for (let a = 0; a < n; a++)
      for (let b = 0; b <= a; b++)
        square[n * a + b] +=
          (jacobian[row + free[a]] / lengths[a]) * (jacobian[row + free[b]] / lengths[b]);
  if (factorCholesky(square, square, n, Float64Array.of(TOLERANCE)) === 0) return null;
  // gᵀ (JᵀJ)⁻¹ g = |L⁻¹ g|²
  const g = Float64Array.from(free, (column, a) => {
    if (column !== j && column !== k) return 0;
    // of a coordinate that is a logarithm, x = exp c
    return (estimates[column].parameter.logarithmic ? values[column] : 1) / lengths[a];
  });
  solveLower(square, n, g, 0);
  const reach =
    basis.quantile * Math.sqrt(basis.variance * g.reduce((sum, one) => sum + one * one, 0));
  const value = values[j] + values[k];
  return { value, low: value - reach, high: value + reach };
}
