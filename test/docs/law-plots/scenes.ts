/** Small scenes that the curves of the law pages are taken from: everything shown is computed by a running system. */
import {
  type BodyModel,
  CONTACT_READOUT,
  type ContactModelSpec,
  type FrictionLawModel,
  type IntegratorKind,
  makeSystem,
  type NormalLawModel,
  type RollingLawModel,
  type System,
  type SystemModel,
  type Triple,
} from '../../../src/index.ts';

/** Radius of the ball of every scene, m: the effective radius of its contact. */
export const RADIUS = 0.1;
/** Mass of the ball, kg. */
export const MASS = 1;

const READOUT = new Float64Array(CONTACT_READOUT.length);
const MOTION = new Float64Array(13);

/** Name of a column of the contact read-out. */
export type Column = (typeof CONTACT_READOUT)[number];

/** A column of the first contact after the last step. */
export function readColumn(run: System, column: Column): number {
  run.readContact(0, READOUT, 0);
  return READOUT[CONTACT_READOUT.indexOf(column)];
}

/** A component of a body's state: p(3) q(4) v(3) w(3). */
export function readMotion(run: System, index: number): number {
  run.readBody(0, MOTION, 0);
  return MOTION[index];
}

/** What a scene of one ball on the plane z = 0 may set. */
export interface BallScene {
  readonly normalLaw: NormalLawModel;
  readonly frictionLaw?: FrictionLawModel;
  readonly rollingLaw?: RollingLawModel;
  readonly motion?: BodyModel['motion'];
  readonly height?: number;
  readonly velocity?: Triple;
  readonly angularVelocity?: Triple;
  readonly gravity?: number;
  readonly integrator?: IntegratorKind;
  /** It does not turn. */
  readonly locked?: boolean;
}

/** A ball on, above or in the plane z = 0. */
export function ballScene(scene: BallScene): System {
  const inertia = 0.4 * MASS * RADIUS * RADIUS;
  const still = {
    orientation: [0, 0, 0, 1],
    mass: MASS,
    rotationLocked: scene.locked ?? false,
  } as const;
  const contact: ContactModelSpec = {
    name: 'ball-plane',
    bodyI: 'ball',
    bodyJ: 'plane',
    pair: { kind: 'sphere-plane', radius: RADIUS, center: [0, 0, 0], normal: [0, 0, 1], offset: 0 },
    normalLaw: scene.normalLaw,
    frictionLaw: scene.frictionLaw ?? { kind: 'none' },
    rollingLaw: scene.rollingLaw ?? { kind: 'none' },
  };
  const model: SystemModel = {
    name: 'ball on a plane',
    gravity: [0, 0, -(scene.gravity ?? 0)],
    bodies: [
      {
        ...still,
        name: 'ball',
        motion: scene.motion ?? 'dynamic',
        inertia: [inertia, inertia, inertia, 0, 0, 0],
        position: [0, 0, scene.height ?? RADIUS],
        velocity: scene.velocity ?? [0, 0, 0],
        angularVelocity: scene.angularVelocity ?? [0, 0, 0],
      },
      {
        ...still,
        name: 'plane',
        motion: 'fixed',
        inertia: [1, 1, 1, 0, 0, 0],
        position: [0, 0, 0],
        velocity: [0, 0, 0],
        angularVelocity: [0, 0, 0],
      },
    ],
    contacts: [contact],
    springs: [],
    tool: null,
    command: [],
    integrator: scene.integrator ?? 'rk4',
    step: 1e-3,
    maximumSubsteps: 64,
    duration: 1,
  };
  return makeSystem(model);
}

/** Steps once; a scene of these pages never fails. */
export function stepOrThrow(run: System, step: number): void {
  if (run.step(step) !== 0) throw new Error(`the scene failed at ${run.time} s`);
}

/** One central impact, step by step. */
export interface ImpactTrace {
  readonly time: number[];
  readonly depth: number[];
  readonly force: number[];
  /** Speed after over speed before. */
  readonly restitution: number;
}

/** The ball strikes the plane; `step` is small against the contact. Ends at release, at the latest after `limit` steps. */
export function runImpact(normalLaw: NormalLawModel, speed: number, step: number): ImpactTrace {
  const run = ballScene({ normalLaw, velocity: [0, 0, -speed] });
  const time: number[] = [0];
  const depth: number[] = [0];
  const force: number[] = [0];
  const limit = 400_000;
  let touched = false;
  for (let n = 0; n < limit; n++) {
    stepOrThrow(run, step);
    const active = readColumn(run, 'active') === 1;
    if (touched && !active) break;
    touched ||= active;
    time.push(run.time);
    depth.push(Math.max(0, RADIUS - readMotion(run, 2)));
    force.push(readColumn(run, 'normalForce'));
  }
  return { time, depth, force, restitution: Math.max(0, readMotion(run, 9)) / speed };
}

/** `count` values from `from` to `to`, ends included. */
export function spaced(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
}
