/**
 * The controlled contact of `Kim 1999, 6.5`: the planar arm approaches a free payload, presses on its face with 15 N and slides
 * 0.5 m along it. Plant and controller are those of an independent re-creation. Contact is a normal spring and damper without
 * friction; control runs at 1 kHz on a plant in steps of 0.25 ms (semi-implicit Euler).
 */
import { CompositeController } from '../../src/control/composite.ts';
import { CycloidalPath } from '../../src/control/cycloidal-path.ts';
import { type FastRegulator, designFastRegulator } from '../../src/control/fast-regulator.ts';
import { ForceCorrection } from '../../src/control/force-correction.ts';
import { diagonal } from '../../src/math/dense.ts';
import { ARM_SIZE, MODE_STIFFNESS, PlanarArm, type PlanarDynamics } from './planar-arm.ts';

/** Payload: mass, kg, inertia, kg m², and where the frame on its face starts, m. */
export const PAYLOAD = { mass: 35_530, inertia: 1.01e6, position: [1, 8.63] } as const;
/** Apparent mass, damping and stiffness in both directions. */
export const IMPEDANCE = { mass: 80, damping: 100, stiffness: 80 } as const;
/** Start at rest, rad. */
export const START: readonly number[] = [0, 30, 120].map((degrees) => (degrees * Math.PI) / 180);
/** Final configuration with straight links, at which the fast loop is designed, rad. */
export const FINAL_POSE: Float64Array = Float64Array.from(
  [0, 28.9, 115.7, 0, 0].map((degrees) => (degrees * Math.PI) / 180),
);
/** N */
export const DESIRED_FORCE = 15;
/** Point of the path against the payload: approach, press, slide. */
export const PATH = [
  { time: 0, position: [0, -0.5] },
  { time: 6, position: [0, 0.002] },
  { time: 14, position: [0, 0.1875] },
  { time: 20, position: [0.5, 0.1875] },
];
/** The force is corrected from when it is to be constant. */
export const CORRECTION_START = 14;
/** Time constant of the integral form and pause between applications, s: some periods of the slow loop (1 rad/s). */
export const CORRECTION_TIME = 2;
const CORRECTION_PAUSE = 8;

/** A run; what is left out is as in the thesis, with Q = 1. */
export interface KimOptions {
  readonly rigidLinks?: boolean;
  /** Q = stateCost I; 0: no fast loop. */
  readonly stateCost?: number;
  /** What is fed back as the position of the tip. */
  readonly feedback?: 'rigid' | 'tip';
  readonly correction?: 'none' | 'repeated' | 'integral';
  /** Factors on K_p and K_d. */
  readonly stiffnessFactor?: number;
  readonly dampingFactor?: number;
  readonly controlPeriod?: number;
  /** N/m; 0 for free motion. */
  readonly contactStiffness?: number;
  readonly duration?: number;
  /** Another account of the same arm, one for the plant and one for the controller. */
  readonly makeArm?: () => PlanarDynamics;
}

/** Histories, a value a sample of 10 ms. */
export interface KimHistory {
  readonly time: number[];
  /** Normal force, N. */
  readonly force: number[];
  /** Deflection at the tips of both links, m. */
  readonly tips: [number[], number[]];
  readonly torques: [number[], number[], number[]];
  /** Error of the position that is fed back, m, along the face and across. */
  readonly error: [number[], number[]];
  /** Payload: displacement along x and y, m; rotation, rad. */
  readonly payload: [number[], number[], number[]];
  /** Spacecraft attitude, rad. */
  readonly attitude: number[];
  /** When contact began and ended, s. */
  readonly touches: number[];
  readonly releases: number[];
  /** Time at which the run blew up, s; infinite when it did not. */
  readonly divergedAt: number;
}

/** LQR of the fast loop at the final configuration, Q = stateCost I, R = I, k the stiffness of a mode. */
export function kimRegulator(stateCost: number): FastRegulator {
  const arm = new PlanarArm();
  arm.evaluate(FINAL_POSE, new Float64Array(ARM_SIZE));
  return designFastRegulator({
    rigid: 3,
    flexible: 2,
    mass: arm.mass,
    stiffness: [MODE_STIFFNESS, MODE_STIFFNESS],
    scale: MODE_STIFFNESS,
    stateCost: diagonal(4, stateCost),
    torqueCost: diagonal(3, 1),
  });
}

/**
 * Decay of the elastic forces of the nonlinear plant under the fast loop alone (τ̄ = 0), 1/s: slope of log √(ηᵀη) from both links
 * bent by 1 mm at the tips, until it has fallen by a factor of e^`folds`.
 */
