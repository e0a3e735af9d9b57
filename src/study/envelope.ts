/**
 * Where a limit is kept: the plane of two dispersions in tiles of as many runs each, with the share of each tile that keeps it, after Clopper and Pearson
 * (1934). Tiles follow from the places of the runs alone, not from what came out there, so that each interval holds with its confidence.
 */
import { type Figure, rateInterval } from './intervals.ts';

/** A run in the plane, and whether it keeps the limit. */
export interface EnvelopePoint {
  readonly x: number;
  readonly y: number;
  readonly within: boolean;
}

/** A part of the plane; its ends are half-way between the runs on either side, or those of the runs. */
export interface EnvelopeTile {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly runs: number;
  readonly share: Figure;
}

/** Tiles along each side at most, and fewest runs of one. */
const MOST_SIDE = 8;
const LEAST_RUNS = 8;

/**
 * Columns of as many runs each along x, and each of them in as many rows along y. None for fewer runs than four tiles need, and where runs share a value
 * along x or y, as those of a choice do: there is no border between them.
 */
export function envelopeTiles(
  points: readonly EnvelopePoint[],
  confidence: number,
): EnvelopeTile[] {
  const side = Math.min(MOST_SIDE, Math.floor(Math.sqrt(points.length / LEAST_RUNS)));
  if (side < 2 || hasTies(points, ({ x }) => x) || hasTies(points, ({ y }) => y)) return [];
  return parts(points, side, ({ x }) => x).flatMap((column) =>
    parts(column.of, side, ({ y }) => y).map(({ of, from, to }): EnvelopeTile => {
      const hits = of.filter(({ within }) => within).length;
      return {
        x: [column.from, column.to],
        y: [from, to],
        runs: of.length,
        share: { value: hits / of.length, ...rateInterval(hits, of.length, confidence) },
      };
    }),
  );
}

function hasTies(
  points: readonly EnvelopePoint[],
  along: (point: EnvelopePoint) => number,
): boolean {
  return new Set(points.map(along)).size < points.length;
}

interface Part {
  readonly of: readonly EnvelopePoint[];
  readonly from: number;
  readonly to: number;
}

function parts(
  points: readonly EnvelopePoint[],
  count: number,
  along: (point: EnvelopePoint) => number,
): Part[] {
  const ordered = [...points].sort((a, b) => along(a) - along(b));
  const n = ordered.length;
  const first = (k: number): number => Math.floor((k * n) / count);
  const border = (k: number): number => {
    const at = first(k);
    return 0.5 * (along(ordered[Math.max(0, at - 1)]) + along(ordered[Math.min(n - 1, at)]));
  };
  return Array.from({ length: count }, (_, k) => ({
    of: ordered.slice(first(k), first(k + 1)),
    from: border(k),
    to: border(k + 1),
  }));
}
