/**
 * Bounding box of a placed cell in world axes, for the broad phase. Let e be the k-th world axis in
 * the axes of the shape. The hull of discs that face along z (centres q, radii ρ), swept by a ball
 * of the radius m, has the reach along e
 *
 *   max_q (e·q + ρ √(e_x² + e_y²)) + m                                                                               (1)
 *
 * It is exact for all shapes but two. The ellipsoid of semi-axes s has the reach √Σ (e_k s_k)². The
 * box of a boolean is the intersection of the boxes of its common parts. Half-spaces and bores are
 * infinite.
 */
import type { BooleanShape, CellShape } from '../shapes/cell-model.ts';
import { placementOf } from '../shapes/placement.ts';
import type { ConvexShapeModel } from '../shapes/shape-model.ts';
import { ORIGIN, PLACEMENT } from './kernel.ts';

/** Numbers in a box: low x, y, z, then high x, y, z, m. Empty where a low is above its high. */
export const BOX = 6;

/** Bounding box of one cell shape. */
export interface CellBounds {
  /** Writes the box for a placement at `out[o]`. @alloc none */
  write(placement: Float64Array, out: Float64Array, o: number): void;
}

/**
 * Bounding box of a shape: the smallest one, or for a boolean the intersection of the boxes of its
 * common shapes. Allocates.
 */
export function makeCellBounds(shape: CellShape): CellBounds {
  switch (shape.kind) {
    case 'half-space':
    case 'bore':
      return new NoBounds();
    case 'boolean':
      return new SharedBounds(shape);
    case 'ellipsoid':
      return new EllipsoidBounds(shape.size);
    case 'box':
      return new BoxBounds(shape.size);
    default:
      return new DiscBounds(...discsOf(shape));
  }
}

class NoBounds implements CellBounds {
  write(_placement: Float64Array, out: Float64Array, o: number): void {
    for (let k = 0; k < 3; k++) {
      out[o + k] = Number.NEGATIVE_INFINITY;
      out[o + 3 + k] = Number.POSITIVE_INFINITY;
    }
  }
}

class EllipsoidBounds implements CellBounds {
  readonly #half: Float64Array;

  constructor(size: readonly number[]) {
    this.#half = Float64Array.from(size, (length) => 0.5 * length);
  }

  write(placement: Float64Array, out: Float64Array, o: number): void {
    const half = this.#half;
    for (let k = 0; k < 3; k++) {
      const x = placement[3 * k] * half[0];
      const y = placement[3 * k + 1] * half[1];
      const z = placement[3 * k + 2] * half[2];
      const reach = Math.sqrt(x * x + y * y + z * z);
      out[o + k] = placement[ORIGIN + k] - reach;
      out[o + 3 + k] = placement[ORIGIN + k] + reach;
    }
  }
}

/** (1) for the corners of a box: the farthest has the sign of e in each coordinate. */
class BoxBounds implements CellBounds {
  readonly #half: Float64Array;

  constructor(size: readonly number[]) {
    this.#half = Float64Array.from(size, (length) => 0.5 * length);
  }

  write(placement: Float64Array, out: Float64Array, o: number): void {
    const half = this.#half;
    const a = half[0];
    const b = half[1];
    const c = half[2];
    for (let k = 0; k < 3; k++) {
      const reach =
        Math.abs(placement[3 * k]) * a +
        Math.abs(placement[3 * k + 1]) * b +
        Math.abs(placement[3 * k + 2]) * c;
      out[o + k] = placement[ORIGIN + k] - reach;
      out[o + 3 + k] = placement[ORIGIN + k] + reach;
    }
  }
}

class DiscBounds implements CellBounds {
  /** x, y, z, radius of each disc. */
  readonly #discs: Float64Array;
  readonly #margin: Float64Array;

  constructor(discs: readonly (readonly number[])[], margin: number) {
    this.#discs = Float64Array.from(discs.flat());
    this.#margin = Float64Array.of(margin);
  }

  write(placement: Float64Array, out: Float64Array, o: number): void {
    const discs = this.#discs;
    const margin = this.#margin[0];
    for (let k = 0; k < 3; k++) {
      const x = placement[3 * k];
      const y = placement[3 * k + 1];
      const z = placement[3 * k + 2];
      const radial = Math.sqrt(x * x + y * y);
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let d = 0; d < discs.length; d += 4) {
        const middle = x * discs[d] + y * discs[d + 1] + z * discs[d + 2];
        const reach = radial * discs[d + 3];
        if (middle - reach < low) low = middle - reach;
        if (middle + reach > high) high = middle + reach;
      }
      out[o + k] = placement[ORIGIN + k] + low - margin;
      out[o + 3 + k] = placement[ORIGIN + k] + high + margin;
    }
  }
}

class SharedBounds implements CellBounds {
  readonly #parts: readonly CellBounds[];
  /** Placements of the parts in the cell. */
  readonly #placements: readonly Float64Array[];
  readonly #placement = new Float64Array(PLACEMENT);
  readonly #box = new Float64Array(BOX);

  constructor(shape: BooleanShape) {
    this.#parts = shape.common.map((part) => makeCellBounds(part.shape));
    this.#placements = shape.common.map(placementOf);
  }

  write(placement: Float64Array, out: Float64Array, o: number): void {
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      out[o + k] = Number.NEGATIVE_INFINITY;
      out[o + 3 + k] = Number.POSITIVE_INFINITY;
    }
    for (let part = 0; part < this.#parts.length; part++) {
      compose(placement, this.#placements[part], this.#placement);
      this.#parts[part].write(this.#placement, box, 0);
      for (let k = 0; k < 3; k++) {
        if (box[k] > out[o + k]) out[o + k] = box[k];
        if (box[3 + k] < out[o + 3 + k]) out[o + 3 + k] = box[3 + k];
      }
    }
  }
}

/** out := placement in the world of a part at `inner` in a frame at `outer`. @alloc none */
export function compose(outer: Float64Array, inner: Float64Array, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    const x = outer[3 * row];
    const y = outer[3 * row + 1];
    const z = outer[3 * row + 2];
    for (let k = 0; k < 3; k++) {
      out[3 * row + k] = x * inner[k] + y * inner[3 + k] + z * inner[6 + k];
    }
    out[ORIGIN + row] =
      x * inner[ORIGIN] + y * inner[ORIGIN + 1] + z * inner[ORIGIN + 2] + outer[ORIGIN + row];
  }
}

/** Discs of a shape, as x, y, z and radius, and the radius of the ball that sweeps them. */
function discsOf(
  shape: Exclude<ConvexShapeModel, { readonly kind: 'ellipsoid' | 'box' }>,
): [readonly (readonly number[])[], number] {
  switch (shape.kind) {
    case 'sphere':
      return [[[0, 0, 0, 0]], shape.radius];
    case 'capsule':
      return [[-0.5, 0.5].map((side) => [0, 0, side * shape.length, 0]), shape.radius];
    case 'cylinder':
      return [[-0.5, 0.5].map((side) => [0, 0, side * shape.length, shape.radius]), 0];
    case 'frustum':
      return [
        [
          [0, 0, 0, shape.radius],
          [0, 0, shape.length, shape.topRadius],
        ],
        0,
      ];
    case 'beam': {
      const { length, width, thickness } = shape;
      const ends = [-0.5, 0.5];
      const discs = ends.flatMap((x) =>
        ends.map((z) => [x * length, 0, z * thickness, 0.5 * width]),
      );
      return [discs, 0];
    }
    case 'mesh':
      return [shape.vertices.map((vertex) => [...vertex, 0]), 0];
  }
}
