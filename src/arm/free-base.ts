/**
 * Generalised Jacobian of an arm on a floating base: it includes the motion of the base that a
 * joint rate causes. `Umetani & Yoshida 1989`, IEEE Trans. Robotics and Automation 5, 303–314.
 * docs/theory/arm.md.
 *
 *   H_b v_b + H_bm q' = p            total momentum, about the origin of the base
 *   v = J_b v_b + J_m q' = J* q' + J_b H_b⁻¹ p,   J* = J_m − J_b H_b⁻¹ H_bm
 *
 * H is the mass matrix of the arm with straight links and stiff gears; p is that of the flexible
 * arm; bending does not change it.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import type { UnsteadyBase } from './twist-resolver.ts';
import { addCross, unrotate3 } from '../math/vec3.ts';

/** Rates of the free joint of the base. They come first. */
const FREEDOMS = 6;

/** Generalised Jacobian of a tree whose first joint is free. */
export class FreeBase implements UnsteadyBase {
  private readonly tree: Tree;
  private readonly rigid: Tree;
  private readonly mass: Float64Array;
  private readonly factors = new Float64Array(FREEDOMS * FREEDOMS);
  private readonly tolerance = new Float64Array(1);
  private readonly momentum = new Float64Array(FREEDOMS);
  private readonly column = new Float64Array(FREEDOMS);

  /**
   * @param tree the flexible arm
   * @param rigid the arm without flexibility, at the rotor positions
   */
  constructor(tree: Tree, rigid: Tree) {
    this.tree = tree;
    this.rigid = rigid;
    this.mass = new Float64Array(rigid.n * rigid.n);
  }

  /**
   * Turns `jacobian` (6 × rates of the rigid arm) into the generalised Jacobian in the columns of
   * the joints. Subtracts from `twist` the part that the momentum causes. @alloc none
   */
  reduce(jacobian: Float64Array, twist: Float64Array): void {
    const { rigid, momentum, column } = this;
    const n = rigid.n;
    this.factorise();
    this.readMomentum();
    this.solve(momentum);
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < FREEDOMS; b++) twist[a] -= jacobian[a * n + b] * momentum[b];
    }
    for (let j = FREEDOMS; j < n; j++) {
      for (let b = 0; b < FREEDOMS; b++) column[b] = this.mass[b * n + j];
      this.solve(column);
      for (let a = 0; a < 6; a++) {
        for (let b = 0; b < FREEDOMS; b++) jacobian[a * n + j] -= jacobian[a * n + b] * column[b];
      }
    }
  }

  /** Inertia that each joint moves on a free base: the diagonal of H_m − H_bmᵀ H_b⁻¹ H_bm. */
  movedInertia(): number[] {
    const { mass, column } = this;
    const n = this.rigid.n;
    this.factorise();
    return Array.from({ length: n - FREEDOMS }, (_, joint) => {
      const j = FREEDOMS + joint;
      for (let b = 0; b < FREEDOMS; b++) column[b] = mass[b * n + j];
      this.solve(column);
      return column.reduce((rest, value, b) => rest - value * mass[b * n + j], mass[(n + 1) * j]);
    });
  }

  /** Computes the mass matrix of the rigid arm and the factors of H_b. */
  private factorise(): void {
    const { mass, factors } = this;
    const n = this.rigid.n;
    this.rigid.computeMassMatrix(mass);
    for (let a = 0; a < FREEDOMS; a++) {
      for (let b = 0; b < FREEDOMS; b++) factors[FREEDOMS * a + b] = mass[a * n + b];
    }
    factorCholesky(factors, factors, FREEDOMS, this.tolerance);
  }

  /** x := H_b⁻¹ x */
  private solve(x: Float64Array): void {
    solveLower(this.factors, FREEDOMS, x, 0);
    solveLowerTransposed(this.factors, FREEDOMS, x, 0);
  }

  /** Reads the momentum in the coordinates of the base's rates: about its origin, in the axes of its parent. */
  private readMomentum(): void {
    const { tree, momentum: p, column: w } = this;
    const base = tree.links[0];
    const x = base.state;
    const r = base.parentEnd.endRotation;
    tree.computeMomentum(w);
    addCross(w, 3, w, 0, x, 0);
    unrotate3(p, 0, r, w, 0);
    unrotate3(p, 3, r, w, 3);
  }
}
