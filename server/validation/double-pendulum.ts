/**
 * The double pendulum of two cases of the source: two links in the x–z plane, joint angles relative and positive towards +x,
 * base at the origin. The tip of the second rod touches a floor below.
 *
 * The tip is a point in the source. It is a sphere of 1 µm about the tip here, with the floor lowered by its radius. The lever arms
 * of the contact force are then wrong by 1e-6 m in 0.25 m. A sphere of visible size would touch with another point of its surface
 * at every angle and shift the rest angles by R/l.
 */
import type {
  BristleModel,
  HystereticModel,
  SystemModel,
  TreeLinkModel,
} from '../../src/model/model.ts';

/** Radius of the tip, m. */
const TIP_RADIUS = 1e-6;

/** Joint axis: a positive angle turns a hanging rod towards +x. */
const AXIS = [0, -1, 0] as const;

/** One rod. */
export interface Rod {
  readonly length: number;
  readonly mass: number;
  /** Joint angle, rad, and rate, rad/s, at the start. */
  readonly angle: number;
  readonly rate: number;
  /** The mass is a point in the middle, without inertia about it; a uniform rod when left out. */
  readonly pointMass?: boolean;
}

/** A double pendulum above a floor. */
export interface DoublePendulum {
  readonly rods: readonly [Rod, Rod];
  /** Depth of the floor below the first joint, m. */
  readonly floorDepth: number;
  readonly gravity: number;
  readonly normalLaw: HystereticModel;
  readonly friction: BristleModel | null;
  readonly step: number;
  readonly parts?: Partial<SystemModel>;
}

/** Friction of both cases. The print has lost the exponent of the bristle damping: the square root is a reading. */
export const PENDULUM_FRICTION: BristleModel = {
  kind: 'bristle',
  stiction: 0.15,
  coulomb: 0.12,
  bristleStiffness: 1e5,
  bristleDamping: Math.sqrt(1e5),
  viscousDamping: 0,
  stribeckVelocity: 0.1,
  dwellTime: 0.75,
  velocityTolerance: 1e-3,
  startsSticking: false,
};

/** A rod that hangs down from its joint. */
function rodLink(rod: Rod, name: string, parent: number, jointHeight: number): TreeLinkModel {
  const moment = rod.pointMass === true ? 0 : (rod.mass * rod.length ** 2) / 12;
  return {
    name,
    parent,
    position: [0, 0, jointHeight],
    orientation: [0, 0, 0, 1],
    joint: { kind: 'revolute', axis: AXIS, position: rod.angle, rate: rod.rate },
    mass: rod.mass,
    center: [0, 0, -rod.length / 2],
    inertia: [moment, moment, 0, 0, 0, 0],
  };
}

/** The model; bodies are floor, upper and lower rod. */
export function doublePendulumModel(o: DoublePendulum): SystemModel {
  const [upper, lower] = o.rods;
  return {
    name: 'double-pendulum',
    gravity: [0, 0, -o.gravity],
    bodies: [
      {
        name: 'floor',
        motion: 'fixed',
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0],
        rotationLocked: false,
        position: [0, 0, -o.floorDepth],
        orientation: [0, 0, 0, 1],
        velocity: [0, 0, 0],
        angularVelocity: [0, 0, 0],
      },
    ],
    trees: [
      {
        name: 'pendulum',
        position: [0, 0, 0],
        orientation: [0, 0, 0, 1],
        links: [rodLink(upper, 'upper', -1, 0), rodLink(lower, 'lower', 0, -upper.length)],
        frames: [],
      },
    ],
    contacts: [
      {
        name: 'tip-floor',
        bodyI: 'lower',
        bodyJ: 'floor',
        pair: {
          kind: 'sphere-plane',
          radius: TIP_RADIUS,
          center: [0, 0, -lower.length / 2],
          normal: [0, 0, 1],
          offset: -TIP_RADIUS,
        },
        normalLaw: o.normalLaw,
        frictionLaw: o.friction ?? { kind: 'none' },
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: 'rk4',
    step: o.step,
    maximumSubsteps: 1000,
    duration: 1,
    ...o.parts,
  };
}

/** Joint angles, rad, and rates, rad/s, from the states of both rods (thirteen numbers each). */
export function jointMotion(states: Float64Array): readonly [number, number, number, number] {
  const first = 2 * Math.atan2(-states[4], states[6]);
  const both = 2 * Math.atan2(-states[17], states[19]);
  const wrap = (a: number): number => a - 2 * Math.PI * Math.round(a / (2 * Math.PI));
  return [wrap(first), wrap(both - first), -states[11], -(states[24] - states[11])];
}
