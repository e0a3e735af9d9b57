/** Normal force: the damping factor and single impacts. `Gonthier 2007, (3.18)–(3.25), 5.1.1`. */
import { dampingFactor } from '../../../src/contact/normal/damping-factor.ts';
import {
  deliveredRestitution,
  elasticDepth,
  impactDepth,
} from '../../../src/contact/normal/impact.ts';
import type { HystereticModel, NormalLawModel } from '../../../src/model/model.ts';
import {
  atMost,
  closedForm,
  type Curve,
  curve,
  type Figure,
  independent,
  type ValidationCase,
} from '../case.ts';
import { referenceRows } from '../reference-data.ts';
import { type ImpactOutcome, runImpact } from '../systems.ts';

export const dampingFactorCase: ValidationCase = {
  name: 'damping-factor',
  title: 'Damping factor d(e)',
  source: 'Gonthier 2007, (3.23)',
  description:
    'The factor that makes an impact return exactly the restitution e, for 25 values of e; it falls from 1 to 0 without a rise.',
  equation:
    'd solves (1 + d/e)/(1 − d) = exp(d (1 + 1/e)), so that f_n = k δ^p (1 + (d/e) δ̇/v_i) returns e v_i from v_i.',
  tolerances: '1e-11: the digits that the table gives.',
  run() {
    const table = referenceRows('gonthier-impact', 'damping-factor', ['e', 'd']);
    const e: number[] = [];
    const d: number[] = [];
    let rising = 0;
    for (let i = 1; i <= 400; i++) {
      e.push(i / 400);
      d.push(dampingFactor(i / 400));
      if (i > 1 && d[i - 1] > d[i - 2]) rising++;
    }
    return {
      figures: [
        ...table.map((row) => closedForm(`d(${row.e})`, '1', dampingFactor(row.e), row.d, 1e-11)),
        closedForm('places where d rises with e', '1', rising, 0, 0),
      ],
      plots: [
        {
          title: 'Damping factor',
          xLabel: 'restitution e, 1',
          yLabel: 'damping factor d, 1',
          curves: [
            { name: 'exact', x: e, y: d },
            { name: 'Hunt–Crossley', x: e, y: e.map((x) => 1.5 * x * (1 - x)) },
            { name: 'Lankarani–Nikravesh', x: e, y: e.map((x) => 0.75 * x * (1 - x * x)) },
            {
              name: 'reference, exact',
              x: table.map((row) => row.e),
              y: table.map((row) => row.d),
              kind: 'points',
            },
          ],
        },
      ],
    };
  },
};

function law(
  stiffness: number,
  exponent: number,
  restitution: number,
  damping: NonNullable<HystereticModel['damping']> = 'exact',
): HystereticModel {
  return {
    kind: 'hysteretic',
    stiffness,
    exponent,
    restitution,
    smallVelocity: 1e-6,
    relaxationTime: 0,
    damping,
  };
}

/** Steps of a fixed-step impact over the time δ_el/v; contacts last three to twelve times that. */
const STEPS_PER_DEPTH = 700;
/** Samples of an error-controlled impact over that time. */
const SAMPLES_PER_DEPTH = 60;

function impact(
  mass: number,
  speed: number,
  model: NormalLawModel & { readonly stiffness: number; readonly exponent: number },
  controlled: boolean,
): ImpactOutcome {
  const { stiffness, exponent } = model;
  const depth = elasticDepth({ mass, stiffness, exponent, speed, damping: 0 });
  return runImpact({
    mass,
    speed,
    gap: 0,
    gravity: 0,
    law: model,
    step: depth / speed / (controlled ? SAMPLES_PER_DEPTH : STEPS_PER_DEPTH),
    integrator: controlled ? 'dormand-prince' : 'rk4',
  });
}

/** Slope of restitution over speed in figure 5.1, s/m. */
const ALPHA = 0.2;
/** Mass and stiffness of figure 5.1; the exponent of ten of k is illegible in print and does not matter. */
const MASS = 0.454;
const STIFFNESS = 3.4e8;

