/**
 * Measured orders of convergence of the integrators: global error at a fixed time against the step, where a closed form is known.
 *
 * - `smooth`: a body on a spring and turning about a principal axis: x = cos ωt, w constant.
 * - `impact`: a ball hits a linear spring with a dashpot that may pull (Kelvin–Voigt) and leaves with e = exp(−π ζ/√(1 − ζ²)) after
 *   T = π/(ω √(1 − ζ²)). At touch the force jumps, so a step across it has an error of first order whatever the method. It is
 *   measured half-way, in contact, and at the end (the error of the speed after the impact alone would be of second order: over a
 *   closed stroke the impulse of a dashpot does not depend on where it began).
 * - `hertz-impact`: a ball hits k δ^1.5 without loss and leaves after T = 2 (δ_m/v) ∫ dx/√(1 − x^2.5). The force is continuous but
 *   not smooth at touch.
 *
 * Errors of impacts are the largest over eight distances to the plane, so that touch falls anywhere in a step.
 */
import type { IntegratorKind, NormalLawModel, SystemModel } from '../../src/model/model.ts';
import { makeSystem } from '../../src/system/system.ts';

/** Problems with a closed form. */
export type OrderProblem = 'smooth' | 'impact' | 'hertz-impact';

/** What is measured. */
export interface OrderOptions {
  readonly problem: OrderProblem;
  readonly integrator: IntegratorKind;
  readonly locateEvents?: boolean;
  /** Numbers of equal steps for fixed-step kinds, even; not used by adaptive ones. */
  readonly counts?: readonly number[];
  /** Relative tolerances for adaptive kinds; the absolute one is a hundredth of it. */
  readonly tolerances?: readonly number[];
}

/** Errors against steps. */
export interface OrderMeasurement {
  /** Mean step, s. */
  readonly steps: readonly number[];
  /** Error of position and speed, each over its scale, root of the sum of squares; dimensionless. */
  readonly errors: readonly number[];
  /** Local slopes log(e1/e2)/log(h1/h2). */
  readonly slopes: readonly number[];
  /** Slope of the straight line through all points. */
  readonly order: number;
}

const PHASES = 8;
const MASS = 2;
const SPEED = 0.5;
const STIFFNESS = 1e4;
const ZETA = 0.2;
const DEFAULT_COUNTS: readonly number[] = [64, 128, 256, 512];
const DEFAULT_TOLERANCES: readonly number[] = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
/** ∫ dx/√(1 − x^2.5) over [0, 1] = (√π/2.5) Γ(0.4)/Γ(0.9). */
const HERTZ_INTEGRAL = 1.4716375921623;

/** Errors and slopes of one integrator on one problem. */
export function measureOrder(options: OrderOptions): OrderMeasurement {
  const adaptive = options.integrator === 'dormand-prince' || options.integrator === 'rosenbrock';
  const points = adaptive
    ? (options.tolerances ?? DEFAULT_TOLERANCES).map((tolerance) =>
        worst(options, 1, { relativeTolerance: tolerance, absoluteTolerance: tolerance / 100 }),
      )
    : (options.counts ?? DEFAULT_COUNTS).map((count) =>
        worst(options, count, { locateEvents: options.locateEvents ?? false }),
      );
  const steps = points.map((point) => point.step);
  const errors = points.map((point) => point.error);
  return {
    steps,
    errors,
    slopes: errors
      .slice(1)
      .map(
        (e, i) => Math.log((errors[i] ?? 0) / e) / Math.log((steps[i] ?? 0) / (steps[i + 1] ?? 1)),
      ),
    order: fit(steps.map(Math.log), errors.map(Math.log)),
  };
}

interface Point {
  readonly step: number;
  readonly error: number;
}

function worst(options: OrderOptions, count: number, parts: Partial<SystemModel>): Point {
  const phases = options.problem === 'smooth' ? 1 : PHASES;
  const points = Array.from({ length: phases }, (_, phase) =>
    run(options, count, phase / phases, parts),
  );
  return {
    step: points.reduce((sum, point) => sum + point.step, 0) / phases,
    error: Math.max(...points.map((point) => point.error)),
  };
}

function run(
  { problem, integrator }: OrderOptions,
  count: number,
  phase: number,
  parts: Partial<SystemModel>,
): Point {
  const scene = problem === 'smooth' ? oscillator() : impact(problem, phase);
  const system = makeSystem({ ...scene.model, integrator, ...parts });
  const x = new Float64Array(13);
  const halves = [scene.halfway, scene.end];
  let substeps = 0;
  let error = 0;
  for (const exact of halves) {
    for (let n = 0; n < count / 2; n++) {
      if (system.step(scene.duration / Math.max(count, 2)) !== 0) {
        return { step: 0, error: Infinity };
      }
      substeps += system.substeps;
    }
    if (exact === null) continue;
    system.readBody(0, x, 0);
    const position = ((x[2] ?? 0) - exact.position) / scene.length;
    const speed = ((x[9] ?? 0) - exact.speed) / scene.reference;
    error = Math.max(error, Math.sqrt(position * position + speed * speed));
  }
  // sub-steps at events do not count as steps of a fixed-step method
  return { step: scene.duration / (count === 1 ? substeps : count), error };
}

