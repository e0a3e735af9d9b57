/** Curves of the volumetric laws: impacts of three shapes, how slip and spin share the friction, a ball that slides, spins and rolls. */
import { TangentialBristle } from '../../../src/contact/friction/tangential-bristle.ts';
import {
  GYRATION,
  KINEMATICS,
  LOAD,
  MOBILITY,
  NORMAL,
  SLIP,
  SPIN,
} from '../../../src/contact/pair.ts';
import { makeSystem, type System, type Triple } from '../../../src/index.ts';
import type { ConvexShapeModel } from '../../../src/shapes/shape-model.ts';
import type { VolumetricBristleModel } from '../../../src/model/volumetric-spec.ts';
import type { Drawing } from './drawing.ts';
import { RADIUS, readColumn, readMotion, spaced, stepOrThrow } from './scenes.ts';

const BRISTLE: VolumetricBristleModel = {
  kind: 'volumetric-bristle',
  stiction: 0.3,
  coulomb: 0.2,
  bristleStiffness: 1e5,
  bristleDamping: 316,
  viscousDamping: 0,
  stribeckVelocity: 1e-3,
  dwellTime: 0,
  velocityTolerance: 1e-5,
  startsSticking: false,
};

interface Scene {
  readonly shape: ConvexShapeModel;
  readonly orientation: readonly [number, number, number, number];
  readonly height: number;
  readonly velocity: Triple;
  readonly angularVelocity: Triple;
  readonly gravity: number;
  readonly smallVelocity: number;
  readonly friction: boolean;
  readonly step: number;
}

