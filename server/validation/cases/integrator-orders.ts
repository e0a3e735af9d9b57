/** Order of convergence of every integrator, on smooth motion and across an impact. */
import type { IntegratorKind } from '../../../src/model/model.ts';
import {
  atMost,
  closedForm,
  type Curve,
  type Figure,
  type Plot,
  type ValidationCase,
} from '../case.ts';
import { measureOrder, type OrderMeasurement, type OrderProblem } from '../integrator-orders.ts';

const COUNTS = [32, 64, 128, 256, 512, 1024] as const;
const TOLERANCES = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] as const;
const FIXED = ['symplectic-euler', 'implicit-contact', 'ode3', 'rk4', 'ode5'] as const;
const EXPLICIT = ['ode3', 'rk4', 'ode5'] as const;
const ADAPTIVE = ['dormand-prince', 'rosenbrock'] as const;
/** Order of each method for smooth motion. */
const ORDER: Readonly<Record<IntegratorKind, number>> = {
  'symplectic-euler': 1,
  'implicit-contact': 1,
  ode3: 3,
  rk4: 4,
  ode5: 5,
  'dormand-prince': 5,
  rosenbrock: 4,
};
/** Errors below this are rounding. */
const ROUNDING = 2e-12;

function measured(
  problem: OrderProblem,
  integrator: IntegratorKind,
  locateEvents = false,
): OrderMeasurement {
  return measureOrder({
    problem,
    integrator,
    locateEvents,
    counts: COUNTS,
    tolerances: TOLERANCES,
  });
}

/** Slope of the straight line through the points from `from` on that stand clear of rounding. */
function slope({ steps, errors }: OrderMeasurement, from = 1): number {
  const kept = steps
    .map((step, i) => [Math.log(step), Math.log(errors[i])] as const)
    .filter((_, i) => i >= from && errors[i] > ROUNDING);
  const mean = (k: 0 | 1): number => kept.reduce((sum, point) => sum + point[k], 0) / kept.length;
  const [x0, y0] = [mean(0), mean(1)];
  return (
    kept.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) /
    kept.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  );
}

function errorCurve(name: string, { steps, errors }: OrderMeasurement): Curve {
  return { name, x: steps, y: errors.map((error) => Math.max(error, 1e-16)) };
}

/** A straight line of a slope through a point, for the eye. */
function guide(order: number, at: number, from: number, to: number): Curve {
  return {
    name: order === 1 ? 'h' : `h^${order}`,
    x: [from, to],
    y: [at, at * (to / from) ** order],
    kind: 'bound',
  };
}

function plot(title: string, curves: readonly Curve[]): Plot {
  return {
    title,
    xLabel: 'mean step, s',
    yLabel: 'error at the end, relative',
    xScale: 'log',
    yScale: 'log',
    curves,
  };
}

export const integratorOrdersCase: ValidationCase = {
  name: 'integrator-orders',
  title: 'Order of convergence of every integrator',
  source: 'Closed forms; Hairer, Nørsett & Wanner, Solving ODEs I and II',
  description:
    'Error at the end of three motions with a closed form, over the step: a body on a spring that also turns (smooth); an impact on a spring with a dashpot, whose force jumps at touch; an elastic Hertz impact, whose force bends at touch. Fixed steps 32 to 1024 a run, adaptive methods with tolerances from 1e-4 to 1e-9; of impacts the worst of eight phases of touch within a step.',
  equation:
    'error ~ h^p. Across a jump every method falls back to order 1; with the event located it keeps its own. A force k δ^1.5 limits located methods to about 2.5; symplectic Euler is conjugate to leapfrog, so the rebound of a lossless impact is of order 2.',
  tolerances:
    '0.1 for smooth motion with fixed steps (the next term is 3 % of the error), 0.5 for adaptive methods, whose step is a mean over a run. 0.35 across a jump: the worst of eight phases is a rough sample; 0.25 with events located. 0.35 for Hertz impacts, where the bend spreads the slopes. Errors of adaptive runs: a hundred times the tolerance, for a hundred steps that add up.',
  run() {
    const figures: Figure[] = [];
    const smooth: Curve[] = [];
    const jump: Curve[] = [];
    const hertz: Curve[] = [];
    const precision: Curve[] = [];
    for (const integrator of [...FIXED, ...ADAPTIVE]) {
      const found = measured('smooth', integrator);
      const adaptive = ORDER[integrator] > 1 && !EXPLICIT.some((kind) => kind === integrator);
      const allowed = adaptive ? 0.5 : 0.1;
      figures.push(
        closedForm(`${integrator}: order, smooth`, '1', slope(found), ORDER[integrator], allowed),
      );
      smooth.push(errorCurve(integrator, found));
    }
    for (const integrator of FIXED) {
      const across = measured('impact', integrator);
      figures.push(closedForm(`${integrator}: order across a jump`, '1', slope(across), 1, 0.35));
      jump.push(errorCurve(integrator, across));
    }
    for (const integrator of EXPLICIT) {
      const located = measured('impact', integrator, true);
      const order = ORDER[integrator];
      figures.push(
        closedForm(`${integrator}: order across a jump, located`, '1', slope(located), order, 0.25),
      );
      jump.push(errorCurve(`${integrator}, located`, located));
    }
    for (const [integrator, order, located] of [
      ['symplectic-euler', 2, false],
      ['implicit-contact', 2, false],
      ['rk4', 2.5, false],
      ['ode5', 2.5, false],
      ['rk4', 2.5, true],
      ['ode5', 2.5, true],
    ] as const) {
      const found = measured('hertz-impact', integrator, located);
      const name = located ? `${integrator}, located` : integrator;
      figures.push(closedForm(`${name}: order, Hertz impact`, '1', slope(found), order, 0.35));
      hertz.push(errorCurve(name, found));
    }
    for (const integrator of ADAPTIVE) {
      for (const problem of ['smooth', 'impact', 'hertz-impact'] as const) {
        const { errors } = measured(problem, integrator);
        for (const [i, tolerance] of TOLERANCES.entries()) {
          const name = `${integrator}: error, ${problem}, tolerance ${tolerance.toExponential(0)}`;
          figures.push(atMost(name, '1', errors[i], 100 * tolerance));
        }
        precision.push({ name: `${integrator}, ${problem}`, x: TOLERANCES, y: errors });
      }
    }
    return {
      figures,
      plots: [
        plot('Smooth motion', [...smooth, guide(1, 2e-3, 2e-3, 0.06)]),
        plot('Impact with a jump of force', jump),
        plot('Elastic Hertz impact', hertz),
        {
          title: 'Error over tolerance, adaptive methods',
          xLabel: 'relative tolerance, 1',
          yLabel: 'error at the end, relative',
          xScale: 'log',
          yScale: 'log',
          curves: [
            ...precision,
            { name: 'error = tolerance', x: [1e-9, 1e-4], y: [1e-9, 1e-4], kind: 'bound' },
          ],
        },
      ],
    };
  },
};
