/** A ring pressed on a cone jams: friction at many pairs of facets against the closed form of a taper. */
import { makeSystem, type System } from '../../../src/system/system.ts';
import { ContactReadout } from '../../../src/contact/contact-readout.ts';
import type { BodyModel, FrictionLawModel } from '../../../src/model/model.ts';
import { atMost, closedForm, type Curve, type Figure, type ValidationCase } from '../case.ts';

/** Axial force of the press, N. */
const PRESS = 5;
const STEP = 1e-3;
/** Speed of the press and of what pulls, m/s. */
const DOWN = 1e-3;
const UP = 2e-4;
/** Bristle stiffness, 1/m. */
const STIFF = 1e5;
/** Slip at which the regularised law has all its friction, m/s, and its root of 3/2 x − 1/2 x³ = tan b/μ, tan b = 1/6, μ = 0.3. */
const SMOOTH = 1e-3;
const ROOT = 0.3901691;

interface Taper {
  readonly base: number;
  readonly top: number;
  /** Where the ring starts, at the shell or a little above, m. */
  readonly height: number;
}
const LENGTH = 0.18;
const CONE: Taper = { base: 0.045, top: 0.015, height: 0.0913 };
const MORSE_ANGLE = (1.4307 * Math.PI) / 180;
const MORSE: Taper = { base: 0.0345, top: 0.0345 - LENGTH * Math.tan(MORSE_ANGLE), height: 0.176 };

const bristle = (friction: number, stiffness: number): FrictionLawModel => ({
  kind: 'bristle',
  stiction: friction,
  coulomb: friction,
  bristleStiffness: stiffness,
  bristleDamping: 2 * Math.sqrt(stiffness / 9.81),
  viscousDamping: 0,
  stribeckVelocity: 1e-3,
  dwellTime: 0,
  velocityTolerance: 1e-5,
  startsSticking: false,
});

