/** A body in the plane with few elastic coordinates: û = Φ u, Φ the shapes of Guyan, modes, or any others. */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import type { BasisSolver, ElasticBasis, NodalBasis } from './elastic-basis.ts';

/** Full matrices over the shapes. */
export class ReducedBasis implements ElasticBasis {
  readonly size: number;
  readonly totalMass: number;
  readonly firstMoment: Float64Array;
  readonly polarMoment: Float64Array;
  readonly mean: Float64Array;
  readonly massOfShape: Float64Array;
  readonly turnOfShape: Float64Array;
  readonly coordinates: Float64Array;
  private readonly mass: Float64Array;
  private readonly turn: Float64Array;
  private readonly stiffness: Float64Array;
  /** Φ of each component [2 · node + axis], `size` numbers. */
  private readonly rows: Float64Array;

  /** @param shapes over the degrees of freedom of `full` */
  constructor(full: NodalBasis, shapes: readonly Float64Array[]) {
    const n = shapes.length;
    this.size = n;
    this.totalMass = full.totalMass;
    this.firstMoment = full.firstMoment;
    this.polarMoment = full.polarMoment;
    this.coordinates = full.coordinates;
    const image = new Float64Array(full.size);
    const project = (times: (x: Float64Array, y: Float64Array) => void): Float64Array => {
      const out = new Float64Array(n * n);
      for (let j = 0; j < n; j++) {
        times(shapes[j], image);
        for (let i = 0; i < n; i++) out[n * i + j] = dot(shapes[i], image);
      }
      return out;
    };
    this.mass = project((x, y) => full.massTimes(x, y));
    this.turn = project((x, y) => full.turnTimes(x, y));
    this.stiffness = project((x, y) => full.stiffnessTimes(x, y));
    this.massOfShape = Float64Array.from(shapes, (shape) => dot(shape, full.massOfShape));
    this.turnOfShape = Float64Array.from(shapes, (shape) => dot(shape, full.turnOfShape));
    this.mean = new Float64Array(2 * n);
    for (let axis = 0; axis < 2; axis++) {
      const row = full.mean.subarray(full.size * axis, full.size * (axis + 1));
      for (let j = 0; j < n; j++) this.mean[n * axis + j] = dot(shapes[j], row);
    }
    this.rows = new Float64Array(n * full.coordinates.length);
    for (const [component, freedom] of full.matrices.freedom.entries()) {
      for (let j = 0; j < n; j++) {
        this.rows[n * component + j] = freedom < 0 ? 0 : shapes[j][freedom];
      }
    }
  }

  massTimes(x: Float64Array, y: Float64Array): void {
    multiply(this.mass, this.size, x, y);
  }

  turnTimes(x: Float64Array, y: Float64Array): void {
    multiply(this.turn, this.size, x, y);
  }

  stiffnessTimes(x: Float64Array, y: Float64Array): void {
    multiply(this.stiffness, this.size, x, y);
  }

  makeSolver(k: number, m: number): BasisSolver {
    const n = this.size;
    const factor = this.stiffness.map((value, e) => k * value + m * this.mass[e]);
    factorCholesky(factor, factor, n, new Float64Array(1));
    return {
      solve(x, at) {
        solveLower(factor, n, x, at);
        solveLowerTransposed(factor, n, x, at);
      },
    };
  }

  addDisplacement(
    node: number,
    u: Float64Array,
    from: number,
    out: Float64Array,
    at: number,
  ): void {
    const { rows, size } = this;
    for (let axis = 0; axis < 2; axis++) {
      const row = size * (2 * node + axis);
      for (let j = 0; j < size; j++) out[at + axis] += rows[row + j] * u[from + j];
    }
  }

  addNode(row: Float64Array, at: number, node: number, direction: Float64Array): void {
    const { rows, size } = this;
    for (let axis = 0; axis < 2; axis++) {
      const from = size * (2 * node + axis);
      for (let j = 0; j < size; j++) row[at + j] += direction[axis] * rows[from + j];
    }
  }
}

/** y := A x, A row by row. */
function multiply(a: Float64Array, n: number, x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < n; i++) {
    y[i] = 0;
    for (let j = 0; j < n; j++) y[i] += a[n * i + j] * x[j];
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
