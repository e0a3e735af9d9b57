/** Bodies that would pass through each other between two steps: sub-steps hold what they can, the rest is told. Swept motion after `LaFarge & Lewis 1998`. */
import { LoopMode } from '../../../src/control/tool-port.ts';
import type { BodyModel, SystemModel } from '../../../src/model/model.ts';
import type { ContactModelSpec, PairModel } from '../../../src/model/contact-spec.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { closedForm, type Figure, type ValidationCase } from '../case.ts';

/** Thickness of the plate and size of what flies, m; mass, kg; stiffness, N/m. */
const PLATE = 1e-3;
const SIZE = 0.02;
const MASS = 0.025;
const STIFFNESS = 1e6;
const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
const INTEGRATORS = ['implicit-contact', 'symplectic-euler', 'rk4', 'dormand-prince'] as const;

const BALL = { radius: SIZE / 2, center: [0, 0, 0] } as const;
const BOX = { shape: { kind: 'box', size: [SIZE, SIZE, SIZE] }, ...AT } as const;
const SHEET = { shape: { kind: 'box', size: [1, 1, PLATE] }, ...AT } as const;
const CONVEX: PairModel = {
  kind: 'convex',
  shapeI: { shape: { kind: 'sphere', radius: SIZE / 2 }, ...AT },
  shapeJ: SHEET,
};
const PAIRS: readonly PairModel[] = [
  { kind: 'sphere-sphere', ...BALL, radiusJ: 0.01, centerJ: [0, 0, 0] },
  {
    kind: 'sphere-cylinder',
    ...BALL,
    axisPoint: [0, 0, 0],
    axis: [1, 0, 0],
    cylinderRadius: 2e-3,
    side: 'outside',
  },
  CONVEX,
  { kind: 'faceted', shapeI: BOX, shapeJ: SHEET, standoff: 5e-4 },
];
/** Of bodies of cells. */
const CELLS: PairModel = { kind: 'volumetric' };

function bodyOf(name: string, motion: BodyModel['motion'], parts: Partial<BodyModel>): BodyModel {
  const inertia = 0.4 * MASS * (SIZE / 2) ** 2;
  return {
    name,
    motion,
    mass: MASS,
    inertia: [inertia, inertia, inertia, 0, 0, 0],
    rotationLocked: false,
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
    ...parts,
  };
}

/** A body at a height with a speed down, m and m/s. */
function shot(
  pair: PairModel,
  height: number,
  speed: number,
  integrator: SystemModel['integrator'],
  step = 1e-3,
): SystemModel {
  const cells = (size: readonly [number, number, number]): Partial<BodyModel> =>
    pair === CELLS ? { cells: [{ name: 'box', shape: { kind: 'box', size }, ...AT }] } : {};
  const contact: ContactModelSpec = {
    name: 'contact',
    bodyI: 'shot',
    bodyJ: 'plate',
    pair,
    normalLaw:
      pair === CELLS
        ? {
            kind: 'volumetric',
            stiffness: 1e4 * STIFFNESS,
            restitution: 0.5,
            smallVelocity: 1e-3,
            relaxationTime: 0,
          }
        : { kind: 'kelvin-voigt', stiffness: STIFFNESS, damping: 0 },
    frictionLaw: { kind: 'none' },
  };
  return {
    name: 'shot',
    gravity: [0, 0, 0],
    bodies: [
      bodyOf('shot', 'dynamic', {
        position: [0, 0, height],
        velocity: [0, 0, -speed],
        ...cells([SIZE, SIZE, SIZE]),
      }),
      bodyOf('plate', 'fixed', cells([1, 1, PLATE])),
    ],
    contacts: [contact],
    springs: [],
    tool: null,
    command: [],
    integrator,
    step,
    duration: 1,
    maximumSubsteps: 64,
  };
}

/** 1 when 10 m in one step through the plate are told. */
function caught(pair: PairModel, integrator: SystemModel['integrator']): number {
  const run = makeSystem(shot(pair, 4, 1e4, integrator));
  run.step(1e-3);
  return run.crossedCount;
}