function ringOn(
  taper: Taper,
  motion: BodyModel['motion'],
  speed: number,
  height: number,
  frictionLaw: FrictionLawModel,
): System {
  const yaw = (0.3 * Math.PI) / 96;
  const still = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  const body = {
    mass: 0.08,
    inertia: [1.162e-4, 1.162e-4, 2.1944e-4, 0, 0, 0],
    rotationLocked: false,
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  } as const;
  return makeSystem({
    name: 'jam',
    gravity: [0, 0, 0],
    bodies: [
      {
        ...body,
        name: 'ring',
        motion,
        position: [0, 0, height],
        orientation: [0, 0, Math.sin(yaw), Math.cos(yaw)],
        velocity: [0, 0, speed],
      },
      { ...body, ...still, name: 'cone', motion: 'fixed' },
    ],
    contacts: [
      {
        name: 'jam',
        bodyI: 'ring',
        bodyJ: 'cone',
        pair: {
          kind: 'faceted',
          shapeI: {
            shape: { kind: 'torus', radius: 0.05, tubeRadius: 0.018, around: 96, across: 60 },
            ...still,
          },
          shapeJ: {
            shape: {
              kind: 'frustum',
              radius: taper.base,
              topRadius: taper.top,
              length: LENGTH,
              around: 48,
            },
            ...still,
          },
          standoff: 2e-3,
          maximumPairs: 1024,
        },
        normalLaw: { kind: 'restitution-slope', stiffness: 614.68, exponent: 1, slope: 0.01 },
        frictionLaw,
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: 'implicit-contact',
    step: STEP,
    maximumSubsteps: 64,
    duration: 1,
  });
}

const row = new Float64Array(40);
const state = new Float64Array(13);

/** Axial force on the ring, N, and its height, m, after a step. */
function step(run: System): readonly [number, number] {
  if (run.step(STEP) !== 0) throw new Error('The step of the jam failed');
  run.readContact(0, row, 0);
  run.readBody(0, state, 0);
  const up = row[ContactReadout.normalForce] * row[ContactReadout.normal_z];
  return [up + row[ContactReadout.ft_z], state[2]];
}

/** Presses to PRESS, then pulls: the largest pull over the press, and force over the height. */
function jam(
  taper: Taper,
  friction: number,
  stiffness: number,
): { ratio: number; path: { height: number[]; force: number[] } } {
  const run = ringOn(taper, 'prescribed', -DOWN, taper.height, bristle(friction, stiffness));
  const path = { height: [] as number[], force: [] as number[] };
  const note = (): number => {
    const [force, height] = step(run);
    path.height.push(1e3 * height);
    path.force.push(force);
    return force;
  };
  let press = 0;
  for (let n = 0; n < 6000 && press < PRESS; n++) press = note();
  state[9] = UP;
  run.setBodyMotion(0, state, 0);
  let least = Infinity;
  const steps = Math.ceil((4 * (friction + 0.1)) / (stiffness * UP * STEP)) + 20;
  for (let n = 0; n < steps; n++) least = Math.min(least, note());
  return { ratio: -least / press, path };
}

/** Pull-out over press: (μ cos b − sin b)/(sin b + μ cos b). */
const closed = (slope: number, friction: number): number => (friction - slope) / (friction + slope);

export const facetedJamCase: ValidationCase = {
  name: 'faceted-jam',
  title: 'Facets with friction: a ring jams on a cone',
  source: 'LaFarge & Lewis 1998 (Sandia), wedging; B22',
  description:
    'A ring of 5,760 facets is pressed on a frustum of 48 with 5 N along its axis and drawn off, with bristles of 1e5 1/m at each distinct pair; then it is let go, with bristles and with a regularised law.',
  equation:
    'press = N (sin b + μ cos b), pull = N (μ cos b − sin b); regularised creep: μ G(v/v_e) = tan b.',
  tolerances:
    'Ratio of pull to press 2 % of it (B22): bristles give by 2 μ/σ0 while friction turns round, N falls with that, so that the pull is 0.6 to 1.6 % low at 1e5 1/m and the error falls as 1/σ0; 2 % of the press where springs push the ring off. Creep 1 %: the facets of the cone are by 0.2 % steeper.',
  run() {
    const figures: Figure[] = [];
    const forces: Curve[] = [];
    const taper = 1 / 6;
    for (const [name, cone, slope, friction] of [
      ['cone 1 : 6, μ 0.3', CONE, taper, 0.3],
      ['cone 1 : 6, μ 0.5', CONE, taper, 0.5],
      ['Morse 2, μ 0.15', MORSE, Math.tan(MORSE_ANGLE), 0.15],
    ] as const) {
      const { ratio, path } = jam(cone, friction, STIFF);
      const reference = closed(slope, friction);
      figures.push(closedForm(`${name}: pull over press`, '1', ratio, reference, 0.02 * reference));
      if (cone === CONE) forces.push({ name, x: path.height, y: path.force });
    }
    const loose = jam(CONE, 0.1, STIFF);
    figures.push(
      closedForm('cone 1 : 6, μ 0.1: pull over press', '1', loose.ratio, closed(taper, 0.1), 0.02),
    );
    const stiffnesses = [1e4, 3e4, STIFF];
    const ratios = [1e4, 3e4].map((stiffness) => jam(CONE, 0.3, stiffness).ratio);
    const errors = [...ratios, figures[0].computed].map((ratio) => 1 - ratio / closed(taper, 0.3));
    const smooth: FrictionLawModel = {
      kind: 'regularized-coulomb',
      coulomb: 0.3,
      regularization: 'cubic',
      velocityTolerance: SMOOTH,
    };
    const heights: Curve[] = [];
    const released = ([name, law]: readonly [string, FrictionLawModel]): number[] => {
      const run = ringOn(CONE, 'dynamic', 0, 0.0909, law);
      const y = Array.from({ length: 400 }, () => 1e6 * (step(run)[1] - 0.0909));
      heights.push({ name, x: y.map((_, n) => (n + 1) * STEP), y });
      return y;
    };
    const held = released(['bristles', bristle(0.3, STIFF)]);
    const creeps = released(['regularised', smooth]);
    const climb = (creeps[399] - creeps[199]) / (200 * STEP);
    const angle = Math.atan(taper);
    const expected = (1e6 * ROOT * SMOOTH) / Math.cos(angle);
    figures.push(
      atMost('let go, bristles: climb', 'µm', Math.max(...held), (2e6 * 0.3) / STIFF),
      atMost('let go, bristles: climb in the last 0.2 s', 'µm', held[399] - held[199], 1e-3),
      closedForm('let go, regularised: creep', 'µm/s', climb, expected, 0.01 * expected),
    );
    return {
      figures,
      plots: [
        {
          title: 'Axial force while the ring is pressed on and drawn off',
          xLabel: 'height, mm',
          yLabel: 'force, N',
          curves: forces,
        },
        {
          title: 'The ring is let go',
          xLabel: 'time, s',
          yLabel: 'climb, µm',
          curves: heights,
        },
        {
          title: 'What bristles that give take from the pull, µ 0.3',
          xLabel: 'bristle stiffness, 1/m',
          yLabel: 'missing part, 1',
          xScale: 'log',
          yScale: 'log',
          curves: [
            { name: 'computed', x: stiffnesses, y: errors },
            {
              name: 'as 1/σ0',
              x: stiffnesses,
              y: stiffnesses.map((stiffness) => (errors[0] * stiffnesses[0]) / stiffness),
              kind: 'bound',
            },
          ],
        },
      ],
    };
  },
};
