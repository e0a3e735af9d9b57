/**
 * Signed distance of two convex shapes, its normal, and the closest or deepest points: distance of
 * the cores less both margins. While the cores are apart, that is the distance of Gilbert, Johnson
 * and Keerthi and exact. This includes every penetration shallower than the sum of the margins.
 * When the cores overlap, it is the depth by expansion of the portal of the portal search. The two
 * agree at zero distance of the cores, so the signed distance is continuous everywhere.
 *
 * The result depends on the present poses alone; no state is kept between queries.
 */
import { Expansion } from './expansion.ts';
import { fillWitness, Gjk, setAxis } from './gjk.ts';
import { crossEdges } from './mpr.ts';
import { type MinkowskiDifference, Witness } from './minkowski.ts';

/** Work space of the queries of one pair. */
export class SignedDistance {
  /** Result of the last query for the cores. Its normal holds for the shapes as well. */
  readonly witness: Witness = new Witness();
  /** [signed distance of the shapes], m. */
  readonly distance: Float64Array = new Float64Array(1);
  /** Whether the cores overlapped. */
  deep = false;
  /** Whether the cores touched without a depth, and the normal was chosen. */
  chosen = false;
  private readonly space: MinkowskiDifference;
  private readonly gjk: Gjk;
  private readonly expansion: Expansion;

  constructor(space: MinkowskiDifference) {
    this.space = space;
    this.gjk = new Gjk(space);
    this.expansion = new Expansion(space);
  }

  /** Support points of the last query. */
  get iterations(): number {
    return this.gjk.iterations + (this.deep ? this.expansion.iterations : 0);
  }

  /** Newton steps of the last query for cores that were apart. */
  get polishSteps(): number {
    return this.gjk.polishSteps;
  }

  /** Query at the present poses of `space`. @alloc none */
  compute(): void {
    const { space, witness, gjk } = this;
    space.measure();
    this.chosen = false;
    this.deep = !gjk.run(witness);
    if (this.deep) {
      const solid = space.coreA.solid || space.coreB.solid;
      if (!solid || !this.expansion.run(witness)) this.touch();
    }
    this.distance[0] = witness.distance[0] - space.coreA.margin - space.coreB.margin;
  }

  /** Handles cores that touch without a depth: two crossing segments, or a touch lost in rounding. */
  private touch(): void {
    const { witness, space } = this;
    const { simplex } = this.gjk;
    if (!(simplex.distance[0] > 0)) this.chooseNormal();
    fillWitness(witness, simplex);
    // zero, or NaN when a pose contains NaN
    const zero = space.scale[0] - space.scale[0];
    witness.distance[0] = simplex.distance[0] > 0 ? simplex.distance[0] + zero : zero;
  }

  /**
   * Chooses a normal for crossing segments: across both, else across one, else the z axis of B;
   * towards A where that is a side.
   */
  private chooseNormal(): void {
    const { space } = this;
    const { simplex } = this.gjk;
    this.chosen = true;
    const { normal, vertices } = simplex;
    const t = space.offset;
    if (!(simplex.count >= 3 && crossEdges(normal, vertices.w, 0, 1, 2))) {
      setAxis(normal, space.rotationB, 2);
      if (simplex.count >= 2 && !acrossEdge(normal, vertices.w)) {
        setAxis(normal, space.rotationB, 0);
        acrossEdge(normal, vertices.w);
      }
    }
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const side = normal[0] * t[0] + normal[1] * t[1] + normal[2] * t[2] < 0 ? -1 : 1;
    for (let a = 0; a < 3; a++) normal[a] *= side / length;
  }
}

/** Removes the part along the edge w_1 − w_0 from a unit vector. @returns false when little is left */
function acrossEdge(n: Float64Array, w: Float64Array): boolean {
  const x = w[3] - w[0];
  const y = w[4] - w[1];
  const z = w[5] - w[2];
  const k = (n[0] * x + n[1] * y + n[2] * z) / (x * x + y * y + z * z);
  n[0] -= k * x;
  n[1] -= k * y;
  n[2] -= k * z;
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.1;
}
