/**
 * How a tree answers impulses on its links: Δu = A⁻¹ Jᵀ p. A is the mass matrix. Within a step of a tree with springs it is
 * M + h/2 D + h²/4 K, so that an impulse meets the springs as the smooth forces of the step do. docs/theory/trees.md.
 */
import type { Tree } from './tree.ts';

/** A link as impulses meet it. */
export interface PushedPart {
  /** Index of the link. */
  readonly place: number;
  /** p(3) q(4) v(3) w(3), world. */
  readonly state: Float64Array;
  /** Twist from that of the link. @alloc none */
  refreshTwist(): void;
}

/** The answers of one tree. */
export class TreeImpulses {
  /** Whether an impulse came since this was last set to false. */
  pushed = false;
  private readonly tree: Tree;
  private readonly parts: readonly PushedPart[];
  private readonly columns: Float64Array;
  private readonly columnsOf: readonly Int32Array[];
  /** The common point of the tree. */
  readonly origin: Float64Array;
  private readonly n: number;
  /** Rates of joints and modes: those of rotors have no part in a Jacobian. */
  private readonly moving: number;
  /** Rows of generalized forces: three or six of one part, as many of another. */
  private readonly rows: Float64Array;
  private readonly change: Float64Array;
  /** Force, and moment about the common point of the tree. */
  private readonly force: Float64Array = new Float64Array(6);
  /** No lever: the origin of a part. */
  private readonly center: Float64Array = new Float64Array(3);
  private readonly unit: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

  /** @param parts filled by the owner, in the order of the links */
  constructor(tree: Tree, parts: readonly PushedPart[]) {
    this.tree = tree;
    this.parts = parts;
    const { columns, columnsOf, origin } = tree.motions;
    this.columns = columns;
    this.columnsOf = columnsOf;
    this.origin = origin;
    this.n = tree.n;
    this.moving = tree.layout.moving;
    this.rows = new Float64Array(12 * tree.n);
    this.change = new Float64Array(tree.n);
  }

  /** u += A⁻¹ Jᵀ p for an impulse, N s, at the point origin + kinematics[arm..] of a part. @alloc none */
  push(part: PushedPart, kinematics: Float64Array, arm: number, impulse: Float64Array): void {
    this.setForce(part, kinematics, arm, impulse, 0);
    this.project(part, this.change, 0);
    this.addChange();
  }

  /** u += A⁻¹ J_wᵀ m for a moment impulse, N m s, on a part. @alloc none */
  turn(part: PushedPart, impulse: Float64Array): void {
    this.setMoment(impulse, 0);
    this.project(part, this.change, 0);
    this.addChange();
  }

  /** u += timing[0] A⁻¹ f for generalized forces f. @alloc none */
  addForces(f: Float64Array, timing: Float64Array): void {
    const { change } = this;
    for (let k = 0; k < this.n; k++) change[k] = timing[0] * f[k];
    this.addChange();
  }

  /** Adds d_a·J A⁻¹ Jᵀ d_b at a point of a part: tangential (11, 12, 22) and normal, 1/kg. @alloc none */
  addMobility(
    part: PushedPart,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    this.tree.factorize();
    this.fillRows(part, part, kinematics, arm, basis, 0);
    this.addProduct(0, 0, 1, mobility, 0);
    this.addProduct(0, 1, 1, mobility, 1);
    this.addProduct(1, 1, 1, mobility, 2);
    this.addProduct(2, 2, 1, mobility, 3);
  }

  /** What a contact between two links has beside the terms of each: see ContactAssembly. @alloc none */
  addCoupling(
    placeI: number,
    placeJ: number,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    mobility: Float64Array,
  ): void {
    const i = this.parts[placeI];
    this.tree.factorize();
    this.fillRows(i, i, kinematics, arm, basis, 0);
    this.fillRows(this.parts[placeJ], i, kinematics, arm, basis, 3);
    this.addProduct(0, 3, -2, mobility, 0);
    this.addProduct(0, 4, -1, mobility, 1);
    this.addProduct(1, 3, -1, mobility, 1);
    this.addProduct(1, 4, -2, mobility, 2);
    this.addProduct(2, 5, -2, mobility, 3);
  }

