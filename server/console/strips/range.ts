/** Ends of an axis that stay constant while the values change a little. */

/** The least of 1, 2, 5 times a power of ten not below `value` > 0. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((f) => f * power >= value * (1 - 1e-12)) ?? 10;
  return factor * power;
}

/**
 * Ends for values between `low` and `high`: round numbers, never nearer to zero than `least`, so
 * that noise stays small. An axis that is not `signed` starts at zero.
 */
export function axisRange(
  low: number | null,
  high: number | null,
  least: number,
  signed: boolean,
): [number, number] {
  const top = roundUp(Math.max(least, high ?? 0));
  return [signed ? -roundUp(Math.max(least, -(low ?? 0))) : 0, top];
}
