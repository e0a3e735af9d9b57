/**
 * What a tick watches of the robot beyond its limits: whether it follows, whether it moves as it reports, and what it reports of
 * itself.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { Settings } from '../../config/settings.ts';
import { ToolMotion } from '../../src/control/tool-port.ts';
import type { SetpointFrame } from '../protocol/frames.ts';
import { Phase } from '../contract/phase.ts';
import { ROBOT_FAULT_BITS } from '../contract/robot-faults.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { RobotSafety } from '../contract/codes.ts';
import { FollowingGuard, FollowingSlot } from '../safety/following-error.ts';
import type { LimitMonitor } from '../safety/limits.ts';
import type { SafetyInputs, SafetyMachine } from '../safety/machine.ts';
import { MeasuredMotion, MotionSlot } from '../safety/measured-motion.ts';
import { ReducedLimits } from '../safety/reduced-limits.ts';
import { RobotReport } from '../safety/robot-report.ts';

const FAULT_BITS = Int32Array.from(ROBOT_FAULT_BITS, (row) => row.bit);

/** What is watched, as the tick holds it. */
export interface Watched {
  readonly machine: SafetyMachine;
  readonly limits: LimitMonitor;
  readonly inputs: SafetyInputs;
  /** Set-point sent last and newest measured motion: p(3), q(4), v(3), w(3). */
  readonly setpoint: Float64Array;
  readonly measured: Float64Array;
}

/** The watch of one loop: `observe` once per tick after the limits were judged, `sent` after the set-point has left. */
export class RobotWatch {
  readonly arena: StateArena = new StateArena();
  readonly motion: MeasuredMotion;
  readonly following: FollowingGuard;
  readonly report: RobotReport;
  readonly reduced: ReducedLimits;
  readonly #session: ServerSession | null;
  readonly #slots: Float64Array;

  /** @param slots the loop's counters */
  constructor(session: ServerSession | null, settings: Settings, slots: Float64Array) {
    const { period_s } = settings.loop;
    this.#session = session;
    this.#slots = slots;
    const { arena } = this;
    this.motion = new MeasuredMotion(period_s, arena.part('motion'));
    this.following = new FollowingGuard(settings.following, period_s, arena.part('following'));
    this.report = new RobotReport(arena.part('report'));
    const { reduced_ratio } = settings.limits;
    this.reduced = new ReducedLimits(reduced_ratio, period_s, arena.part('reduced'));
  }

  /** @alloc none */
  observe(tick: Watched): void {
    const session = this.#session;
    if (session === null) return;
    const { machine, limits, inputs, setpoint, measured } = tick;
    const { motion, following } = this;
    const slots = this.#slots;
    const synced = session.phase === Phase.SYNCED;
    const reduced = inputs.robotSafety === RobotSafety.REDUCED;
    if (this.reduced.update(synced, reduced, limits.inForce)) {
      limits.adopt(limits.inForce);
      slots.set(limits.inForce, LoopSlot.limit_in_force);
    }
    if (synced) motion.observe(session, limits.inForce, inputs);
    else motion.clear();
    following.observe(session, machine.state, setpoint, measured, motion.rested, inputs);
    inputs.robotFault = this.report.judge(session, machine.state, following.asked);
    this.#show(session.words.faultBits);
  }

  /** Gauges. */
  #show(faultBits: number): void {
    const slots = this.#slots;
    const { figures } = this.following;
    slots[LoopSlot.robot_following_error_meters] = figures[FollowingSlot.ERROR_m];
    slots[LoopSlot.robot_following_limit_meters] = figures[FollowingSlot.LIMIT_m];
    slots[LoopSlot.robot_following_error_radians] = figures[FollowingSlot.ERROR_rad];
    slots[LoopSlot.robot_following_limit_radians] = figures[FollowingSlot.LIMIT_rad];
    slots[LoopSlot.robot_echo_age_seconds] = figures[FollowingSlot.ECHO_s];
    slots[LoopSlot.robot_pose_speed_meters_per_second] = this.motion.figures[MotionSlot.SPEED];
    slots[LoopSlot.robot_pose_speed_radians_per_second] =
      this.motion.figures[MotionSlot.ANGULAR_SPEED];
    let named = 0;
    for (let k = 0; k < FAULT_BITS.length; k++) {
      const bit = FAULT_BITS[k];
      named |= 1 << bit;
      slots[LoopSlot.robot_fault + k] = (faultBits >>> bit) & 1;
    }
    slots[LoopSlot.robot_fault + FAULT_BITS.length] = (faultBits & ~named) !== 0 ? 1 : 0;
  }

  /** @param follows the set-point goes where the robot is @param state of the safety machine @alloc none */
  sent(frame: SetpointFrame, toolMotion: number, state: number): void {
    this.following.sent(frame, toolMotion === ToolMotion.FOLLOW, state);
  }
}