export function kimDecay(stateCost: number, folds: number): number {
  const { gain } = kimRegulator(stateCost);
  // (5.25) has no damping of the links: 1 % of critical at a clamped joint are 0.7 … 1.2 1/s with the joints free
  const arm = new PlanarArm(0);
  const q = FINAL_POSE.slice();
  q[3] = 0.5e-3;
  q[4] = -0.5e-3;
  const u = new Float64Array(ARM_SIZE);
  const torque = new Float64Array(3);
  const acceleration = new Float64Array(ARM_SIZE);
  const none = new Float64Array(2);
  const eta = new Float64Array(4);
  const size = (): number => {
    for (let i = 0; i < 2; i++) {
      eta[i] = MODE_STIFFNESS * q[3 + i];
      eta[2 + i] = Math.sqrt(MODE_STIFFNESS) * u[3 + i];
    }
    return Math.sqrt(eta.reduce((sum, x) => sum + x * x, 0));
  };
  const h = 0.25e-3;
  const start = size();
  let time = 0;
  let sums = [0, 0, 0, 0, 0];
  for (let step = 0; time < 20; step++) {
    const now = size();
    if (now < start * Math.exp(-folds)) break;
    const y = Math.log(now);
    sums = [sums[0] + 1, sums[1] + time, sums[2] + y, sums[3] + time * time, sums[4] + time * y];
    if (step % 4 === 0) {
      for (let j = 0; j < 3; j++) {
        torque[j] = 0;
        for (let i = 0; i < 4; i++) torque[j] -= gain[4 * j + i] * eta[i];
      }
    }
    arm.evaluate(q, u);
    arm.accelerate(torque, none, false, acceleration);
    for (let i = 0; i < ARM_SIZE; i++) {
      u[i] += h * acceleration[i];
      q[i] += h * u[i];
    }
    time += h;
  }
  const [n, t, y, tt, ty] = sums;
  return -(n * ty - t * y) / (n * tt - t * t);
}

/** Plant, controller and what was measured. */
class KimRun {
  readonly history: KimHistory & { divergedAt: number };
  private readonly options: Required<KimOptions>;
  private readonly arm: PlanarDynamics;
  /** The arm with straight links, as in the model of the controller. */
  private readonly model: PlanarDynamics;
  private readonly q = Float64Array.from([...START, 0, 0]);
  private readonly u = new Float64Array(ARM_SIZE);
  private readonly straight = new Float64Array(ARM_SIZE);
  private readonly rigidRate = new Float64Array(ARM_SIZE);
  private readonly flexure = new Float64Array(4);
  private readonly acceleration = new Float64Array(ARM_SIZE);
  /** Payload frame: x, y, angle, then rates. */
  private readonly payload = Float64Array.from([...PAYLOAD.position, 0, 0, 0, 0]);
  private readonly payloadStart = PAYLOAD.position;
  /** Force on the tip. */
  private readonly force = new Float64Array(2);
  private readonly controller: CompositeController;
  private readonly path = new CycloidalPath(PATH);
  private readonly correction: ForceCorrection;
  private readonly clock = new Float64Array(1);
  private readonly period: Float64Array;
  private readonly desired = Float64Array.of(0, DESIRED_FORCE);
  private readonly actual = new Float64Array(2);
  private nextCorrection = CORRECTION_START + CORRECTION_PAUSE;
  private normal = 0;

  constructor(options: KimOptions) {
    const o = {
      rigidLinks: false,
      stateCost: 1,
      feedback: 'rigid' as const,
      correction: 'none' as const,
      stiffnessFactor: 1,
      dampingFactor: 1,
      controlPeriod: 1e-3,
      contactStiffness: 1e4,
      duration: 26,
      makeArm: () => new PlanarArm(),
      ...options,
    };
    this.options = o;
    this.arm = o.makeArm();
    this.model = o.makeArm();
    const stiffness = [0, 1].map(() => IMPEDANCE.stiffness * o.stiffnessFactor);
    this.controller = new CompositeController({
      rigid: 3,
      flexible: 2,
      stiffness: [MODE_STIFFNESS, MODE_STIFFNESS],
      impedance: {
        mass: [IMPEDANCE.mass, IMPEDANCE.mass],
        damping: [0, 1].map(() => IMPEDANCE.damping * o.dampingFactor),
        stiffness,
      },
      fast:
        o.stateCost > 0 ? { gain: kimRegulator(o.stateCost).gain, scale: MODE_STIFFNESS } : null,
    });
    this.correction = new ForceCorrection(stiffness, CORRECTION_TIME);
    this.period = Float64Array.of(o.controlPeriod);
    this.history = {
      time: [],
      force: [],
      tips: [[], []],
      torques: [[], [], []],
      error: [[], []],
      payload: [[], [], []],
      attitude: [],
      touches: [],
      releases: [],
      divergedAt: Infinity,
    };
  }

  /** Runs to the end, or until something is not finite or a link bends by more than its length. */
  run(): KimHistory {
    const { controlPeriod, duration } = this.options;
    const substeps = Math.max(1, Math.round(controlPeriod / 0.25e-3));
    const h = controlPeriod / substeps;
    const ticks = Math.round(duration / controlPeriod);
    const perSample = Math.round(0.01 / controlPeriod);
    for (let tick = 0; tick < ticks; tick++) {
      this.clock[0] = tick * controlPeriod;
      this.control();
      if (tick % perSample === 0) this.sample();
      for (let s = 0; s < substeps; s++) this.advance(h);
      if (!(Math.abs(this.q[3]) + Math.abs(this.q[4]) < 2) || !(Math.abs(this.u[2]) < 20)) {
        this.history.divergedAt = this.clock[0];
        break;
      }
    }
    return this.history;
  }

