/**
 * Mass, centre of mass and inertia of a body of cells of uniform density. Convex cells have closed
 * forms. So has a boolean cell of one convex shape with separate holes inside it. Other boolean
 * cells are integrated by rays. It allocates and is for construction.
 */
import { BerthError } from '../base/errors.ts';
import { positive } from '../base/parameter-checks.ts';
import { isBounded, shapeBounds } from '../shapes/cell-bounds.ts';
import type { BooleanShape, CellModel, CellShape, Placed } from '../shapes/cell-model.ts';
import { checkCell } from '../shapes/check-cell.ts';
import { placedMass, sumMass } from '../shapes/compose-mass.ts';
import { type MassProperties, massProperties } from '../shapes/mass-properties.ts';
import type { BoxShape, ConvexShapeModel } from '../shapes/shape-model.ts';
import { nothingLeft } from './cell-remains.ts';
import { COLUMN } from './kernel.ts';
import { sharedColumn } from './shared-column.ts';

/** Mass properties and their possible error. */
export interface CellMass extends MassProperties {
  /** Estimate of the relative error of the mass; 0 for closed forms. */
  readonly error: number;
}

/** Relative difference below which volumes are the same: rounding of the exact methods and of smooth ray integrals. */
const SAME = 1e-9;
/** Largest relative error of an accepted mass. */
const LARGEST_ERROR = 1e-4;

/**
 * Mass properties of a cell in its own frame; density in kg/m³.
 * @throws BerthError for an infinite cell, one without volume, and one whose integral is inaccurate
 */
export function cellMass(shape: CellShape, density: number, field: string): CellMass {
  positive('density', density);
  if (shape.kind === 'half-space' || shape.kind === 'bore') throw endless(shape.kind, field);
  if (shape.kind !== 'boolean') return { ...massProperties(shape, density), error: 0 };
  if (!isBounded(shapeBounds(shape))) throw endless('boolean', field);
  return withHoles(shape, density) ?? byRays(shape, density, field);
}

/**
 * Mass properties of a body in its frame; cells do not overlap.
 * @throws BerthError as `cellMass`, naming the cell
 */
export function bodyMass(cells: readonly CellModel[], density: number, field: string): CellMass {
  if (cells.length === 0) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${field} to have at least one cell to take the mass from, got none; give mass and inertia instead`,
      { field },
    );
  }
  const embedded = cells.findIndex((cell) => cell.embedded === true);
  if (embedded >= 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${field} to have no embedded cell, as its mass would count twice, got "${cells[embedded].name}"; give mass and inertia instead of a density`,
      { field: `${field}[${embedded}]` },
    );
  }
  const parts = cells.map((cell, index) => {
    checkCell(cell, `${field}[${index}]`); // without volume the mass is 0 and its centre NaN
    const own = cellMass(cell.shape, density, `${field}[${index}]`);
    return { ...placedMass(own, cell), error: own.error };
  });
  const sum = sumMass(parts);
  const error = parts.reduce((total, part) => total + part.error * part.mass, 0) / sum.mass;
  return { ...sum, error };
}

/** Moves the cells so that the centre of mass, the origin of a body frame, is their origin. */
export function centeredCells(
  cells: readonly CellModel[],
  center: readonly [number, number, number],
): CellModel[] {
  return cells.map((cell) => {
    const [x, y, z] = cell.position.map((value, k) => value - center[k]);
    return { ...cell, position: [x, y, z] };
  });
}

function endless(kind: string, field: string): BerthError {
  return new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${field} to have an end in every direction, as its mass is asked for, got a ${kind} cell without one; give the body mass and inertia, or make it fixed`,
    { field },
  );
}

/** The closed form of one convex shape with holes inside; null when the cell is not of that form. */
function withHoles(shape: BooleanShape, density: number): CellMass | null {
  const [whole] = shape.common;
  if (shape.common.length !== 1 || !isConvexPart(whole)) return null;
  const holes: Placed<ConvexShapeModel>[] = [];
  for (const part of shape.without) {
    if (!isConvexPart(part)) return null;
    const volume = massProperties(part.shape, 1).mass;
    const inside = sharedColumn(whole, part)[COLUMN.volume];
    if (inside <= SAME * volume) continue; // removes nothing
    if (Math.abs(inside - volume) > SAME * volume) return null;
    const meets = holes.some((hole) => sharedColumn(hole, part)[COLUMN.volume] > SAME * volume);
    if (meets) return null;
    holes.push(part);
  }
  const placed = (part: Placed<ConvexShapeModel>): MassProperties =>
    placedMass(massProperties(part.shape, density), part);
  const result = sumMass([placed(whole)], holes.map(placed));
  // a hole as large as the whole leaves only rounding
  return result.mass > SAME * placed(whole).mass ? { ...result, error: 0 } : null;
}

function isConvexPart(part: Placed<CellShape>): part is Placed<ConvexShapeModel> {
  return !['half-space', 'bore', 'boolean'].includes(part.shape.kind);
}

/** Mass properties from the overlap of the cell with a box around it. */
function byRays(shape: BooleanShape, density: number, field: string): CellMass {
  const { low, high } = shapeBounds(shape);
  const [x, y, z] = low.map((value, k) => (value + high[k]) / 2);
  // slightly larger, so that no face of the cell lies in a face of the box
  const [u, v, w] = low.map((value, k) => 1.1 * (high[k] - value));
  const box: BoxShape = { kind: 'box', size: [u, v, w] };
  const column = sharedColumn(
    { shape, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
    { shape: box, position: [x, y, z], orientation: [0, 0, 0, 1] },
  );
  const volume = column[COLUMN.volume];
  const error = column[COLUMN.error];
  if (!(volume > SAME * u * v * w)) throw nothingLeft(shape, field);
  if (!(error <= LARGEST_ERROR)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected the mass of ${field} to be known to ${LARGEST_ERROR}, got a boolean cell whose volume is certain to ${error} only; give the body mass and inertia`,
      { field },
    );
  }
  const [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(
    (k) => density * column[COLUMN.second + k],
  );
  return {
    mass: density * volume,
    center: [column[COLUMN.centroid], column[COLUMN.centroid + 1], column[COLUMN.centroid + 2]],
    inertia: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
    error,
  };
}
