/**
 * The part of a surface that is there, in the plane of its parameters: a rectangle, and polygons in it of which a point is in an odd number.
 * Its border is a list of straight segments that go round, with the region on their left: the polygons, or the sides of the rectangle where
 * there are none. The two sides that a whole period parts are no border.
 */
import type { Surface } from './surface.ts';
import type { SurfaceTrim } from './surface-spec.ts';

/** Part of the extent of a loop by which a point beside a segment is off it, to find the side of the region. */
const BESIDE = 1e-7;
/** Part of a period that a range may lack and still be all of it. */
const WHOLE = 1e-9;

/** One side of the border, from a to b. */
export interface BorderSegment {
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
  /** The segments that end where it begins, and begin where it ends: itself for one that goes round a period. */
  readonly before: number;
  readonly after: number;
}

/** A trimmed domain. */
export class TrimRegion {
  /** Least and largest u, least and largest v. */
  readonly range: Float64Array;
  readonly periods: Float64Array;
  readonly border: readonly BorderSegment[];
  /** Four numbers a segment of the polygons. */
  private readonly polygons: Float64Array;
  private readonly point: Float64Array = new Float64Array(2);

  constructor(surface: Pick<Surface, 'domain' | 'periods'>, trim: SurfaceTrim | undefined) {
    const { domain, periods } = surface;
    const [lowU, highU] = trim?.u ?? [domain[0], domain[1]];
    const [lowV, highV] = trim?.v ?? [domain[2], domain[3]];
    this.range = Float64Array.of(lowU, highU, lowV, highV);
    this.periods = periods;
    const loops = trim?.loops ?? [];
    this.polygons = Float64Array.from(
      loops.flatMap((loop) => loop.slice(1).flatMap((b, k) => [...loop[k], ...b])),
    );
    this.border = loops.length > 0 ? this.bordersOf(loops) : this.sidesOf();
  }

  /** Whether u and v go round within the range. */
  isWhole(direction: 0 | 1): boolean {
    const period = this.periods[direction];
    const width = this.range[2 * direction + 1] - this.range[2 * direction];
    return period > 0 && width >= period * (1 - WHOLE);
  }

  /** Brings at[0] and at[1] into the period that begins with the range. @alloc none */
  reduce(at: Float64Array): void {
    const { range, periods } = this;
    for (let d = 0; d < 2; d++) {
      const period = periods[d];
      if (period === 0) continue;
      const turns = Math.floor((at[d] - range[2 * d]) / period);
      if (turns === 0) continue;
      at[d] -= period * turns;
      // the nearer end of a range that is no whole period
      const over = at[d] - range[2 * d + 1];
      if (over > 0 && range[2 * d] + period - at[d] < over) at[d] -= period;
    }
  }

  /** Whether the point u, v is there; borders of the rectangle are. @alloc none */
  contains(at: Float64Array): boolean {
    const { point, range, polygons } = this;
    point[0] = at[0];
    point[1] = at[1];
    this.reduce(point);
    const u = point[0];
    const v = point[1];
    if (!(u >= range[0] && u <= range[1] && v >= range[2] && v <= range[3])) return false;
    if (polygons.length === 0) return true;
    let inside = false;
    for (let k = 0; k < polygons.length; k += 4) {
      const below = polygons[k + 1] <= v;
      if (below === polygons[k + 3] <= v) continue;
      const part = (v - polygons[k + 1]) / (polygons[k + 3] - polygons[k + 1]);
      if (u < polygons[k] + part * (polygons[k + 2] - polygons[k])) inside = !inside;
    }
    return inside;
  }

  private sidesOf(): readonly BorderSegment[] {
    const [lowU, highU, lowV, highV] = this.range;
    const corners = [
      [lowU, lowV],
      [highU, lowV],
      [highU, highV],
      [lowU, highV],
    ] as const;
    const wholeU = this.isWhole(0);
    const wholeV = this.isWhole(1);
    const kept = [0, 1, 2, 3].filter((side) => (side % 2 === 0 ? !wholeV : !wholeU));
    return kept.map((side, place) => {
      const alone = kept.length < 4;
      return {
        a: corners[side],
        b: corners[(side + 1) % 4],
        before: alone ? place : (place + 3) % 4,
        after: alone ? place : (place + 1) % 4,
      };
    });
  }

  private bordersOf(loops: NonNullable<SurfaceTrim['loops']>): readonly BorderSegment[] {
    const segments: BorderSegment[] = [];
    for (const loop of loops) {
      const corners = loop.slice(1).filter(([u, v], k) => u !== loop[k][0] || v !== loop[k][1]);
      const ordered = this.isLeft(corners) ? corners : corners.toReversed();
      const first = segments.length;
      const count = ordered.length;
      ordered.forEach((a, k) => {
        segments.push({
          a,
          b: ordered[(k + 1) % count],
          before: first + ((k + count - 1) % count),
          after: first + ((k + 1) % count),
        });
      });
    }
    return segments;
  }

  /** Whether the region lies on the left of a polygon, by a point beside its longest side. */
  private isLeft(corners: readonly (readonly [number, number])[]): boolean {
    let longest = 0;
    let beside: readonly [number, number] = [0, 0];
    corners.forEach((a, k) => {
      const b = corners[(k + 1) % corners.length];
      const [x, y] = [b[0] - a[0], b[1] - a[1]];
      const square = x * x + y * y;
      if (square <= longest) return;
      longest = square;
      beside = [0.5 * (a[0] + b[0]) - BESIDE * y, 0.5 * (a[1] + b[1]) + BESIDE * x];
    });
    return this.contains(Float64Array.from(beside));
  }
}
