/**
 * Convex hull of discs that face along z. With radii of zero it is a polytope, a segment or a
 * point; with two discs a cylinder or a frustum; with four a beam. The rim of each disc is one
 * patch.
 */
import type { ConvexCore } from './convex-core.ts';

/** Distance from the axis below which a direction gets the centre of a disc, which supports as well as its rim. */
const ON_AXIS = 1e-15;

/** Hull of discs. */
export class DiscHull implements ConvexCore {
  readonly margin: number;
  readonly center: Float64Array = new Float64Array(3);
  readonly reach: number;
  readonly solid: boolean;
  readonly curved: boolean;
  private readonly count: number;
  /** x, y, z of each disc, m. */
  private readonly points: Float64Array;
  private readonly radii: Float64Array;

  /** @param solid whether the hull has volume */
  constructor(
    points: readonly (readonly number[])[],
    radii: readonly number[],
    margin: number,
    solid: boolean,
  ) {
    this.count = points.length;
    this.points = Float64Array.from(points.flat());
    this.radii = Float64Array.from(radii);
    this.margin = margin;
    this.solid = solid;
    this.curved = radii.some((radius) => radius > 0);
    let reach = 0;
    points.forEach((point, k) => {
      for (let a = 0; a < 3; a++) this.center[a] += point[a] / points.length;
      const radial = Math.sqrt(point[0] * point[0] + point[1] * point[1]) + radii[k];
      reach = Math.max(reach, Math.sqrt(radial * radial + point[2] * point[2]));
    });
    this.reach = reach;
  }

  support(direction: Float64Array, out: Float64Array): number {
    const { points, radii, count } = this;
    const x = direction[0];
    const y = direction[1];
    const z = direction[2];
    const radial = Math.sqrt(x * x + y * y);
    let best = 0;
    let most = points[0] * x + points[1] * y + points[2] * z + radii[0] * radial;
    for (let k = 1; k < count; k++) {
      const value =
        points[3 * k] * x + points[3 * k + 1] * y + points[3 * k + 2] * z + radii[k] * radial;
      if (value > most) {
        most = value;
        best = k;
      }
    }
    this.patchSupport(best, direction, out);
    return best;
  }

  patchSupport(patch: number, direction: Float64Array, out: Float64Array): void {
    const { points } = this;
    const x = direction[0];
    const y = direction[1];
    const radial = Math.sqrt(x * x + y * y);
    const k = radial > ON_AXIS ? this.radii[patch] / radial : 0;
    out[0] = points[3 * patch] + k * x;
    out[1] = points[3 * patch + 1] + k * y;
    out[2] = points[3 * patch + 2];
  }

  patchCurvature(patch: number, direction: Float64Array, out: Float64Array): void {
    // ρ t tᵀ / |d_xy| with the tangent t of the rim
    const x = direction[0];
    const y = direction[1];
    const square = x * x + y * y;
    const radial = Math.sqrt(square);
    const k = radial > ON_AXIS ? this.radii[patch] / (square * radial) : 0;
    out[0] = k * y * y;
    out[1] = k * x * x;
    out[2] = 0;
    out[3] = -k * x * y;
    out[4] = 0;
    out[5] = 0;
  }
}
