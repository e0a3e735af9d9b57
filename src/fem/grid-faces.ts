/**
 * Elastic faces without a mesh: a grid of points on a half-space, or on a thin layer bonded to what does not deform. The face is the plane z = 0
 * and looks along z. Normal and tangential displacements are not coupled: exact for ν = 0.5, and against a like material.
 *
 * Layer: each point by itself, E (1 − ν)/((1 + ν)(1 − 2ν) t) along the normal and G/t across it, N/m³. `Johnson 1985, 5.8`
 */
import { range } from '../base/parameter-checks.ts';
import type { PatchModel } from '../model/patch-spec.ts';
import { cerrutiShifts, loveDepth } from './half-space.ts';

/** Poisson's ratio from which on a layer keeps its volume: a thin one is then no foundation. */
const MOST_POISSON = 0.45;

/** The face of a body without a mesh. */
export interface GridFace {
  /** Sides along x and y, m; points along each. */
  readonly size: readonly [number, number];
  readonly points: readonly [number, number];
  /** Modulus E, Pa, and Poisson's ratio ν. */
  readonly young: number;
  readonly poisson: number;
  /** Radius of a ball-like crown, m; infinite: flat. */
  readonly radius: number;
}

/** Points in the middles of the elements of the grid, and the compliance from each to each, row by row. */
function facePatch(
  { size, points, radius }: GridFace,
  block: (x: number, y: number, a: number, b: number) => readonly (readonly number[])[],
): PatchModel {
  const [nx, ny] = points;
  const [a, b] = [size[0] / nx / 2, size[1] / ny / 2];
  const places = Array.from({ length: nx * ny }, (_, p) => [
    a * (2 * (p % nx) + 1 - nx),
    b * (2 * Math.floor(p / nx) + 1 - ny),
  ]);
  const n = 3 * places.length;
  const compliance = new Array<number>(n * n).fill(0);
  for (const [p, [px, py]] of places.entries()) {
    for (const [q, [qx, qy]] of places.entries()) {
      if (q > p) continue;
      for (const [r, row] of block(px - qx, py - qy, a, b).entries()) {
        for (const [c, value] of row.entries()) {
          compliance[n * (3 * p + r) + 3 * q + c] = value;
          compliance[n * (3 * q + c) + 3 * p + r] = value;
        }
      }
    }
  }
  return {
    points: places.flatMap(([x, y]) => [x, y, -(x * x + y * y) / (2 * radius)]),
    normals: places.flatMap(() => [0, 0, 1]),
    areas: places.map(() => 4 * a * b),
    compliance,
    modes: [],
  };
}

/** A face of an elastic half-space. */
export function halfSpaceFace(face: GridFace): PatchModel {
  const { young, poisson } = face;
  const modulus = young / (1 - poisson * poisson);
  const shear = young / (2 * (1 + poisson));
  return facePatch(face, (x, y, a, b) => {
    const [xx, xy, yy] = cerrutiShifts(x, y, a, b, shear, poisson);
    return [
      [xx, xy, 0],
      [xy, yy, 0],
      [0, 0, loveDepth(x, y, a, b, modulus)],
    ];
  });
}

/** A layer of this thickness, m. @throws BerthError for a material that keeps its volume; `field` is the position of the ratio */
export function layerFace(face: GridFace, thickness: number, field: string): PatchModel {
  const { young, poisson } = face;
  range(
    field,
    poisson,
    poisson <= MOST_POISSON,
    `to be at most ${MOST_POISSON} for a layer: a thin one that keeps its volume is no foundation`,
  );
  const normal = (young * (1 - poisson)) / ((1 + poisson) * (1 - 2 * poisson) * thickness);
  const across = young / (2 * (1 + poisson)) / thickness;
  return facePatch(face, (x, y, a, b) => {
    const own = x === 0 && y === 0 ? 1 / (4 * a * b) : 0;
    return [
      [own / across, 0, 0],
      [0, own / across, 0],
      [0, 0, own / normal],
    ];
  });
}
