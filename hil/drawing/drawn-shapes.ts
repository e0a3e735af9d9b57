/** Cells for a page: shapes by kind and dimensions, lengths in metres, as in scenario files. */
import { convexHull } from '../../src/shapes/convex-hull.ts';
import type { CellShape, Placed } from '../../src/shapes/cell-model.ts';

export type Vector = readonly number[];

/** A shape by kind and dimensions. */
export type DrawnShape = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** A cell in the frame of its body. */
export interface DrawnCell {
  readonly name: string;
  readonly shape: DrawnShape;
  readonly position_m: Vector;
  readonly orientation: Vector;
}

/** A body in the order of the poses of the telemetry topic `scene`. */
export interface DrawnBody {
  readonly name: string;
  /** fixed, dynamic, prescribed, accommodated or link. */
  readonly motion: string;
  readonly role: 'payload' | 'arm' | 'site' | 'moving';
  readonly position_m: Vector;
  readonly orientation: Vector;
  readonly cells: readonly DrawnCell[];
  /** For a beam along +x of the body, clamped at its origin: length, and index in this list of the frame at its tip. */
  readonly bends?: { readonly length_m: number; readonly end: number };
}

export function placed({
  shape,
  position,
  orientation,
}: Placed<CellShape>): Omit<DrawnCell, 'name'> {
  return { shape: drawn(shape), position_m: position, orientation };
}

function drawn(shape: CellShape): DrawnShape {
  if (shape.kind === 'boolean') {
    return {
      kind: shape.kind,
      common: shape.common.map(placed),
      without: shape.without.map(placed),
    };
  }
  if (shape.kind === 'mesh') {
    const { points, faces } = convexHull(shape.vertices);
    return { kind: shape.kind, vertices_m: points, faces };
  }
  const lengths = Object.entries(shape).filter(([key]) => key !== 'kind');
  return {
    kind: shape.kind,
    ...Object.fromEntries(lengths.map(([key, value]) => [`${snake(key)}_m`, value as unknown])),
  };
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
