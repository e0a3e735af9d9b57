/** Curves of the normal laws: force over depth, restitution returned, force over time. */
import {
  type DampingVariant,
  dampingFactorOf,
  dampingForRestitution,
  deliveredRestitution,
  type HystereticModel,
  hertzStiffness,
  kelvinVoigtRestitution,
  type Modia3dModel,
  slopeRestitution,
} from '../../../src/index.ts';
import { materials } from '../../../config/materials.ts';
import type { DrawnCurve, Drawing } from './drawing.ts';
import { ballScene, MASS, RADIUS, readColumn, spaced, stepOrThrow, runImpact } from './scenes.ts';

/** Stiffness of the drawn impacts, N/m^1.5, and their speed, m/s. */
const STIFFNESS = 1e6;
const SPEED = 1;
/** Step of the reference method, s: an impact takes 13 ms. */
const STEP = 1e-5;

const VARIANTS: readonly DampingVariant[] = [
  'exact',
  'flores',
  'hunt-crossley',
  'lankarani-nikravesh',
];

const scaled = (values: readonly number[], factor: number): number[] =>
  values.map((value) => value * factor);

function hysteretic(restitution: number, damping: DampingVariant = 'exact'): HystereticModel {
  return {
    kind: 'hysteretic',
    stiffness: STIFFNESS,
    exponent: 1.5,
    restitution,
    smallVelocity: 1e-3,
    relaxationTime: 0,
    damping,
  };
}

function loops(): Drawing {
  return {
    file: 'hysteretic-loops',
    title: 'Force over depth in one impact, 1 kg at 1 m/s, k = 10⁶ N/m^1.5',
    xLabel: 'penetration δ, mm',
    yLabel: 'normal force, N',
    curves: [1, 0.8, 0.5, 0.2].map((e) => {
      const trace = runImpact(hysteretic(e), SPEED, STEP);
      return { name: `e = ${e}`, x: scaled(trace.depth, 1e3), y: trace.force };
    }),
  };
}

function delivered(): Drawing {
  const asked = spaced(0.05, 1, 96);
  const points = [0.1, 0.3, 0.5, 0.7, 0.9];
  const lines: DrawnCurve[] = VARIANTS.map((variant) => ({
    name: variant,
    x: asked,
    y: asked.map((e) => deliveredRestitution(dampingFactorOf(variant, e) / e)),
  }));
  const marks: DrawnCurve[] = VARIANTS.map((variant, colour) => ({
    name: colour === 0 ? 'impacts that were run' : '',
    kind: 'marks',
    colour,
    x: points,
    y: points.map((e) => runImpact(hysteretic(e, variant), SPEED, STEP).restitution),
  }));
  return {
    file: 'hysteretic-restitution',
    title: 'Restitution returned against restitution asked for',
    xLabel: 'restitution asked for',
    yLabel: 'restitution returned',
    xRange: [0, 1],
    yRange: [0, 1],
    curves: [...lines, ...marks],
  };
}

function factors(): Drawing {
  const e = spaced(0.01, 1, 100);
  return {
    file: 'hysteretic-damping-factor',
    title: 'Damping factor d(e) of the four variants',
    xLabel: 'restitution e',
    yLabel: 'd, A = d/(e v_i)',
    xRange: [0, 1],
    curves: VARIANTS.map((variant) => ({
      name: variant,
      x: e,
      y: e.map((value) => dampingFactorOf(variant, value)),
    })),
  };
}

