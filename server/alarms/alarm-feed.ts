/** What raises and clears the alarms of a running service: events of the loop, the causes in its rows, the recorder. */
import { EventKind } from '../../hil/contract/events.ts';
import { limitWords, valueWords } from '../../hil/contract/limit-words.ts';
import type { LoopEvent } from '../../hil/threads/runtime-types.ts';
import { FAULT_CODES } from '../../hil/contract/codes.ts';
import type { AlarmList } from './alarms.ts';
import type { FreezeStatus } from '../client/messages.ts';
import { causeNames, instantOf } from '../status/status.ts';

/** So many overruns within so long are a burst; it is over when there was none for as long. */
const BURST_COUNT = 10;
const BURST_S = 10;
/** A loop that has not ticked for so long has ended, s; the longest stalls of a busy machine are a tenth of it. */
const STANDSTILL_S = 2;
/** A robot clock that has not stepped for so long runs well again. */
const CLOCK_CALM_S = 60;

export class AlarmFeed {
  readonly #alarms: AlarmList;
  /** When the newest overruns were, s of the loop, oldest first. */
  #overruns_s: number[] = [];
  #burst = false;
  /** Limit of the fault that comes next. */
  #limit: LoopEvent | null = null;
  /** When the robot clock stepped last, s of the loop. */
  #clockStep_s = -Infinity;
  #tick = -1;
  #advanced_s = -Infinity;

  constructor(alarms: AlarmList) {
    this.#alarms = alarms;
  }

  /** One event of the loop. */
  event(event: LoopEvent): void {
    if (event.kind === EventKind.FAULT) {
      const code = FAULT_CODES[event.a];
      if (code !== undefined) this.#alarms.raise(code, event, this.#limitSentence(event));
    } else if (event.kind === EventKind.LIMIT) {
      this.#limit = event;
    } else if (event.kind === EventKind.LINK) {
      if (event.a === 1) this.#alarms.clear('LINK_DOWN');
      else this.#alarms.raise('LINK_DOWN', event);
    } else if (event.kind === EventKind.OVERRUN) {
      this.#overruns_s = [...this.#overruns_s.slice(1 - BURST_COUNT), event.time_s];
      const full = this.#overruns_s.length === BURST_COUNT;
      if (this.#burst || !full || event.time_s - this.#overruns_s[0] > BURST_S) return;
      this.#burst = true;
      this.#alarms.raise('OVERRUN_BURST', event);
    } else if (event.kind === EventKind.CLOCK_STEP) {
      this.#clockStep_s = event.time_s;
      this.#alarms.raise('ROBOT_CLOCK_STEPPED', event);
    } else if (event.kind === EventKind.REALTIME) {
      this.#restart(); // the first word of every loop
    }
  }

  /** What was beyond which limit, in a sentence; '' for a fault that is of none. */
  #limitSentence({ a, b, c }: LoopEvent): string {
    const value = valueWords(b, c);
    if (value === '') return '';
    const limit = this.#limit?.a === a && this.#limit.b === b ? limitWords(b, this.#limit.c) : '';
    const words = limit === '' ? value : `${value}, ${limit}`;
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  }

  /** The newest row, a few times a second; `ticks`: not while a loop starts, or has ended as it was to. */
  row(row: Float64Array, ticks: boolean, recorder: string | undefined, now_s: number): void {
    const instant = instantOf(row);
    if (instant.tick !== this.#tick || !ticks) {
      this.#tick = instant.tick;
      this.#advanced_s = now_s;
      this.#alarms.clear('LOOP_ENDED');
    } else if (now_s - this.#advanced_s > STANDSTILL_S) this.#alarms.hold('LOOP_ENDED', instant);
    this.#alarms.settle(causeNames(row), instant);
    if (recorder === 'failed') this.#alarms.hold('RECORDER_FAILED', instant);
    else this.#alarms.clear('RECORDER_FAILED');
    if (instant.time_s - this.#clockStep_s > CLOCK_CALM_S) {
      this.#alarms.clear('ROBOT_CLOCK_STEPPED');
    }
    if (this.#burst && instant.time_s - (this.#overruns_s.at(-1) ?? 0) > BURST_S) {
      this.#burst = false;
      this.#alarms.clear('OVERRUN_BURST');
    }
  }

  /** Files with what came before faults, oldest first. */
  freezes(files: readonly FreezeStatus[]): void {
    const newest = new Map(files.flatMap((f) => f.codes.map((code) => [code, f] as const)));
    for (const [code, { tick, file }] of newest) this.#alarms.freeze(code, tick, file);
  }

  /** Another loop has begun, with a clock of its own. */
  #restart(): void {
    this.#overruns_s = [];
    this.#burst = false;
    this.#clockStep_s = -Infinity;
    this.#alarms.restart();
  }
}
