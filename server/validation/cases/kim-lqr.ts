/** Mass matrix, elastic frequencies and the regulator of the fast loop of Kim's planar arm. */
import { eigenvalues } from '../../../src/math/eigenvalues.ts';
import {
  atMost,
  type Figure,
  independent,
  type Plot,
  printed,
  type ValidationCase,
} from '../case.ts';
import { FINAL_POSE, kimDecay, kimRegulator } from '../kim-run.ts';
import { ARM_SIZE, PlanarArm } from '../planar-arm.ts';
import { referenceRows } from '../reference-data.ts';

const MASS = referenceRows('kim-control', 'mass', ['m1', 'm2', 'm3', 'm4', 'm5']);
const FREQUENCIES = referenceRows('kim-control', 'frequencies', ['omega']);
const POLES = referenceRows('kim-control', 'poles', ['cost', 're1', 'im1', 're2', 'im2']);
const GAIN = referenceRows('kim-control', 'gain', ['f11', 'f12', 'f21', 'f22']);

function massFigures(): Figure[] {
  const arm = new PlanarArm();
  arm.evaluate(FINAL_POSE, new Float64Array(ARM_SIZE));
  const figures: Figure[] = [];
  for (const [i, row] of MASS.entries()) {
    for (const [j, reference] of Object.values(row).entries()) {
      const computed = arm.mass[5 * i + j];
      figures.push(independent(`M${i + 1}${j + 1}`, 'SI', computed, reference, 1e-4 * reference));
    }
  }
  // free vibration: M ψ̈ + K ψ = 0 with K of the modes alone; the unit inputs give the columns of M⁻¹
  const d = new Float64Array(4);
  const column = new Float64Array(ARM_SIZE);
  for (let j = 0; j < 2; j++) {
    const at = new PlanarArm(0);
    const bent = FINAL_POSE.slice();
    bent[3 + j] = 1e-6;
    at.evaluate(bent, new Float64Array(ARM_SIZE));
    at.accelerate(new Float64Array(3), new Float64Array(2), false, column);
    for (let i = 0; i < 2; i++) d[2 * i + j] = -column[3 + i] / 1e-6;
  }
  for (const [i, { re }] of eigenvalues(d, 2).entries()) {
    const { omega } = FREQUENCIES[i];
    if (i === 0) {
      figures.push(
        printed('lowest elastic frequency, 16 rad/s in the text', 'rad/s', Math.sqrt(re), 16, 0.5),
      );
    }
    figures.push(
      independent(`elastic frequency ${i + 1}`, 'rad/s', Math.sqrt(re), omega, 0.005 * omega),
    );
  }
  return figures;
}

export const kimLqrCase: ValidationCase = {
  name: 'kim-lqr',
  title: 'Fast loop of the flexible planar arm',
  source: 'Kim 1999, table 6.2, chapter 5 and 6.5',
  description:
    'Mass matrix and frequencies of the planar arm in closed form, the regulator of its elastic forces by the Riccati equation, and the decay ' +
    'of the nonlinear arm under that regulator.',
  equation:
    'dη/dt̃ = Dη + Eτ_f, τ_f = −R⁻¹EᵀPη with DᵀP + PD − PER⁻¹EᵀP + Q = 0; t̃ = t√k, k the stiffness of a mode.',
  tolerances:
    'Mass matrix 1e-4 of each element, frequencies 0.5 %, of the text half a unit of its digits, poles 1 % of their size (given to three digits), gain half a unit of its last ' +
    'given digit, residual of the Riccati equation 1e-9. Decay 25 %: with two pairs of poles it is not one exponential.',
  run() {
    const figures = massFigures();
    const decay: { x: number[]; y: number[] } = { x: [], y: [] };
    for (const row of POLES) {
      const { poles, residual } = kimRegulator(row.cost);
      const upper = poles.filter(({ im }) => im > 0).sort((a, b) => a.im - b.im);
      const pairs = [
        [row.re1, row.im1],
        [row.re2, row.im2],
      ];
      for (const [i, [re, im]] of pairs.entries()) {
        const size = 0.01 * Math.sqrt(re * re + im * im);
        figures.push(
          independent(
            `Q = ${row.cost}: pole ${i + 1}, decay`,
            '1/s',
            -upper[i].re,
            -re,
            -0.01 * re,
          ),
          independent(`Q = ${row.cost}: pole ${i + 1}, frequency`, 'rad/s', upper[i].im, im, size),
        );
      }
      const mean = -(row.re1 + row.re2) / 2;
      const measured = kimDecay(row.cost, 4);
      decay.x.push(row.cost);
      decay.y.push(measured);
      figures.push(
        independent(`Q = ${row.cost}: decay of the arm`, '1/s', measured, mean, 0.25 * mean),
        atMost(`Q = ${row.cost}: Riccati residual`, '1', residual, 1e-9),
      );
    }
    const { gain } = kimRegulator(10);
    for (const [i, row] of GAIN.entries()) {
      for (const [j, reference] of Object.values(row).entries()) {
        figures.push(independent(`F${i + 1}${j + 1}`, 'm', gain[4 * i + j], reference, 5.5e-4));
      }
    }
    return { figures, plots: [polePlot(), decayPlot(decay)] };
  },
};

function polePlot(): Plot {
  const costs = Array.from({ length: 61 }, (_, i) => 10 ** (-1 + i / 15));
  const all = costs.map((cost) =>
    kimRegulator(cost)
      .poles.filter(({ im }) => im > 0)
      .sort((a, b) => a.im - b.im),
  );
  return {
    title: 'Poles of the fast loop for Q = 0.1 … 1000',
    xLabel: 'real part, 1/s',
    yLabel: 'imaginary part, rad/s',
    curves: [
      ...[0, 1].map((k) => ({
        name: `pair ${k + 1}`,
        x: all.filter((p) => p.length > k).map((p) => p[k].re),
        y: all.filter((p) => p.length > k).map((p) => p[k].im),
      })),
      {
        name: 'reference, Q = 1, 10, 100',
        kind: 'points' as const,
        x: POLES.flatMap(({ re1, re2 }) => [re1, re2]),
        y: POLES.flatMap(({ im1, im2 }) => [im1, im2]),
      },
    ],
  };
}

function decayPlot(measured: { x: number[]; y: number[] }): Plot {
  const x = Array.from({ length: 31 }, (_, i) => 10 ** (i / 15));
  const slowest = x.map((cost) => -Math.max(...kimRegulator(cost).poles.map(({ re }) => re)));
  return {
    title: 'Decay of the elastic forces over the weight Q',
    xLabel: 'Q, 1',
    yLabel: 'rate, 1/s',
    xScale: 'log',
    yScale: 'log',
    curves: [
      { name: 'slowest pole', x, y: slowest },
      { name: 'nonlinear arm', kind: 'points', ...measured },
    ],
  };
}