function relaxation(): Drawing {
  // a fixed step finds the ball already inside: the depth of the first step differs from impact to impact
  const overlap = 0.4e-3;
  const speed = 0.1;
  const cases = [
    ['without relaxation', 0],
    ['T_rlx = 1 s', 1],
    ['T_rlx = 2 ms, too short', 2e-3],
  ] as const;
  return {
    file: 'hysteretic-relaxation',
    title: 'Force when the first step finds 0.4 mm of overlap, 0.1 m/s, e = 1',
    xLabel: 'time since onset, ms',
    yLabel: 'normal force, N',
    curves: cases.map(([name, relaxationTime]) => {
      const run = ballScene({
        normalLaw: { ...hysteretic(1), relaxationTime },
        motion: 'prescribed',
        height: RADIUS + 1e-9,
        velocity: [0, 0, -speed],
        integrator: 'symplectic-euler',
      });
      stepOrThrow(run, overlap / speed); // one long step into the plane
      const x: number[] = [];
      const y: number[] = [];
      const onset = run.time;
      while (run.time < onset + 6e-3) {
        stepOrThrow(run, 2e-5);
        x.push(1e3 * (run.time - onset));
        y.push(readColumn(run, 'normalForce'));
      }
      return { name, x, y };
    }),
  };
}

function hertzMaterials(): Drawing {
  const depth = spaced(-8, -3, 60).map((power) => 10 ** power);
  const pairs = [
    ['Steel', 'Steel'],
    ['BilliardBall', 'BilliardBall'],
    ['Steel', 'DryWood'],
  ] as const;
  return {
    file: 'hertz-materials',
    title: 'Hertz force of a ball of 100 mm radius on a plane',
    xLabel: 'penetration δ, m',
    yLabel: 'elastic force, N',
    xScale: 'log',
    yScale: 'log',
    xRange: [1e-8, 1e-3],
    yRange: [1e-2, 1e7],
    curves: pairs.map((names) => {
      const k = hertzStiffness(materials().contactModulus(names, 'materials'), RADIUS);
      return {
        name: `${names.join(' on ')}: k = ${k.toExponential(2).replace('e+', 'e')} N/m^1.5`,
        x: depth,
        y: depth.map((delta) => k * delta * Math.sqrt(delta)),
      };
    }),
  };
}

function modia3d(restitution: number, damping: 'flores' | 'exact' = 'flores'): Modia3dModel {
  return {
    kind: 'modia3d',
    contactModulus: 2.4e9,
    restitution,
    smallVelocity: 0.01,
    maximumDamping: 2000,
    reductionFactor: 1e-3,
    damping,
  };
}

function modia3dCutOff(): Drawing {
  const slow = [0.0005, 0.001, 0.0015, 0.002, 0.003, 0.0045, 0.006, 0.008, 0.01];
  const fast = [0.0101, 0.02, 0.03, 0.045, 0.06, 0.08];
  return {
    file: 'modia3d-cut-off',
    title: 'Restitution over approach speed, v_small = 10 mm/s',
    xLabel: 'approach speed, mm/s',
    yLabel: 'restitution returned',
    xRange: [0, 80],
    yRange: [0, 1],
    curves: [0.9, 0.7, 0.5].map((cor) => {
      const x = [...slow, ...fast];
      const y = x.map((v) => runImpact(modia3d(cor), v, 4e-5).restitution);
      return { name: `cor = ${cor}`, x: scaled(x, 1e3), y };
    }),
  };
}

function modia3dLoops(): Drawing {
  return {
    file: 'modia3d-loops',
    title: 'Force over depth in one impact at 1 m/s, cor = 0.5, for two k_red',
    xLabel: 'penetration δ, mm',
    yLabel: 'normal force, N',
    curves: [1e-3, 1e-4].map((reductionFactor) => {
      const trace = runImpact({ ...modia3d(0.5), reductionFactor }, SPEED, STEP);
      return {
        name: `k_red = ${reductionFactor}: returns ${trace.restitution.toFixed(3)}`,
        x: scaled(trace.depth, 1e3),
        y: trace.force,
      };
    }),
  };
}

function slopeModel(slope: number): Parameters<typeof runImpact>[0] {
  return { kind: 'restitution-slope', stiffness: STIFFNESS, exponent: 1.5, slope };
}

