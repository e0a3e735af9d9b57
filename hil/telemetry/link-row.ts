/** The robot link in a telemetry row and in the gauges: once a tick. */
import type { Link } from '../contract/link.ts';
import { LoopSlot, type LoopCounters } from '../memory/loop-counters.ts';
import { Phase } from '../contract/phase.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import { LinkQuality, LoopMode, ValueQuality } from '../contract/codes.ts';
import type { SessionCounters } from './session-counters.ts';
import { Column } from '../contract/columns.ts';

/** STATE missing for fewer ticks is held, for more it is stale. */
const HELD_TICKS = 4;

/** What a row of the link is made of; null without a robot. */
export interface LinkRowParts {
  readonly session: ServerSession | null;
  readonly link: Link | null;
  /** Index in LOOP_MODES. */
  readonly mode: number;
}

/** Columns and gauges of the robot link. */
export class LinkRow {
  readonly #parts: LinkRowParts;
  readonly #counters: LoopCounters;
  readonly #sessionCounters: SessionCounters;

  constructor(parts: LinkRowParts, counters: LoopCounters, sessionCounters: SessionCounters) {
    this.#parts = parts;
    this.#counters = counters;
    this.#sessionCounters = sessionCounters;
  }

  /** Columns and gauges of this tick. @alloc none */
  write(row: Float64Array): void {
    const { session, link, mode } = this.#parts;
    if (session === null || link === null) {
      row[Column.link_up] = 0;
      row[Column.state_quality] =
        mode === LoopMode.SIMULATION ? ValueQuality.GOOD : ValueQuality.INVALID;
      return;
    }
    const slots = this.#counters.slots;
    this.#sessionCounters.add(session, link);
    const up = session.phase === Phase.SYNCED;
    row[Column.link_up] = up ? 1 : 0;
    row[Column.link_quality] = session.quality;
    row[Column.link_success_ratio] = session.successRatio;
    row[Column.link_lost_in_row] = session.lostInRow;
    row[Column.state_age_s] = session.stateAge_s;
    if (!up) row[Column.state_quality] = ValueQuality.INVALID;
    else if (session.fresh) row[Column.state_quality] = ValueQuality.GOOD;
    else
      row[Column.state_quality] =
        session.lostInRow < HELD_TICKS ? ValueQuality.HELD : ValueQuality.STALE;
    row[Column.rtt_s] = session.rtt_s;
    row[Column.clock_offset_s] = session.offset_s;
    row[Column.loop_delay_ticks] = session.delayTicks;
    row[Column.robot_safety] = session.words.safety;
    row[Column.robot_fault] = session.words.faultBits;
    row[Column.robot_emulated] = session.emulated ? 1 : 0;
    slots[LoopSlot.robot_link_up] = row[Column.link_up];
    slots[LoopSlot.robot_link_quality] = up ? session.quality : LinkQuality.POOR;
    slots[LoopSlot.robot_consecutive_lost_frames] = session.lostInRow;
    slots[LoopSlot.robot_command_success_ratio] = session.successRatio;
    slots[LoopSlot.robot_clock_offset_seconds] = session.offset_s;
    if (!up) return;
    this.#counters.value[0] = session.stateAge_s;
    this.#counters.observeLatency(LoopSlot.robot_state_age_seconds);
  }
}
