/** Checks of cells. An error names the field, the value and the allowed range. */
import { BerthError } from '../base/errors.ts';
import {
  finite,
  flag,
  list,
  oneOf,
  plain,
  positive,
  range,
  text,
  unit,
} from '../base/parameter-checks.ts';
import { isBounded, largestExtent, placedBounds, sharedBounds } from './cell-bounds.ts';
import type { BooleanShape, CellModel, CellShape, Placed } from './cell-model.ts';
import { checkShape } from './check-shape.ts';

const SOLID = ['sphere', 'ellipsoid', 'box', 'cylinder', 'frustum', 'capsule', 'beam', 'mesh'];
const PRIMITIVE = [...SOLID, 'half-space', 'bore'];
const EVERY = [...PRIMITIVE, 'boolean'];

/**
 * Ratio of lengths that indicates millimetres in place of metres. It is below 1000, because correct
 * lengths differ too. Cells of one body differ more than partners that touch.
 */
const CELL_SLIP = 500;
const PARTNER_SLIP = 200;

function checkPlacement(placed: Placed<CellShape>, field: string): void {
  finite(`${field}.position`, placed.position, 3);
  finite(`${field}.orientation`, placed.orientation, 4);
  unit(`${field}.orientation`, placed.orientation);
}

function checkBoolean(shape: BooleanShape, field: string): void {
  const { common, without } = shape;
  list(`${field}.common`, common);
  range(`${field}.common.length`, common.length, common.length >= 1, '>= 1 part to cut from');
  for (const [name, parts] of [
    ['common', common],
    ['without', without],
  ] as const) {
    list(`${field}.${name}`, parts);
    parts.forEach((part, index) => {
      const at = `${field}.${name}[${index}]`;
      plain(at, part);
      plain(`${at}.shape`, part.shape);
      checkPlacement(part, at);
      oneOf(`${at}.shape.kind`, part.shape.kind, PRIMITIVE);
      checkCellShape(part.shape, `${at}.shape`);
    });
  }
  const shared = common.map(placedBounds).reduce(sharedBounds);
  if (shared.low.every((low, axis) => low < shared.high[axis])) return;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected the parts of ${field}.common to share a volume, got parts that lie apart (a boolean cell is what all of them share)`,
    { field: `${field}.common` },
  );
}

/** Checks the dimensions of a cell shape. @throws BerthError */
export function checkCellShape(shape: CellShape, field: string): void {
  oneOf(`${field}.kind`, shape.kind, EVERY);
  switch (shape.kind) {
    case 'half-space':
      return;
    case 'bore':
      positive(`${field}.radius`, shape.radius);
      return;
    case 'boolean':
      checkBoolean(shape, field);
      return;
    default:
      checkShape(shape, field);
  }
}

/** Checks a cell and where it sits on its body. @throws BerthError */
export function checkCell(cell: CellModel, field: string): void {
  plain(field, cell);
  text(`${field}.name`, cell.name);
  plain(`${field}.shape`, cell.shape);
  if (cell.embedded !== undefined) flag(`${field}.embedded`, cell.embedded);
  checkPlacement(cell, field);
  checkCellShape(cell.shape, `${field}.shape`);
}

/**
 * Checks every cell of a body, that names differ, and that no cell is far larger or smaller than
 * all others. Such a size indicates millimetres in place of metres. @throws BerthError
 */
export function checkCells(cells: readonly CellModel[], field: string): void {
  const names = new Set<string>();
  cells.forEach((cell, index) => {
    checkCell(cell, `${field}[${index}]`);
    if (names.has(cell.name)) {
      throw new BerthError(
        'BERTH_DUPLICATE_NAME',
        `Expected the cells of ${field} to have different names, got "${cell.name}" twice`,
        { field: `${field}[${index}].name` },
      );
    }
    names.add(cell.name);
  });
  const sized = cells
    .map((cell, index) => ({ cell, index, extent: largestExtent(placedBounds(cell)) }))
    .filter(({ extent }) => Number.isFinite(extent));
  for (const { cell, index, extent } of sized) {
    const others = sized.filter((one) => one.index !== index).map((one) => one.extent);
    if (others.length === 0) continue;
    const ratio = Math.max(extent / Math.max(...others), Math.min(...others) / extent);
    if (ratio < CELL_SLIP) continue;
    throw scaleSlip(
      `${field}[${index}]`,
      `cell "${cell.name}"`,
      extent,
      `the other cells of the body are ${metres(Math.min(...others))} to ${metres(Math.max(...others))} large`,
    );
  }
}

/**
 * Checks that two bodies that can touch are not far apart in size. Infinite bodies, such as a
 * half-space, fit every partner.
 * @throws BerthError
 */
export function checkPartnerSizes(
  cellsI: readonly CellModel[],
  cellsJ: readonly CellModel[],
  names: readonly [string, string],
  field: string,
): void {
  const [i, j] = [cellsI, cellsJ].map(bodyExtent);
  if (i === null || j === null) return;
  if (Math.max(i / j, j / i) < PARTNER_SLIP) return;
  throw scaleSlip(field, `body "${names[0]}"`, i, `body "${names[1]}" is ${metres(j)} large`);
}

/** Length of the longest edge of the box around all cells, m; null for an infinite cell or for no cell. */
function bodyExtent(cells: readonly CellModel[]): number | null {
  const boxes = cells.map(placedBounds);
  if (boxes.length === 0 || !boxes.every(isBounded)) return null;
  return Math.max(
    ...[0, 1, 2].map(
      (k) => Math.max(...boxes.map((b) => b.high[k])) - Math.min(...boxes.map((b) => b.low[k])),
    ),
  );
}

function scaleSlip(field: string, what: string, extent: number, beside: string): BerthError {
  return new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected lengths of one scale in ${field}: ${what} is ${metres(extent)} large while ${beside}, which is far apart; are millimetres taken for metres? Lengths are in metres, and an imported file takes a scale (0.001 for millimetres)`,
    { field },
  );
}

function metres(length: number): string {
  return `${Number(length.toPrecision(4))} m`;
}