  /** Force of the face on the tip. The frame of the payload lies on its face, y into the payload. */
  private touch(): void {
    const { arm, payload, force, history } = this;
    const c = Math.cos(payload[2]);
    const s = Math.sin(payload[2]);
    const dx = arm.tip[0] - payload[0];
    const dy = arm.tip[1] - payload[1];
    const depth = -s * dx + c * dy;
    const vx = arm.tipVelocity[0] - payload[3] + payload[5] * dy;
    const vy = arm.tipVelocity[1] - payload[4] - payload[5] * dx;
    const rate = -s * vx + c * vy;
    let normal = 0;
    if (depth > 0 && this.options.contactStiffness > 0) {
      normal = Math.max(0, this.options.contactStiffness * depth + 50 * rate);
    }
    if (normal > 0 && this.normal === 0) history.touches.push(this.clock[0]);
    if (normal === 0 && this.normal > 0) history.releases.push(this.clock[0]);
    this.normal = normal;
    force[0] = s * normal;
    force[1] = -c * normal;
  }

  private advance(h: number): void {
    const { arm, q, u, acceleration, payload, force } = this;
    arm.evaluate(q, u);
    this.touch();
    arm.accelerate(this.controller.torque, force, this.options.rigidLinks, acceleration);
    for (let i = 0; i < ARM_SIZE; i++) {
      u[i] += h * acceleration[i];
      q[i] += h * u[i];
    }
    const dx = arm.tip[0] - payload[0];
    const dy = arm.tip[1] - payload[1];
    payload[3] -= (h * force[0]) / PAYLOAD.mass;
    payload[4] -= (h * force[1]) / PAYLOAD.mass;
    payload[5] -= (h * (dx * force[1] - dy * force[0])) / PAYLOAD.inertia;
    for (let i = 0; i < 3; i++) payload[i] += h * payload[3 + i];
  }

  private control(): void {
    const { arm, model, q, u, straight, rigidRate, flexure, payload, path, controller } = this;
    const slow = controller.slow;
    arm.evaluate(q, u);
    this.touch();
    for (let i = 0; i < 3; i++) {
      straight[i] = q[i];
      rigidRate[i] = u[i];
    }
    for (let i = 0; i < 2; i++) {
      flexure[i] = q[3 + i];
      flexure[2 + i] = u[3 + i];
    }
    model.evaluate(straight, rigidRate);
    path.evaluate(this.clock);
    this.correct();
    const seen = this.options.feedback === 'tip' ? arm : model;
    for (let a = 0; a < 2; a++) {
      const reference = payload[a] + path.position[a] + this.correction.offset[a];
      slow.error[a] = reference - seen.tip[a];
      slow.errorRate[a] = payload[3 + a] + path.velocity[a] - seen.tipVelocity[a];
      // (6.7) twice differentiated: the payload is free, so its acceleration is that of the force on it
      slow.referenceAcceleration[a] = path.acceleration[a] - this.force[a] / PAYLOAD.mass;
      slow.wrench[a] = this.force[a];
    }
    controller.compute(model.mass, model.jacobian, model.jacobianBias, model.bias, flexure);
  }

  private correct(): void {
    const { correction } = this.options;
    const now = this.clock[0];
    if (correction === 'none' || now < CORRECTION_START) return;
    this.actual[1] = -this.force[1];
    if (correction === 'integral') {
      this.correction.integrate(this.desired, this.actual, this.period);
    } else if (now >= this.nextCorrection) {
      this.nextCorrection += CORRECTION_PAUSE;
      this.correction.apply(this.desired, this.actual);
    }
  }

  private sample(): void {
    const { history, q, payload, controller } = this;
    history.time.push(this.clock[0]);
    history.force.push(-this.force[1]);
    for (let a = 0; a < 2; a++) {
      history.tips[a].push(2 * q[3 + a]);
      history.error[a].push(controller.slow.error[a]);
      history.payload[a].push(payload[a] - this.payloadStart[a]);
    }
    history.payload[2].push(payload[2]);
    for (let j = 0; j < 3; j++) history.torques[j].push(controller.torque[j]);
    history.attitude.push(q[0]);
  }
}

/** Runs the arm. */
export function runKim(options: KimOptions = {}): KimHistory {
  return new KimRun(options).run();
}

/** Mean of a history between two times. */
export function meanBetween(
  history: KimHistory,
  values: readonly number[],
  from: number,
  to: number,
): number {
  let sum = 0;
  let count = 0;
  for (const [i, t] of history.time.entries()) {
    if (t < from - 1e-9 || t > to + 1e-9) continue;
    sum += values[i];
    count++;
  }
  return sum / count;
}
