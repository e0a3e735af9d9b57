/** Where the arrays of a system lie: each by itself, or all in one memory that kernels read as well. */
export interface Columns {
  /** Zeros. */
  doubles(length: number): Float64Array;
  integers(length: number): Int32Array;
}

/** Arrays by themselves. */
export const OWN_COLUMNS: Columns = {
  doubles: (length) => new Float64Array(length),
  integers: (length) => new Int32Array(length),
};

/** Copies numbers into columns of that length. */
export function columnOf(columns: Columns, ...numbers: readonly number[]): Float64Array {
  const column = columns.doubles(numbers.length);
  column.set(numbers);
  return column;
}
