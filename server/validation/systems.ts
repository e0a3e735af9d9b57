/** Systems that validation cases run: scenarios with changed fields, and a ball that hits a plane. */
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import type { HystereticModel, IntegratorKind, SystemModel } from '../../src/model.ts';
import { CONTACT_READOUT, makeSystem, type System } from '../../src/system.ts';

/** A system of a scenario with `path=value` changes. */
export function scenarioSystem(name: string, changes: readonly string[] = []): System {
  return makeSystem(compileScenario(loadScenario(name, changes)));
}

/** Index of a contact column. */
export function contactColumn(name: (typeof CONTACT_READOUT)[number]): number {
  return CONTACT_READOUT.indexOf(name);
}

/** A frictionless ball on its way to a fixed plane along z. */
export interface BallOptions {
  readonly mass: number;
  readonly speed: number;
  /** Distance to the plane at the start, m. */
  readonly gap: number;
  readonly gravity: number;
  readonly law: HystereticModel;
  readonly step: number;
  readonly integrator: IntegratorKind;
}

/** The model of a ball above the plane z = 0; its origin is its lowest point. */
export function ballModel(o: BallOptions): SystemModel {
  const still = {
    rotationLocked: true,
    inertia: [1, 1, 1, 0, 0, 0],
    orientation: [0, 0, 0, 1],
    angularVelocity: [0, 0, 0],
  } as const;
  return {
    name: 'ball',
    gravity: [0, 0, -o.gravity],
    bodies: [
      {
        ...still,
        name: 'plane',
        motion: 'fixed',
        mass: 1,
        position: [0, 0, 0],
        velocity: [0, 0, 0],
      },
      {
        ...still,
        name: 'ball',
        motion: 'dynamic',
        mass: o.mass,
        position: [0, 0, o.gap],
        velocity: [0, 0, -o.speed],
      },
    ],
    contacts: [
      {
        name: 'contact',
        bodyI: 'ball',
        bodyJ: 'plane',
        pair: {
          kind: 'sphere-plane',
          radius: 0.1,
          center: [0, 0, 0.1],
          normal: [0, 0, 1],
          offset: 0,
        },
        normalLaw: o.law,
        frictionLaw: { kind: 'none' },
      },
    ],
    springs: [],
    tool: null,
    command: [],
    integrator: o.integrator,
    step: o.step,
    maximumSubsteps: 1000,
    duration: 1,
  };
}

/** What one impact did. */
export interface ImpactOutcome {
  /** Speed after over speed before. */
  readonly restitution: number;
  /** Deepest penetration, m, by a parabola through the three deepest samples. */
  readonly depth: number;
  /** Smallest and largest normal force, N. */
  readonly leastForce: number;
  readonly mostForce: number;
  readonly indentation: readonly number[];
  readonly force: readonly number[];
}

/** Runs a ball until it has left the plane again. */
export function runImpact(o: BallOptions): ImpactOutcome {
  const system = makeSystem(ballModel(o));
  const contact = new Float64Array(CONTACT_READOUT.length);
  const body = new Float64Array(13);
  const depthColumn = contactColumn('penetration');
  const forceColumn = contactColumn('normalForce');
  const indentation: number[] = [];
  const force: number[] = [];
  let touched = false;
  for (let n = 0; n < 10_000_000; n++) {
    system.step(o.step);
    system.readContact(0, contact, 0);
    system.readBody(1, body, 0);
    if (contact[0] !== 0) {
      touched = true;
      indentation.push(contact[depthColumn]);
      force.push(contact[forceColumn]);
    } else if (touched || body[2] > o.gap + 1e-12) break;
  }
  return {
    restitution: body[9] / o.speed,
    depth: peak(indentation),
    leastForce: force.reduce((a, b) => Math.min(a, b), Infinity),
    mostForce: force.reduce((a, b) => Math.max(a, b), -Infinity),
    indentation,
    force,
  };
}

/** Largest value of a sampled smooth curve. */
function peak(samples: readonly number[]): number {
  let at = 0;
  for (let i = 0; i < samples.length; i++) if (samples[i] > samples[at]) at = i;
  const a = samples[at - 1];
  const b = samples[at] ?? 0;
  const c = samples[at + 1];
  if (a === undefined || c === undefined) return b;
  const curvature = a - 2 * b + c;
  return curvature === 0 ? b : b - (c - a) ** 2 / (8 * curvature);
}