/** Position and speed along z. */
interface Motion {
  readonly position: number;
  readonly speed: number;
}

interface Scene {
  readonly model: SystemModel;
  readonly duration: number;
  /** Exact motion at half of the duration, where it is known, and at the end. */
  readonly halfway: Motion | null;
  readonly end: Motion;
  /** What errors are divided by. */
  readonly length: number;
  readonly reference: number;
}

const BASE: SystemModel = {
  name: 'order',
  gravity: [0, 0, 0],
  bodies: [],
  contacts: [],
  springs: [],
  tool: null,
  command: [],
  integrator: 'rk4',
  step: 1e-3,
  maximumSubsteps: 1000,
  duration: 1,
};
const BODY = {
  name: 'ball',
  motion: 'dynamic',
  mass: MASS,
  inertia: [0.1, 0.2, 0.28, 0, 0, 0],
  rotationLocked: false,
  position: [0, 0, 1],
  orientation: [0, 0, 0, 1],
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 2],
} as const;

function oscillator(): Scene {
  const frequency = 3;
  return {
    model: {
      ...BASE,
      bodies: [BODY],
      springs: [{ body: 'ball', anchor: [0, 0, 0], stiffness: MASS * frequency * frequency }],
    },
    duration: 2,
    halfway: { position: Math.cos(frequency), speed: -frequency * Math.sin(frequency) },
    end: { position: Math.cos(2 * frequency), speed: -frequency * Math.sin(2 * frequency) },
    length: 1,
    reference: frequency,
  };
}

function impact(problem: OrderProblem, phase: number): Scene {
  const linear = problem === 'impact';
  const frequency = Math.sqrt(STIFFNESS / MASS);
  const damped = Math.sqrt(1 - ZETA * ZETA);
  const depth = linear
    ? SPEED / frequency
    : Math.pow((2.5 * MASS * SPEED * SPEED) / (2 * STIFFNESS), 0.4);
  const contactTime = linear
    ? Math.PI / (frequency * damped)
    : (2 * HERTZ_INTEGRAL * depth) / SPEED;
  const out = linear ? SPEED * Math.exp((-Math.PI * ZETA) / damped) : SPEED;
  const duration = 2 * contactTime;
  // touch between 0.2 and 0.3 of a contact time after the start
  const approach = (0.2 + 0.1 * phase + 0.0137) * contactTime;
  const law: NormalLawModel = linear
    ? {
        kind: 'kelvin-voigt',
        stiffness: STIFFNESS,
        damping: 2 * ZETA * Math.sqrt(STIFFNESS * MASS),
        allowTension: true,
      }
    : {
        kind: 'hysteretic',
        stiffness: STIFFNESS,
        exponent: 1.5,
        restitution: 1,
        smallVelocity: 1e-3,
        relaxationTime: 0,
      };
  return {
    model: {
      ...BASE,
      bodies: [
        {
          ...BODY,
          rotationLocked: true,
          position: [0, 0, SPEED * approach],
          velocity: [0, 0, -SPEED],
          angularVelocity: [0, 0, 0],
        },
        {
          ...BODY,
          name: 'plane',
          motion: 'fixed',
          position: [0, 0, 0],
          angularVelocity: [0, 0, 0],
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
          normalLaw: law,
          frictionLaw: { kind: 'none' },
        },
      ],
    },
    duration,
    halfway: linear ? dampedMotion(frequency, contactTime - approach) : null,
    end: { position: out * (duration - approach - contactTime), speed: out },
    length: depth,
    reference: SPEED,
  };
}

/** Free vibration from x = 0 at the speed −SPEED, a time after touch. */
function dampedMotion(frequency: number, t: number): Motion {
  const w = frequency * Math.sqrt(1 - ZETA * ZETA);
  const decay = Math.exp(-ZETA * frequency * t);
  const sine = Math.sin(w * t);
  return {
    position: (-SPEED / w) * decay * sine,
    speed: -SPEED * decay * (Math.cos(w * t) - ((ZETA * frequency) / w) * sine),
  };
}

function fit(x: readonly number[], y: readonly number[]): number {
  const n = x.length;
  const mx = x.reduce((a, b) => a + b, 0) / n;
  const my = y.reduce((a, b) => a + b, 0) / n;
  const top = x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? 0) - my), 0);
  return top / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