export const restitutionOverSpeedCase: ValidationCase = {
  name: 'restitution-over-speed',
  title: 'Effective restitution over impact speed',
  source: 'Gonthier 2007, 5.1.1, figure 5.1',
  description:
    'A ball of 0.454 kg hits a plane at 0.1 to 4.5 m/s; the restitution asked for is e = 1 − 0.2 v. Error-controlled runs with the exact damping factor, with the same law that is given the slope 0.2 s/m alone, with those of Hunt–Crossley, Lankarani–Nikravesh and Flores, and with the damping 3/2 α k of the restitution-slope law.',
  equation:
    'f_n = k δ^1.5 (1 + a δ̇); the exact factor returns e_eff = e at every speed, λ = 3/2 α k only in the limit of zero speed.',
  tolerances:
    '1e-6 for the exact factor: the error control of the run leaves 1e-9. 1e-5 for Hunt–Crossley: the digits of the table are rounded at 1e-6. 1e-9 between the two forms of the same damping: the accuracy of both runs.',
  run() {
    const table = referenceRows('gonthier-impact', 'restitution-over-speed', [
      'speed',
      'asked',
      'delivered',
    ]);
    const figures: Figure[] = [];
    const slope = { kind: 'restitution-slope', exponent: 1.5, slope: ALPHA } as const;
    for (const { speed, asked, delivered } of table) {
      const exact = impact(MASS, speed, law(STIFFNESS, 1.5, asked), true);
      const older = impact(MASS, speed, law(STIFFNESS, 1.5, asked, 'hunt-crossley'), true);
      const fixed = impact(MASS, speed, { ...slope, stiffness: STIFFNESS }, true);
      const falling = { ...law(STIFFNESS, 1.5, 1), restitution: { slope: ALPHA } };
      const falls = impact(MASS, speed, falling, true).restitution;
      figures.push(
        closedForm(`e_eff exact, ${speed} m/s`, '1', exact.restitution, asked, 1e-6),
        closedForm(`e_eff of the slope α, ${speed} m/s`, '1', falls, 1 - ALPHA * speed, 1e-6),
        independent(`e_eff Hunt–Crossley, ${speed} m/s`, '1', older.restitution, delivered, 1e-5),
        independent(
          `e_eff/e Hunt–Crossley, ${speed} m/s`,
          '1',
          older.restitution / asked,
          delivered / asked,
          1e-5 / asked,
        ),
        closedForm(`λ = 3/2 α k, ${speed} m/s`, '1', fixed.restitution, older.restitution, 1e-9),
      );
    }
    const speeds = Array.from({ length: 30 }, (_, i) => 0.15 * (i + 1));
    const ratio = (name: string, damping: NonNullable<HystereticModel['damping']>): Curve => ({
      name,
      x: speeds,
      y: speeds.map((speed) => {
        const asked = 1 - ALPHA * speed;
        return impact(MASS, speed, law(STIFFNESS, 1.5, asked, damping), true).restitution / asked;
      }),
    });
    return {
      figures,
      plots: [
        {
          title: 'Restitution delivered over restitution asked for (figure 5.1)',
          xLabel: 'impact speed, m/s',
          yLabel: 'e_eff/e, 1',
          curves: [
            ratio('exact', 'exact'),
            ratio('Hunt–Crossley', 'hunt-crossley'),
            ratio('Lankarani–Nikravesh', 'lankarani-nikravesh'),
            ratio('Flores', 'flores'),
            {
              name: 'reference, exact',
              x: table.map(({ speed }) => speed),
              y: table.map(() => 1),
              kind: 'points',
            },
            {
              name: 'reference, Hunt–Crossley',
              x: table.map(({ speed }) => speed),
              y: table.map(({ asked, delivered }) => delivered / asked),
              kind: 'points',
            },
          ],
        },
        {
          title: 'Restitution over speed with λ = 3/2 α k',
          xLabel: 'impact speed, m/s',
          yLabel: 'e_eff, 1',
          curves: [
            {
              name: 'computed',
              x: speeds,
              y: speeds.map((v) => deliveredRestitution(1.5 * ALPHA * v)),
            },
            {
              name: 'reference',
              x: table.map(({ speed }) => speed),
              y: table.map(({ delivered }) => delivered),
              kind: 'points',
            },
            { name: '1 − α v', x: [0, 4.5], y: [1, 0.1], kind: 'bound' },
          ],
        },
      ],
    };
  },
};

const RESTITUTIONS = [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95];

