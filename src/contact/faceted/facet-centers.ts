/**
 * Distances of the centres of facets from the facets of the other body: the midpoint rule for a spring on each area of a surface, mode `area`
 * of a pair. The centre c of a facet with area A has the potential 1/2 k A (d_s − d(c))² with the distance d from the other surface: that
 * is continuous in the pose, and its slope along the unit vector to the nearest point is the force. docs/theory/faceted.md, "Energy".
 */
import type { FacetQuery } from '../../proximity/facet-query.ts';
import {
  DIRECTION,
  DISTANCE,
  FACET_RESULT,
  POINT_A,
  POINT_B,
} from '../../proximity/witness-slots.ts';
import type { Facets } from '../../shapes/facets.ts';

/** The centres of the facets of one body. */
export class FacetCenters {
  /** Slots of a witness, of the last `measure`: point and direction as between the bodies. */
  readonly result: Float64Array = new Float64Array(FACET_RESULT);
  private readonly query: FacetQuery;
  /** Whether the centres are those of A. */
  private readonly ofA: boolean;
  /** Frame of the body, m. */
  private readonly centers: Float64Array;
  private readonly center: Float64Array = new Float64Array(3);
  private readonly nearest: Float64Array = new Float64Array(3);

  constructor(query: FacetQuery, ofA: boolean) {
    this.query = query;
    this.ofA = ofA;
    this.centers = centersOf(ofA ? query.treeA.facets : query.treeB.facets);
  }

  /** Pair k of the query: the centre of its facet from its partner. @alloc none */
  measure(k: number): void {
    const { query, ofA, center, nearest, result } = this;
    const { posed } = query;
    if (ofA) {
      const g = query.facetsB[k];
      const b = query.treeB.facets;
      this.placeCenter(query.facetsA[k]);
      const from = 3 * b.first[g];
      const end = 3 * b.first[g + 1];
      findNearest(center, b.cornerPoints, b.sides, from, end, b.normals, 3 * g, nearest);
    } else {
      const o = 3 * query.facetsB[k];
      for (let a = 0; a < 3; a++) center[a] = this.centers[o + a];
      posed.load(query.facetsA[k]);
      const { corners, sides, count, normal } = posed;
      findNearest(center, corners, sides, 0, 3 * count, normal, 0, nearest);
    }
    const sign = ofA ? 1 : -1;
    const x = sign * (center[0] - nearest[0]);
    const y = sign * (center[1] - nearest[1]);
    const z = sign * (center[2] - nearest[2]);
    const d = Math.sqrt(x * x + y * y + z * z);
    const length = d > 0 ? 1 / d : 0;
    result[DISTANCE] = d;
    result[DIRECTION] = length * x;
    result[DIRECTION + 1] = length * y;
    result[DIRECTION + 2] = length * z;
    for (let a = 0; a < 3; a++) {
      result[POINT_A + a] = ofA ? center[a] : nearest[a];
      result[POINT_B + a] = ofA ? nearest[a] : center[a];
    }
  }

  /** The centre of facet f of A in the frame of B. */
  private placeCenter(f: number): void {
    const { center, centers } = this;
    const { rotation: r, origin } = this.query.posed;
    const x = centers[3 * f];
    const y = centers[3 * f + 1];
    const z = centers[3 * f + 2];
    for (let a = 0; a < 3; a++)
      center[a] = r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z + origin[a];
  }
}

/** The point of a polygon that is nearest to x. */
function findNearest(
  x: Float64Array,
  corners: Float64Array,
  sides: Float64Array,
  from: number,
  end: number,
  normals: Float64Array,
  n: number,
  out: Float64Array,
): void {
  let beside = false;
  for (let o = from; o < end; o += 3) {
    const inside =
      sides[o] * (x[0] - corners[o]) +
      sides[o + 1] * (x[1] - corners[o + 1]) +
      sides[o + 2] * (x[2] - corners[o + 2]);
    if (!(inside >= 0)) beside = true;
  }
  if (!beside) {
    const h =
      normals[n] * (x[0] - corners[from]) +
      normals[n + 1] * (x[1] - corners[from + 1]) +
      normals[n + 2] * (x[2] - corners[from + 2]);
    for (let a = 0; a < 3; a++) out[a] = x[a] - h * normals[n + a];
    return;
  }
  let least = Infinity;
  for (let o = from; o < end; o += 3) {
    const m = o + 3 === end ? from : o + 3;
    const ex = corners[m] - corners[o];
    const ey = corners[m + 1] - corners[o + 1];
    const ez = corners[m + 2] - corners[o + 2];
    const dx = x[0] - corners[o];
    const dy = x[1] - corners[o + 1];
    const dz = x[2] - corners[o + 2];
    let t = (ex * dx + ey * dy + ez * dz) / (ex * ex + ey * ey + ez * ez);
    if (t < 0) t = 0;
    else if (t > 1) t = 1;
    const rx = dx - t * ex;
    const ry = dy - t * ey;
    const rz = dz - t * ez;
    const square = rx * rx + ry * ry + rz * rz;
    if (!(square < least)) continue;
    least = square;
    out[0] = x[0] - rx;
    out[1] = x[1] - ry;
    out[2] = x[2] - rz;
  }
}

/** Centroids of the areas. */
function centersOf({ cornerPoints: p, first, normals, facetCount }: Facets): Float64Array {
  const centers = new Float64Array(3 * facetCount);
  for (let f = 0; f < facetCount; f++) {
    const o = 3 * first[f];
    let sum = 0;
    for (let c = o + 3; c + 3 < 3 * first[f + 1]; c += 3) {
      const [ax, ay, az, bx, by, bz] = [0, 1, 2, 3, 4, 5].map((a) => p[c + a] - p[o + (a % 3)]);
      const n = 3 * f;
      const area =
        normals[n] * (ay * bz - az * by) +
        normals[n + 1] * (az * bx - ax * bz) +
        normals[n + 2] * (ax * by - ay * bx);
      sum += area;
      [ax + bx, ay + by, az + bz].forEach((value, a) => {
        centers[3 * f + a] += (area * value) / 3;
      });
    }
    for (let a = 0; a < 3; a++) centers[3 * f + a] = p[o + a] + centers[3 * f + a] / sum;
  }
  return centers;
}
