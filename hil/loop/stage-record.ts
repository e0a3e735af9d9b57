/**
 * Record: the prediction that the next tick is judged by, one telemetry row in which every column is of the same instant, counters,
 * the scene, and the end of the tick in the log.
 */
import { LoopMode } from '../contract/codes.ts';
import { Column } from '../contract/columns.ts';
import { Stage } from '../contract/counters.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { LinkRow } from '../telemetry/link-row.ts';
import { SessionCounters } from '../telemetry/session-counters.ts';
import { Seen, type TickContext, type TickStage } from './tick-context.ts';

/** The last stage. */
export class RecordStage implements TickStage {
  readonly timed: number = Stage.record;
  readonly #tick: TickContext;
  readonly #sessionCounters: SessionCounters;
  readonly #linkRow: LinkRow;

  constructor(tick: TickContext) {
    this.#tick = tick;
    this.#sessionCounters = new SessionCounters(tick.counters);
    this.#linkRow = new LinkRow(tick, tick.counters, this.#sessionCounters);
  }

  run(): void {
    const tick = this.#tick;
    const { record, system, tool, counters, operator, seen, mode, measuredWrench } = tick;
    const { row } = record;
    const { slots } = counters;
    if (tick.progress.stepped) record.contacts(system);
    record.energy(system);
    row[Column.sim_time_s] = system.time;
    record.safety(mode, tick.machine, tick.outputs);
    row[Column.substeps] = system.substeps;
    row[Column.substep_bound_hit] = system.substepBoundHit ? 1 : 0;
    this.#linkRow.write(row);
    record.operator(operator, tool.command);
    slots[LoopSlot.operator_inputs_total] += operator.inputs - seen[Seen.INPUTS];
    seen[Seen.INPUTS] = operator.inputs;
    if (system.accommodation !== null) record.accommodation(system.accommodation);
    record.motion(tick.setpoint, tick.measured);
    record.wrenches(tick.frame.wrench, measuredWrench, tool.modelWrench);
    const wrench = mode === LoopMode.HARDWARE ? measuredWrench : tool.modelWrench;
    for (let a = 0; a < 3; a++) {
      slots[LoopSlot.contact_force_newtons + a] = wrench[a];
      slots[LoopSlot.contact_moment_newton_meters + a] = wrench[3 + a];
    }
    tick.energy.predict();
    // recording and margin are of the tick before: this one has not ended yet
    tick.energy.record(row, counters);
    tick.bounds.record(row, slots);
    this.#recordTiming();
    tick.progress.written = true;
    record.push();
    tick.scene.tick(system);
    this.#endTap();
  }

  #recordTiming(): void {
    const { record, timer, timing } = this.#tick;
    const { durations_s } = timer;
    record.timing(durations_s, timer.now_us);
    timing.io_us = 1e6 * (durations_s[Stage.rx] + durations_s[Stage.tx]);
  }

  #endTap(): void {
    const { tap, shutdownAsked, recorderLost } = this.#tick;
    if (tap !== null) tap.end(shutdownAsked, recorderLost);
  }

  /** After an error in the tick: the log has the end of this tick, whatever failed. */
  closeTap(): void {
    if (this.#tick.tap?.open === true) this.#endTap();
  }

  /** After a state was loaded with the counters that belong to it: what the session has counted is in them. */
  followSession(): void {
    if (this.#tick.session !== null) this.#sessionCounters.follow(this.#tick.session);
  }
}
