/**
 * The controlled contact of `kim-run.ts` with the elastic gripper and payload in place of a spring, `Kim 1999, 6.5`: E = 0.1 MPa and 7 MPa, an octagon
 * of 35.5 t and 1.01e6 kg m². The gripper turns freely about the tip of the arm and is 0.49 m long, so that the frame of the payload, which the tip
 * follows, lies that far ahead of the face. Control at 1 kHz, a step of the bodies a tick.
 */
import { CompositeController } from '../../src/control/composite.ts';
import { CycloidalPath } from '../../src/control/cycloidal-path.ts';
import { ForceCorrection } from '../../src/control/force-correction.ts';
import { ContactStep } from '../../src/fem/contact-step.ts';
import { REACH } from './fem-space-impact.ts';
import {
  CORRECTION_START,
  CORRECTION_TIME,
  DESIRED_FORCE,
  IMPEDANCE,
  kimRegulator,
  PATH,
  PAYLOAD as TASK_PAYLOAD,
  START,
} from './kim-run.ts';
import { ARM_SIZE, MODE_STIFFNESS, PlanarArm } from './planar-arm.ts';
import type { FaceData } from './reduced-space-impact.ts';
import { SpaceScene } from './space-scene.ts';

/** Moment of inertia of a regular octagon over its mass and the square of its circumradius. */
const OCTAGON = 0.45118;
const CIRCUMRADIUS = Math.sqrt(TASK_PAYLOAD.inertia / (OCTAGON * TASK_PAYLOAD.mass));
/** Moduli as printed, N/m². */
export const CONTROLLED: FaceData = {
  young: { gripper: 1e5, payload: 7e6 },
  payload: { mass: TASK_PAYLOAD.mass, circumradius: CIRCUMRADIUS },
};
const APOTHEM = CIRCUMRADIUS * Math.cos(Math.PI / 8);
const PERIOD = 1e-3;
/** Between values of a history, s. */
const SAMPLE = 0.01;

/** A run. */
export interface ControlledOptions {
  readonly correction: boolean;
  readonly duration: number;
  /** Steps of the bodies in a period of control; 1 when left out. */
  readonly substeps?: number;
  /** Modes of gripper and payload beside the shapes of Guyan. */
  readonly modes?: { readonly gripper: number; readonly payload: number };
}

/** Histories, a value every 10 ms. */
export interface ControlledRun {
  readonly time: number[];
  /** Force on the face along its normal, mean over a sample, N. */
  readonly force: number[];
  /** Deflection at the tips of both links, m. */
  readonly tips: readonly [number[], number[]];
  readonly torques: readonly [number[], number[], number[]];
  /** Place of the tip with straight links against the frame of the payload, and what is planned, m. */
  readonly place: readonly [number[], number[]];
  readonly planned: readonly [number[], number[]];
  /** Displacement of the payload, m, and its turn, rad. */
  readonly payload: readonly [number[], number[], number[]];
  /** Angle of the gripper against the payload, rad; of the spacecraft, rad. */
  readonly gripper: number[];
  readonly attitude: number[];
  /** When contact was lost for more than five steps, s. */
  readonly losses: number[];
  readonly touches: number[];
  readonly unsettled: number;
  /** Angular momentum that the torque of the spacecraft, the only one from outside, does not explain, over ∫|τ_1| dt. */
  readonly momentumError: number;
}

