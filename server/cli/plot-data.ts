/** Curves of a plot from the rows of a table: panels of one unit, and no more points than a page draws with ease. */
import { unitOfName } from './column-unit.ts';

/** Numbers of one column; NaN is a gap. */
export interface Curve {
  readonly name: string;
  readonly values: readonly number[];
}

/** Curves with one unit. */
export interface Panel {
  /** Unit; where the names state none, what they have in common. */
  readonly label: string;
  readonly curves: readonly Curve[];
}

/** Points of a curve at most. */
export const MOST_POINTS = 20_000;

/** `wrench.force` for a part of it without a unit; empty for a plain name. */
const ownerOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));
const labelOf = (name: string): string => unitOfName(name) || ownerOf(name);

/** Columns by the last word of their names, in the order in which units appear. */
export function panelsOf(curves: readonly Curve[]): Panel[] {
  const labels = [...new Set(curves.map(({ name }) => labelOf(name)))];
  return labels.map((label) => ({
    label,
    curves: curves.filter(({ name }) => labelOf(name) === label),
  }));
}

/** Times and curves with the least and the largest of each of so many rows that MOST_POINTS are left. */
export interface Thinned {
  readonly times: readonly number[];
  readonly curves: readonly Curve[];
  /** Rows that two points stand for; 1: every row is a point. */
  readonly rows: number;
}

/** Keeps peaks: of each bucket of rows the least and the largest value of every curve, in the order in which they came. */
export function thin(times: readonly number[], curves: readonly Curve[]): Thinned {
  if (times.length <= MOST_POINTS) return { times, curves, rows: 1 };
  const rows = Math.ceil((2 * times.length) / MOST_POINTS);
  const starts = Array.from({ length: Math.ceil(times.length / rows) }, (_, i) => i * rows);
  return {
    times: starts.flatMap((start) => [
      times[start],
      times[Math.min(start + (rows >> 1), times.length - 1)],
    ]),
    curves: curves.map(({ name, values }) => ({
      name,
      values: starts.flatMap((start) => extremes(values, start, start + rows)),
    })),
    rows,
  };
}

function extremes(values: readonly number[], from: number, to: number): [number, number] {
  let least = -1;
  let most = -1;
  for (let i = from; i < Math.min(to, values.length); i++) {
    if (Number.isNaN(values[i])) continue;
    if (least < 0 || values[i] < values[least]) least = i;
    if (most < 0 || values[i] > values[most]) most = i;
  }
  if (least < 0) return [NaN, NaN];
  return least <= most ? [values[least], values[most]] : [values[most], values[least]];
}
