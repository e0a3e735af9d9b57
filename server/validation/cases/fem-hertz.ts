/** Static contacts of elastic bodies against Hertz. */
import { closedForm, type Figure, independent, type ValidationCase } from '../case.ts';
import { pressDisc, pressHalfSpace } from '../fem-hertz.ts';

/** Contact radius in elements; force and largest pressure over Hertz of another program. */
const HALF_SPACE = [
  { ratio: 2, force: 1.013, pressure: 0.966 },
  { ratio: 3.6, force: 1.002, pressure: 0.987 },
  { ratio: 5.4, force: 1.0003, pressure: 0.994 },
] as const;
/** Way of the centre line of the disc over its radius: a half width of 0.075 radii. */
const DEPTH = 0.00985;

export const femHertzCase: ValidationCase = {
  name: 'fem-hertz',
  title: 'Static contacts against Hertz',
  source: 'Love 1929; Johnson 1985, (3.25), 4.2 and 5.6; Kim 1999, appendix D',
  description:
    'A paraboloid on a half-space of square elements with uniform pressure, and a half disc of finite elements whose centre line is pressed ' +
    'against a plane; both by compliance and active set.',
  equation:
    '0 ≤ f ⊥ C f + g ≥ 0; Hertz: F = 4/3 E* √R δ^(3/2), p_0 = 3 F/(2 π a²); line: p_0 = √(P E*/(π R)), δ = P/(π E*) (2 ln(4 R/a) − 1).',
  tolerances:
    'Half-space: the edge of the contact lies anywhere in an element; force 2 % at a radius of two elements, 1 % from 3.5 on; the largest pressure is ' +
    'the mean over an element, lower by (side/radius)²/6 and more. Figures of another program half a unit of their digits. Disc 2 %.',
  run() {
    const figures: Figure[] = [];
    const results = HALF_SPACE.map((row) => ({ ...row, found: pressHalfSpace(row.ratio) }));
    for (const { ratio, force, pressure, found } of results) {
      const name = `half-space, radius of ${ratio} elements`;
      const part = ratio < 3.5 ? 0.02 : 0.01;
      figures.push(
        closedForm(`${name}: force over Hertz`, '1', found.force, 1, part),
        independent(`${name}: force over Hertz, other program`, '1', found.force, force, 5.1e-4),
        closedForm(`${name}: largest pressure over Hertz`, '1', found.pressure, 1, 2 * part),
        independent(
          `${name}: largest pressure over Hertz, other program`,
          '1',
          found.pressure,
          pressure,
          5.1e-4,
        ),
      );
    }
    for (const n of [16, 32]) {
      const disc = pressDisc(n, DEPTH);
      const name = `disc, ${n} × ${n} elements`;
      figures.push(
        closedForm(`${name}: largest pressure over line contact`, '1', disc.pressure, 1, 0.02),
        closedForm(`${name}: approach over line contact`, '1', disc.approach, 1, 0.02),
      );
    }
    const ratios = Array.from({ length: 31 }, (_, i) => 1 + i / 5);
    const swept = ratios.map((ratio) => pressHalfSpace(ratio).force);
    const half = Array.from({ length: 101 }, (_, i) => i / 100);
    const last = results[results.length - 1].found;
    return {
      figures,
      plots: [
        {
          title: 'Force of a paraboloid on a half-space',
          xLabel: 'contact radius over side of an element, 1',
          yLabel: 'force over Hertz, 1',
          curves: [
            { name: 'active set', x: ratios, y: swept },
            { name: 'Hertz', x: [1, 7], y: [1, 1], kind: 'bound' as const },
          ],
        },
        {
          title: 'Pressure of a paraboloid on a half-space, radius of 5.4 elements',
          xLabel: 'distance from the axis over radius, 1',
          yLabel: 'pressure over the largest of Hertz, 1',
          curves: [
            { name: 'elements', x: last.radii, y: last.pressures, kind: 'points' as const },
            {
              name: 'Hertz',
              x: half,
              y: half.map((r) => Math.sqrt(1 - r * r)),
              kind: 'bound' as const,
            },
          ],
        },
      ],
    };
  },
};
