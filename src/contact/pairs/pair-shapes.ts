/** The surfaces of a pair as placed shapes: for what draws them. Allocates; for set-up. */
import type { Triple } from '../../base/tuples.ts';
import type { CellShape, Placed } from '../../shapes/cell-model.ts';
import { turnZTo } from '../../shapes/placement.ts';

/** Shapes on body i and on body j, each in the frame of its body. */
export interface PairShapes {
  readonly i: readonly Placed<CellShape>[];
  readonly j: readonly Placed<CellShape>[];
}

/** A sphere of a body. */
export function ball(radius: number, position: Triple): Placed<CellShape> {
  return { shape: { kind: 'sphere', radius }, position, orientation: [0, 0, 0, 1] };
}

/** The half-space behind a plane through a point. */
export function halfSpace(normal: Triple, position: Triple): Placed<CellShape> {
  return { shape: { kind: 'half-space' }, position, orientation: turnZTo(normal) };
}
