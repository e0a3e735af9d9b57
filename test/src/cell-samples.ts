/** Places two cells at a given gap, for the random scenes of samples.ts. */
import type { CellModel } from '../../src/index.ts';
import { rotationOf } from '../../src/math/quaternion.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, PLACEMENT } from '../../src/overlap/kernel.ts';
import { makeKernel } from '../../src/overlap/make-kernel.ts';
import { placementOf } from '../../src/shapes/placement.ts';

type Triple = readonly [number, number, number];

/** The one cell of each body. */
export interface CellsOfPair {
  readonly i: CellModel;
  readonly j: CellModel;
}

/** Depth at which the overlap is asked for its normal, m. */
const SHALLOW = 1e-4;
/** How far the origins may be apart, in lengths of the offset. */
const FAR = 4;

/** A body at p, turned by q, with its cell: placement of the cell in the world. */
function placed(cell: CellModel, p: readonly number[], q: readonly number[]): Float64Array {
  const own = placementOf(cell);
  const r = new Float64Array(9);
  rotationOf(r, Float64Array.from(q), 0);
  const out = new Float64Array(PLACEMENT);
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 4; b++) {
      const at = b < 3 ? 3 * a + b : ORIGIN + a;
      out[at] = b < 3 ? 0 : p[a];
      for (let c = 0; c < 3; c++) out[at] += r[3 * a + c] * own[b < 3 ? 3 * c + b : ORIGIN + c];
    }
  }
  return out;
}

/**
 * Position of body i on the line from body j along the offset where the gap of the cells is `gap`, and normal and point where they
 * begin to touch on that line.
 */
export function placeCells(
  { i, j }: CellsOfPair,
  qi: readonly number[],
  pj: Triple,
  qj: readonly number[],
  offset: Triple,
  gap: number,
): [Triple, Triple, Triple] {
  const kernel = makeKernel(i.shape, j.shape, 'auto');
  const ground = placed(j, pj, qj);
  const column = new Float64Array(COLUMN_SIZE);
  const at = (s: number): Triple => [
    pj[0] + s * offset[0],
    pj[1] + s * offset[1],
    pj[2] + s * offset[2],
  ];
  const find = (want: number): Triple => {
    let [low, high] = [0, FAR];
    for (let pass = 0; pass < 60; pass++) {
      const middle = 0.5 * (low + high);
      kernel.compute(placed(i, at(middle), qi), ground, column);
      if (column[COLUMN.gap] < want) low = middle;
      else high = middle;
    }
    if (!(Math.abs(column[COLUMN.gap] - want) < 1e-9)) {
      throw new Error(`${i.name}, ${j.name}: no scene with a gap of ${want} m`);
    }
    return at(low);
  };
  find(-SHALLOW);
  const area = column[COLUMN.area];
  const [n, point] = [COLUMN.vectorArea, COLUMN.centroid].map((slot): Triple => {
    const scale = slot === COLUMN.centroid ? 1 : 1 / area;
    return [scale * column[slot], scale * column[slot + 1], scale * column[slot + 2]];
  });
  return [find(gap), n, point];
}
