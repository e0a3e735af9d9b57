/** The scenario `kim-planar-controlled-contact`, its law in the step of a system, beside the closed-form run. `Kim 1999, 6.5`. */
import {
  ARM_READOUT,
  ArmReadout,
  JOINT_READOUT,
  JointReadout,
} from '../../../src/model/arm-spec.ts';
import { BODY_STATE } from '../../../src/multibody/body.ts';
import {
  CONTACT_READOUT,
  ContactReadout,
  ENERGY_READOUT,
  EnergyReadout,
  type System,
} from '../../../src/system/system.ts';
import {
  atMost,
  type CaseResult,
  curve,
  independent,
  printed,
  type ValidationCase,
} from '../case.ts';
import { type KimHistory, runKim } from '../kim-run.ts';
import { scenarioSystem } from '../systems.ts';

const SCENARIO = 'kim-planar-controlled-contact';
const DESIRED = 15;
/** End of the pressing stage, when the correction begins, and of the slide, s. */
const PRESS_END = 14;
const SLIDE_END = 20;
/** The slow loop, 1 rad/s and 0.625, has settled by then, s. */
const PLAIN_END = 30;
const END = 46;
/** Past all bounces, s. */
const BOUNCED = 9;
const SAMPLE = 0.01;

/** What the scenario did, a value a sample of 10 ms. */
interface ScenarioHistory {
  readonly time: number[];
  readonly force: number[];
  readonly bending: readonly [number[], number[]];
  readonly payload: readonly [number[], number[], number[]];
  readonly touches: number[];
  readonly releases: number[];
}

/** Steps a system to a time and notes what it does. */
class ScenarioRun {
  readonly history: ScenarioHistory = {
    time: [],
    force: [],
    bending: [[], []],
    payload: [[], [], []],
    touches: [],
    releases: [],
  };
  readonly system: System;
  private readonly payload: number;
  private readonly start: Float64Array;
  private readonly contact = new Float64Array(CONTACT_READOUT.length);
  private readonly body = new Float64Array(BODY_STATE);
  private readonly joint = new Float64Array(JOINT_READOUT.length);
  private readonly arm = new Float64Array(ARM_READOUT.length);
  private touching = false;

  constructor(changes: readonly string[] = []) {
    this.system = scenarioSystem(SCENARIO, changes);
    this.payload = this.system.bodyIndex('payload');
    this.system.readBody(this.payload, this.body, 0);
    this.start = this.body.slice();
  }

  run(until: number): ScenarioHistory {
    const { system, history } = this;
    const { step } = system.model;
    const perSample = Math.round(SAMPLE / step);
    const last = Math.round(until / step);
    for (let n = Math.round(system.time / step); n < last; n++) {
      if (system.step(step) !== 0) throw new Error(`${SCENARIO}: step ${n} is not finite`);
      system.readContact(0, this.contact, 0);
      const touching = this.contact[ContactReadout.normalForce] > 0;
      if (touching !== this.touching) {
        (touching ? history.touches : history.releases).push(n * step);
        this.touching = touching;
      }
      if ((n + 1) % perSample === 0) this.sample();
    }
    return history;
  }

  private sample(): void {
    const { system, history, body, start } = this;
    system.readBody(this.payload, body, 0);
    history.time.push(system.time);
    history.force.push(this.contact[ContactReadout.normalForce]);
    [1, 2].forEach((joint, k) => {
      system.arm!.readJoint(joint, this.joint, 0);
      history.bending[k].push(this.joint[JointReadout.bending]);
    });
    history.payload[0].push(body[0] - start[0]);
    history.payload[1].push(body[1] - start[1]);
    history.payload[2].push(2 * Math.asin(body[5]));
    system.arm!.readArm(this.arm, 0);
    if (this.arm[ArmReadout.status] !== 0)
      throw new Error(`${SCENARIO}: status ${this.arm[ArmReadout.status]}`);
  }
}

function indexAt(time: readonly number[], wanted: number): number {
  return time.findIndex((t) => t > wanted - SAMPLE / 2);
}

function lastSeconds(history: ScenarioHistory, values: readonly number[]): readonly number[] {
  return values.slice(indexAt(history.time, history.time[history.time.length - 1] - 2));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const unrest = (values: readonly number[]): number =>
  Math.max(...values.map((value) => Math.abs(value - mean(values)))) / Math.abs(mean(values));

/** Largest difference of two lists of equal times. */
const apart = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.slice(0, b.length).map((value, i) => Math.abs(value - b[i])));

const millimetres = (values: readonly number[]): number[] => values.map((x) => 1e3 * x);

