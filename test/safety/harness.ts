/** A safety machine with inputs at rest, for tests: a robot that is synced, good and still, nobody at the sticks. */
import { COMMAND_RESULTS } from '../../hil/commands.ts';
import { FAULT_CODES, FaultCode, type FaultName, SAFETY_STATES } from '../../hil/safety/codes.ts';
import {
  SafetyInputs,
  SafetyMachine,
  type SafetyOptions,
  SafetyOutputs,
} from '../../hil/safety/machine.ts';

/** Limits of a robot as the settings have them, in a cube. */
export const LIMITS = {
  force_N: 400,
  moment_Nm: 100,
  speed_mps: 0.1,
  angular_speed_radps: 0.5,
  acceleration_mps2: 5,
  jerk_mps3: 5000,
  angular_acceleration_radps2: 25,
  angular_jerk_radps3: 25_000,
  workspace_m: 0.5,
};

export class Bench {
  readonly inputs = new SafetyInputs();
  readonly outputs = new SafetyOutputs();
  readonly machine: SafetyMachine;

  constructor(options: Partial<SafetyOptions> = {}) {
    this.machine = new SafetyMachine(options);
    nominal(this.inputs);
  }

  get state(): string {
    return SAFETY_STATES[this.machine.state];
  }

  /** Run ticks with the inputs as they stand. */
  ticks(count: number): void {
    for (let i = 0; i < count; i++) this.machine.step(this.inputs, this.outputs);
  }

  /** Answer to a request by name. */
  judge(kind: number): string {
    return COMMAND_RESULTS[this.machine.judge(kind, this.inputs)];
  }

  /** From start to MONITOR_READY with an operator who holds authority and touches nothing. */
  ready(): this {
    this.ticks(3 + Math.ceil(this.machine.options.goodTime_s / this.inputs.elapsed_s));
    this.inputs.authority = 1;
    this.inputs.inputAge_s = 0;
    this.ticks(2);
    return this;
  }

  /** On to ACTIVE_FREE. */
  active(): this {
    this.ready();
    this.inputs.deadman = 1;
    this.inputs.armRequest = 1;
    this.ticks(1 + this.machine.options.alignedFrames);
    return this;
  }
}

/** Everything in order, nobody flies. */
export function nominal(inputs: SafetyInputs): void {
  Object.assign(inputs, new SafetyInputs(), {
    linkPhase: 3,
    stateFresh: 1,
    quality: 3,
    offsetKnown: 1,
    sticksNeutral: 1,
    poseError_m: 0,
    poseError_rad: 0,
    robotStandstill: 1,
    robotArmed: 1,
  });
}

/** Names of the bits of a fault word. */
export function faultNames(bits: number): string[] {
  return FAULT_CODES.filter((name) => (bits & (1 << FaultCode[name])) !== 0);
}

/** Fault word of names. */
export function faultWord(...names: FaultName[]): number {
  return names.reduce((word, name) => word | (1 << FaultCode[name]), 0);
}
