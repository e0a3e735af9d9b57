/** Noise of a column whose signal is slow beside its samples. */

/** Median of the amount of a normal value with σ = 1. */
const MEDIAN = 0.6744897501960817;

/** Noise of a sample: third differences have 1 + 9 + 9 + 1 times its variance, and a median passes over impacts. */
export function differenceNoise(values: Float64Array): number {
  const amounts = new Float64Array(Math.max(1, values.length - 3));
  for (let i = 0; i + 3 < values.length; i++) {
    amounts[i] = Math.abs(values[i + 3] - 3 * (values[i + 2] - values[i + 1]) - values[i]);
  }
  amounts.sort();
  return amounts[amounts.length >> 1] / (MEDIAN * Math.sqrt(20));
}