function plots(
  corrected: ScenarioHistory,
  plain: ScenarioHistory,
  closed: KimHistory,
): CaseResult['plots'] {
  return [
    {
      title: 'Force on the face: the scenario, and the closed form with control at 1 kHz',
      xLabel: 'time, s',
      yLabel: 'force, N',
      curves: [
        curve('scenario', corrected.time, corrected.force),
        curve('scenario without correction', plain.time, plain.force),
        curve('closed form, to the end of the bounces', closed.time, closed.force),
      ],
    },
    {
      title: 'Deflection at the tips of the links',
      xLabel: 'time, s',
      yLabel: 'deflection, mm',
      curves: [
        curve('link 1', corrected.time, millimetres(corrected.bending[0])),
        curve('link 2', corrected.time, millimetres(corrected.bending[1])),
      ],
    },
    {
      title: 'Payload',
      xLabel: 'time, s',
      yLabel: 'displacement, mm; rotation, mrad',
      curves: [
        curve('along the face', corrected.time, millimetres(corrected.payload[0])),
        curve('into the face', corrected.time, millimetres(corrected.payload[1])),
        curve('rotation', corrected.time, millimetres(corrected.payload[2])),
      ],
    },
  ];
}

export const kimScenarioCase: ValidationCase = {
  name: 'kim-scenario',
  title: 'Composite control of the planar arm as a scenario',
  source: 'Kim 1999, chapter 5 and 6.5; figures are those of an independent re-creation of the run',
  description:
    'The scenario kim-planar-controlled-contact, with the robot file, the contact and the body of the system at 1 ms, to 46 s; from 14 s on also ' +
    'without correction, to 30 s. Beside it the same at 0.5 ms and the closed form, both past the last bounce.',
  equation:
    'As kim-composite, with x_ref = x_p + R_p x_{r/p}(t) of the payload as it moves, and its acceleration from the force that it feels.',
  tolerances:
    'As kim-composite: 3 % of 13.5 N, 1 % of 15 N, 10 % of 24 mm, 10 mm, 5 %, 15 % of 22 mm. A touch is seen once a step and each bounce ' +
    'stretches what came before, so after two of them 3 ms, against half the step and against the closed form, which steps in 0.25 ms; ' +
    'the deflection 1 % of 24 mm. The mid-point step of the arm keeps its energy to 1e-7 of what goes to and fro.',
  run(): CaseResult {
    const run = new ScenarioRun();
    run.run(PRESS_END);
    const other = new ScenarioRun([`tool.robot.control.force_correction.start_s=${2 * END}`]);
    other.system.restore(run.system.state);
    const plain = other.run(PLAIN_END);
    const corrected = run.run(END);
    const fine = new ScenarioRun(['integration.step_s=0.5 ms']).run(BOUNCED);
    const closed = runKim({ duration: BOUNCED });
    const settled = lastSeconds(corrected, corrected.force);
    const [first, second] = corrected.bending.map((values) => lastSeconds(corrected, values));
    const energy = new Float64Array(ENERGY_READOUT.length);
    run.system.readEnergy(energy, 0);
    const at20 = indexAt(corrected.time, SLIDE_END);
    return {
      figures: [
        independent(
          'force without correction',
          'N',
          mean(lastSeconds(plain, plain.force)),
          13.5,
          0.405,
        ),
        printed('force with integral correction', 'N', mean(settled), DESIRED, 0.01 * DESIRED),
        independent('deflection at the tip of link 2', 'm', mean(second), 0.024, 0.0024),
        atMost('deflection at the tip of link 1', 'm', mean(first), 0.01),
        atMost('vibration of link 1 in the last 2 s', '1', unrest(first), 0.05),
        atMost('vibration of link 2 in the last 2 s', '1', unrest(second), 0.05),
        independent('payload at 20 s', 'm', corrected.payload[1][at20], 0.022, 0.15 * 0.022),
        atMost('turn of the payload at 20 s, clockwise', 'rad', -corrected.payload[2][at20], 0),
        atMost(
          'energy that the account misses, over what the joints gave',
          '1',
          Math.abs(energy[EnergyReadout.balance] / energy[EnergyReadout.externalWork]),
          1e-6,
        ),
        independent('separate contacts', '1', corrected.touches.length, closed.touches.length, 0),
        atMost('last loss of contact', 's', corrected.releases.at(-1) ?? 0, PRESS_END),
        atMost(
          'touches against those of half the step',
          's',
          apart(corrected.touches, fine.touches),
          3e-3,
        ),
        atMost(
          'deflection of link 2 against that of half the step',
          'm',
          apart(corrected.bending[1], fine.bending[1]),
          0.24e-3,
        ),
        atMost(
          'touches against those of the closed form',
          's',
          apart(corrected.touches, closed.touches),
          3e-3,
        ),
      ],
      plots: plots(corrected, plain, closed),
    };
  },
};
