/**
 * Mass matrix and bias of a tree for a control law. The bias includes gravity and the orbit, but no
 * wrench on the tip.
 */
import type { ArmModel } from '../model/arm-spec.ts';
import { OrbitField } from '../multibody/tree/orbit-field.ts';
import type { Tree } from '../multibody/tree/tree.ts';

/** Dynamics of a tree at its present state: M u' + bias = τ + Σ Jᵀ w. */
export class TreeDynamics {
  /** Mass matrix, n × n, row by row. */
  readonly mass: Float64Array;
  readonly bias: Float64Array;
  private readonly tree: Tree;
  private readonly field: OrbitField | null;
  private readonly still: Float64Array;

  constructor({ orbit }: Pick<ArmModel, 'orbit'>, tree: Tree) {
    this.tree = tree;
    this.field = orbit === undefined ? null : new OrbitField(orbit, tree.model, tree.links);
    this.mass = new Float64Array(tree.n * tree.n);
    this.bias = new Float64Array(tree.n);
    this.still = new Float64Array(tree.n);
  }

  /** @alloc none */
  compute(): void {
    const { tree, field } = this;
    tree.computeMassMatrix(this.mass);
    if (field === null) tree.computeBias(this.bias);
    else {
      tree.clearWrenches();
      field.addWrenches();
      tree.inverseDynamics(this.still, this.bias);
    }
  }
}