/** The same of a payload whose measured pose jumps. */
function caughtMeasured(mode: number): number {
  const model = shot(CONVEX, 4, 0, 'implicit-contact');
  const run = makeSystem({
    ...model,
    bodies: [
      { ...model.bodies[0], motion: 'prescribed' },
      model.bodies[1],
      bodyOf('arm', 'accommodated', { position: [0, 0, 4] }),
    ],
    tool: {
      payload: 'shot',
      arm: 'arm',
      forceGain: 1e4,
      momentGain: 100,
      forceDeadband: 10,
      momentDeadband: 1,
      lag: 0.02,
      maximumSpeed: 0.1,
      maximumAngularSpeed: 0.5,
    },
  });
  const { tool } = run;
  if (tool === null) return 0;
  tool.mode = mode;
  for (const z of [4, 4, -6]) {
    tool.measuredMotion.set([0, 0, z, 0, 0, 0, 1]);
    run.step(1e-3);
  }
  return run.crossedCount;
}

/** Height of a ball of 50 m/s over the plate, every step. */
function bounce(step: number): { time: number[]; height: number[]; speed: number } {
  const run = makeSystem(shot(CONVEX, 0.075, 50, 'implicit-contact', step));
  const body = new Float64Array(13);
  const time: number[] = [];
  const height: number[] = [];
  const steps = Math.round(5e-3 / step);
  for (let n = 0; ; n++) {
    run.readBody(0, body, 0);
    time.push(1e3 * n * step);
    height.push(1e3 * body[2]);
    if (n === steps) return { time, height, speed: body[9] };
    run.step(step);
  }
}

export const crossingCase: ValidationCase = {
  name: 'crossing',
  title: 'Nothing passes through unseen: 10 m a step through 1 mm',
  source: 'LaFarge & Lewis 1998 (Sandia), use of the swept distance; docs/theory/crossing.md',
  description:
    'A body that is 10 m farther after one step of 1 ms, through a plate of 1 mm, with every kind of pair and every integrator, and a measured payload in the modes virtual and hardware: told or not. A ball of 50 m/s that would jump over itself and the plate in one step is held by sub-steps and comes back.',
  equation:
    'Sub-steps move by no more than a quarter of both thicknesses. Without a damper the ball comes back as fast as it came.',
  tolerances:
    'Crossings are counted: exact. Rebound: sub-steps of the contact keep the error of the speed below 5 %; at a hundredth of the step that of speed and depth below 0.1 %.',
  run() {
    const figures: Figure[] = [...PAIRS, CELLS].flatMap((pair) =>
      INTEGRATORS.map((integrator) =>
        closedForm(
          `${pair.kind}, ${integrator}: crossings told`,
          '1',
          caught(pair, integrator),
          1,
          0,
        ),
      ),
    );
    figures.push(
      closedForm('measured, virtual: crossings told', '1', caughtMeasured(LoopMode.VIRTUAL), 1, 0),
      closedForm(
        'measured, hardware: crossings told',
        '1',
        caughtMeasured(LoopMode.HARDWARE),
        1,
        0,
      ),
    );
    const coarse = bounce(1e-3);
    const fine = bounce(1e-5);
    figures.push(
      closedForm('50 m/s, steps of 1 ms: rebound', 'm/s', coarse.speed, 50, 2.5),
      closedForm('50 m/s, steps of 10 µs: rebound', 'm/s', fine.speed, 50, 0.05),
      closedForm(
        '50 m/s, steps of 10 µs: depth v √(m/k)',
        'mm',
        1e3 * 0.5 * (SIZE + PLATE) - Math.min(...fine.height),
        1e3 * 50 * Math.sqrt(MASS / STIFFNESS),
        8e-3,
      ),
    );
    return {
      figures,
      plots: [
        {
          title: 'A ball of 20 mm at 50 m/s on a plate of 1 mm: 50 mm a step',
          xLabel: 'time, ms',
          yLabel: 'height, mm',
          curves: [
            { name: 'steps of 10 µs', x: fine.time, y: fine.height },
            { name: 'steps of 1 ms', x: coarse.time, y: coarse.height, kind: 'points' },
          ],
        },
      ],
    };
  },
};