export const impactCase: ValidationCase = {
  name: 'impact',
  title: 'Restitution and depth of a single impact',
  source: 'Gonthier 2007, 5.1.1, figure 5.2, and (3.18)–(3.25)',
  description:
    'A free ball hits a plane: seven restitutions, exponents 1, 3/2 and 2, two balls with their speeds and stiffnesses, Runge–Kutta of order 4 with over 2,000 steps a contact. Depths against the closed form and the table, the restitution that older factors deliver, and force over indentation as in figure 5.2.',
  equation:
    'f_n = k δ^p (1 + a δ̇/v_i) ≥ 0, zero at both ends of the contact; e does not depend on mass, stiffness and speed; δ_max/δ_el on e alone.',
  tolerances:
    '1e-6 for e: the fixed step leaves 1e-9, and contact ends at a step. 1e-7 relative for depths against the closed form (parabola through three samples), 1e-6 against the table and 1e-5 for older factors: digits of the tables. Forces at the ends: k (v h)^p after one step h, the first sample.',
  run() {
    const figures: Figure[] = [];
    const loops: Curve[] = [];
    const depths = referenceRows('gonthier-impact', 'depth', ['e', 'depth']);
    for (const p of [1, 1.5, 2]) {
      for (const e of RESTITUTIONS) {
        for (const [mass, speed, k] of [
          [MASS, 0.5, STIFFNESS],
          [20, 0.01, 1e6],
        ] as const) {
          const model = law(k, p, e);
          const outcome = impact(mass, speed, model, false);
          const name = `p = ${p}, ${mass} kg at ${speed} m/s`;
          figures.push(closedForm(`e, ${name}`, '1', outcome.restitution, e, 1e-6));
          if (mass !== MASS) continue;
          const free = { mass, stiffness: k, exponent: p, speed, damping: 0 };
          const elastic = elasticDepth(free);
          const formula = impactDepth({ ...free, damping: dampingFactor(e) / e / speed });
          figures.push(
            closedForm(
              `depth over closed form − 1, e = ${e}, ${name}`,
              '1',
              outcome.depth / formula - 1,
              0,
              1e-7,
            ),
          );
          const row = p === 1.5 ? depths.find((one) => one.e === e) : undefined;
          if (row === undefined) continue;
          const peak = Math.max(...outcome.force);
          const step = elastic / speed / STEPS_PER_DEPTH;
          const last = outcome.force[outcome.force.length - 1];
          figures.push(
            closedForm(
              `deepest over elastic depth, e = ${e}`,
              '1',
              outcome.depth / elastic,
              row.depth,
              1e-6,
            ),
            atMost(
              `force at the first sample, e = ${e}`,
              'N',
              outcome.force[0],
              k * (speed * step) ** p * (1 + dampingFactor(e) / e),
            ),
            atMost(
              `force at the last sample over the largest, e = ${e}`,
              '1',
              last / peak,
              (1.5 / STEPS_PER_DEPTH) ** p,
            ),
            closedForm(
              `samples with 1 + a δ̇ < 0, e = ${e}`,
              '1',
              outcome.force.filter((f, i) => f <= 0 && outcome.indentation[i] > 0).length,
              0,
              0,
            ),
          );
        }
      }
    }
    for (const e of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
      const { indentation, force } = impact(MASS, 0.5, law(STIFFNESS, 1.5, e), true);
      loops.push(curve(`e = ${e}`, [0, ...indentation, 0], [0, ...force, 0], 400));
    }
    const older = referenceRows('gonthier-impact', 'older-factors', [
      'asked',
      'hunt_crossley',
      'lankarani_nikravesh',
    ]);
    const delivered = new Map<string, number[]>();
    for (const row of older) {
      for (const [variant, reference] of [
        ['hunt-crossley', row.hunt_crossley],
        ['lankarani-nikravesh', row.lankarani_nikravesh],
      ] as const) {
        const { restitution } = impact(MASS, 0.5, law(STIFFNESS, 1.5, row.asked, variant), false);
        figures.push(
          independent(
            `e delivered by ${variant} for ${row.asked}`,
            '1',
            restitution,
            reference,
            1e-5,
          ),
        );
        delivered.set(variant, [...(delivered.get(variant) ?? []), restitution]);
      }
    }
    const asked = older.map((row) => row.asked);
    return {
      figures,
      plots: [
        {
          title: 'Force over indentation (figure 5.2)',
          xLabel: 'depth, m',
          yLabel: 'force, N',
          curves: loops,
        },
        {
          title: 'Restitution delivered by older factors',
          xLabel: 'restitution asked for, 1',
          yLabel: 'restitution delivered, 1',
          curves: [
            { name: 'Hunt–Crossley', x: asked, y: delivered.get('hunt-crossley') ?? [] },
            {
              name: 'Lankarani–Nikravesh',
              x: asked,
              y: delivered.get('lankarani-nikravesh') ?? [],
            },
            {
              name: 'Hunt–Crossley, reference',
              x: asked,
              y: older.map((row) => row.hunt_crossley),
              kind: 'points',
            },
            {
              name: 'Lankarani–Nikravesh, reference',
              x: asked,
              y: older.map((row) => row.lankarani_nikravesh),
              kind: 'points',
            },
            { name: 'exact', x: [0.1, 0.9], y: [0.1, 0.9], kind: 'bound' },
          ],
        },
      ],
    };
  },
};
