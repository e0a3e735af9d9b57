/**
 * Means of consecutive samples. A motion that is slow beside the sampling is a straight line within a bin, so that what is left about that
 * line is the noise of a sample.
 */

/** Bins of one or more columns. */
export interface Bins {
  /** Samples of each bin. */
  readonly size: number;
  readonly count: number;
  /** Means of each column. */
  readonly means: readonly Float64Array[];
  /** Standard deviation of one sample of each column, from all bins. */
  readonly noise: readonly number[];
}

/** Least samples of a bin whose scatter about a line says something. */
const LEAST = 4;

/** Bins of equal size, at most `most`; samples that are left over at the end are not used. */
export function binned(columns: readonly Float64Array[], most: number): Bins {
  const rows = columns[0].length;
  const size = Math.max(LEAST, Math.ceil(rows / most));
  const count = Math.floor(rows / size);
  const means = columns.map(() => new Float64Array(count));
  const noise = columns.map((column, c) => {
    let squares = 0;
    for (let b = 0; b < count; b++) {
      const { mean, left } = line(column, b * size, size);
      means[c][b] = mean;
      squares += left;
    }
    return Math.sqrt(squares / (count * (size - 2)));
  });
  return { size, count, means, noise };
}

/** Mean of a part of a column, and the sum of squares that a straight line leaves. */
function line(column: Float64Array, from: number, size: number): { mean: number; left: number } {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += column[from + i];
  const mean = sum / size;
  const middle = (size - 1) / 2;
  let squares = 0;
  let products = 0;
  for (let i = 0; i < size; i++) {
    const value = column[from + i] - mean;
    squares += value * value;
    products += (i - middle) * value;
  }
  const spread = (size * (size * size - 1)) / 12;
  return { mean, left: Math.max(0, squares - (products * products) / spread) };
}

/**
 * Standard deviation of a sample whatever steps the column has: the median of the amounts of the differences of neighbours is 0.6745 √2 of it for Gaussian
 * noise and a motion that is slow beside the sampling.
 */
export function noiseBetweenSteps(column: Float64Array): number {
  const differences = Float64Array.from({ length: column.length - 1 }, (_, i) =>
    Math.abs(column[i + 1] - column[i]),
  ).sort();
  return (differences[differences.length >> 1] ?? 0) / (0.6744897501960817 * Math.SQRT2);
}