/** A body of 1 kg with the inertia of the ball on, above or in the plane z = 0. */
function scene(of: Scene): System {
  const inertia = 0.4 * RADIUS * RADIUS;
  const level = [0, 0, 0, 1] as const;
  const still: Triple = [0, 0, 0];
  return makeSystem({
    name: 'volumetric contact with a plane',
    gravity: [0, 0, -of.gravity],
    bodies: [
      {
        name: 'body',
        motion: 'dynamic',
        rotationLocked: !of.friction,
        mass: 1,
        inertia: [inertia, inertia, inertia, 0, 0, 0],
        position: [0, 0, of.height],
        orientation: level,
        velocity: of.velocity,
        angularVelocity: of.angularVelocity,
        cells: [{ name: 'all', shape: of.shape, position: still, orientation: of.orientation }],
      },
      {
        name: 'table',
        motion: 'fixed',
        rotationLocked: false,
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0],
        position: still,
        orientation: level,
        velocity: still,
        angularVelocity: still,
        cells: [
          { name: 'top', shape: { kind: 'half-space' }, position: still, orientation: level },
        ],
      },
    ],
    contacts: [
      {
        name: 'body-table',
        bodyI: 'body',
        bodyJ: 'table',
        pair: { kind: 'volumetric' },
        normalLaw: {
          kind: 'volumetric',
          stiffness: 1e7,
          restitution: 0.5,
          smallVelocity: of.smallVelocity,
          relaxationTime: 0,
        },
        frictionLaw: of.friction ? BRISTLE : { kind: 'none' },
        rollingLaw: { kind: of.friction ? 'volumetric' : 'none' },
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: 'implicit-contact',
    step: of.step,
    maximumSubsteps: 64,
    duration: 1,
  });
}

function impacts(): Drawing {
  const half = Math.PI / 8;
  const edge = [Math.sin(half), 0, 0, Math.cos(half)] as const;
  const box: ConvexShapeModel = { kind: 'box', size: [0.05, 0.05, 0.05] };
  const level = [0, 0, 0, 1] as const;
  const shapes = [
    { name: 'box, flat', shape: box, orientation: level, low: 0.025 },
    { name: 'box, on an edge', shape: box, orientation: edge, low: 0.025 * Math.SQRT2 },
    {
      name: 'ball',
      shape: { kind: 'sphere', radius: RADIUS } as const,
      orientation: level,
      low: RADIUS,
    },
  ];
  const curves = shapes.map(({ name, shape, orientation, low }) => {
    const run = scene({
      shape,
      orientation,
      height: low,
      velocity: [0, 0, -0.2],
      angularVelocity: [0, 0, 0],
      gravity: 0,
      smallVelocity: 1e-3,
      friction: false,
      step: 2e-5,
    });
    const x: number[] = [0];
    const y: number[] = [0];
    do {
      stepOrThrow(run, 2e-5);
      x.push(1e3 * Math.max(0, low - readMotion(run, 2)));
      y.push(readColumn(run, 'normalForce'));
    } while (readMotion(run, 2) < low && run.time < 0.2);
    return { name, x, y };
  });
  return {
    file: 'volumetric-shapes',
    title: 'Impacts of 1 kg at 0.2 m/s, k_v = 10 MN/m³, e = 0.5',
    xLabel: 'depth, mm',
    yLabel: 'normal force, N',
    curves,
  };
}

/** Exact force and moment of Coulomb friction over a paraboloid of pressure: v/(r w), F/(μ N), T/(μ N a). */
const EXACT = [
  [0.1, 0.0769, 0.5311],
  [0.25, 0.191, 0.5196],
  [0.5, 0.373, 0.4804],
  [1, 0.6777, 0.3508],
  [2, 0.9319, 0.1527],
  [4, 0.9841, 0.0731],
] as const;

function contensou(): Drawing {
  const radius = 0.01;
  const law = new TangentialBristle(BRISTLE, {
    states: new Float64Array(4),
    rates: new Float64Array(4),
    internals: new Float64Array(0),
  });
  const k = new Float64Array(KINEMATICS);
  const mobility = new Float64Array(MOBILITY);
  k[NORMAL + 2] = 1;
  k[GYRATION] = radius;
  mobility[LOAD] = 1;
  const x = spaced(-1.3, 1, 93).map((decade) => 10 ** decade);
  const at = x.map((ratio) => {
    k[SLIP] = (0.2 * ratio) / Math.sqrt(1 + ratio * ratio);
    k[SPIN + 2] = 0.2 / Math.sqrt(1 + ratio * ratio) / radius;
    law.evaluate(k, mobility);
    return [-law.force[0] / 0.2, -law.torque[2] / (0.2 * radius)];
  });
  return {
    file: 'volumetric-contensou',
    title: 'Slip and spin share the friction; marks: exact integrals',
    xLabel: 'v / (r w)',
    yLabel: 'f / (μ f_n) and τ / (μ r f_n)',
    xScale: 'log',
    curves: [
      { name: 'force', x, y: at.map(([force]) => force) },
      { name: 'moment', x, y: at.map(([, moment]) => moment) },
      {
        name: 'exact force',
        kind: 'marks',
        colour: 0,
        x: EXACT.map(([ratio]) => ratio),
        y: EXACT.map(([, force]) => force),
      },
      {
        name: 'exact moment',
        kind: 'marks',
        colour: 1,
        x: EXACT.map(([ratio]) => ratio),
        y: EXACT.map(([, , moment]) => Math.sqrt(3) * moment),
      },
    ],
  };
}

/** A ball on the plane at its depth of rest. */
function ball(velocity: Triple, angularVelocity: Triple, smallVelocity: number): System {
  return scene({
    shape: { kind: 'sphere', radius: RADIUS },
    orientation: [0, 0, 0, 1],
    height: RADIUS - REST,
    velocity,
    angularVelocity,
    gravity: 9.81,
    smallVelocity,
    friction: true,
    step: 1e-3,
  });
}

/** Depth at which k_v V carries 9.81 N: π h² (3 R − h)/3 = 9.81e-7 m³. */
const REST = 1.772e-3;

function slideAndSpin(): Drawing {
  const run = ball([0.5, 0, 0], [0, 0, 20], 0.05);
  const x: number[] = [];
  const slip: number[] = [];
  const spin: number[] = [];
  while (run.time < 3) {
    for (let n = 0; n < 10; n++) stepOrThrow(run, 1e-3);
    x.push(run.time);
    slip.push(readColumn(run, 'slip_x'));
    spin.push(readMotion(run, 12) / 40);
  }
  return {
    file: 'volumetric-ball',
    title: 'Ball on a table, starts at 0.5 m/s and 20 rad/s, μ = 0.2',
    xLabel: 'time, s',
    yLabel: 'slip, m/s',
    curves: [
      { name: 'slip', x, y: slip },
      { name: 'spin / 40, rad/s', x, y: spin },
    ],
  };
}

function coast(): Drawing {
  const run = ball([0.5, 0, 0], [0, 5, 0], 0.05);
  const x: number[] = [0];
  const y: number[] = [0.5];
  while (run.time < 3) {
    for (let n = 0; n < 10; n++) stepOrThrow(run, 1e-3);
    x.push(run.time);
    y.push(readMotion(run, 7));
  }
  // k_v A J_t/(I + m z_c²) with the inertia of the cap
  const h = REST;
  const cap = 3 * RADIUS - h;
  const spinning = (Math.PI * h ** 3 * (20 * RADIUS ** 2 - 15 * RADIUS * h + 3 * h * h)) / 30;
  const centroid = RADIUS - (h * (8 * RADIUS - 3 * h)) / (4 * cap);
  const damping = 1.43275053327 / 0.05;
  const rate = (1e7 * damping * spinning * 0.5) / (0.4 * RADIUS ** 2 + centroid ** 2);
  const marks = spaced(0, 3, 13);
  return {
    file: 'volumetric-coast',
    title: 'A ball that rolls on the damped foundation',
    xLabel: 'time, s',
    yLabel: 'speed, m/s',
    curves: [
      { name: 'speed', x, y },
      {
        name: `exp(−${rate.toFixed(2)} t/s)`,
        kind: 'marks',
        colour: 0,
        x: marks,
        y: marks.map((t) => 0.5 * Math.exp(-rate * t)),
      },
    ],
  };
}

/** The drawings of the volumetric pages. */
export function volumetricDrawings(): Drawing[] {
  return [impacts(), contensou(), slideAndSpin(), coast()];
}
