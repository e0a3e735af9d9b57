/**
 * Intersection of a line with cells, given each surface along it as q(w) = γ w² + 2 β w + c <= 0. A
 * piece is the intersection of its surfaces, and a primitive the hull of its pieces. The cells are
 * the intersection of their common primitives less the removed ones. With r removed primitives
 * there are at most r + 1 intervals, so all memory is allocated at load.
 *
 * Roots of a quadric: with s = −(β + sgn(β) √(β² − γ c)) they are s/γ and c/s, neither a difference
 * of near equals. γ may go to 0 (a cylinder along the line). A line enters one nappe of a cone:
 * where the roots lie in both, γ < 0 and the interval is a ray.
 */
import { CONE, facesOf, PLANE, type RaySurface } from './ray-surfaces.ts';
import type { RayPrimitive, RayPrimitives } from './ray-primitive.ts';

/** A primitive in the table. */
export interface TablePrimitive {
  readonly primitive: RayPrimitive;
  /** Index of its cell. */
  readonly cell: number;
  readonly removed: boolean;
  /** Its surfaces are `first` to `first + count − 1`. */
  readonly first: number;
  readonly count: number;
  readonly pieces: readonly (readonly number[])[];
  readonly edges: readonly (readonly [number, number])[];
}

/** All surfaces of one or two cells. */
export interface RayTable {
  readonly surfaces: readonly RaySurface[];
  /** Primitives, common ones first. */
  readonly primitives: readonly TablePrimitive[];
  /** Index of the cell of each surface. */
  readonly cellOf: Int32Array;
  /** 1, or −1 for surfaces of removed primitives, whose gradient points into the cell. */
  readonly signOf: Float64Array;
}

/** Makes the table of the surfaces of cells. Allocates. */
export function makeRayTable(cells: readonly RayPrimitives[]): RayTable {
  const surfaces: RaySurface[] = [];
  const primitives: TablePrimitive[] = [];
  const cellOf: number[] = [];
  const signOf: number[] = [];
  for (const removed of [false, true]) {
    cells.forEach((parts, cell) => {
      for (const primitive of removed ? parts.removed : parts.common) {
        const faces = facesOf(primitive);
        const first = surfaces.length;
        surfaces.push(...faces.surfaces);
        for (let k = 0; k < faces.surfaces.length; k++) {
          cellOf.push(cell);
          signOf.push(removed ? -1 : 1);
        }
        primitives.push({
          primitive,
          cell,
          removed,
          first,
          count: faces.surfaces.length,
          pieces: faces.pieces.map((piece) => piece.map((index) => first + index)),
          edges: faces.edges.map(([a, b]) => [first + a, first + b] as const),
        });
      }
    });
  }
  return {
    surfaces,
    primitives,
    cellOf: Int32Array.from(cellOf),
    signOf: Float64Array.from(signOf),
  };
}

/** Offsets in the work space: the piece, the primitive, the running intersection. */
const LOW = 0;
const HIGH = 1;
const HULL_LOW = 2;
const HULL_HIGH = 3;
const IDS = 4;

/** Intervals of a line. Fill γ, β, c of every surface and the nappe of cones, call `run`, read the intervals. */
export class RayIntervals {
  /** Coefficients of q along the line. */
  readonly gamma: Float64Array;
  readonly beta: Float64Array;
  readonly rest: Float64Array;
  /** Radius of a cone along the line, nappe + slope w, m. */
  readonly nappe: Float64Array;
  readonly nappeSlope: Float64Array;
  /** Number of intervals found; they are disjoint and in rising order. */
  count = 0;
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Surfaces at both ends of each interval; −1 at infinity. */
  readonly fromSurface: Int32Array;
  readonly toSurface: Int32Array;
  private readonly kinds: Int8Array;
  /** Ranges: pieces of each primitive, then surfaces of each piece. */
  private readonly pieceStart: Int32Array;
  private readonly surfaceStart: Int32Array;
  private readonly members: Int32Array;
  private readonly commonCount: number;
  private readonly primitiveCount: number;
  private readonly work: Float64Array = new Float64Array(4);
  private readonly ids: Int32Array = new Int32Array(IDS);
  private readonly holeFrom: Float64Array;
  private readonly holeTo: Float64Array;
  private readonly holeFromSurface: Int32Array;
  private readonly holeToSurface: Int32Array;

  constructor(table: RayTable) {
    const size = table.surfaces.length;
    this.gamma = new Float64Array(size);
    this.beta = new Float64Array(size);
    this.rest = new Float64Array(size);
    this.nappe = new Float64Array(size);
    this.nappeSlope = new Float64Array(size);
    this.kinds = Int8Array.from(table.surfaces.map(({ kind }) => kind));
    const pieceStart = [0];
    const surfaceStart = [0];
    const members: number[] = [];
    for (const { pieces } of table.primitives) {
      for (const piece of pieces) {
        members.push(...piece);
        surfaceStart.push(members.length);
      }
      pieceStart.push(surfaceStart.length - 1);
    }
    this.pieceStart = Int32Array.from(pieceStart);
    this.surfaceStart = Int32Array.from(surfaceStart);
    this.members = Int32Array.from(members);
    this.primitiveCount = table.primitives.length;
    this.commonCount = table.primitives.filter(({ removed }) => !removed).length;
    const holes = this.primitiveCount - this.commonCount;
    this.from = new Float64Array(holes + 1);
    this.to = new Float64Array(holes + 1);
    this.fromSurface = new Int32Array(holes + 1);
    this.toSurface = new Int32Array(holes + 1);
    this.holeFrom = new Float64Array(holes);
    this.holeTo = new Float64Array(holes);
    this.holeFromSurface = new Int32Array(holes);
    this.holeToSurface = new Int32Array(holes);
  }

