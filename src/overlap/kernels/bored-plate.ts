/** A plate with a hole: a box less a cylinder that is square to two faces of it and goes through both. */
import type { CellShape, Placed, PrimitiveShape } from '../../shapes/cell-model.ts';
import { rotationOf } from '../../math/quaternion.ts';
import { ORIGIN, PLACEMENT } from '../kernel.ts';

/** Angle by which the axis of the hole may miss that of the box, rad; and parts of a length by which they may miss each other. */
const SQUARE = 1e-12;
/** Slots of a side: its direction in the frame of the hole, and the heights of both faces along it, m. */
export const SIDE = { low: 3, high: 4, size: 5 } as const;

/** A plate in the frame of its hole, whose axis is z. */
export interface BoredPlate {
  readonly radius: number;
  /** Heights of the faces, m. */
  readonly low: number;
  readonly high: number;
  /** Placement of the hole in the frame of the cell. */
  readonly hole: Float64Array;
  /** The two pairs of sides. */
  readonly sides: Float64Array;
}

function placementOf({ position, orientation }: Placed<PrimitiveShape>): Float64Array {
  const placement = new Float64Array(PLACEMENT);
  rotationOf(placement, Float64Array.from(orientation), 0);
  placement.set(position, ORIGIN);
  return placement;
}

/** The plate that a cell is, or null. Allocates. */
export function boredPlateOf(cell: CellShape): BoredPlate | null {
  if (cell.kind !== 'boolean' || cell.common.length !== 1 || cell.without.length !== 1) return null;
  const [box] = cell.common;
  const [cylinder] = cell.without;
  if (box.shape.kind !== 'box' || cylinder.shape.kind !== 'cylinder') return null;
  const { radius, length } = cylinder.shape;
  const { size } = box.shape;
  const hole = placementOf(cylinder);
  const frame = placementOf(box);
  // axes of the box in the frame of the hole, and its middle along them from there
  const axes = [0, 1, 2].map((k) =>
    [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, n) => sum + hole[3 * n + r] * frame[3 * n + k], 0)),
  );
  const middle = [0, 1, 2].map((k) =>
    [0, 1, 2].reduce(
      (sum, n) => sum + (frame[ORIGIN + n] - hole[ORIGIN + n]) * frame[3 * n + k],
      0,
    ),
  );
  const across = axes.findIndex(([x, y]) => x * x + y * y < SQUARE * SQUARE);
  if (across < 0) return null;
  const half = 0.5 * size[across];
  const goesThrough = Math.abs(middle[across]) + half <= 0.5 * length * (1 + SQUARE);
  const others = [0, 1, 2].filter((k) => k !== across);
  const fits = others.every((k) => Math.abs(middle[k]) + radius < 0.5 * size[k]);
  if (!goesThrough || !fits) return null;
  const height = axes[across][2] > 0 ? middle[across] : -middle[across];
  const sides = others.flatMap((k) => [
    ...axes[k],
    middle[k] - 0.5 * size[k],
    middle[k] + 0.5 * size[k],
  ]);
  return {
    radius,
    low: height - half,
    high: height + half,
    hole,
    sides: Float64Array.from(sides),
  };
}