/** Runs the task. */
export function runControlled(options: ControlledOptions): ControlledRun {
  const { correction, duration, substeps = 1, modes = { gripper: 2, payload: 0 } } = options;
  const scene = new SpaceScene({
    ...CONTROLLED,
    modes,
    friction: { static: 0, sliding: 0 },
    antennas: [],
    angles: [...START, 0, 0],
    rates: [0, 0, 0, 0, 0],
    gripperRate: 0,
    direction: 90,
    gap: -PATH[0].position[1],
  });
  const { arm, payload, gripper } = scene;
  const step = PERIOD / substeps;
  const system = new ContactStep(scene.parts, scene.pairs, scene.joints, { step, project: false });
  const model = new PlanarArm();
  const stiffness = [IMPEDANCE.stiffness, IMPEDANCE.stiffness];
  const controller = new CompositeController({
    rigid: 3,
    flexible: 2,
    stiffness: [MODE_STIFFNESS, MODE_STIFFNESS],
    impedance: {
      mass: [IMPEDANCE.mass, IMPEDANCE.mass],
      damping: [IMPEDANCE.damping, IMPEDANCE.damping],
      stiffness,
    },
    fast: { gain: kimRegulator(1).gain, scale: MODE_STIFFNESS },
  });
  const path = new CycloidalPath(PATH);
  const corrected = new ForceCorrection(stiffness, CORRECTION_TIME);
  const clock = new Float64Array(1);
  const period = Float64Array.of(PERIOD);
  const desired = Float64Array.of(0, DESIRED_FORCE);
  const actual = new Float64Array(2);
  const straight = new Float64Array(ARM_SIZE);
  const rigidRate = new Float64Array(ARM_SIZE);
  const flexure = new Float64Array(4);
  const start = [payload.q[0], payload.q[1]];
  const run = {
    time: [] as number[],
    force: [] as number[],
    tips: [[], []] as [number[], number[]],
    torques: [[], [], []] as [number[], number[], number[]],
    place: [[], []] as [number[], number[]],
    planned: [[], []] as [number[], number[]],
    payload: [[], [], []] as [number[], number[], number[]],
    gripper: [] as number[],
    attitude: [] as number[],
    losses: [] as number[],
    touches: [] as number[],
  };
  let push: readonly [number, number] = [0, 0];
  let turned = 0;
  let effort = 0;
  const control = (): void => {
    const { slow } = controller;
    for (let i = 0; i < 3; i++) {
      straight[i] = arm.q[i];
      rigidRate[i] = arm.rate[i];
    }
    for (let i = 0; i < 2; i++) {
      flexure[i] = arm.q[3 + i];
      flexure[2 + i] = arm.rate[3 + i];
    }
    model.evaluate(straight, rigidRate);
    path.evaluate(clock);
    if (correction && clock[0] >= CORRECTION_START) {
      actual[1] = push[1];
      corrected.integrate(desired, actual, period);
    }
    // the frame of the payload in axes of the world
    const [c, s] = [Math.cos(payload.q[2]), Math.sin(payload.q[2])];
    const reach = APOTHEM + REACH;
    const arms = [reach * s, -reach * c];
    const place = [payload.q[0] + arms[0], payload.q[1] + arms[1]];
    const speed = [
      payload.rate[0] - payload.rate[2] * arms[1],
      payload.rate[1] + payload.rate[2] * arms[0],
    ];
    for (let a = 0; a < 2; a++) {
      const reference = arm.origin[a] + place[a] + path.position[a] + corrected.offset[a];
      slow.error[a] = reference - model.tip[a];
      slow.errorRate[a] = speed[a] + path.velocity[a] - model.tipVelocity[a];
      slow.referenceAcceleration[a] = path.acceleration[a] + push[a] / TASK_PAYLOAD.mass;
      slow.wrench[a] = -push[a];
    }
    controller.compute(model.mass, model.jacobian, model.jacobianBias, model.bias, flexure);
    arm.torque.set(controller.torque);
  };
  const ticks = Math.round(duration / PERIOD);
  const perSample = Math.round(SAMPLE / PERIOD);
  const spin = scene.angularMomentum();
  let [sum, last, held] = [0, -1e9, false];
  for (let tick = 0; tick < ticks; tick++) {
    clock[0] = tick * PERIOD;
    control();
    if (tick % perSample === 0) {
      run.time.push(clock[0]);
      run.force.push(sum / perSample);
      sum = 0;
      for (let a = 0; a < 2; a++) {
        run.tips[a].push(2 * arm.q[3 + a]);
        run.planned[a].push(path.position[a]);
        run.place[a].push(path.position[a] + corrected.offset[a] - controller.slow.error[a]);
        run.payload[a].push(payload.q[a] - start[a]);
      }
      run.payload[2].push(payload.q[2]);
      for (let j = 0; j < 3; j++) run.torques[j].push(arm.torque[j]);
      run.gripper.push(gripper.q[2] - payload.q[2]);
      run.attitude.push(arm.q[0]);
    }
    let [px, py] = [0, 0];
    for (let s = 0; s < substeps; s++) {
      system.advance();
      const [x, y] = scene.push();
      px += x / substeps;
      py += y / substeps;
    }
    push = [px, py];
    sum += py;
    turned += PERIOD * arm.torque[0];
    effort += PERIOD * Math.abs(arm.torque[0]);
    if (scene.active() > 0) {
      if (!held) run.touches.push(clock[0]);
      held = true;
      last = tick;
    } else if (held && tick - last > 5) {
      run.losses.push(last * PERIOD);
      held = false;
    }
    if (!(Math.abs(arm.q[3]) + Math.abs(arm.q[4]) < 2)) break;
  }
  return {
    ...run,
    unsettled: system.unsettled / (ticks * substeps),
    momentumError: Math.abs(scene.angularMomentum() - spin - turned) / effort,
  };
}
