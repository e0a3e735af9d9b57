/** Transmit: the set-point with its time to live, and with it the wrench, or the limits at which the robot is to stop. */
import { CtlMode, LoopMode } from '../contract/codes.ts';
import { Stage } from '../contract/counters.ts';
import { Phase } from '../contract/phase.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { setpointTtl_ms } from '../safety/setpoint-life.ts';
import type { TickContext, TickStage } from './tick-context.ts';

const AT_REST = new Float64Array(6);

/** The stage in which SETPOINT leaves. */
export class TransmitStage implements TickStage {
  readonly timed: number = Stage.tx;
  readonly #tick: TickContext;

  constructor(tick: TickContext) {
    this.#tick = tick;
  }

  run(): void {
    this.#setWrench(this.#tick.tool.modelWrench);
    this.send();
  }

  /** After an error in the tick, when the frame may hold the wrench of any tick: none. */
  clearWrench(): void {
    this.#setWrench(AT_REST);
  }

  #setWrench(wanted: Float64Array): void {
    const { mode, limits, frame } = this.#tick;
    const { wrench } = frame;
    if (mode === LoopMode.VIRTUAL) {
      for (let i = 0; i < 6; i++) wrench[i] = wanted[i];
      limits.clampWrench(wrench);
    } else limits.abortWrench(wrench);
  }

  /** The set-point as it is, with the wrench that the frame holds. */
  send(): void {
    const tick = this.#tick;
    const { frame, setpoint, outputs, session, link, clock, counters } = tick;
    for (let i = 0; i < 3; i++) frame.position[i] = setpoint[i];
    for (let i = 0; i < 4; i++) frame.orientation[i] = setpoint[3 + i];
    for (let i = 0; i < 6; i++) frame.twist[i] = setpoint[7 + i];
    frame.mode = outputs.ctlMode;
    frame.stopCategory = outputs.stopCategory < 0 ? 0 : outputs.stopCategory;
    frame.ttl_ms = setpointTtl_ms(outputs.ctlMode === CtlMode.CONTACT, tick.period_s);
    if (session === null || link === null || session.phase !== Phase.SYNCED) return;
    clock.sample();
    const now = clock.time_us[0];
    session.now_us[0] = now;
    if (tick.tap !== null) tick.tap.transmit_us[0] = now;
    tick.progress.sent = true;
    session.sendSetpoint(link, frame);
    tick.watch.sent(frame, outputs.toolMotion, tick.machine.state);
    if (session.fresh) {
      counters.value[0] = (now - session.receivedAt_us) * 1e-6;
      counters.observeLatency(LoopSlot.robot_state_to_setpoint_seconds);
    }
  }
}
