/**
 * Bookkeeping of a soak run: every telemetry row and every event of the loop, and what they must satisfy.
 *
 * Executed + slipped = periods elapsed, after every row; rows without a gap; the clock of the rows agrees with the grid; every
 * HOLD, STOPPING and FAULT has a cause. A machine that stands still makes holds with causes, and those are allowed.
 */
import type { Settings } from '../config/settings.ts';
import { ROW_WIDTH, columnIndex } from '../hil/columns.ts';
import {
  FRAME_ERRORS,
  LINK_FAMILIES,
  LOOP_FAMILIES,
  counterSlot,
  layoutCounters,
} from '../hil/counters.ts';
import { EventKind } from '../hil/events.ts';
import { TelemetryRing } from '../hil/ring.ts';
import type { LoopEvent, Runtime } from '../hil/runtime-types.ts';
import { FAULT_CODES, MISS_CAUSES, SAFETY_STATES } from '../hil/safety/codes.ts';

const Column = {
  tick: columnIndex('tick'),
  period: columnIndex('period'),
  time: columnIndex('time_s'),
  state: columnIndex('safety_state'),
  slipped: columnIndex('slipped'),
  lateness: columnIndex('lateness_s'),
  delay: columnIndex('loop_delay_ticks'),
  measuredForce: columnIndex('measured_force_x_N'),
  modelForce: columnIndex('model_force_x_N'),
};
const IN_CONTACT = SAFETY_STATES.indexOf('ACTIVE_CONTACT');
/** Stages of a tick up to the stamp of its row. */
const STAGES = ['rx', 'operator', 'compensate', 'step', 'guard', 'safety', 'tx'].map((name) =>
  columnIndex(`stage_${name}_s`),
);
/** Of a period; the stamps are doubles of microseconds. */
const GRID_TOLERANCE = 1e-3;
/** States that have to be explained when they are entered. */
const EXPLAINED = ['HOLD', 'STOPPING', 'FAULT', 'ESTOP'];
/** The first second of contact is the approach, not the plateau, and so is the first second after a stall of so many periods. */
const SETTLE_S = 1;
const STALL_PERIODS = 10;
const VIOLATIONS_KEPT = 10;

const loopLayout = layoutCounters(LOOP_FAMILIES);
const linkLayout = layoutCounters(LINK_FAMILIES);

/** Mean, standard deviation and extremes without keeping the samples (Welford 1962). */
export class Statistics {
  count = 0;
  mean = 0;
  least = Infinity;
  most = -Infinity;
  #squares = 0;

  add(value: number): void {
    this.count++;
    const delta = value - this.mean;
    this.mean += delta / this.count;
    this.#squares += delta * (value - this.mean);
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
  }

  get deviation(): number {
    return this.count < 2 ? 0 : Math.sqrt(this.#squares / (this.count - 1));
  }
}

/** Reads rows and events of one runtime. */
export class Accounting {
  readonly plateau = new Statistics();
  /** Periods from a set-point to the STATE that echoes it, at the plateau. */
  readonly delay = new Statistics();
  /** What must not happen, in words; at most a few are kept, `violationCount` has them all. */
  readonly violations: string[] = [];
  violationCount = 0;
  /** Entries of a state by what caused them, e.g. `HOLD STATE_MISSING`. */
  readonly entered = new Map<string, number>();
  executed = 0;
  slipped = 0;
  elapsed = 0;
  longestSlip = 0;
  readonly #runtime: Runtime;
  readonly #period_s: number;
  readonly #force: number;
  readonly #ring: TelemetryRing;
  readonly #row = new Float64Array(ROW_WIDTH);
  readonly #unsubscribe: () => void;
  readonly #onRow: (row: Float64Array) => void;
  #next = 0;
  /** Tick at which it began; what came before is in the sums alone. */
  #from = 0;
  #announced = 0;
  #contactSince_s = NaN;
  #stoppingExplained = false;