function slopeDelivered(): Drawing {
  const z = spaced(0, 1.5, 76);
  const points = [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.4];
  return {
    file: 'restitution-slope-returned',
    title: 'Restitution of the restitution-slope law',
    xLabel: 'α v_i',
    yLabel: 'restitution returned',
    xRange: [0, 1.5],
    yRange: [0, 1],
    curves: [
      { name: 'closed form', x: z, y: z.map(slopeRestitution) },
      {
        name: 'impacts that were run',
        kind: 'marks',
        x: points,
        y: points.map((alpha) => runImpact(slopeModel(alpha), SPEED, STEP).restitution),
      },
      { name: '1 − α v_i', kind: 'reference', x: [0, 1], y: [1, 0] },
    ],
  };
}

function slopeLoops(): Drawing {
  return {
    file: 'restitution-slope-loops',
    title: 'Force over depth at three speeds, α = 0.3 s/m, 1 kg',
    xLabel: 'penetration δ, mm',
    yLabel: 'normal force, N',
    curves: [0.25, 0.5, 1].map((speed) => {
      const trace = runImpact(slopeModel(0.3), speed, STEP);
      return {
        name: `${speed} m/s: e = ${trace.restitution.toFixed(3)}`,
        x: scaled(trace.depth, 1e3),
        y: trace.force,
      };
    }),
  };
}

function kelvinVoigtJump(): Drawing {
  const stiffness = 5e4;
  const zeta = 0.2;
  const damping = 2 * zeta * Math.sqrt(stiffness * MASS);
  const e = kelvinVoigtRestitution(zeta);
  const kelvin = { kind: 'kelvin-voigt', stiffness, damping } as const;
  const same = { ...hysteretic(e), stiffness, exponent: 1 };
  const cases = [
    ['kelvin-voigt', kelvin],
    ['kelvin-voigt, allowed to pull', { ...kelvin, allowTension: true }],
    ['hysteretic, n = 1, same e', same],
  ] as const;
  return {
    file: 'kelvin-voigt-jump',
    title: 'Force over time of one impact, 1 kg at 1 m/s, ζ = 0.2',
    xLabel: 'time since touch, ms',
    yLabel: 'normal force, N',
    curves: cases.map(([name, law]) => {
      const trace = runImpact(law, SPEED, STEP);
      return {
        name: `${name}: returns ${trace.restitution.toFixed(3)}`,
        x: scaled([0, ...trace.time], 1e3),
        y: [0, ...trace.force],
      };
    }),
  };
}

function kelvinVoigtRestitutions(): Drawing {
  const zeta = spaced(0, 1.5, 76);
  const stiffness = 5e4;
  const points = [0.05, 0.15, 0.3, 0.5, 0.8, 1.2];
  return {
    file: 'kelvin-voigt-restitution',
    title: 'Restitution of the clamped Kelvin–Voigt law over its damping ratio',
    xLabel: 'ζ = c/(2 √(k m))',
    yLabel: 'restitution returned',
    xRange: [0, 1.5],
    yRange: [0, 1],
    curves: [
      { name: 'closed form', x: zeta, y: zeta.map(kelvinVoigtRestitution) },
      {
        name: 'impacts that were run',
        kind: 'marks',
        x: points,
        y: points.map((ratio) => {
          const damping = 2 * ratio * Math.sqrt(stiffness * MASS);
          return runImpact({ kind: 'kelvin-voigt', stiffness, damping }, SPEED, STEP).restitution;
        }),
      },
    ],
  };
}

function dampingNeeded(): Drawing {
  const e = spaced(0.2, 0.99, 80);
  return {
    file: 'hysteretic-damping',
    title: 'Damping A v_i that returns e, and what the variants use',
    xLabel: 'restitution e',
    yLabel: 'A v_i',
    xRange: [0.2, 1],
    yRange: [0, 5],
    curves: VARIANTS.map((variant) => ({
      name: variant,
      x: e,
      y: e.map((value) => dampingForRestitution(value, variant)),
    })),
  };
}

/** Drawings of the normal laws. */
export function normalDrawings(): Drawing[] {
  return [
    loops(),
    delivered(),
    factors(),
    dampingNeeded(),
    relaxation(),
    hertzMaterials(),
    modia3dCutOff(),
    modia3dLoops(),
    slopeDelivered(),
    slopeLoops(),
    kelvinVoigtJump(),
    kelvinVoigtRestitutions(),
  ];
}
