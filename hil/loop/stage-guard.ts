/**
 * Guard: limits on what is measured, overruns, then the safety machine. It decides before the model steps, from the contact of the
 * step before. So model time freezes in the very tick in which the fourth STATE is missing and a released deadman is zero twist in
 * the next set-point.
 */
import { LoopMode, SafetyState } from '../contract/codes.ts';
import { Stage } from '../contract/counters.ts';
import { EventKind } from '../contract/events.ts';
import { Phase } from '../contract/phase.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { LimitFinding } from '../safety/limit-finding.ts';
import { resetAfterTransition } from '../operator/reset-after-transition.ts';
import type { TickContext, TickStage } from './tick-context.ts';

/** The stage in which the machine decides. */
export class GuardStage implements TickStage {
  readonly timed: number = Stage.safety;
  readonly #tick: TickContext;
  readonly #finding = new LimitFinding();

  constructor(tick: TickContext) {
    this.#tick = tick;
  }

  run(): void {
    const tick = this.#tick;
    const { inputs, timing, limits, overrun } = tick;
    inputs.elapsed_s = (1 + timing.slipped) * tick.period_s;
    tick.energy.observe(inputs);
    limits.checkMeasured(tick.measured, tick.measuredWrench, inputs);
    limits.compare(tick.setpoint, tick.measured, inputs);
    if (!tick.bounds.rests) inputs.setpointStopped = 0; // its pose may stand a step later than its twist
    tick.watch.observe(tick);
    inputs.contact = this.#inContact() ? 1 : 0;
    overrun.overrun_s[0] = timing.rawLateness_us / 1e6; // a division, so that 25 ms is 25 ms exactly
    inputs.overrunTrip = overrun.update(timing.cause >= 0, timing.cause);
    if (tick.shutdownAsked) inputs.shutdownRequest = 1;
    inputs.recorderLost = tick.recorderLost ? 1 : 0;
    tick.machine.step(inputs, tick.outputs);
    tick.progress.decided = true;
    inputs.modelNotFinite = 0;
    inputs.energyCreated = 0;
    inputs.contactCrossed = 0;
    // before an ARM of the same tick, which the robot then refuses
    if (tick.operator.tare === 1) this.#tare();
    this.noteTransition();
  }

  /** After an error in the tick: the machine latches it. */
  latch(): void {
    const { inputs, machine, outputs, progress } = this.#tick;
    const { elapsed_s } = inputs;
    inputs.internalError = 1;
    if (progress.decided) inputs.elapsed_s = 0; // the time of this tick has been counted
    machine.step(inputs, outputs);
    inputs.elapsed_s = elapsed_s; // a tick that fails before it has its own takes the one before
    this.noteTransition();
  }

  /** Events, counters and requests to the robot that follow from the machine's answer. */
  noteTransition(): void {
    const { outputs, machine, counters, events, overrun, operator, system } = this.#tick;
    const { slots } = counters;
    const arming = machine.state === SafetyState.ARMING;
    if (arming || outputs.entered >= 0 || outputs.cleared === 1) this.#reportToRobot(); // first, whatever fails behind it
    for (let bits = outputs.raisedBits, code = 0; bits !== 0; bits >>>= 1, code++) {
      if ((bits & 1) === 0) continue;
      slots[LoopSlot.faults_total + code]++;
      const place = this.#finding.find(code, this.#tick);
      if (place > 0) {
        events.detail[0] = this.#finding.figures[1];
        events.write(EventKind.LIMIT, code, place);
        events.detail[0] = this.#finding.figures[0];
      }
      events.write(EventKind.FAULT, code, place);
    }
    if (outputs.cleared === 1) overrun.reset();
    if (outputs.entered < 0) return;
    slots[LoopSlot.safety_transitions_total + outputs.entered]++;
    events.detail[0] = outputs.cause;
    events.write(EventKind.TRANSITION, outputs.from, outputs.entered);
    if (outputs.entered === SafetyState.ARMING) overrun.reset();
    resetAfterTransition(outputs, operator.mode, system.accommodation);
  }

  #inContact(): boolean {
    const { mode, record, machine, energy, measuredWrench, inputs } = this.#tick;
    if (mode !== LoopMode.HARDWARE) return record.active > 0;
    const { state } = machine;
    const pressed = state === SafetyState.ACTIVE_CONTACT || state === SafetyState.HOLD;
    return energy.energy.isTouched(measuredWrench, pressed && inputs.contact === 1);
  }

  #tare(): void {
    const { session, link, timing } = this.#tick;
    if (session === null || link === null) return;
    session.now_us[0] = timing.wake_us;
    session.sendTare(link);
  }

  #reportToRobot(): void {
    const { session, link, outputs, machine, timing } = this.#tick;
    if (session === null || link === null || session.phase !== Phase.SYNCED) return;
    session.now_us[0] = timing.wake_us;
    if (outputs.entered === SafetyState.ARMING) session.sendArm(link);
    else if (machine.state === SafetyState.ARMING) session.repeatArm(link);
    if (outputs.entered === SafetyState.STOPPING || outputs.entered === SafetyState.ESTOP) {
      session.sendStop(link, outputs.stopCategory);
    }
    if (outputs.cleared === 1) session.sendClear(link);
  }
}
