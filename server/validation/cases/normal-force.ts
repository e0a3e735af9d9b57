/** Normal force: the damping factor, single impacts, signs and action = reaction. `Gonthier 2007, 2.2, 3.1, 5.1.1`. */
import { dampingFactor } from '../../../src/contact/normal/damping-factor.ts';
import type { HystereticModel } from '../../../src/model.ts';
import { Random } from '../../../src/math/random.ts';
import { CONTACT_READOUT, makeSystem } from '../../../src/system.ts';
import { curve, type Figure, type Plot, type ValidationCase } from '../case.ts';
import { ballModel, contactColumn, runImpact } from '../systems.ts';

/** e and d(e) of (3.23), 40-digit bisection rounded to 12 digits. */
const DAMPING_TABLE: readonly (readonly [number, number])[] = [
  [0.01, 1],
  [0.02, 1],
  [0.05, 0.999999984077],
  [0.1, 0.99981593975],
  [0.15, 0.996319750921],
  [0.2, 0.983833343158],
  [0.25, 0.960201509945],
  [0.3, 0.926124594339],
  [0.35, 0.883182197083],
  [0.4, 0.832999265659],
  [0.45, 0.777001587409],
  [0.5, 0.716375266636],
  [0.55, 0.65208776937],
  [0.6, 0.584923026488],
  [0.65, 0.515515590758],
  [0.7, 0.444379796886],
  [0.75, 0.371933488676],
  [0.8, 0.298516962692],
  [0.85, 0.224407995171],
  [0.9, 0.149833755617],
  [0.95, 0.074980275023],
  [0.975, 0.037497596506],
  [0.99, 0.0149998484883],
  [0.999, 0.00149999984985],
  [1, 0],
];

