/**
 * Figures of a soak run: the slope of a memory curve with its standard error, quantiles of lateness without keeping the samples,
 * and the Markdown of the report.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** A straight line through samples. */
export interface Slope {
  /** Units of y per unit of x. */
  readonly slope: number;
  /** Standard error of the slope; NaN below three points. */
  readonly error: number;
  readonly points: number;
}

/** Least squares with the standard error of the slope from the residuals. */
export function fitSlope(x: readonly number[], y: readonly number[]): Slope {
  const points = x.length;
  const mean = (of: readonly number[]): number => of.reduce((sum, v) => sum + v, 0) / points;
  const [mx, my] = [mean(x), mean(y)];
  let sxx = 0;
  let sxy = 0;
  for (let i = 0; i < points; i++) {
    sxx += (x[i] - mx) ** 2;
    sxy += (x[i] - mx) * (y[i] - my);
  }
  const slope = sxy / sxx;
  let squares = 0;
  for (let i = 0; i < points; i++) squares += (y[i] - my - slope * (x[i] - mx)) ** 2;
  const error = points > 2 ? Math.sqrt(squares / (points - 2) / sxx) : NaN;
  return { slope, error, points };
}

/** Ratio of the bounds of a bin: quantiles are right within half a per cent. */
const BIN_RATIO = Math.log(1.01);
const LEAST_S = 1e-7;
const BINS = Math.ceil(Math.log(1e3 / LEAST_S) / BIN_RATIO);

/** Durations from 0.1 µs to 1000 s in logarithmic bins. */
export class DurationBins {
  count = 0;
  most_s = 0;
  readonly #bins = new Float64Array(BINS + 1);

  add(duration_s: number): void {
    this.count++;
    if (duration_s > this.most_s) this.most_s = duration_s;
    const bin = Math.ceil(Math.log(Math.max(duration_s, LEAST_S) / LEAST_S) / BIN_RATIO);
    this.#bins[Math.min(BINS, bin)]++;
  }

  /** Middle of the bin that holds the quantile, s; NaN without samples. */
  quantile(q: number): number {
    let left = Math.max(1, Math.ceil(q * this.count));
    for (let bin = 0; bin <= BINS; bin++) {
      left -= this.#bins[bin];
      if (left <= 0) return LEAST_S * Math.exp((bin - 0.5) * BIN_RATIO);
    }
    return NaN;
  }
}

/** Put `text` between the marks `<!-- name -->` and `<!-- /name -->` of a page; the marks go to its end where there are none. */
export function replaceSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  const section = `${begin}\n\n${text.trim()}\n\n${end}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`.trimStart();
  return page.slice(0, from) + section + page.slice(to + end.length);
}

/** The same in a file, which need not be there. */
export function writeSection(path: string, name: string, text: string): void {
  let page = '';
  try {
    page = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(path, replaceSection(page, name, text));
}
