/** What a tick watches of the robot beyond its limits: whether it follows, and whether it moves as it says. */
import type { Settings } from '../config/settings.ts';
import type { SetpointFrame } from './protocol/frames.ts';
import { Phase } from './protocol/phase.ts';
import type { ServerSession } from './protocol/server-session.ts';
import type { Stateful } from './recording/stateful.ts';
import { FollowingGuard } from './safety/following-error.ts';
import type { LimitMonitor } from './safety/limits.ts';
import type { SafetyInputs, SafetyMachine } from './safety/machine.ts';
import { MeasuredMotion } from './safety/measured-motion.ts';

/** What is watched, as the tick holds it. */
export interface Watched {
  readonly machine: SafetyMachine;
  readonly limits: LimitMonitor;
  readonly inputs: SafetyInputs;
  /** Set-point sent last and newest measured motion: p(3), q(4), v(3), w(3). */
  readonly setpoint: Float64Array;
  readonly measured: Float64Array;
}

/** See above: `observe` once per tick after the limits were judged, `sent` after the set-point has left. */
export class RobotWatch implements Stateful {
  readonly motion: MeasuredMotion;
  readonly following: FollowingGuard;
  readonly stateLength: number;
  readonly #session: ServerSession | null;

  constructor(session: ServerSession | null, settings: Settings) {
    const { period_s } = settings.loop;
    this.#session = session;
    this.motion = new MeasuredMotion(period_s);
    this.following = new FollowingGuard(settings.following, period_s);
    this.stateLength = this.motion.stateLength + this.following.stateLength;
  }

  /** @alloc none */
  observe(tick: Watched): void {
    const session = this.#session;
    if (session === null) return;
    const { machine, limits, inputs, setpoint, measured } = tick;
    const { motion, following } = this;
    if (session.phase === Phase.SYNCED) motion.observe(session, limits.inForce, inputs);
    else motion.clear();
    following.observe(session, machine.state, setpoint, measured, motion.rested, inputs);
  }

  /** @param follows the set-point goes where the robot is @param state of the safety machine @alloc none */
  sent(frame: SetpointFrame, follows: boolean, state: number): void {
    this.following.sent(frame, follows, state);
  }

  saveState(into: Float64Array, at: number): void {
    this.motion.saveState(into, at);
    this.following.saveState(into, at + this.motion.stateLength);
  }

  loadState(from: Float64Array, at: number): void {
    this.motion.loadState(from, at);
    this.following.loadState(from, at + this.motion.stateLength);
  }
}
