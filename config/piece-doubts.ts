/** Sets of convex pieces that push more than once at one place: pieces of a body that touch each other. Each is a sentence; none refuses. */
import { rotationOf } from '../src/math/quaternion.ts';
import type { PlacedShape } from '../src/model/model.ts';
import { MinkowskiDifference } from '../src/proximity/minkowski.ts';
import { SignedDistance } from '../src/proximity/signed-distance.ts';
import { contactRadius } from '../src/shapes/contact-radius.ts';
import { makeCore } from '../src/shapes/make-core.ts';
import { compileConvexPairs } from './convex-schema.ts';
import type { Scenario } from './scenario-schema.ts';

/** Distance over the contact radii of both below which pieces count as touching. */
const TOUCH = 1e-6;

/** Sentences about the sets of pieces of a scenario. */
export function pieceDoubts(scenario: Scenario): string[] {
  return scenario.contacts.flatMap(({ pair }, k) => {
    if (!('shape_j' in pair) || 'standoff_m' in pair) return [];
    const field = `contacts[${k}].pair`;
    const pairs = compileConvexPairs(pair, field).map((one) => one.pair);
    return (['shapeI', 'shapeJ'] as const).flatMap((side) => {
      const pieces = [...new Set(pairs.map((one) => one[side]))];
      const count = pieces.filter((a) => pieces.some((b) => a !== b && touch(a, b))).length;
      const words = `${field}.${side === 'shapeI' ? 'shape_i' : 'shape_j'}: ${count} of ${pieces.length} pieces touch each other; where the other body reaches several of them their stiffnesses add`;
      return count === 0 ? [] : [words];
    });
  });
}

/** Whether two shapes of one body touch or overlap. */
function touch(a: PlacedShape, b: PlacedShape): boolean {
  const space = new MinkowskiDifference(makeCore(a), makeCore(b));
  rotationOf(space.rotationA, Float64Array.from(a.orientation), 0);
  rotationOf(space.rotationB, Float64Array.from(b.orientation), 0);
  for (let k = 0; k < 3; k++) space.offset[k] = a.position[k] - b.position[k];
  const query = new SignedDistance(space);
  query.compute();
  return query.distance[0] <= TOUCH * (contactRadius(a) + contactRadius(b));
}
