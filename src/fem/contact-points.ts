/**
 * Few points for a face of many nodes: nodes as far from each other as can be, each with all nodes that are nearest to it. A force at a
 * point lies on its nodes by their weights, and the displacement of a point is the mean by the same weights: the compliance stays symmetric
 * and positive definite, and it does not grow without bound as the mesh gets finer, as that of a single node does.
 */
import { BerthError } from '../base/errors.ts';
import { range } from '../base/parameter-checks.ts';
import type { ContactFace } from './contact-face.ts';

/** A point: nodes of the mesh and their shares, which add up to 1. */
export interface ContactPoint {
  readonly nodes: readonly number[];
  readonly shares: readonly number[];
  /** Mean of the places, m; outward unit normal; sum of the areas, m². */
  readonly place: readonly number[];
  readonly normal: readonly number[];
  readonly area: number;
}

/** At most `most` points. @throws BerthError for a point whose normals cancel */
export function contactPoints(face: ContactFace, most: number): ContactPoint[] {
  range('points', most, Number.isInteger(most) && most >= 1, 'to be a whole number from 1');
  const { places, weights, vectors } = face;
  const heads = farHeads(places, Math.min(most, face.nodes.length));
  const members = heads.map((): number[] => []);
  for (let k = 0; k < face.nodes.length; k++) {
    let best = 0;
    for (let h = 1; h < heads.length; h++) {
      if (square(places, k, heads[h]) < square(places, k, heads[best])) best = h;
    }
    members[best].push(k);
  }
  return members.map((own, h) => {
    const area = own.reduce((sum, k) => sum + weights[k], 0);
    // nodes of a superelement have no areas
    const share = (k: number): number => (area > 0 ? weights[k] / area : 1 / own.length);
    const sum = (of: readonly number[], weight: (k: number) => number): number[] =>
      [0, 1, 2].map((axis) => own.reduce((all, k) => all + weight(k) * of[3 * k + axis], 0));
    const vector = sum(vectors, () => 1);
    const size = Math.sqrt(vector.reduce((all, x) => all + x * x, 0));
    if (!(size > 1e-6 * area)) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected the contact face to have one side at each point, got normals that cancel at node ${face.nodes[heads[h]]}; ` +
          'give more points, or a face that does not go around the body',
        { field: 'points' },
      );
    }
    return {
      nodes: own.map((k) => face.nodes[k]),
      shares: own.map(share),
      place: sum(places, share),
      normal: vector.map((x) => x / size),
      area,
    };
  });
}

/** Farthest-point selection; it begins with the node that is farthest from the middle. */
function farHeads(places: readonly number[], count: number): number[] {
  const n = places.length / 3;
  const middle = [0, 1, 2].map(
    (axis) => Array.from({ length: n }, (_, k) => places[3 * k + axis]).reduce((a, b) => a + b) / n,
  );
  const least = new Float64Array(n).fill(Infinity);
  const heads: number[] = [];
  const reach = Float64Array.from({ length: n }, (_, k) =>
    squareOf([0, 1, 2].map((axis) => places[3 * k + axis] - middle[axis])),
  );
  let next = reach.indexOf(Math.max(...reach));
  while (heads.length < count) {
    heads.push(next);
    for (let k = 0; k < n; k++) least[k] = Math.min(least[k], square(places, k, next));
    next = least.indexOf(Math.max(...least));
    if (!(least[next] > 0)) break;
  }
  return heads;
}

function square(places: readonly number[], a: number, b: number): number {
  return squareOf([0, 1, 2].map((axis) => places[3 * a + axis] - places[3 * b + axis]));
}

const squareOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x * x, 0);
