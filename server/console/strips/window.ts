/** Samples of a strip for the plot: times relative to now, with gaps where the feed had stopped. */

/**
 * Longest time between two messages of a live feed, s: longer than a stall of the machine, shorter
 * than half a second of silence.
 */
export const GAP_S = 0.3;

/** Times and values of equal length; null ends a line. */
export interface PlotWindow {
  /** Seconds before now, rising, at most 0. */
  readonly x: number[];
  readonly y: readonly (number | null)[][];
}

/** An empty, reusable window of so many series. */
export function makeWindow(series: number): PlotWindow {
  return { x: [], y: Array.from({ length: series }, () => []) };
}

/**
 * Fills `into` with the samples of the last `length_s` before `now_s`. A null separates samples
 * more than `GAP_S` apart, so that no line bridges a gap. A value that is not a number becomes null
 * as well.
 * @param time_s rising
 * @param series as many as `into` has, each as long as `time_s`
 * @param factors from the unit of each series to that of its axis
 */
export function fillWindow(
  into: PlotWindow,
  time_s: ArrayLike<number>,
  series: readonly ArrayLike<number>[],
  now_s: number,
  length_s: number,
  factors: readonly number[],
): void {
  let rows = 0;
  let first = 0;
  while (first < time_s.length && now_s - time_s[first] > length_s) first++;
  for (let i = first; i < time_s.length; i++) {
    const at = time_s[i] - now_s;
    const before = i === first ? at : time_s[i - 1] - now_s;
    if (at - before > GAP_S) {
      into.x[rows] = (at + before) / 2;
      for (const column of into.y) column[rows] = null;
      rows++;
    }
    into.x[rows] = at;
    for (let s = 0; s < series.length; s++) {
      const value = series[s][i] * factors[s];
      into.y[s][rows] = Number.isFinite(value) ? value : null;
    }
    rows++;
  }
  into.x.length = rows;
  for (const column of into.y) column.length = rows;
}

/** A time interval with one quality other than good, relative to now, s. */
export interface QualityRun {
  readonly quality: number;
  readonly from: number;
  readonly to: number;
}

/** Intervals with a quality other than `good`, oldest first. A silence of the feed is not included. */
export function qualityRuns(
  time_s: ArrayLike<number>,
  quality: ArrayLike<number>,
  now_s: number,
  length_s: number,
  good = 0,
): QualityRun[] {
  const runs: QualityRun[] = [];
  let start = -1;
  for (let i = 0; i < time_s.length; i++) {
    if (now_s - time_s[i] > length_s) continue;
    if (start < 0) start = i;
    const last = i === time_s.length - 1;
    const ends = last || quality[i + 1] !== quality[start] || time_s[i + 1] - time_s[i] > GAP_S;
    if (!ends) continue;
    const joined = !last && time_s[i + 1] - time_s[i] <= GAP_S;
    if (quality[start] !== good) {
      const to = joined ? time_s[i + 1] : time_s[i];
      runs.push({ quality: quality[start], from: time_s[start] - now_s, to: to - now_s });
    }
    start = -1;
  }
  return runs;
}
