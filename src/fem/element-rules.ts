/**
 * Shape functions of the elements at the points of their quadrature. `Kim 1999, appendix A`; TET10 after Zienkiewicz & Taylor.
 *
 * QUAD4  N_a = ¼ (1 + ξ ξ_a)(1 + η η_a), corners counter-clockwise from (−1, −1)                                   (A.1)
 * CST    area coordinates 1 − ξ − η, ξ, η: the QUAD4 whose nodes 3 and 4 coincide                                  (A.2)
 * HEX8   N_a = ⅛ (1 + ξ ξ_a)(1 + η η_a)(1 + ζ ζ_a), lower face counter-clockwise, then the upper one            (A.3), (A.4)
 * TET4   volume coordinates L_1 = 1 − ξ − η − ζ, L_2 = ξ, L_3 = η, L_4 = ζ
 * TET10  corners L (2 L − 1), middles 4 L_i L_j on edges 12, 23, 31, 14, 24, 34
 *
 * Stiffness: 2 × 2 (× 2) Gauss points; one point; 27 in TET10, so that curved edges keep the patch test, whose integrand has degree
 * three. Mass: exact for straight edges.
 */
import { gaussLegendre } from '../math/quadrature.ts';

/** Kinds of elements. The axisymmetric one lies in the half section (r, z). */
export type ElementKind = 'quad4' | 'cst' | 'axisymmetric-quad4' | 'tet4' | 'tet10' | 'hex8';

/** Shape functions at the points of a quadrature. */
export interface PointRule {
  readonly weights: Float64Array;
  /** N_a at point p: `[p · nodes + a]`. */
  readonly values: Float64Array;
  /** ∂N_a/∂ξ_c at point p: `[(p · nodes + a) · dimension + c]`. */
  readonly slopes: Float64Array;
}

/** What an element of one kind is. */
export interface ElementRule {
  readonly nodes: number;
  readonly dimension: 2 | 3;
  readonly stiffness: PointRule;
  readonly mass: PointRule;
}

/** Points and weights in natural coordinates. */
interface Quadrature {
  readonly points: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/** Fills N and ∂N/∂ξ (rows of nodes) at one point. */
type Shape = (x: readonly number[], values: number[], slopes: number[][]) => void;

/** Signs of the corners of square and cube. */
const SQUARE = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];
const CUBE = [-1, 1].flatMap((z) => SQUARE.map(([x, y]) => [x, y, z]));
/** Edges with a middle node. */
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
  [0, 3],
  [1, 3],
  [2, 3],
];

/** Products of 1 + ξ ξ_a over the axes. */
const cornerShape =
  (corners: readonly (readonly number[])[]): Shape =>
  (x, values, slopes) => {
    const scale = 1 / corners.length;
    for (const [a, corner] of corners.entries()) {
      values[a] = scale * corner.reduce((all, sign, c) => all * (1 + sign * x[c]), 1);
      slopes[a] = corner.map(
        (own, c) =>
          scale *
          own *
          corner.reduce((all, sign, o) => (o === c ? all : all * (1 + sign * x[o])), 1),
      );
    }
  };

/** Coordinates that are 1 in one corner of a simplex and 0 in the others. */
const simplexShape: Shape = (x, values, slopes) => {
  values[0] = 1 - x.reduce((sum, value) => sum + value, 0);
  slopes[0] = x.map(() => -1);
  for (const [c, value] of x.entries()) {
    values[1 + c] = value;
    slopes[1 + c] = x.map((_, o) => (o === c ? 1 : 0));
  }
};

const quadraticShape: Shape = (x, values, slopes) => {
  const l: number[] = [];
  const dl: number[][] = [];
  simplexShape(x, l, dl);
  for (let a = 0; a < 4; a++) {
    values[a] = l[a] * (2 * l[a] - 1);
    slopes[a] = dl[a].map((slope) => (4 * l[a] - 1) * slope);
  }
  for (const [e, [i, j]] of EDGES.entries()) {
    values[4 + e] = 4 * l[i] * l[j];
    slopes[4 + e] = dl[i].map((slope, c) => 4 * (slope * l[j] + l[i] * dl[j][c]));
  }
};

/** n Gauss points along each axis of square or cube. */
function boxRule(n: number, dimension: number): Quadrature {
  const { nodes, weights } = gaussLegendre(n);
  let rule: { point: number[]; weight: number }[] = [{ point: [], weight: 1 }];
  for (let axis = 0; axis < dimension; axis++) {
    rule = rule.flatMap(({ point, weight }) =>
      Array.from(nodes, (x, k) => ({ point: [...point, x], weight: weight * weights[k] })),
    );
  }
  return { points: rule.map(({ point }) => point), weights: rule.map(({ weight }) => weight) };
}

/** n Gauss points along each axis of a box that collapses into the simplex: exact to degree 2 n − dimension. */
function collapsedRule(n: number, dimension: number): Quadrature {
  const box = boxRule(n, dimension);
  const points: number[][] = [];
  const weights: number[] = [];
  for (const [k, at] of box.points.entries()) {
    // ξ = u, η = v (1 − u), ζ = w (1 − u)(1 − v)
    const point: number[] = [];
    let left = 1;
    let weight = box.weights[k];
    for (const [axis, x] of at.entries()) {
      const part = (1 + x) / 2;
      point.push(left * part);
      weight *= 0.5;
      for (let o = axis + 1; o < dimension; o++) weight *= 1 - part;
      left *= 1 - part;
    }
    points.push(point);
    weights.push(weight);
  }
  return { points, weights };
}

/** The four points of degree 2 in a tetrahedron. */
function tetrahedronRule(): Quadrature {
  const near = (5 - Math.sqrt(5)) / 20;
  const far = 1 - 3 * near;
  return {
    points: [
      [near, near, near],
      [far, near, near],
      [near, far, near],
      [near, near, far],
    ],
    weights: [1 / 24, 1 / 24, 1 / 24, 1 / 24],
  };
}

function pointRule(shape: Shape, { points, weights }: Quadrature): PointRule {
  const values: number[] = [];
  const slopes: number[] = [];
  for (const point of points) {
    const n: number[] = [];
    const dn: number[][] = [];
    shape(point, n, dn);
    values.push(...n);
    slopes.push(...dn.flat());
  }
  return {
    weights: Float64Array.from(weights),
    values: Float64Array.from(values),
    slopes: Float64Array.from(slopes),
  };
}

function elementRule(
  nodes: number,
  dimension: 2 | 3,
  shape: Shape,
  stiffness: Quadrature,
  mass: Quadrature,
): ElementRule {
  return {
    nodes,
    dimension,
    stiffness: pointRule(shape, stiffness),
    mass: pointRule(shape, mass),
  };
}

const square = cornerShape(SQUARE);
const quad = elementRule(4, 2, square, boxRule(2, 2), boxRule(2, 2));

/** Every kind. */
export const ELEMENT_RULES: Readonly<Record<ElementKind, ElementRule>> = {
  quad4: quad,
  'axisymmetric-quad4': quad,
  cst: elementRule(
    3,
    2,
    simplexShape,
    { points: [[1 / 3, 1 / 3]], weights: [0.5] },
    collapsedRule(2, 2),
  ),
  tet4: elementRule(
    4,
    3,
    simplexShape,
    { points: [[0.25, 0.25, 0.25]], weights: [1 / 6] },
    tetrahedronRule(),
  ),
  tet10: elementRule(10, 3, quadraticShape, collapsedRule(3, 3), collapsedRule(4, 3)),
  hex8: elementRule(8, 3, cornerShape(CUBE), boxRule(2, 3), boxRule(2, 3)),
};