export const dampingFactorCase: ValidationCase = {
  name: 'damping-factor',
  title: 'Damping factor d(e)',
  source: 'Gonthier 2007, (3.23)',
  tolerances: '1e-11: the digits that the table gives.',
  run() {
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
        ...DAMPING_TABLE.map(([restitution, published]) => ({
          quantity: `d(${restitution})`,
          unit: '1',
          computed: dampingFactor(restitution),
          published,
          tolerance: 1e-11,
        })),
        {
          quantity: 'places where d rises with e',
          unit: '1',
          computed: rising,
          published: 0,
          tolerance: 0,
        },
      ],
      plots: [
        {
          title: 'Damping factor',
          xLabel: 'restitution e',
          yLabel: 'd',
          curves: [
            { name: 'exact', x: e, y: d },
            { name: 'Hunt–Crossley', x: e, y: e.map((x) => 1.5 * x * (1 - x)) },
            { name: 'Lankarani–Nikravesh', x: e, y: e.map((x) => 0.75 * x * (1 - x * x)) },
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

/** Contact time times v/δ_el, at most, and the elastic depth. */
function elasticDepth(mass: number, speed: number, k: number, p: number): number {
  return (((p + 1) * mass * speed * speed) / (2 * k)) ** (1 / (p + 1));
}

/** Steps of an impact over the time δ_el/v; contacts last three to twelve times that. */
const STEPS_PER_DEPTH = 2000;

function impact(mass: number, speed: number, model: HystereticModel): ReturnType<typeof runImpact> {
  const depth = elasticDepth(mass, speed, model.stiffness, model.exponent);
  return runImpact({
    mass,
    speed,
    gap: 0,
    gravity: 0,
    law: model,
    step: depth / speed / STEPS_PER_DEPTH,
    integrator: 'rk4',
  });
}

/** δ_max/δ_el for p = 3/2. */
const DEPTH_TABLE: readonly (readonly [number, number])[] = [
  [0.1, 0.470773],
  [0.3, 0.6589],
  [0.5, 0.775583],
  [0.7, 0.872517],
  [0.9, 0.959263],
];
/** Restitution that the two older factors produce, against the one asked for. */
const OLDER_FACTORS: readonly (readonly [number, number, number])[] = [
  [0.1, 0.515833, 0.665265],
  [0.3, 0.581288, 0.684225],
  [0.5, 0.662962, 0.725241],
  [0.7, 0.768, 0.795973],
  [0.9, 0.909016, 0.913177],
];

export const impactCase: ValidationCase = {
  name: 'impact',
  title: 'Restitution of a single impact',
  source: 'Gonthier 2007, 5.1.1, figures 5.1 and 5.2',
  tolerances:
    '1e-6 for e: Runge–Kutta with over 2,000 steps a contact; 1e-5 for the older factors and 1e-6 for depths: digits of the tables.',
  run() {
    const figures: Figure[] = [];
    const loops: Plot['curves'][number][] = [];
    for (const p of [1, 1.5, 2]) {
      for (const e of [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95]) {
        for (const [mass, speed, k] of [
          [0.454, 0.5, 3.4e8],
          [20, 0.01, 1e6],
        ] as const) {
          const outcome = impact(mass, speed, law(k, p, e));
          figures.push({
            quantity: `e, p = ${p}, ${mass} kg at ${speed} m/s`,
            unit: '1',
            computed: outcome.restitution,
            published: e,
            tolerance: 1e-6,
          });
          if (p === 1.5 && mass === 0.454 && e > 0.05) {
            const elastic = elasticDepth(mass, speed, k, p);
            loops.push(
              curve(
                `e = ${e}`,
                outcome.indentation.map((x) => x * 1e6),
                outcome.force,
              ),
            );
            const row = DEPTH_TABLE.find(([value]) => value === e);
            if (row !== undefined) {
              figures.push({
                quantity: `deepest/elastic depth, e = ${e}`,
                unit: '1',
                computed: outcome.depth / elastic,
                published: row[1],
                tolerance: 1e-6,
              });
            }
          }
        }
      }
    }
    for (const [e, huntCrossley, lankarani] of OLDER_FACTORS) {
      for (const [variant, published] of [
        ['hunt-crossley', huntCrossley],
        ['lankarani-nikravesh', lankarani],
      ] as const) {
        figures.push({
          quantity: `e produced by ${variant} for ${e}`,
          unit: '1',
          computed: impact(0.454, 0.5, law(3.4e8, 1.5, e, variant)).restitution,
          published,
          tolerance: 1e-5,
        });
      }
    }
    return {
      figures,
      plots: [
        { title: 'Force over indentation', xLabel: 'depth, µm', yLabel: 'force, N', curves: loops },
      ],
    };
  },
};

export const contactForceCase: ValidationCase = {
  name: 'contact-force',
  title: 'Sign, zero and reaction of the contact force',
  source: 'Gonthier 2007, (3.4), 3.1',
  tolerances: '1e-12 relative for action = reaction: rounding; signs are exact.',
  run() {
    const random = new Random(3);
    const contact = new Float64Array(CONTACT_READOUT.length);
    const onBall = new Float64Array(6);
    const onPlane = new Float64Array(6);
    const wrench = new Float64Array(6);
    const forceColumn = contactColumn('normalForce');
    const normalColumn = contactColumn('normal_x');
    let least = Infinity;
    let apart = 0;
    let misdirected = 0;
    let unbalanced = 0;
    let pulled = 0;
    for (let trial = 0; trial < 40; trial++) {
      const base = ballModel({
        mass: 0.5 + random.uniform(),
        speed: 0.2 + random.uniform(),
        gap: 1e-4,
        gravity: 0,
        law: law(1e6, 1.5, 0.3 + 0.6 * random.uniform()),
        step: 1e-5,
        integrator: 'rk4',
      });
      const spin = [random.gaussian(), random.gaussian(), random.gaussian()] as const;
      const system = makeSystem({
        ...base,
        bodies: base.bodies.map((body) => ({
          ...body,
          motion: 'dynamic',
          rotationLocked: false,
          inertia: [0.01, 0.02, 0.015, 0, 0, 0],
          angularVelocity: body.name === 'ball' ? spin : body.angularVelocity,
        })),
        contacts: base.contacts.map((one) => ({
          ...one,
          frictionLaw: {
            kind: 'bristle',
            stiction: 0.3,
            coulomb: 0.2,
            bristleStiffness: 1e4,
            bristleDamping: 100,
            viscousDamping: 0,
            stribeckVelocity: 0.01,
            dwellTime: 0.1,
            velocityTolerance: 1e-3,
            startsSticking: false,
          },
        })),
      });
      // half of the balls are torn off: an external pull must never make the contact hold them
      wrench[2] = trial % 2 === 0 ? 0 : 5000;
      for (let n = 0; n < 4000; n++) {
        system.setExternalWrench(1, wrench, 0);
        system.step(1e-5);
        system.readContact(0, contact, 0);
        const force = contact[forceColumn];
        least = Math.min(least, force);
        if (contact[0] === 0) {
          apart = Math.max(apart, Math.abs(force));
          continue;
        }
        pulled++;
        system.contactWrench(1, 0.3, -0.2, 0.1, onBall, 0);
        system.contactWrench(0, 0.3, -0.2, 0.1, onPlane, 0);
        const along =
          onBall[0] * contact[normalColumn] +
          onBall[1] * contact[normalColumn + 1] +
          onBall[2] * contact[normalColumn + 2];
        if (along < 0 || Math.abs(along - force) > 1e-9 * force) misdirected++;
        const size = Math.max(...onBall.map(Math.abs), 1e-300);
        for (let a = 0; a < 6; a++) {
          unbalanced = Math.max(unbalanced, Math.abs(onBall[a] + onPlane[a]) / size);
        }
      }
    }
    const exact = (quantity: string, computed: number): Figure => ({
      quantity,
      unit: '1',
      computed,
      published: 0,
      tolerance: 0,
    });
    return {
      figures: [
        exact('steps with a negative normal force', least < 0 ? 1 : 0),
        exact('largest force without penetration, N', apart),
        exact('steps in which body i is not pushed along +n by f_n', misdirected),
        exact('runs without contact', pulled > 1000 ? 0 : 1),
        {
          quantity: 'largest imbalance of the two wrenches about a common point',
          unit: '1',
          computed: unbalanced,
          published: 0,
          tolerance: 1e-12,
        },
      ],
      plots: [],
    };
  },
};
