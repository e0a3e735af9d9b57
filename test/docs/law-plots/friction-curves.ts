/** Curves of the friction laws: force over slip, pre-sliding, stick-slip. */
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { directionFactor, regularizedLength } from '../../../src/contact/friction/direction.ts';
import {
  type BristleModel,
  type DahlModel,
  type FrictionLawModel,
  type LuGreModel,
  makeSystem,
} from '../../../src/index.ts';
import type { Drawing } from './drawing.ts';
import { ballScene, RADIUS, readColumn, readMotion, spaced, stepOrThrow } from './scenes.ts';

const NORMAL_LAW = {
  kind: 'hysteretic',
  stiffness: 1e6,
  exponent: 1.5,
  restitution: 0.5,
  smallVelocity: 1e-3,
  relaxationTime: 0,
} as const;
/** Depth of a ball that is moved along the plane, m. */
const DEPTH = 1e-3;

const BRISTLE: BristleModel = {
  kind: 'bristle',
  stiction: 0.45,
  coulomb: 0.3,
  bristleStiffness: 1e4,
  bristleDamping: 30,
  viscousDamping: 0,
  stribeckVelocity: 0.1,
  dwellTime: 0.01,
  velocityTolerance: 1e-3,
  startsSticking: false,
};

/** Friction over load, against the motion, after `steps` steps at a constant slip. */
function frictionAt(law: FrictionLawModel, slip: number, steps: number, step: number): number {
  const run = ballScene({
    normalLaw: NORMAL_LAW,
    frictionLaw: law,
    motion: 'prescribed',
    height: RADIUS - DEPTH,
    velocity: [slip, 0, 0],
  });
  for (let n = 0; n < steps; n++) stepOrThrow(run, step);
  return -readColumn(run, 'ft_x') / readColumn(run, 'normalForce');
}

function directions(): Drawing {
  const v = spaced(-2, 2, 161);
  return {
    file: 'regularization',
    title: 'Regularised directions, as part of a unit vector',
    xLabel: 'slip over tolerance, v/v_eps',
    yLabel: 'dir(v)',
    curves: [
      { name: 'cubic', x: v, y: v.map((u) => u * directionFactor(Math.abs(u), 1)) },
      { name: 'modia3d', x: v, y: v.map((u) => u / regularizedLength(Math.abs(u), 1)) },
      { name: 'Coulomb', kind: 'reference', x: [-2, 0, 0, 2], y: [-1, -1, 1, 1] },
    ],
  };
}

function frictionOverSlip(): Drawing {
  const v = spaced(-0.02, 0.02, 401);
  const law = (
    regularization: 'cubic' | 'modia3d',
    velocityTolerance: number,
  ): FrictionLawModel => ({
    kind: 'regularized-coulomb',
    coulomb: 0.5,
    regularization,
    velocityTolerance,
  });
  const cases = [
    ['modia3d, v_eps = 10 mm/s', law('modia3d', 0.01)],
    ['cubic, v_eps = 10 mm/s', law('cubic', 0.01)],
    ['modia3d, v_eps = 1 mm/s', law('modia3d', 0.001)],
  ] as const;
  return {
    file: 'regularized-coulomb',
    title: 'Friction over slip, μ = 0.5',
    xLabel: 'slip, mm/s',
    yLabel: 'friction / load',
    curves: cases.map(([name, model]) => ({
      name,
      x: v.map((u) => 1e3 * u),
      y: v.map((u) => frictionAt(model, u, 1, 1e-4)),
    })),
  };
}

function creep(): Drawing {
  const u = spaced(0, 1, 101);
  return {
    file: 'regularized-coulomb-creep',
    title: 'Creep under a steady force below the friction limit',
    xLabel: 'force / (μ f_n)',
    yLabel: 'creep speed / v_eps',
    curves: [
      { name: 'cubic', x: u.map((v) => v * directionFactor(v, 1)), y: u },
      { name: 'modia3d', x: u.map((v) => v / regularizedLength(v, 1)), y: u },
    ],
  };
}

