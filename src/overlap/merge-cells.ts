/**
 * Merging of cells of one body whose union is convex: fewer pairs of cells for the same body. It allocates and is for construction.
 *
 * A group of cells with flat faces has a convex union when the hull of all its corners has no volume besides that of the cells:
 *
 *   |V(hull) − Σ V_k| <= TOLERANCE V(hull).
 *
 * Cells do not overlap, which is checked first. What the hull adds is therefore at most that part of the volume, and it changes the
 * force of a volumetric contact by at most k_v TOLERANCE V(hull).
 *
 * The group of two neighbours is their closure: as long as the hull has more volume than the group, every cell that reaches into the
 * hull joins. This is the least group with both that can be convex, because every convex set with both contains the hull. So
 * - five cells around a pinwheel are found, no two of which are convex together;
 * - a closure whose hull has a hole stays one, whatever else is merged: such a pair is not looked into again;
 * - a convex group has neighbours, and the closure of any two of them lies in the group: neighbours are enough.
 *
 * Of all groups the one with the largest union is merged, until none is left. Cells are ordered by their corners before, so that the
 * result does not depend on their order in the list.
 *
 * @test test/src/overlap/merge-cells.long.test.ts
 */
import { placedBounds, sharedBounds, type Bounds } from '../shapes/cell-bounds.ts';
import type { CellModel, Placed } from '../shapes/cell-model.ts';
import { convexHull, type Hull } from '../shapes/convex-hull.ts';
import { placementOf, toFrame } from '../shapes/placement.ts';
import type { BoxShape, MeshShape } from '../shapes/shape-model.ts';
import { meshVolume } from '../shapes/triangle-mesh.ts';
import { checkBodyCells } from './check-cells.ts';
import { ClipKernel } from './clip.ts';
import { COLUMN, COLUMN_SIZE } from './kernel.ts';
import { makePolytope, type Polytope } from './polytope.ts';

/** Part of the volume of a union that its hull may add, and that cells of a body may share. */
const TOLERANCE = 1e-9;
/** Distance of the boxes around two cells below which they are neighbours, as a part of the extent of both. */
const NEAR = 1e-8;
/** Difference of volumes, as a part of them, that is rounding: the first of two groups is then taken. */
const EQUAL = 1e-9;

/** The frame of the body. */
const HERE = placementOf({ position: [0, 0, 0], orientation: [0, 0, 0, 1] });

type Point = readonly [number, number, number];
type FlatShape = BoxShape | MeshShape;

/** One cell with flat faces, or several of which one is made. */
interface Piece {
  /** Corners in the frame of the body, in rising order. */
  readonly corners: readonly Point[];
  readonly bounds: Bounds;
  /** Sum of the volumes of its cells, m³. */
  readonly volume: number;
  /** Its polytope, in the frame of the body; made when it is first asked for. */
  polytope?: Polytope | null;
  /** Places of its cells in the list, in rising order. */
  readonly members: readonly number[];
  /** Orientation of the first of its cells in the order of corners. */
  readonly orientation: CellModel['orientation'];
}

/** Pieces whose union is convex. */
interface Group {
  /** In the order of corners. */
  readonly pieces: readonly Piece[];
  readonly hull: Hull;
  readonly volume: number;
}

/**
 * The cells of a body, with those of flat faces merged whose union is convex. A merged cell stands at the place of its first cell
 * and has its name with the number of the others, as `module-11+8`. Embedded, round, infinite and boolean cells stay.
 * @throws BerthError for cells that `checkBodyCells` refuses
 */
export function mergeCells(cells: readonly CellModel[], field: string): CellModel[] {
  checkBodyCells(cells, field);
  const pieces = new Merging(cells.flatMap((cell, index) => pieceOf(cell, index) ?? [])).run();
  const first = new Map(pieces.map((piece) => [piece.members[0], piece]));
  const gone = new Set(pieces.flatMap(({ members }) => members.slice(1)));
  return cells.flatMap((cell, index) => {
    if (gone.has(index)) return [];
    const piece = first.get(index);
    if (piece === undefined || piece.members.length === 1) return [cell];
    return [{ name: `${cell.name}+${piece.members.length - 1}`, ...shapeOf(piece) }];
  });
}

