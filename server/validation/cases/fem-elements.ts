/** Finite elements: patch tests, rigid motions, zero modes, orders of convergence. */
import { beamDeflection } from '../fem-beam.ts';
import { exactChecks, fieldError, PLANE_KINDS, SOLID_KINDS } from '../fem-field.ts';
import { atMost, closedForm, type Figure, type Plot, type ValidationCase } from '../case.ts';

/** Elements a side of the meshes whose errors are compared. */
const SIDES = {
  quad4: [4, 8, 16, 32],
  cst: [4, 8, 16, 32],
  'axisymmetric-quad4': [4, 8, 16, 32],
} as const;
const SOLID_SIDES = { hex8: [2, 4, 6], tet4: [2, 4, 6], tet10: [2, 3, 4] } as const;
const HEIGHTS = [4, 8, 16, 32];

/** Slope of the last two points of a curve over the size of the elements. */
function order(sides: readonly number[], errors: readonly number[]): number {
  const last = sides.length - 1;
  return Math.log(errors[last - 1] / errors[last]) / Math.log(sides[last] / sides[last - 1]);
}

export const femElementsCase: ValidationCase = {
  name: 'fem-elements',
  title: 'Finite elements against fields in closed form',
  source: 'Kim 1999, chapter 2 and appendix A; Timoshenko & Goodier 1970, 21',
  description:
    'Every kind of element on a skew mesh: the forces inside under a linear field, forces under rigid motions, number of modes without ' +
    'frequency, and the error of the solution between boundaries that move by a harmonic field of degree four. A cantilever in the plane ' +
    'with a shear load at its end against the closed form of the deflection.',
  equation:
    'K = ∫ Bᵀ E B dV, m_ab = ∫ ρ N_a N_b dV, (2.23), (2.39); u = ∇φ with Δφ = 0 is in equilibrium for every isotropic material.',
  tolerances:
    'Patch and rigid motions hold to rounding, bound 1e-13 of the largest force. Orders are those of the interpolation, 2 for linear and 3 for ' +
    'quadratic shapes, within 0.1: meshes of this size still have a tenth of the next term. The beam converges with order 2 within 0.1, ' +
    'and 32 elements over its height leave an error of 0.2 % (QUAD4) and 0.7 % (CST) that falls by four with each halving.',
  run() {
    const figures: Figure[] = [];
    const curves: { name: string; x: number[]; y: number[] }[] = [];
    for (const kind of [...PLANE_KINDS, ...SOLID_KINDS]) {
      const { patch, rigid, zeroModes } = exactChecks(kind);
      const expected = kind === 'axisymmetric-quad4' ? 1 : kind in SIDES ? 3 : 6;
      figures.push(
        atMost(`${kind}: forces inside under a linear field`, '1', patch, 1e-13),
        atMost(`${kind}: forces under rigid motions`, '1', rigid, 1e-13),
        closedForm(`${kind}: modes without frequency`, '1', zeroModes, expected, 0),
      );
      const sides: readonly number[] =
        kind in SIDES
          ? SIDES[kind as keyof typeof SIDES]
          : SOLID_SIDES[kind as keyof typeof SOLID_SIDES];
      const errors = sides.map((n) => fieldError(kind, n));
      figures.push(
        closedForm(
          `${kind}: order of the error`,
          '1',
          order(sides, errors),
          kind === 'tet10' ? 3 : 2,
          0.1,
        ),
      );
      curves.push({ name: kind, x: sides.map((n) => 1 / n), y: errors });
    }
    const beams = (['quad4', 'cst'] as const).map((kind) => {
      const ratios = HEIGHTS.map((n) => beamDeflection(kind, n));
      const errors = ratios.map((ratio) => Math.abs(ratio - 1));
      figures.push(
        closedForm(
          `${kind}: order of the deflection of a beam`,
          '1',
          order(HEIGHTS, errors),
          2,
          0.1,
        ),
        closedForm(
          `${kind}: deflection of a beam, ${HEIGHTS[HEIGHTS.length - 1]} elements high, over closed form`,
          '1',
          ratios[ratios.length - 1],
          1,
          kind === 'cst' ? 0.01 : 0.003,
        ),
      );
      return { name: kind, x: HEIGHTS.map((n) => 1 / n), y: errors };
    });
    const plots: Plot[] = [
      {
        title: 'Error between boundaries that move by a harmonic field',
        xLabel: 'side of an element over side of the body, 1',
        yLabel: 'L2 error over the field, 1',
        xScale: 'log',
        yScale: 'log',
        curves,
      },
      {
        title: 'Deflection of a cantilever',
        xLabel: 'height of an element over height of the beam, 1',
        yLabel: 'error over closed form, 1',
        xScale: 'log',
        yScale: 'log',
        curves: beams,
      },
    ];
    return { figures, plots };
  },
};