function stribeckCurve(): Drawing {
  const v = [...spaced(0, 0.02, 41), ...spaced(0.025, 0.5, 96)];
  const law = (viscousDamping: number): FrictionLawModel => ({
    kind: 'stribeck',
    stiction: 0.45,
    coulomb: 0.3,
    viscousDamping,
    stribeckVelocity: 0.1,
    regularization: 'modia3d',
    velocityTolerance: 0.005,
  });
  const slow = spaced(0.02, 0.5, 13);
  return {
    file: 'stribeck',
    title: 'Stribeck curve: μ_S = 0.45, μ_C = 0.3, v_s = 0.1 m/s',
    xLabel: 'slip, m/s',
    yLabel: 'friction / load',
    yRange: [0, 0.5],
    xRange: [0, 0.5],
    curves: [
      { name: 'σ2 = 0', x: v, y: v.map((u) => frictionAt(law(0), u, 1, 1e-4)) },
      { name: 'σ2 = 0.2 s/m', x: v, y: v.map((u) => frictionAt(law(0.2), u, 1, 1e-4)) },
      {
        name: 'bristle in steady sliding, without dwell',
        kind: 'marks',
        x: slow,
        y: slow.map((u) => frictionAt({ ...BRISTLE, dwellTime: 0 }, u, 4000, 1e-4)),
      },
      { name: 'μ_C', kind: 'reference', x: [0, 0.5], y: [0.3, 0.3] },
    ],
  };
}

/** The ball is moved to and fro along the plane at a constant speed: position, µm, and friction over load. */
function toAndFro(
  frictionLaw: FrictionLawModel,
  turns: readonly number[],
): { x: number[]; y: number[] } {
  const speed = 5e-3;
  const step = 2e-5;
  const run = ballScene({
    normalLaw: NORMAL_LAW,
    frictionLaw,
    motion: 'prescribed',
    height: RADIUS - DEPTH,
  });
  const x: number[] = [0];
  const y: number[] = [0];
  const motion = new Float64Array(13);
  for (const target of turns) {
    run.readBody(0, motion, 0);
    const way = target > motion[0] ? 1 : -1;
    motion[7] = way * speed;
    run.setBodyMotion(0, motion, 0);
    while (way * (target - readMotion(run, 0)) > 0) {
      stepOrThrow(run, step);
      x.push(1e6 * readMotion(run, 0));
      y.push(-readColumn(run, 'ft_x') / readColumn(run, 'normalForce'));
    }
  }
  return { x, y };
}

function preSliding(): Drawing {
  const turns = [60e-6, -20e-6, 60e-6, -60e-6, 120e-6];
  const { x, y } = toAndFro({ ...BRISTLE, startsSticking: true }, turns);
  return {
    file: 'bristle-pre-sliding',
    title: 'Bristle friction at 5 mm/s to and fro, μ_S = 0.45, σ0 = 10⁴ 1/m',
    xLabel: 'position, µm',
    yLabel: 'friction / load',
    curves: [
      { name: 'friction', x, y },
      { name: '± μ_S', kind: 'reference', x: [-65, 125], y: [0.45, 0.45] },
      { name: '', kind: 'reference', x: [-65, 125], y: [-0.45, -0.45] },
    ],
  };
}

/** Stick-slip after Bowden and Leben, the scenario of the package. */
function stickSlip(): Drawing {
  const model = compileScenario(loadScenario('bowden-leben'));
  const run = makeSystem(model);
  const block = run.bodyIndex('block');
  const motion = new Float64Array(13);
  const readout = new Float64Array(40);
  const time: number[] = [];
  const friction: number[] = [];
  const dwell: number[] = [];
  const spring: number[] = [];
  const along = Math.SQRT1_2;
  for (let n = 0; run.time < model.duration - 1e-9; n++) {
    stepOrThrow(run, model.step);
    if (n % 10 !== 0) continue;
    run.readContact(0, readout, 0);
    run.readBody(block, motion, 0);
    time.push(run.time);
    friction.push(((readout[4] + readout[5]) * along) / readout[3]);
    dwell.push(0.1 + 0.05 * readout[13]);
    spring.push((2 * (motion[0] + motion[1]) * along) / readout[3]);
  }
  return {
    file: 'bristle-stick-slip',
    title: 'Stick-slip of a block on a belt, held by a spring',
    xLabel: 'time, s',
    yLabel: 'force / load',
    xRange: [0, 30],
    curves: [
      { name: 'friction', x: time, y: friction },
      { name: 'spring', x: time, y: spring },
      { name: 'limit μ_C + (μ_S − μ_C) s_dw', kind: 'reference', x: time, y: dwell },
    ],
  };
}

