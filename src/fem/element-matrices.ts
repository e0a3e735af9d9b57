/**
 * Stiffness and mass of one element.
 *
 * K = ∫ Bᵀ E B dV                              `Kim 1999, (2.39)`
 * m_ab = ∫ ρ N_a N_b dV, the scalar mass; M_uu = m ⊗ I            (2.23)
 * dV = b J dξ dη in the plane, 2π r J dξ dη in a half section, J dξ dη dζ in space
 *
 * B of the half section: u_r,r; u_z,z; u_r/r; u_r,z + u_z,r.
 */
import { STRAINS, type StressState } from './elasticity.ts';
import { ELEMENT_RULES, type ElementKind, type PointRule } from './element-rules.ts';

/** Work space for elements of one mesh. */
export class ElementMatrices {
  /** Stiffness of the last element, degrees of freedom node by node, row by row, N/m. */
  readonly stiffness: Float64Array = new Float64Array(30 * 30);
  /** Scalar mass m_ab of the last element, row by row, kg. */
  readonly mass: Float64Array = new Float64Array(10 * 10);
  private readonly jacobian = new Float64Array(9);
  private readonly inverse = new Float64Array(9);
  /** ∂N_a/∂x_c. */
  private readonly gradient = new Float64Array(30);
  private readonly strain = new Float64Array(6 * 30);
  private readonly stress = new Float64Array(6 * 30);
  private readonly coordinates: Float64Array;
  private readonly dimension: number;

  constructor(coordinates: Float64Array, dimension: 2 | 3) {
    this.coordinates = coordinates;
    this.dimension = dimension;
  }

  /** Fills `stiffness` of the element whose nodes are nodes[at..]; E row by row, thickness m. */
  computeStiffness(
    kind: ElementKind,
    nodes: Int32Array,
    at: number,
    elasticity: Float64Array,
    state: StressState,
    thickness: number,
  ): void {
    const rule = ELEMENT_RULES[kind];
    const d = this.dimension;
    const n = rule.nodes * d;
    const strains = STRAINS[state];
    const { stiffness, strain, stress } = this;
    stiffness.fill(0, 0, n * n);
    for (let p = 0; p < rule.stiffness.weights.length; p++) {
      const volume = this.locate(rule.stiffness, rule.nodes, p, nodes, at, state, thickness);
      this.fillStrain(rule.nodes, rule.stiffness, p, nodes, at, state);
      for (let s = 0; s < strains; s++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let q = 0; q < strains; q++) sum += elasticity[strains * s + q] * strain[n * q + j];
          stress[n * s + j] = sum * volume;
        }
      }
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let s = 0; s < strains; s++) sum += strain[n * s + i] * stress[n * s + j];
          stiffness[n * i + j] += sum;
        }
      }
    }
  }

  /** Fills `mass` of the element whose nodes are nodes[at..]; density kg/m³, thickness m. */
  computeMass(
    kind: ElementKind,
    nodes: Int32Array,
    at: number,
    density: number,
    state: StressState,
    thickness: number,
  ): void {
    const rule = ELEMENT_RULES[kind];
    const n = rule.nodes;
    const { values, weights } = rule.mass;
    this.mass.fill(0, 0, n * n);
    for (let p = 0; p < weights.length; p++) {
      const mass = density * this.locate(rule.mass, n, p, nodes, at, state, thickness);
      for (let a = 0; a < n; a++) {
        for (let b = 0; b < n; b++) {
          this.mass[n * a + b] += mass * values[n * p + a] * values[n * p + b];
        }
      }
    }
  }

  /** Strains B at point p of the last element, row by row; `count` nodes. */
  private fillStrain(
    count: number,
    rule: PointRule,
    p: number,
    nodes: Int32Array,
    at: number,
    state: StressState,
  ): void {
    const { strain: b, gradient: g, dimension: d } = this;
    const n = count * d;
    b.fill(0, 0, n * STRAINS[state]);
    const radius = state === 'axisymmetric' ? this.radius(count, rule, p, nodes, at) : 1;
    for (let a = 0; a < count; a++) {
      const i = d * a;
      if (d === 3) {
        for (let c = 0; c < 3; c++) {
          b[n * c + i + c] = g[i + c];
          const next = (c + 1) % 3;
          b[n * (3 + c) + i + c] = g[i + next];
          b[n * (3 + c) + i + next] = g[i + c];
        }
        continue;
      }
      const shear = state === 'axisymmetric' ? 3 : 2;
      b[i] = g[i];
      b[n + i + 1] = g[i + 1];
      b[n * shear + i] = g[i + 1];
      b[n * shear + i + 1] = g[i];
      if (shear === 3) b[n * 2 + i] = rule.values[count * p + a] / radius;
    }
  }

  private radius(count: number, rule: PointRule, p: number, nodes: Int32Array, at: number): number {
    let r = 0;
    for (let a = 0; a < count; a++)
      r += rule.values[count * p + a] * this.coordinates[2 * nodes[at + a]];
    return r;
  }

  /** Gradients at point p, and the volume that the point stands for, m³. */
  private locate(
    rule: PointRule,
    count: number,
    p: number,
    nodes: Int32Array,
    at: number,
    state: StressState,
    thickness: number,
  ): number {
    const { jacobian: j, inverse: v, gradient, coordinates, dimension: d } = this;
    j.fill(0);
    for (let a = 0; a < count; a++) {
      for (let r = 0; r < d; r++) {
        const x = coordinates[d * nodes[at + a] + r];
        for (let c = 0; c < d; c++) j[d * r + c] += x * rule.slopes[(p * count + a) * d + c];
      }
    }
    let volume = 0;
    if (d === 2) {
      volume = j[0] * j[3] - j[1] * j[2];
      v[0] = j[3] / volume;
      v[1] = -j[1] / volume;
      v[2] = -j[2] / volume;
      v[3] = j[0] / volume;
    } else {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          const r1 = (r + 1) % 3;
          const r2 = (r + 2) % 3;
          const c1 = (c + 1) % 3;
          const c2 = (c + 2) % 3;
          // cofactor of j_cr, the adjugate being its transpose
          v[3 * r + c] = j[3 * c1 + r1] * j[3 * c2 + r2] - j[3 * c1 + r2] * j[3 * c2 + r1];
        }
      }
      volume = j[0] * v[0] + j[1] * v[3] + j[2] * v[6];
      for (let e = 0; e < 9; e++) v[e] /= volume;
    }
    for (let a = 0; a < count; a++) {
      for (let c = 0; c < d; c++) {
        let sum = 0;
        for (let o = 0; o < d; o++) sum += rule.slopes[(p * count + a) * d + o] * v[d * o + c];
        gradient[d * a + c] = sum;
      }
    }
    const depth =
      state === 'axisymmetric'
        ? 2 * Math.PI * this.radius(count, rule, p, nodes, at)
        : d === 2
          ? thickness
          : 1;
    return rule.weights[p] * volume * depth;
  }
}