  /** Adds J_w A⁻¹ J_wᵀ of a part, 1/(kg m²), row by row. @alloc none */
  addSpinMobility(part: PushedPart, spinMobility: Float64Array): void {
    this.tree.factorize();
    this.fillSpinRows(part, 0);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) this.addProduct(a, b, 1, spinMobility, 3 * a + b);
    }
  }

  /** As `addCoupling` for angular velocities and moments. @alloc none */
  addSpinCoupling(placeI: number, placeJ: number, spinMobility: Float64Array): void {
    this.tree.factorize();
    this.fillSpinRows(this.parts[placeI], 0);
    this.fillSpinRows(this.parts[placeJ], 3);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        this.addProduct(a, 3 + b, -1, spinMobility, 3 * a + b);
        this.addProduct(b, 3 + a, -1, spinMobility, 3 * a + b);
      }
    }
  }

  /** J_i A⁻¹ J_jᵀ for forces at the origins of two parts and moments, 6 × 6: see ContactAssembly. @alloc none */
  writeResponse(
    placeI: number,
    placeJ: number,
    out: Float64Array,
    at: number,
    stride: number,
  ): void {
    this.tree.factorize();
    this.fillTwistRows(this.parts[placeI], 0);
    this.fillTwistRows(this.parts[placeJ], 6);
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < 6; b++) {
        out[at + a * stride + b] = 0;
        this.addProduct(a, 6 + b, 1, out, at + a * stride + b);
      }
    }
  }

  /** Twists of links and parts from the rates, at the poses that are there. @alloc none */
  refreshTwists(): void {
    this.tree.refreshTwists();
    for (let i = 0; i < this.parts.length; i++) this.parts[i].refreshTwist();
  }

  /** u += A⁻¹ change. */
  private addChange(): void {
    const { tree, change } = this;
    tree.solveFactored(change);
    this.pushed = true;
    for (let k = 0; k < this.n; k++) tree.u[k] += change[k];
    this.refreshTwists();
  }

  /** Rows L⁻¹ Jᵀ d of the three directions of a basis. */
  private fillRows(
    part: PushedPart,
    holder: PushedPart,
    kinematics: Float64Array,
    arm: number,
    basis: Float64Array,
    row: number,
  ): void {
    for (let d = 0; d < 3; d++) {
      this.setForce(holder, kinematics, arm, basis, 3 * d);
      this.project(part, this.rows, (row + d) * this.n);
      this.tree.solveHalf(this.rows, (row + d) * this.n);
    }
  }

  private fillSpinRows(part: PushedPart, row: number): void {
    for (let d = 0; d < 3; d++) {
      this.setMoment(this.unit, 3 * d);
      this.project(part, this.rows, (row + d) * this.n);
      this.tree.solveHalf(this.rows, (row + d) * this.n);
    }
  }

  /** Rows L⁻¹ Jᵀ of three forces at the origin of a part and three moments. */
  private fillTwistRows(part: PushedPart, row: number): void {
    this.fillRows(part, part, this.center, 0, this.unit, row);
    this.fillSpinRows(part, row + 3);
  }

  /** The force f[at..] at the point (origin of `holder`) + kinematics[arm..], about the common point. */
  private setForce(
    holder: PushedPart,
    kinematics: Float64Array,
    arm: number,
    f: Float64Array,
    at: number,
  ): void {
    const { state } = holder;
    const { force: w, origin } = this;
    const x = state[0] + kinematics[arm] - origin[0];
    const y = state[1] + kinematics[arm + 1] - origin[1];
    const z = state[2] + kinematics[arm + 2] - origin[2];
    w[0] = f[at];
    w[1] = f[at + 1];
    w[2] = f[at + 2];
    w[3] = y * w[2] - z * w[1];
    w[4] = z * w[0] - x * w[2];
    w[5] = x * w[1] - y * w[0];
  }

  private setMoment(m: Float64Array, at: number): void {
    const w = this.force;
    w[0] = 0;
    w[1] = 0;
    w[2] = 0;
    w[3] = m[at];
    w[4] = m[at + 1];
    w[5] = m[at + 2];
  }

  /** out[o..] := Jᵀ of the force, on a part. */
  private project(part: PushedPart, out: Float64Array, o: number): void {
    const { force: w, columns: x } = this;
    const list = this.columnsOf[part.place];
    for (let k = 0; k < this.n; k++) out[o + k] = 0;
    for (let j = 0; j < list.length; j++) {
      const c = 6 * list[j];
      out[o + list[j]] =
        x[c] * w[0] +
        x[c + 1] * w[1] +
        x[c + 2] * w[2] +
        x[c + 3] * w[3] +
        x[c + 4] * w[4] +
        x[c + 5] * w[5];
    }
  }

  /** out[o] += factor · row a · row b; the factor is a small whole number. */
  private addProduct(a: number, b: number, factor: number, out: Float64Array, o: number): void {
    const { rows, n, moving } = this;
    let sum = 0.0;
    for (let k = 0; k < moving; k++) sum += rows[a * n + k] * rows[b * n + k];
    out[o] += factor * sum;
  }
}
