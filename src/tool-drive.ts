/**
 * What a step does with the tool: where the payload is, which wrench the accommodation sees and how the arm moves.
 *
 * simulation: payload at the arm, wrench of the model. virtual: payload at the measured motion, wrench of the model.
 * hardware: payload at the measured motion (shadow contact), measured wrench.
 */
import { Accommodation } from './control/fma.ts';
import type { ToolPort } from './control/tool-port.ts';
import type { CommandStep, ToolModel } from './model.ts';
import { BODY_STATE, type RigidBody } from './multibody/body.ts';

const SIMULATION = 0;
const HARDWARE = 2;
const FOLLOW = 0;
const BRAKE = 2;

/** Drives arm and payload of a system from its tool port. */
export class ToolDrive {
  readonly port: ToolPort;
  readonly arm: RigidBody;
  readonly payload: RigidBody;
  private readonly accommodation: Accommodation;
  private readonly scheduleTimes: Float64Array;
  private readonly scheduleTwists: Float64Array;

  constructor(
    port: ToolPort,
    model: ToolModel,
    arm: RigidBody,
    payload: RigidBody,
    schedule: readonly CommandStep[],
  ) {
    this.port = port;
    this.arm = arm;
    this.payload = payload;
    this.accommodation = new Accommodation(model);
    this.scheduleTimes = Float64Array.from(schedule, (piece) => piece.time);
    this.scheduleTwists = Float64Array.from(schedule.flatMap((piece) => [...piece.twist]));
    payload.driven = true;
    copyMotion(port.measuredMotion, arm.state);
    copyMotion(port.setpoint, arm.state);
  }

  /** Sets the command that the schedule holds at the time in clock[0]. @alloc none */
  followSchedule(clock: Float64Array): void {
    const time = clock[0];
    const times = this.scheduleTimes;
    let piece = times.length - 1;
    // half a nanosecond covers the rounding of a summed time
    while (piece >= 0 && times[piece] > time + 5e-10) piece--;
    for (let a = 0; a < 6; a++) {
      this.port.command[a] = piece < 0 ? 0 : this.scheduleTwists[6 * piece + a];
    }
  }

  /** Puts the payload where the mode says. @alloc none */
  placePayload(): void {
    const source = this.port.mode === SIMULATION ? this.arm.state : this.port.measuredMotion;
    copyMotion(this.payload.state, source);
    this.payload.refresh();
  }

  /** Moves the arm by timing[0]; the wrench of the model is in the port. Velocity first, then the pose. @alloc none */
  moveArm(timing: Float64Array): void {
    const port = this.port;
    const x = this.arm.state;
    if (port.motion === FOLLOW) {
      if (port.mode !== SIMULATION) copyMotion(x, port.measuredMotion);
      for (let a = 7; a < BODY_STATE; a++) x[a] = 0;
    } else if (port.motion === BRAKE) {
      this.accommodation.brake(x, port.deceleration, timing);
      this.arm.advancePose(timing);
    } else {
      this.accommodation.computeReference(port.command, this.feltWrench());
      this.accommodation.track(x, timing);
      this.arm.advancePose(timing);
    }
  }

  /** Rates of the arm for Runge–Kutta. @alloc none */
  computeRates(): void {
    if (this.port.motion !== FOLLOW && this.port.motion !== BRAKE) {
      this.accommodation.computeReference(this.port.command, this.feltWrench());
      this.accommodation.computeRates(this.arm.state, this.arm.rate);
    }
  }

  /** What is not an ordinary differential equation, once before a Runge–Kutta step. @alloc none */
  beforeRungeKutta(timing: Float64Array): void {
    if (this.port.motion === BRAKE)
      this.accommodation.brake(this.arm.state, this.port.deceleration, timing);
    else if (this.port.motion === FOLLOW) this.moveArm(timing);
  }

  /** Writes the set-point of the step. @alloc none */
  publish(): void {
    copyMotion(this.port.setpoint, this.arm.state);
  }

  private feltWrench(): Float64Array {
    return this.port.mode === HARDWARE ? this.port.measuredWrench : this.port.modelWrench;
  }
}

function copyMotion(to: Float64Array, from: Float64Array): void {
  for (let a = 0; a < BODY_STATE; a++) to[a] = from[a];
}
