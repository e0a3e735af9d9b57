/** Layout of the lateness histogram: both axes are logarithmic, values beyond the chart stand apart. */
import type { LatenessHistogram } from '../../client/messages.ts';

/** Size of the drawing, and its margins. */
export const CHART = { width: 720, height: 250, left: 46, right: 12, top: 24, bottom: 38 } as const;
/** Width of the bar beyond the chart, and of the gap before it. */
const OFF_WIDTH = 44;
const BREAK = 26;
/** Start of the count axis: half a tick, so that one tick is visible. */
const FLOOR = 0.5;
/** The bar below the first edge is as wide as a factor of four. */
const FIRST_FACTOR = 4;

export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  readonly from_s: number;
  /** Infinity beyond the chart. */
  readonly to_s: number;
  readonly count: number;
}

export interface HistogramLayout {
  readonly bars: readonly Bar[];
  /** Grid lines of whole decades: ticks upwards, seconds to the right. */
  readonly counts: readonly { readonly y: number; readonly count: number }[];
  readonly times: readonly { readonly x: number; readonly time_s: number }[];
  /** Position of a time within the chart, clamped to its end. */
  readonly placeOf: (time_s: number) => number;
}

/** Computes the layout of a histogram; `counts` has one entry more than `edges_s`. */
export function layOut({ edges_s, counts }: LatenessHistogram): HistogramLayout {
  const first = (edges_s[0] ?? 1e-5) / FIRST_FACTOR;
  const last = edges_s.at(-1) ?? 1;
  const right = CHART.width - CHART.right - OFF_WIDTH - BREAK;
  const bottom = CHART.height - CHART.bottom;
  const placeOf = (time_s: number): number => {
    const within = Math.min(last, Math.max(first, time_s));
    const share = Math.log(within / first) / Math.log(last / first);
    return CHART.left + share * (right - CHART.left);
  };
  const top = 10 ** Math.max(2, Math.ceil(Math.log10(Math.max(1, ...counts))));
  const heightOf = (count: number): number =>
    count < 1 ? 0 : (Math.log(count / FLOOR) / Math.log(top / FLOOR)) * (bottom - CHART.top);

  const bars = counts.map((count, i): Bar => {
    const off = i === edges_s.length;
    const from_s = i === 0 ? 0 : edges_s[i - 1];
    const x = off ? right + BREAK : placeOf(from_s);
    const end = off ? x + OFF_WIDTH : placeOf(edges_s[i]);
    const height = heightOf(count);
    const to_s = off ? Infinity : edges_s[i];
    return { x, width: end - x, y: bottom - height, height, from_s, to_s, count };
  });
  const decades = (low: number, high: number): number[] => {
    const list: number[] = [];
    for (let p = Math.ceil(Math.log10(low) - 1e-9); p <= Math.log10(high) + 1e-9; p++) {
      list.push(Number(`1e${p}`));
    }
    return list;
  };
  return {
    bars,
    counts: decades(1, top).map((count) => ({ count, y: bottom - heightOf(count) })),
    times: decades(first, last).map((time_s) => ({ time_s, x: placeOf(time_s) })),
    placeOf,
  };
}
