/**
 * What a body in the plane needs of its mesh: products with M, K and m ⊗ S over the elastic coordinates u, and constants of the
 * undeformed shape. û = Φ u; S = [0, −1; 1, 0] turns by a right angle.
 *
 * A = Φᵀ (m ⊗ I) Φ,  T = Φᵀ (m ⊗ S) Φ,  N = ∫ N dm Φ,  h = Φᵀ (m ⊗ I) x̂,  t = Φᵀ (m ⊗ S) x̂       `Kim 1999, (2.23)–(2.27)`
 */
import type { FemMatrices } from './assembly.ts';
import { SkylineFactors, SkylineMatrix } from './skyline.ts';

/** Solutions with k K + m A for one pair of factors. */
export interface BasisSolver {
  /** x := (k K + m A)⁻¹ x, x from `at` on. @alloc none */
  solve(x: Float64Array, at: number): void;
}

/** Elastic coordinates of a body in the plane. */
export interface ElasticBasis {
  readonly size: number;
  /** kg, kg m and kg m²: ∫ dm, ∫ N dm x̂ and x̂ᵀ (m ⊗ I) x̂. */
  readonly totalMass: number;
  readonly firstMoment: Float64Array;
  readonly polarMoment: Float64Array;
  /** N, two rows of `size`. */
  readonly mean: Float64Array;
  /** h and t. */
  readonly massOfShape: Float64Array;
  readonly turnOfShape: Float64Array;
  /** Nodes without displacement, two numbers each, m. */
  readonly coordinates: Float64Array;
  /** y := A x, T x, K x. @alloc none */
  massTimes(x: Float64Array, y: Float64Array): void;
  turnTimes(x: Float64Array, y: Float64Array): void;
  stiffnessTimes(x: Float64Array, y: Float64Array): void;
  /** Factors k K + m A; allocates. */
  makeSolver(k: number, m: number): BasisSolver;
  /** Adds the displacement of a node to out[at], out[at + 1]; u from `from` on. @alloc none */
  addDisplacement(node: number, u: Float64Array, from: number, out: Float64Array, at: number): void;
  /** row[at..] += Φᵀ of a node times a direction in axes of the body. @alloc none */
  addNode(row: Float64Array, at: number, node: number, direction: Float64Array): void;
}

/** Every component that is not held is a coordinate. */
export class NodalBasis implements ElasticBasis {
  readonly size: number;
  readonly totalMass: number;
  readonly firstMoment: Float64Array = new Float64Array(2);
  readonly polarMoment: Float64Array = new Float64Array(1);
  readonly mean: Float64Array;
  readonly massOfShape: Float64Array;
  readonly turnOfShape: Float64Array;
  readonly coordinates: Float64Array;
  readonly matrices: FemMatrices;
  /** Components of a vector over all nodes, in the order of the scalar mass, and their images. */
  private readonly work: readonly Float64Array[];

  constructor(matrices: FemMatrices) {
    this.matrices = matrices;
    const { size, model, scalarMass, place, freedom } = matrices;
    const count = scalarMass.size;
    this.size = size;
    this.coordinates = model.mesh.coordinates;
    this.work = Array.from({ length: 4 }, () => new Float64Array(count));
    this.mean = new Float64Array(2 * size);
    this.massOfShape = new Float64Array(size);
    this.turnOfShape = new Float64Array(size);
    const [x, y, mx, my] = this.work;
    x.fill(1);
    scalarMass.multiply(x, mx);
    let total = 0;
    for (let node = 0; node < count; node++) {
      const mass = mx[place[node]];
      total += mass;
      for (let axis = 0; axis < 2; axis++) {
        this.firstMoment[axis] += mass * this.coordinates[2 * node + axis];
        const at = freedom[2 * node + axis];
        if (at >= 0) this.mean[size * axis + at] = mass;
      }
    }
    this.totalMass = total;
    let polar = 0;
    for (let node = 0; node < count; node++) {
      x[place[node]] = this.coordinates[2 * node];
      y[place[node]] = this.coordinates[2 * node + 1];
    }
    scalarMass.multiply(x, mx);
    scalarMass.multiply(y, my);
    for (let p = 0; p < count; p++) polar += x[p] * mx[p] + y[p] * my[p];
    this.polarMoment[0] = polar;
    this.scatter(mx, my, 1, this.massOfShape);
    this.scatter(my, mx, -1, this.turnOfShape);
  }

  massTimes(x: Float64Array, y: Float64Array): void {
    this.matrices.mass.multiply(x, y);
  }

  turnTimes(u: Float64Array, out: Float64Array): void {
    const { freedom, place, scalarMass } = this.matrices;
    const [x, y, mx, my] = this.work;
    for (let node = 0; node < place.length; node++) {
      const i = freedom[2 * node];
      const j = freedom[2 * node + 1];
      x[place[node]] = i < 0 ? 0 : u[i];
      y[place[node]] = j < 0 ? 0 : u[j];
    }
    scalarMass.multiply(x, mx);
    scalarMass.multiply(y, my);
    this.scatter(my, mx, -1, out);
  }

  stiffnessTimes(x: Float64Array, y: Float64Array): void {
    this.matrices.stiffness.multiply(x, y);
  }

  makeSolver(k: number, m: number): BasisSolver {
    const { stiffness, mass } = this.matrices;
    const sum = new SkylineMatrix(stiffness.first);
    sum.combine(k, stiffness, m, mass);
    const factors = new SkylineFactors(sum);
    factors.factor(sum, 0);
    return factors;
  }

  addDisplacement(
    node: number,
    u: Float64Array,
    from: number,
    out: Float64Array,
    at: number,
  ): void {
    const { freedom } = this.matrices;
    const i = freedom[2 * node];
    const j = freedom[2 * node + 1];
    if (i >= 0) out[at] += u[from + i];
    if (j >= 0) out[at + 1] += u[from + j];
  }

  addNode(row: Float64Array, at: number, node: number, direction: Float64Array): void {
    const { freedom } = this.matrices;
    const i = freedom[2 * node];
    const j = freedom[2 * node + 1];
    if (i >= 0) row[at + i] += direction[0];
    if (j >= 0) row[at + j] += direction[1];
  }

  /** Components (sign a, b) over the nodes to the coordinates. */
  private scatter(a: Float64Array, b: Float64Array, sign: number, out: Float64Array): void {
    const { freedom, place } = this.matrices;
    for (let node = 0; node < place.length; node++) {
      const i = freedom[2 * node];
      const j = freedom[2 * node + 1];
      if (i >= 0) out[i] = sign * a[place[node]];
      if (j >= 0) out[j] = b[place[node]];
    }
  }
}
