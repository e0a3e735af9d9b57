/**
 * Bytes that a step leaves on the heap, in the first window of a run with next to none, or the quietest of many. Looking at the heap takes less than a byte a step; a
 * number that is boxed in every step takes 16.
 */
const WARM = 20_000;
/** At most; ways that are rarely taken, as a search, are compiled late. */
const WINDOWS = 600;
const STEPS = 1000;

/** Least growth of the windows, bytes a step. A window in which garbage was collected counts for nothing. */
export function heapOfSteps(step: () => void): number {
  for (let k = 0; k < WARM; k++) step();
  let least = Infinity;
  for (let w = 0; w < WINDOWS && least > 1; w++) {
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < STEPS; k++) step();
    const grown = (process.memoryUsage().heapUsed - before) / STEPS;
    if (grown >= 0) least = Math.min(least, grown);
  }
  return least;
}
