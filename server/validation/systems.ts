/** Systems that validation cases run: scenarios with changed fields, and a ball that hits a plane. */
import { contactKernels } from '../../config/contact-kernels.ts';
import { loadSystem } from '../../config/scenario.ts';
import type { IntegratorKind, NormalLawModel, SystemModel } from '../../src/model/model.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  makeSystem,
  type System,
} from '../../src/system/system.ts';
import { bodyModel, worldModel } from './world-models.ts';

/** A system of a scenario with `path=value` changes. */
export function scenarioSystem(name: string, changes: readonly string[] = []): System {
  return loadSystem(name, changes, contactKernels()).system;
}

/** Tolerances of the error-controlled runs that are taken for the truth. */
export const TRUTH = { relativeTolerance: 1e-10, absoluteTolerance: 1e-13 } as const;

/** A frictionless ball on its way to a fixed plane along z. */
export interface BallOptions {
  readonly mass: number;
  readonly speed: number;
  /** Distance to the plane at the start, m. */
  readonly gap: number;
  readonly gravity: number;
  readonly law: NormalLawModel;
  /** Fixed step, or interval between the results of an error-controlled run, s. */
  readonly step: number;
  readonly integrator: IntegratorKind;
  /** 0.1 m when left out. */
  readonly radius?: number;
}

/** The model of a ball above the plane z = 0; its origin is its lowest point. Adaptive methods run with TRUTH. */
export function ballModel(o: BallOptions): SystemModel {
  const radius = o.radius ?? 0.1;
  return worldModel({
    ...TRUTH,
    name: 'ball',
    gravity: [0, 0, -o.gravity],
    bodies: [
      bodyModel('plane', 'fixed', { rotationLocked: true }),
      bodyModel('ball', 'dynamic', {
        rotationLocked: true,
        mass: o.mass,
        position: [0, 0, o.gap],
        velocity: [0, 0, -o.speed],
      }),
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'ball',
        bodyJ: 'plane',
        pair: {
          kind: 'sphere-plane',
          radius,
          center: [0, 0, radius],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: o.law,
        frictionLaw: { kind: 'none' },
      },
    ],
    integrator: o.integrator,
    step: o.step,
  });
}

/** What one impact did. */
export interface ImpactOutcome {
  /** Speed after over speed before. */
  readonly restitution: number;
  /** Deepest penetration, m, by a parabola through the three deepest samples. */
  readonly depth: number;
  /** Smallest and largest normal force, N; the largest by a parabola. */
  readonly leastForce: number;
  readonly mostForce: number;
  /** Samples of the contact: time since the start, s, depth, m, and force, N. */
  readonly time: readonly number[];
  readonly indentation: readonly number[];
  readonly force: readonly number[];
}

/** Runs a ball until it has left the plane again. */
export function runImpact(o: BallOptions): ImpactOutcome {
  const system = makeSystem(ballModel(o), contactKernels());
  const contact = new Float64Array(CONTACT_READOUT.length);
  const body = new Float64Array(13);
  const time: number[] = [];
  const indentation: number[] = [];
  const force: number[] = [];
  let touched = false;
  for (let n = 0; n < 10_000_000; n++) {
    if (system.step(o.step) !== 0) break;
    system.readContact(0, contact, 0);
    system.readBody(1, body, 0);
    if (contact[ContactReadout.active] !== 0) {
      touched = true;
      time.push(system.time);
      indentation.push(contact[ContactReadout.penetration]);
      force.push(contact[ContactReadout.normalForce]);
    } else if (touched || body[2] > o.gap + 1e-12) break;
  }
  return {
    // what the flight since release took by gravity is given back
    restitution: Math.sqrt(body[9] ** 2 + 2 * o.gravity * Math.max(body[2], 0)) / o.speed,
    depth: peakOf(indentation),
    leastForce: force.reduce((a, b) => Math.min(a, b), Infinity),
    mostForce: peakOf(force),
    time,
    indentation,
    force,
  };
}

/** Largest value of a sampled smooth curve. */
export function peakOf(samples: readonly number[]): number {
  let at = 0;
  for (let i = 0; i < samples.length; i++) if (samples[i] > samples[at]) at = i;
  const a = samples[at - 1] as number | undefined;
  const b = (samples[at] as number | undefined) ?? 0;
  const c = samples[at + 1] as number | undefined;
  if (a === undefined || c === undefined) return b;
  const curvature = a - 2 * b + c;
  return curvature === 0 ? b : b - (c - a) ** 2 / (8 * curvature);
}
