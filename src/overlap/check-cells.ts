/**
 * Refuses a body whose cells share volume. The body is their union, and shared volume would count
 * twice in the contact force.
 */
import { BerthError } from '../base/errors.ts';
import { isBounded, placedBounds, sharedBounds } from '../shapes/cell-bounds.ts';
import type {
  BooleanShape,
  CellModel,
  CellShape,
  Placed,
  PrimitiveShape,
} from '../shapes/cell-model.ts';
import { checkCells } from '../shapes/check-cell.ts';
import { massProperties } from '../shapes/mass-properties.ts';
import { placementOf, toFrame, turnedBy } from '../shapes/placement.ts';
import { checkRemains } from './cell-remains.ts';
import { COLUMN } from './kernel.ts';
import { sharedColumn } from './shared-column.ts';

/**
 * Largest shared volume relative to the smaller cell. Faces that touch exactly overlap by rounding,
 * 1e-16 of the extent times the face. That is less even for cells a million times longer than
 * thick.
 */
const SHARED = 1e-9;
/** Edge of the cube in which two infinite cells are compared, m. */
const ENDLESS = 1000;

/**
 * Checks the cells of a body one by one and each against the others. Faces may touch.
 * @throws BerthError naming the cell of which nothing is left, or both cells and the volume that they share
 */
export function checkBodyCells(cells: readonly CellModel[], field: string): void {
  checkCells(cells, field);
  cells.forEach(({ shape }, index) => {
    if (shape.kind === 'boolean') checkRemains(shape, `${field}[${index}]`);
  });
  const bounds = cells.map(placedBounds);
  for (let i = 0; i < cells.length; i++) {
    for (let j = 0; j < i; j++) {
      if (cells[i].embedded === true || cells[j].embedded === true) continue;
      const { low, high } = sharedBounds(bounds[i], bounds[j]);
      if (low.some((value, axis) => value >= high[axis])) continue;
      const endless = !isBounded(bounds[i]) && !isBounded(bounds[j]);
      const shared = endless ? endlessVolume(cells[i], cells[j]) : sharedVolume(cells[i], cells[j]);
      if (shared === null) continue;
      const { volume, part } = shared;
      const of = endless ? '' : `, ${Number((100 * part).toPrecision(3))} % of the smaller one`;
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `Expected the cells of ${field} not to overlap, as shared volume would count twice, but "${cells[j].name}" and "${cells[i].name}" share ${Number(volume.toPrecision(3))} m³${of}; move or cut one of them, make one boolean cell of both, or call one embedded where nothing can touch what they share`,
        { field: `${field}[${i}]` },
      );
    }
  }
}

interface Shared {
  /** m³ */
  readonly volume: number;
  /** Part of the smaller cell. */
  readonly part: number;
}

function sharedVolume(a: CellModel, b: CellModel): Shared | null {
  const column = sharedColumn(a, b);
  const volume = column[COLUMN.volume];
  const smaller = Math.min(...[a, b].map(({ shape }) => volumeOf(shape)));
  const part = volume / smaller;
  // an estimate by rays may be positive where faces touch; its own error bounds it
  return part > SHARED + column[COLUMN.error] * part ? { volume, part } : null;
}

/** Volume of a shape, m³; of a boolean cell that of the box around it, an upper bound. */
function volumeOf(shape: CellShape): number {
  switch (shape.kind) {
    case 'half-space':
    case 'bore':
      return Infinity;
    case 'boolean': {
      const { low, high } = shape.common.map(placedBounds).reduce(sharedBounds);
      return low.reduce((product, value, axis) => product * (high[axis] - value), 1);
    }
    default:
      return massProperties(shape, 1).mass;
  }
}

/** Shared volume of two infinite cells in a large cube, as one boolean cell. */
function endlessVolume(a: CellModel, b: CellModel): Shared | null {
  const parts = [a, b].map(asBoolean);
  const both: BooleanShape = {
    kind: 'boolean',
    common: parts.flatMap(({ common }) => common),
    without: parts.flatMap(({ without }) => without),
  };
  const place = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  const cube = { kind: 'box', size: [ENDLESS, ENDLESS, ENDLESS] } as const;
  const volume = sharedColumn({ shape: both, ...place }, { shape: cube, ...place })[COLUMN.volume];
  const part = volume / (ENDLESS * ENDLESS * ENDLESS);
  return part > SHARED ? { volume, part } : null;
}

/** A cell as parts in the frame of the body. */
function asBoolean(cell: CellModel): Omit<BooleanShape, 'kind'> {
  const { shape } = cell;
  if (shape.kind !== 'boolean') return { common: [{ ...cell, shape }], without: [] };
  const placed = (part: Placed<PrimitiveShape>): Placed<PrimitiveShape> => ({
    shape: part.shape,
    position: toFrame(placementOf(cell), part.position),
    orientation: turnedBy(cell.orientation, part.orientation),
  });
  return { common: shape.common.map(placed), without: shape.without.map(placed) };
}
