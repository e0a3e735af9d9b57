/** Mass matrix and bias of a tree as a control law knows them: gravity and the orbit are in the bias, wrenches on the tip are not. */
import type { ArmModel } from '../model/arm-spec.ts';
import { OrbitField } from '../multibody/tree/orbit-field.ts';
import type { Tree } from '../multibody/tree/tree.ts';

/** M u' + bias = τ + Σ Jᵀ w at the present state of the tree. */
export class TreeDynamics {
  /** n × n, row by row. */
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
