/** Carries the cumulative counts of a robot session and its link into the shared counters, as differences, once a tick. */
import type { Link } from '../contract/link.ts';
import { LoopSlot, type LoopCounters } from '../memory/loop-counters.ts';
import { SessionCount } from '../protocol/endpoint.ts';
import type { ServerSession } from '../protocol/server-session.ts';
import { Direction, FRAME_ERRORS, FRAME_TYPES } from '../contract/counters.ts';

/** Adds what a session and a link have counted since the last tick. */
export class SessionCounters {
  readonly #counters: LoopCounters;
  readonly #slots: Float64Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #seen: Float64Array;
  readonly #link: Float64Array = new Float64Array(3);
  /** SYNC exchanges whose round trip is in the histogram. */
  #exchanges = 0;

  constructor(counters: LoopCounters) {
    this.#counters = counters;
    this.#slots = counters.slots;
    const pairs: [number, number][] = [];
    for (let i = 0; i < FRAME_TYPES.length; i++) {
      pairs.push([SessionCount.RX + i, LoopSlot.robot_frames_total + i]);
      pairs.push([SessionCount.TX + i, LoopSlot.robot_frames_total + FRAME_TYPES.length + i]);
    }
    for (let i = 0; i < FRAME_ERRORS.length; i++) {
      pairs.push([SessionCount.ERRORS + i, LoopSlot.robot_frame_errors_total + i]);
    }
    pairs.push([SessionCount.LOST, LoopSlot.robot_frames_lost_total]);
    pairs.push([SessionCount.SEND_FAILURES, LoopSlot.robot_send_failures_total]);
    pairs.push([SessionCount.CLOCK_STEPS, LoopSlot.robot_clock_steps_total]);
    this.#from = Int32Array.from(pairs, (pair) => pair[0]);
    this.#to = Int32Array.from(pairs, (pair) => pair[1]);
    this.#seen = new Float64Array(pairs.length);
  }

  /** Once a tick. @alloc none */
  add(session: ServerSession, link: Link): void {
    const counts = session.counts;
    const seen = this.#seen;
    for (let i = 0; i < seen.length; i++) {
      const now = counts[this.#from[i]];
      this.#slots[this.#to[i]] += now - seen[i];
      seen[i] = now;
    }
    this.#roundTrips(session);
    if (link.transport !== 'serial') return;
    this.#difference(0, link.bytesReceived, LoopSlot.serial_bytes_total + Direction.RX);
    this.#difference(1, link.bytesSent, LoopSlot.serial_bytes_total + Direction.TX);
    this.#difference(2, link.resyncs, LoopSlot.serial_resyncs_total);
  }

  /**
   * Take what a session has counted so far as reported: its counts came from elsewhere, and their sums with them. @alloc none
   */
  follow(session: ServerSession): void {
    for (let i = 0; i < this.#seen.length; i++) this.#seen[i] = session.counts[this.#from[i]];
    this.#exchanges = session.syncAnswered;
  }

  /** One observation for each SYNC exchange answered since the last tick. */
  #roundTrips(session: ServerSession): void {
    const trips = session.roundTrips_us;
    while (this.#exchanges < session.syncAnswered) {
      this.#counters.value[0] = trips[this.#exchanges % trips.length] * 1e-6;
      this.#counters.observeLatency(LoopSlot.robot_rtt_seconds);
      this.#exchanges++;
    }
  }

  #difference(index: number, now: number, slot: number): void {
    this.#slots[slot] += now - this.#link[index];
    this.#link[index] = now;
  }
}