  /** `onRow` sees every row, too. */
  constructor(
    runtime: Runtime,
    settings: Settings,
    onRow: (row: Float64Array) => void = () => undefined,
  ) {
    this.#runtime = runtime;
    this.#period_s = settings.loop.period_s;
    this.#force = settings.mode === 'hardware' ? Column.measuredForce : Column.modelForce;
    this.#onRow = onRow;
    this.#ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
    if (this.#ring.oldest > 0) this.#join();
    this.#unsubscribe = runtime.onEvent((event) => this.#take(event));
  }

  /** Name of the newest state. */
  get state(): string {
    return SAFETY_STATES[this.#row[Column.state]] ?? '';
  }

  #violate(text: string): void {
    this.violationCount++;
    if (this.violations.length < VIOLATIONS_KEPT) this.violations.push(text);
  }

  /** The robot took longer to start than the ring lasts: begin at the newest row. */
  #join(): void {
    const row = this.#row;
    if (!this.#ring.readNewest(row)) return;
    this.#next = row[Column.tick] >>> 0;
    this.#from = row[Column.tick];
    this.executed = row[Column.tick];
    this.elapsed = row[Column.period] + 1;
    this.slipped = this.elapsed - this.executed;
    this.#announced = this.slipped;
  }

  #take(event: LoopEvent): void {
    if (event.kind === EventKind.OVERRUN && event.tick > this.#from) this.#announced += event.a;
    if (event.kind !== EventKind.TRANSITION) return;
    const from = SAFETY_STATES[event.a];
    const to: string = SAFETY_STATES[event.b];
    if (!EXPLAINED.includes(to)) return;
    // a stop that has come to rest ends in FAULT for the reason that it began with
    const inherited = from === 'STOPPING' && this.#stoppingExplained;
    const cause: string = event.c >= 0 ? FAULT_CODES[event.c] : inherited ? 'after the stop' : '';
    if (to === 'STOPPING') this.#stoppingExplained = cause !== '';
    if (cause === '') this.#violate(`tick ${event.tick}: ${from} to ${to} without a cause`);
    const key = `${to} ${cause === '' ? 'UNEXPLAINED' : cause}`;
    this.entered.set(key, (this.entered.get(key) ?? 0) + 1);
  }

  /** Take in all rows written since the last call. */
  read(): void {
    const ring = this.#ring;
    while (this.#next !== ring.written) {
      if (ring.read(this.#next, this.#row)) this.#add(this.#row);
      else {
        this.#violate(`rows ${this.#next} … ${ring.oldest - 1} were overwritten unread`);
        this.#next = ring.oldest;
        continue;
      }
      this.#next = (this.#next + 1) >>> 0;
    }
  }

  #add(row: Float64Array): void {
    this.#onRow(row);
    const tick = row[Column.tick];
    const slipped = row[Column.slipped];
    this.executed++;
    this.slipped += slipped;
    this.elapsed = row[Column.period] + 1;
    if (slipped > this.longestSlip) this.longestSlip = slipped;
    if (tick !== this.executed) {
      this.#violate(`row ${this.executed} is tick ${tick}`);
      this.executed = tick;
    }
    if (this.executed + this.slipped !== this.elapsed) {
      const sum = `${this.executed} executed + ${this.slipped} slipped`;
      this.#violate(`tick ${tick}: ${sum}, but ${this.elapsed} elapsed`);
      this.slipped = this.elapsed - this.executed;
    }
    // the row is stamped at its end: back over the stages to the wake, and over the lateness to the release
    let release_s = row[Column.time] - row[Column.lateness];
    for (const stage of STAGES) release_s -= row[stage];
    const byClock = release_s / this.#period_s + 1;
    if (!(Math.abs(byClock - this.elapsed) < GRID_TOLERANCE)) {
      const text = `${this.elapsed} periods by the grid, ${byClock.toFixed(4)} by the clock`;
      this.#violate(`tick ${tick}: ${text}`);
    }
    if (row[Column.state] !== IN_CONTACT) this.#contactSince_s = NaN;
    else if (Number.isNaN(this.#contactSince_s) || slipped >= STALL_PERIODS) {
      this.#contactSince_s = row[Column.time];
    }
    if (row[Column.time] - this.#contactSince_s >= SETTLE_S) {
      this.delay.add(row[Column.delay]);
      const at = this.#force;
      this.plateau.add(Math.sqrt(row[at] ** 2 + row[at + 1] ** 2 + row[at + 2] ** 2));
    }
  }

  /** A loop counter by name and labels. */
  counter(name: string, ...labels: string[]): number {
    const slots = new Float64Array(this.#runtime.shared.loopCounters);
    return slots[counterSlot(loopLayout, LOOP_FAMILIES, name, ...labels)];
  }

  /** After the loop has ended: what is left, and the sums against the loop's own counters and events. */
  finish(): void {
    this.read();
    this.#unsubscribe();
    const compare = (what: string, ours: number, theirs: number): void => {
      if (ours !== theirs) this.#violate(`${what}: ${ours} in the rows, ${theirs} counted`);
    };
    compare('executed ticks', this.executed, this.counter('loop_ticks_total'));
    compare('slipped periods', this.slipped, this.counter('loop_slipped_ticks_total'));
    compare('events dropped', 0, this.counter('events_dropped_total'));
    compare('slipped periods with a cause', this.slipped, this.#announced);
  }

  /** Misses by cause, without the zeros. */
  get misses(): string {
    const each = MISS_CAUSES.map((cause) => [cause, this.counter('loop_overruns_total', cause)]);
    return each
      .filter(([, count]) => count !== 0)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(', ');
  }

  /** Frames refused, by reason, without the zeros. */
  get frameErrors(): string {
    const each = FRAME_ERRORS.map((why) => [why, this.counter('robot_frame_errors_total', why)]);
    return each
      .filter(([, count]) => count !== 0)
      .map(([why, count]) => `${why} ${count}`)
      .join(', ');
  }

  /** Frames that found a ring full. */
  get ringDrops(): number {
    const slots = new Float64Array(this.#runtime.shared.linkCounters);
    const at = counterSlot(linkLayout, LINK_FAMILIES, 'robot_ring_dropped_total', 'rx');
    return slots[at] + slots[at + 1];
  }
}
