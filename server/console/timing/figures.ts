/** Counts and round durations for the timing page. */

const grouped = new Intl.NumberFormat('en', { useGrouping: true });

/** A count with grouped thousands. */
export const count = (n: number): string => grouped.format(n).replaceAll(',', '\u202f');

/** A stiffness with grouped thousands, rounded to three digits, as accurate as it is known. */
export const stiffness = (k: number | null | undefined): string =>
  k === null || k === undefined ? '—' : `${count(Number(k.toPrecision(3)))} N/m`;

/** 1e-5 as 10 µs, for edges and axes, which are round numbers. */
export function roundDuration(s: number): string {
  const [factor, unit] = s < 1e-3 ? [1e6, 'µs'] : s < 1 ? [1e3, 'ms'] : [1, 's'];
  return `${Number((s * factor).toPrecision(3))} ${unit}`;
}
