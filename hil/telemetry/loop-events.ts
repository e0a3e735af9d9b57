/** The loop's pen for event records: one preallocated record, a bounded ring that counts what it drops. */
import { EVENT_WIDTH, EventColumn } from '../contract/events.ts';
import type { RecordingTap } from './tap.ts';
import { RecordRing } from '../memory/ring.ts';
import type { TickTiming } from '../contract/timing.ts';

/** Writes events of the present tick. */
export class LoopEvents {
  readonly #ring: RecordRing;
  readonly #timing: TickTiming;
  readonly #tap: RecordingTap | null;
  readonly #record: Float64Array = new Float64Array(EVENT_WIDTH);
  /** The third detail of the next record; a field because a double argument might be boxed. Cleared by `write`. */
  readonly detail: Float64Array = new Float64Array(1);

  constructor(buffer: SharedArrayBuffer, timing: TickTiming, tap: RecordingTap | null) {
    this.#ring = new RecordRing(buffer, EVENT_WIDTH);
    this.#timing = timing;
    this.#tap = tap;
  }

  /** Append one record; `a` and `b` are small integers. */
  write(kind: number, a: number, b: number): void {
    const record = this.#record;
    record[EventColumn.kind] = kind;
    record[EventColumn.tick] = this.#timing.executed;
    record[EventColumn.time_s] = (this.#timing.wake_us - this.#timing.origin_us) * 1e-6;
    record[EventColumn.a] = a;
    record[EventColumn.b] = b;
    record[EventColumn.c] = this.detail[0];
    this.detail[0] = 0;
    this.#ring.push(record);
    if (this.#tap !== null) this.#tap.event(record);
  }

  /** Records dropped so far. */
  get dropped(): number {
    return this.#ring.dropped;
  }
}
