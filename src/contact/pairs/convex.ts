/**
 * Two convex shapes: signed distance, normal and one contact point, by portal refinement and the distance of rounded cores.
 * The point of action is the mean of the two closest or deepest points, as in Modia3D, so that the lever arm of a sphere of
 * radius r on a plane is r − δ/2. docs/theory/convex-pair.md
 */
import type { ConvexPairModel } from '../../model/contact-spec.ts';
import { outOf, MinkowskiDifference } from '../../proximity/minkowski.ts';
import { SignedDistance } from '../../proximity/signed-distance.ts';
import { checkPlacedShape } from '../../shapes/check-shape.ts';
import { effectiveRadius } from '../../shapes/contact-radius.ts';
import { makeCore } from '../../shapes/make-core.ts';
import type { PlacedShape } from '../../shapes/shape-model.ts';
import { rotationOf } from '../../math/quaternion.ts';
import type { ContactBody } from '../contact-body.ts';
import { type ContactPair, GAP, NORMAL, type PairDefinition, POINT } from '../pair.ts';

/** Where a shape sits on its body. */
class Placement {
  readonly rotation: Float64Array = new Float64Array(9);
  private readonly position: Float64Array;
  /** Origin of the shape from the origin of the body, world axes, m. */
  readonly arm: Float64Array = new Float64Array(3);

  constructor(placed: PlacedShape) {
    rotationOf(this.rotation, Float64Array.from(placed.orientation), 0);
    this.position = Float64Array.from(placed.position);
  }

  /** Rotation of the shape into the world and its arm from the present rotation of the body. @alloc none */
  place(body: Float64Array, out: Float64Array): void {
    outOf(this.arm, 0, body, this.position);
    const r = this.rotation;
    for (let i = 0; i < 9; i += 3) {
      const x = body[i];
      const y = body[i + 1];
      const z = body[i + 2];
      out[i] = x * r[0] + y * r[3] + z * r[6];
      out[i + 1] = x * r[1] + y * r[4] + z * r[7];
      out[i + 2] = x * r[2] + y * r[5] + z * r[8];
    }
  }
}

/** The pair of two convex shapes. */
export class ConvexPair implements ContactPair {
  /** The query, for read-out of iteration counts. */
  readonly query: SignedDistance;
  private readonly space: MinkowskiDifference;
  private readonly placeI: Placement;
  private readonly placeJ: Placement;

  constructor(model: ConvexPairModel) {
    this.placeI = new Placement(model.shapeI);
    this.placeJ = new Placement(model.shapeJ);
    this.space = new MinkowskiDifference(makeCore(model.shapeI), makeCore(model.shapeJ));
    this.query = new SignedDistance(this.space);
  }

  /** The cores touch along a line of theirs, or at one point: no direction parts them. */
  get usesFallback(): boolean {
    return this.query.chosen;
  }

  /** @alloc none */
  compute(i: ContactBody, j: ContactBody, kinematics: Float64Array): void {
    const { space, placeI, placeJ, query } = this;
    placeI.place(i.rotation, space.rotationA);
    placeJ.place(j.rotation, space.rotationB);
    for (let a = 0; a < 3; a++) {
      space.offset[a] = i.state[a] - j.state[a] + (placeI.arm[a] - placeJ.arm[a]);
    }
    query.compute();
    const { witness } = query;
    const n = witness.normal;
    // surface points: a − m_i n and b + m_j n from the cores; their mean
    const shift = 0.5 * (space.coreB.margin - space.coreA.margin);
    kinematics[GAP] = query.distance[0];
    for (let a = 0; a < 3; a++) {
      kinematics[NORMAL + a] = n[a];
      kinematics[POINT + a] =
        0.5 *
          (i.state[a] +
            placeI.arm[a] +
            witness.a[a] +
            (j.state[a] + placeJ.arm[a] + witness.b[a])) +
        shift * n[a];
    }
  }
}

export const CONVEX: PairDefinition<ConvexPairModel> = {
  step: 'point',
  supplies: ['effective-radius'],
  check(model, field) {
    checkPlacedShape(model.shapeI, `${field}.shapeI`);
    checkPlacedShape(model.shapeJ, `${field}.shapeJ`);
  },
  effectiveRadius: (model) => effectiveRadius(model.shapeI, model.shapeJ),
  // only a ball about the centre of mass is always pushed through it
  isEccentric: ({ shapeI }) =>
    shapeI.shape.kind !== 'sphere' || shapeI.position.some((value) => value !== 0),
  make: (model) => new ConvexPair(model),
  shapes: ({ shapeI, shapeJ }) => ({ i: [shapeI], j: [shapeJ] }),
};
