/**
 * Whether the other loop worker is there, as the one that runs the tick sees it: an event and a gauge when that changes. A worker wakes
 * at least once a period, so many ticks without a wake-up of it are no accident. Ticks, not periods: a machine that stood still says
 * nothing about the worker.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { EventKind } from '../contract/events.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import type { Tick } from '../loop/tick.ts';
import type { TickTiming } from '../contract/timing.ts';
import type { Turn } from './turn.ts';

/** Ticks without a sign of life. */
const SILENT_TICKS = 200;

/** Presence of the other loop worker. The reported state moves with the tick; the time of the last wake-up is local to this worker. */
export class WorkerWatch {
  readonly arena: StateArena = new StateArena();
  /** [workers told of; 0 before the first tick] */
  readonly #told: Float64Array = this.arena.add('told', 1);
  #beats = 0;
  #heardAt = 0.5;
  readonly #turn: Turn;
  readonly #other: number;

  constructor(turn: Turn, worker: number) {
    this.#turn = turn;
    this.#other = 1 - worker;
    this.#heardAt = 0;
  }

  /** Before a tick. @alloc none */
  look(timing: TickTiming, tick: Tick): void {
    const beats = this.#turn.beats(this.#other);
    if (beats !== this.#beats) {
      this.#beats = beats;
      this.#heardAt = timing.executed;
    }
    const silent = timing.executed - this.#heardAt > SILENT_TICKS;
    const workers = this.#turn.joined(this.#other) && !silent ? 2 : 1;
    tick.record.counters.slots[LoopSlot.WORKERS] = workers;
    if (workers !== this.#told[0] && this.#told[0] !== 0) {
      tick.events.write(EventKind.WORKERS, workers, this.#other);
    }
    this.#told[0] = workers;
  }
}