  /** Finds the intervals. @alloc none */
  run(): void {
    const { work, ids } = this;
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    let lowId = -1;
    let highId = -1;
    this.count = 0;
    for (let p = 0; p < this.commonCount; p++) {
      this.hull(p);
      if (work[HULL_LOW] > low) {
        low = work[HULL_LOW];
        lowId = ids[2];
      }
      if (work[HULL_HIGH] < high) {
        high = work[HULL_HIGH];
        highId = ids[3];
      }
      if (!(low < high)) return;
    }
    let holes = 0;
    for (let p = this.commonCount; p < this.primitiveCount; p++) {
      this.hull(p);
      const start = work[HULL_LOW];
      const end = work[HULL_HIGH];
      if (!(start < end) || end <= low || start >= high) continue;
      // insertion by rising start
      let k = holes++;
      while (k > 0 && this.holeFrom[k - 1] > start) {
        this.holeFrom[k] = this.holeFrom[k - 1];
        this.holeTo[k] = this.holeTo[k - 1];
        this.holeFromSurface[k] = this.holeFromSurface[k - 1];
        this.holeToSurface[k] = this.holeToSurface[k - 1];
        k--;
      }
      this.holeFrom[k] = start;
      this.holeTo[k] = end;
      this.holeFromSurface[k] = ids[2];
      this.holeToSurface[k] = ids[3];
    }
    let count = 0;
    for (let k = 0; k < holes; k++) {
      if (this.holeFrom[k] > low) {
        this.from[count] = low;
        this.fromSurface[count] = lowId;
        this.to[count] = this.holeFrom[k];
        this.toSurface[count] = this.holeFromSurface[k];
        count++;
      }
      if (this.holeTo[k] > low) {
        low = this.holeTo[k];
        lowId = this.holeToSurface[k];
      }
    }
    if (low < high) {
      this.from[count] = low;
      this.fromSurface[count] = lowId;
      this.to[count] = high;
      this.toSurface[count] = highId;
      count++;
    }
    this.count = count;
  }

  /** work[2..3] := hull of the pieces of a primitive; empty when the first is not below the second. */
  private hull(primitive: number): void {
    const { work, ids } = this;
    work[HULL_LOW] = Number.POSITIVE_INFINITY;
    work[HULL_HIGH] = Number.NEGATIVE_INFINITY;
    for (let piece = this.pieceStart[primitive]; piece < this.pieceStart[primitive + 1]; piece++) {
      work[LOW] = Number.NEGATIVE_INFINITY;
      work[HIGH] = Number.POSITIVE_INFINITY;
      ids[0] = -1;
      ids[1] = -1;
      let k = this.surfaceStart[piece];
      const end = this.surfaceStart[piece + 1];
      for (; k < end; k++) {
        this.cut(this.members[k]);
        if (!(work[LOW] < work[HIGH])) break;
      }
      if (k < end) continue;
      if (work[LOW] < work[HULL_LOW]) {
        work[HULL_LOW] = work[LOW];
        ids[2] = ids[0];
      }
      if (work[HIGH] > work[HULL_HIGH]) {
        work[HULL_HIGH] = work[HIGH];
        ids[3] = ids[1];
      }
    }
  }

  /** Clips work[0..1] by one surface. */
  private cut(s: number): void {
    const { work, ids } = this;
    const b = this.beta[s];
    const c = this.rest[s];
    // only a cone has γ < 0; otherwise γ is a rounded 0, of a cylinder along the line
    const kind = this.kinds[s];
    const g = kind === PLANE ? 0 : kind === CONE ? this.gamma[s] : Math.max(0, this.gamma[s]);
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    if (g === 0) {
      if (b > 0) high = -c / (2 * b);
      else if (b < 0) low = -c / (2 * b);
      else if (!(c <= 0)) high = Number.NEGATIVE_INFINITY;
      if (this.kinds[s] === CONE && b * this.nappeSlope[s] > 0) high = Number.NEGATIVE_INFINITY;
    } else {
      const square = b * b - g * c;
      if (square > 0 || (square === 0 && g < 0)) {
        const sum = b < 0 ? Math.sqrt(square) - b : -Math.sqrt(square) - b;
        const one = sum / g;
        const two = sum === 0 ? 0 : c / sum;
        low = one < two ? one : two;
        high = one < two ? two : one;
        if (this.kinds[s] === CONE) {
          const slope = this.nappeSlope[s];
          if (g < 0) {
            // outside between the roots: the valid nappe is on the side where the radius grows
            if (slope < 0) {
              high = low;
              low = Number.NEGATIVE_INFINITY;
            } else {
              low = high;
              high = Number.POSITIVE_INFINITY;
            }
          } else if (this.nappe[s] + slope * 0.5 * (low + high) < 0) {
            high = Number.NEGATIVE_INFINITY;
          }
        }
      } else {
        high = Number.NEGATIVE_INFINITY;
      }
    }
    if (low > work[LOW]) {
      work[LOW] = low;
      ids[0] = s;
    }
    if (high < work[HIGH]) {
      work[HIGH] = high;
      ids[1] = s;
    }
  }
}
