/**
 * Refuses a boolean cell of which nothing is left: a hole as large as its block, or a bore given in
 * millimetres. Its body would touch nothing. It allocates and is for construction.
 */
import { BerthError } from '../base/errors.ts';
import { isBounded, largestExtent, shapeBounds } from '../shapes/cell-bounds.ts';
import type { BooleanShape, CellShape, Placed, PrimitiveShape } from '../shapes/cell-model.ts';
import { COLUMN } from './kernel.ts';
import { sharedColumn } from './shared-column.ts';

/** Volume relative to the box around a cell below which nothing is left: a ray integral of nothing is rounding. */
const NOTHING = 1e-9;
/** Edges of the cubes in which an infinite cell is looked for, about each of its parts, m. */
const CUBES = [1000, 1, 1e-3] as const;
/** A part so many times larger than all others together indicates millimetres in place of metres. */
const SLIP = 10;

const HERE = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

/** Checks that a boolean cell has a volume. @throws BerthError naming the part that removes all of it */
export function checkRemains(shape: BooleanShape, field: string): void {
  if (!hasVolume(shape)) throw nothingLeft(shape, field);
}

function hasVolume(shape: BooleanShape): boolean {
  const bounds = shapeBounds(shape);
  if (isBounded(bounds)) {
    const middle = bounds.low.map((low, k) => (low + bounds.high[k]) / 2);
    // slightly larger, so that no face of the cell lies in a face of the box
    const edges = bounds.low.map((low, k) => 1.1 * (bounds.high[k] - low));
    return fills(shape, middle, edges);
  }
  const parts = [...shape.common, ...shape.without];
  return CUBES.some((edge) =>
    parts.some(({ position }) => fills(shape, position, [edge, edge, edge])),
  );
}

function fills(shape: BooleanShape, position: readonly number[], size: readonly number[]): boolean {
  const [x, y, z] = position;
  const [u, v, w] = size;
  const box = { ...HERE, shape: { kind: 'box', size: [u, v, w] }, position: [x, y, z] } as const;
  return sharedColumn({ shape, ...HERE }, box)[COLUMN.volume] > NOTHING * u * v * w;
}

/** The error of a boolean cell of which nothing is left. */
export function nothingLeft(shape: BooleanShape, field: string): BerthError {
  const blame = culprit(shape);
  const words = blame === null ? '' : `: ${wordsOf(blame)}`;
  return new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} to have a volume, got a boolean cell of which nothing is left${words}`,
    { field },
  );
}

interface Culprit {
  /** Its place in the cell, as `without[0]`. */
  readonly place: string;
  readonly part: Placed<PrimitiveShape>;
  /** The cell without it. */
  readonly rest: BooleanShape;
}

/** The only part without which the cell has a volume; null when there are several, or none. */
function culprit(shape: BooleanShape): Culprit | null {
  const lists = ['without', 'common'] as const;
  const found = lists.flatMap((list) =>
    shape[list].flatMap((part, index) => {
      const rest = { ...shape, [list]: shape[list].filter((_, k) => k !== index) };
      if (rest.common.length === 0 || isEndless(rest) !== isEndless(shape)) return [];
      if (!hasVolume(rest)) return [];
      return [{ place: `${list}[${index}]`, part, rest }];
    }),
  );
  return found.length === 1 ? found[0] : null;
}

function wordsOf({ place, part, rest }: Culprit): string {
  const extent = extentOf(part.shape);
  const others = largestExtent(shapeBounds(rest));
  const slip = Number.isFinite(others) && Number.isFinite(extent) && extent > SLIP * others;
  const hint = slip
    ? `, and it is ${metres(extent)} large where the rest is ${metres(others)}: are millimetres taken for metres?`
    : '';
  return `${place} (${part.shape.kind}) removes all of it${hint}`;
}

const isEndless = (shape: BooleanShape): boolean => !isBounded(shapeBounds(shape));

/** Length of the longest edge of the box around a part, m; of a bore its diameter. */
function extentOf(shape: CellShape): number {
  return shape.kind === 'bore' ? 2 * shape.radius : largestExtent(shapeBounds(shape));
}

function metres(length: number): string {
  return `${Number(length.toPrecision(4))} m`;
}