const DAHL: DahlModel = { kind: 'dahl', coulomb: 0.3, bristleStiffness: 1e4 };
const LUGRE: LuGreModel = {
  kind: 'lugre',
  stiction: 0.3,
  coulomb: 0.3,
  bristleStiffness: 1e4,
  bristleDamping: 3,
  viscousDamping: 0,
  stribeckVelocity: 0.1,
};

/** Dahl's law over a way out and back, with its closed form. */
function dahlLoop(): Drawing {
  const [mu, sigma] = [DAHL.coulomb, DAHL.bristleStiffness];
  const { x, y } = toAndFro(DAHL, [80e-6, -80e-6]);
  const turn = mu * (1 - Math.exp((-sigma * 80e-6) / mu));
  const out = spaced(0, 80e-6, 9);
  const back = spaced(80e-6, -80e-6, 17);
  const bristle = toAndFro({ ...BRISTLE, stiction: 0.3, startsSticking: true }, [80e-6, -80e-6]);
  return {
    file: 'dahl-loop',
    title: 'Friction at 5 mm/s out and back, μ = 0.3, σ0 = 10⁴ 1/m',
    xLabel: 'position, µm',
    yLabel: 'friction / load',
    curves: [
      { name: 'dahl', x, y },
      {
        name: 'closed form',
        kind: 'marks',
        x: [...out, ...back].map((way) => 1e6 * way),
        y: [
          ...out.map((way) => mu * (1 - Math.exp((-sigma * way) / mu))),
          ...back.map((way) => -mu + (mu + turn) * Math.exp((-sigma * (80e-6 - way)) / mu)),
        ],
      },
      { name: 'bristle', x: bristle.x, y: bristle.y },
    ],
  };
}

/** Way of a block under a tangential force that vibrates below breakaway. */
function vibrated(frictionLaw: FrictionLawModel): { time: number[]; way: number[] } {
  const run = ballScene({
    normalLaw: NORMAL_LAW,
    frictionLaw,
    motion: 'dynamic',
    gravity: 9.81,
    locked: true,
    height: RADIUS - (9.81 / 1e6) ** (2 / 3),
  });
  const wrench = new Float64Array(6);
  const time: number[] = [];
  const way: number[] = [];
  for (let n = 1; n <= 1000; n++) {
    wrench[0] = 9.81 * (0.14 + 0.08 * Math.sin((2 * Math.PI * 10 * n) / 1000));
    run.setExternalWrench(0, wrench, 0);
    stepOrThrow(run, 1e-3);
    time.push(n / 1000);
    way.push(1e6 * readMotion(run, 0));
  }
  return { time, way };
}

function drift(): Drawing {
  const laws: readonly (readonly [string, FrictionLawModel])[] = [
    ['dahl', DAHL],
    ['lugre', LUGRE],
    ['bristle', { ...BRISTLE, stiction: 0.3, startsSticking: true }],
  ];
  return {
    file: 'lugre-drift',
    title: 'Block under a force of (0.14 ± 0.08) of its weight at 10 Hz, μ = 0.3',
    xLabel: 'time, s',
    yLabel: 'way, µm',
    curves: laws.map(([name, law]) => {
      const { time, way } = vibrated(law);
      return { name, x: time, y: way };
    }),
  };
}

/** Drawings of the friction laws. */
export function frictionDrawings(): Drawing[] {
  return [
    directions(),
    frictionOverSlip(),
    creep(),
    stribeckCurve(),
    preSliding(),
    stickSlip(),
    dahlLoop(),
    drift(),
  ];
}
