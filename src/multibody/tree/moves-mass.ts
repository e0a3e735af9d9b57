/**
 * Whether every motion of the joints of a tree moves mass. A link without inertia about the axis through its centre leaves a moment that is
 * zero but for the rounding of its rotation, which is no inertia although it has a Cholesky factor.
 */
import { FREE, PRISMATIC, REVOLUTE, type TreeLink } from './tree-link.ts';
import type { Tree } from './tree.ts';

/** A moment below this part of the moments that turn with it is rounding. */
const ROUNDING = 1e-12;

/** Whether M is regular at the present state of the tree, and each of its moments of inertia more than rounding. */
export function movesMass(tree: Tree): boolean {
  if (!tree.regular) return false;
  const matrix = new Float64Array(tree.n * tree.n);
  tree.computeMassMatrix(matrix);
  return tree.links.every((link) => turnsMass(tree, matrix, link));
}

/** Whether a link that turns on its joint has inertia about each axis, by the mass matrix (n × n) of its tree. */
export function turnsMass(tree: Tree, matrix: Float64Array, link: TreeLink): boolean {
  const { rate, freedoms, rotorRate } = link.places;
  const { n } = tree;
  if (link.kind < REVOLUTE || link.kind === PRISMATIC) return true;
  const first = link.kind === FREE ? rate + 3 : rate;
  const least = ROUNDING * carriedMoment(tree, link);
  for (let i = first; i < rate + freedoms; i++) {
    let moment = matrix[(n + 1) * i];
    // a rotor behind a stiffness turns without its link
    if (rotorRate >= 0) {
      const between = matrix[n * rotorRate + i];
      moment -= (between * between) / matrix[(n + 1) * rotorRate];
    }
    if (!(moment > least)) return false;
  }
  return true;
}

/** About what the moment of inertia about the joint would be, were the axis square to all that turns with it, kg m². */
function carriedMoment(tree: Tree, link: TreeLink): number {
  const carried = new Set([link.index]);
  let moment = 0;
  for (const { index, parent, mass, tensor, state } of tree.links) {
    if (carried.has(parent)) carried.add(index);
    if (!carried.has(index)) continue;
    const dx = state[0] - link.state[0];
    const dy = state[1] - link.state[1];
    const dz = state[2] - link.state[2];
    moment += tensor[0] + tensor[4] + tensor[8] + mass[0] * (dx * dx + dy * dy + dz * dz);
  }
  return moment;
}
