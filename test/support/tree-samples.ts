/** Trees in memory of their own, with states and loads from a seeded source. */
import { OdeSolver, type Random } from '../../src/index.ts';
import { Tree } from '../../src/multibody/tree/tree.ts';
import { treeFreedoms } from '../../src/multibody/tree/tree-layout.ts';
import type { TreeModel } from '../../src/multibody/tree/tree-model.ts';
import { type MaximalLoads, MaximalTree } from './maximal-dynamics.ts';
import { drawLoads, drawState } from './random-tree.ts';

/** A tree on its own memory, in the state of its model. */
export function standaloneTree(model: TreeModel): Tree {
  const { positions, rates } = treeFreedoms(model);
  return new Tree(model, new Float64Array(positions + rates));
}

/** Gives a tree its loads and the motion of its base. */
export function load(tree: Tree, loads: MaximalLoads): void {
  tree.gravity.set(loads.gravity);
  tree.baseState.set([...loads.base[0], ...loads.base[1]], 7);
  tree.baseAcceleration.set([...loads.base[2], ...loads.base[3]]);
  tree.model.links.forEach((_, i) => tree.linkWrench(i).set(loads.wrenches[i]));
  tree.refresh();
}

/** A tree with a drawn state and drawn loads. */
export function drawnTree(random: Random, model: TreeModel): { tree: Tree; loads: MaximalLoads } {
  const tree = standaloneTree(model);
  drawState(random, model, tree.q, tree.u);
  const loads = drawLoads(random, model, tree.n);
  load(tree, loads);
  return { tree, loads };
}

/** The same tree, in the same state, by the independent method. */
export function maximalTwin(tree: Tree, base: MaximalLoads['base']): MaximalTree {
  return new MaximalTree(tree.model, [...tree.q], [...tree.u], base);
}

/** Moves a tree without loads from its present state, at tight tolerance. */
export function freeMotion(tree: Tree, tau: Float64Array): OdeSolver {
  const solver = new OdeSolver(
    tree.state.length,
    (_, y, rates) => {
      tree.state.set(y);
      tree.refresh();
      tree.computeDerivative(tau, rates);
    },
    { method: 'dormand-prince', relativeTolerance: 1e-12, absoluteTolerance: 1e-12 },
  );
  solver.reset(0, tree.state);
  return solver;
}

/** Largest magnitude. */
export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
