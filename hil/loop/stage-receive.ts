/** Receive: the newest STATE of the robot into the measured pose and wrench; without a robot the set-point stands for it. */
import { FrameErrorIndex, Stage } from '../contract/counters.ts';
import { EventKind } from '../contract/events.ts';
import { FaultCode, LoopMode } from '../contract/codes.ts';
import { LimitField } from '../contract/limit-fields.ts';
import { Phase } from '../contract/phase.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { type ServerSession, SessionCount } from '../protocol/server-session.ts';
import { ForceAge } from './force-age.ts';
import { Seen, type TickContext, type TickStage } from './tick-context.ts';

const INVALID_STATES = SessionCount.ERRORS + FrameErrorIndex.value;

/** The first stage. */
export class ReceiveStage implements TickStage {
  readonly timed: number = Stage.rx;
  readonly forceAge: ForceAge = new ForceAge();
  readonly #tick: TickContext;

  constructor(tick: TickContext) {
    this.#tick = tick;
  }

  run(): void {
    const { session, link, inputs, measured, measuredWrench, setpoint, tool } = this.#tick;
    if (session === null || link === null) {
      for (let i = 0; i < 13; i++) measured[i] = setpoint[i];
      const wrench = tool.modelWrench;
      for (let i = 0; i < 6; i++) measuredWrench[i] = wrench[i];
      inputs.stateFresh = 1;
      return;
    }
    const { injector, timing } = this.#tick;
    session.now_us[0] = timing.wake_us;
    if (injector !== null) injector.now_us[0] = timing.wake_us;
    session.poll(link);
    this.#read(session);
    if (this.#tick.mode === LoopMode.HARDWARE) this.forceAge.refuse(session, inputs);
    this.#watchLink(session);
  }

  /** What the session reports of this tick. */
  #read(session: ServerSession): void {
    const { inputs, measured, measuredWrench, seen } = this.#tick;
    const state = session.state;
    inputs.linkPhase = session.phase;
    inputs.stateFresh = session.fresh ? 1 : 0;
    inputs.lostInRow = session.lostInRow;
    const invalid = session.counts[INVALID_STATES];
    inputs.invalidInRow = session.fresh ? 0 : inputs.invalidInRow + invalid - seen[Seen.INVALID];
    seen[Seen.INVALID] = invalid;
    inputs.quality = session.quality;
    inputs.offsetKnown = session.offsetKnown ? 1 : 0;
    inputs.robotSafety = session.words.safety;
    inputs.robotArmed = session.armed;
    if (!session.fresh) return;
    for (let i = 0; i < 3; i++) measured[i] = state.position[i];
    for (let i = 0; i < 4; i++) measured[3 + i] = state.orientation[i];
    for (let i = 0; i < 6; i++) measured[7 + i] = state.twist[i];
    for (let i = 0; i < 6; i++) measuredWrench[i] = state.wrench[i];
  }

  /** Steps of the robot's clock; a session that begins brings its limits, and its first pose the centre of the workspace. */
  #watchLink(session: ServerSession): void {
    const { events, limits, machine, measured, seen } = this.#tick;
    const steps = session.counts[SessionCount.CLOCK_STEPS];
    if (steps !== seen[Seen.CLOCK_STEPS]) {
      seen[Seen.CLOCK_STEPS] = steps;
      events.detail[0] = session.clockStep_s;
      events.write(EventKind.CLOCK_STEP, steps, 0);
    }
    const up = session.phase === Phase.SYNCED ? 1 : 0;
    if (up !== seen[Seen.LINK_UP]) {
      seen[Seen.LINK_UP] = up;
      events.write(EventKind.LINK, up, session.rejectCode);
      if (up === 1) this.adoptLimits(session.limits);
      seen[Seen.CENTER_DUE] = limits.aboutSession || !this.#tick.hasTool ? up : 0;
    }
    if (session.fresh && seen[Seen.CENTER_DUE] === 1) {
      seen[Seen.CENTER_DUE] = 0;
      const outside = (machine.faultBits >>> FaultCode.WORKSPACE_LIMIT) & 1; // CLEAR needs a tool that is inside
      if (outside === 0) limits.setCenter(measured[0], measured[1], measured[2]);
    }
  }

  /** Take the limits that are in force from now on, by LimitField. */
  adoptLimits(inForce: Float64Array): void {
    const { limits, counters, system } = this.#tick;
    limits.adopt(inForce);
    counters.slots.set(inForce, LoopSlot.limit_in_force);
    system.accommodation?.narrow(inForce.subarray(LimitField.force_N, LimitField.moment_Nm + 1));
  }
}