/** Two neighbours in the order of corners, and their closure. */
interface Pair {
  readonly a: Piece;
  readonly b: Piece;
  readonly group: Group;
}

/** The pieces of a body while they are merged. */
class Merging {
  private pieces: readonly Piece[];
  private pairs: Pair[];
  /** Pairs whose closure has a hole, and stays so. */
  private readonly hollow = new Map<Piece, Set<Piece>>();

  constructor(pieces: readonly Piece[]) {
    this.pieces = [...pieces].sort(byCorners);
    this.pairs = this.pieces.flatMap((a, i) =>
      this.pieces.slice(i + 1).flatMap((b) => this.pairOf(a, b) ?? []),
    );
  }

  /** Merges the group with the largest union, until there is none. */
  run(): readonly Piece[] {
    for (let best = this.largest(); best !== null; best = this.largest()) this.merge(best);
    return this.pieces;
  }

  private largest(): Group | null {
    let best: Group | null = null;
    for (const { group } of this.pairs) {
      if (group.volume > (best?.volume ?? 0) * (1 + EQUAL)) best = group;
    }
    return best;
  }

  private merge(group: Group): void {
    const made = unionOf(group);
    const used = new Set(group.pieces);
    const left = this.pieces.filter((piece) => !used.has(piece));
    for (const piece of used) {
      for (const other of this.hollow.get(piece) ?? []) this.setHollow(made, other);
    }
    this.pieces = [...left, made].sort(byCorners);
    const kept = this.pairs.flatMap((pair): Pair[] => {
      if (used.has(pair.a) || used.has(pair.b)) return [];
      if (!pair.group.pieces.some((piece) => used.has(piece))) return [pair];
      return this.pairOf(pair.a, pair.b) ?? [];
    });
    const more = left.flatMap((piece) => this.pairOf(piece, made) ?? []);
    this.pairs = [...kept, ...more].sort((p, q) => byCorners(p.a, q.a) || byCorners(p.b, q.b));
  }

  private pairOf(one: Piece, other: Piece): Pair[] | null {
    if (this.hollow.get(one)?.has(other) === true || !areNeighbours(one, other)) return null;
    const [a, b] = byCorners(one, other) < 0 ? [one, other] : [other, one];
    const group = closureOf(a, b, this.pieces);
    if (group !== null) return [{ a, b, group }];
    this.setHollow(a, b);
    return null;
  }

  private setHollow(a: Piece, b: Piece): void {
    this.hollow.set(a, (this.hollow.get(a) ?? new Set<Piece>()).add(b));
    this.hollow.set(b, (this.hollow.get(b) ?? new Set<Piece>()).add(a));
  }
}

/** The least group with both pieces whose hull has no hole; null when every such hull has one. */
function closureOf(a: Piece, b: Piece, all: readonly Piece[]): Group | null {
  let inside: readonly Piece[] = [a, b];
  for (;;) {
    const hull = convexHull(inside.flatMap(({ corners }) => corners));
    const whole = volumeOf(hull);
    const filled = sum(inside);
    if (Math.abs(whole - filled) <= TOLERANCE * whole) {
      return { pieces: inside, hull, volume: filled };
    }
    const bounds = boundsOf(hull.points);
    const others = all.filter((piece) => !inside.includes(piece) && overlaps(piece.bounds, bounds));
    if (filled + sum(others) < whole * (1 - TOLERANCE)) return null;
    const more = thoseInside(others, hull);
    if (more.length === 0) return null;
    inside = [...inside, ...more].sort(byCorners);
  }
}

function unionOf({ pieces, hull, volume }: Group): Piece {
  const corners = [...hull.points].sort(compare);
  return {
    corners,
    bounds: boundsOf(corners),
    volume,
    members: pieces.flatMap(({ members }) => members).sort((x, y) => x - y),
    orientation: pieces[0].orientation,
  };
}

function pieceOf(cell: CellModel, index: number): Piece | null {
  const { shape, orientation } = cell;
  if (cell.embedded === true || (shape.kind !== 'box' && shape.kind !== 'mesh')) return null;
  const placement = placementOf(cell);
  const hull = convexHull(cornersOf(shape).map((corner) => toFrame(placement, corner)));
  const corners = [...hull.points].sort(compare);
  return {
    corners,
    bounds: boundsOf(corners),
    volume: volumeOf(hull),
    members: [index],
    orientation,
  };
}

function cornersOf(shape: FlatShape): readonly Point[] {
  if (shape.kind === 'mesh') return shape.vertices;
  const [x, y, z] = shape.size.map((length) => length / 2);
  return [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c): Point => [a, b, c])));
}

/** A box where the union is one in the axes of its first cell, the hull of the corners otherwise; both about their middle. */
function shapeOf({ corners, volume, orientation }: Piece): Placed<FlatShape> {
  const [x, y, z, w] = orientation;
  const back = placementOf({ position: [0, 0, 0], orientation: [-x, -y, -z, w] });
  const own = boundsOf(corners.map((corner) => toFrame(back, corner)));
  const size = sizeOf(own);
  if (Math.abs(size[0] * size[1] * size[2] - volume) <= TOLERANCE * volume) {
    const turned = placementOf({ position: [0, 0, 0], orientation });
    return { shape: { kind: 'box', size }, position: toFrame(turned, middleOf(own)), orientation };
  }
  const middle = middleOf(boundsOf(corners));
  const vertices = corners.map(
    (corner): Point => [corner[0] - middle[0], corner[1] - middle[1], corner[2] - middle[2]],
  );
  return { shape: { kind: 'mesh', vertices }, position: middle, orientation: [0, 0, 0, 1] };
}

/** The pieces that share volume with a hull. */
function thoseInside(pieces: readonly Piece[], hull: Hull): Piece[] {
  if (pieces.length === 0) return [];
  const whole = polytopeOf(hull.points);
  return pieces.filter((piece) => {
    piece.polytope ??= polytopeOf(piece.corners);
    if (whole === null || piece.polytope === null) return false;
    const column = new Float64Array(COLUMN_SIZE);
    new ClipKernel(piece.polytope, whole).compute(HERE, HERE, column);
    return column[COLUMN.volume] > TOLERANCE * piece.volume;
  });
}

function polytopeOf(vertices: readonly Point[]): Polytope | null {
  return makePolytope({ kind: 'mesh', vertices });
}

function volumeOf(hull: Hull): number {
  return meshVolume({
    vertices: Float64Array.from(hull.points.flat()),
    triangles: Uint32Array.from(hull.faces.flat()),
  });
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((volume, piece) => volume + piece.volume, 0);
}

function boundsOf(points: readonly Point[]): Bounds {
  return placedBounds({
    shape: { kind: 'mesh', vertices: points },
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
  });
}

function sizeOf({ low, high }: Bounds): [number, number, number] {
  return [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
}

function middleOf({ low, high }: Bounds): Point {
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

function overlaps(a: Bounds, b: Bounds): boolean {
  const { low, high } = sharedBounds(a, b);
  return low.every((value, axis) => value < high[axis]);
}

/** Whether two pieces may share a part of a face: the boxes around them touch, and what they share is wide in two directions. */
function areNeighbours(a: Piece, b: Piece): boolean {
  const { low, high } = sharedBounds(a.bounds, b.bounds);
  const near = NEAR * Math.max(...sizeOf(a.bounds), ...sizeOf(b.bounds));
  const widths = low.map((value, axis) => high[axis] - value);
  return (
    widths.every((width) => width >= -near) && widths.filter((width) => width > near).length > 1
  );
}

function byCorners(a: Piece, b: Piece): number {
  for (let k = 0; k < a.corners.length && k < b.corners.length; k++) {
    const order = compare(a.corners[k], b.corners[k]);
    if (order !== 0) return order;
  }
  return a.corners.length - b.corners.length;
}

function compare(a: Point, b: Point): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
