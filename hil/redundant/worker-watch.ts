/**
 * Watch on the other loop worker, by the worker that runs the tick: an event and a gauge when its
 * presence changes. A worker wakes at least once a period, so many ticks without its wake-up mean
 * that it is gone. It counts ticks and not periods, because a pause of the whole machine does not
 * concern the worker.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { EventKind } from '../contract/events.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import type { Tick } from '../loop/tick.ts';
import type { TickTiming } from '../contract/timing.ts';
import type { Turn } from './turn.ts';

/** Ticks without a wake-up after which a worker counts as gone. */
const SILENT_TICKS = 200;

/** Presence of the other loop worker. The reported state moves with the tick; the time of the last wake-up is local to this worker. */
export class WorkerWatch {
  readonly arena: StateArena = new StateArena();
  /** [reported number of workers; 0 before the first tick]. */
  readonly #reported: Float64Array = this.arena.add('told', 1);
  #beats = 0;
  #beatAt = 0.5;
  readonly #turn: Turn;
  readonly #other: number;

  constructor(turn: Turn, worker: number) {
    this.#turn = turn;
    this.#other = 1 - worker;
    this.#beatAt = 0;
  }

  /** Updates the watch before a tick. @alloc none */
  check(timing: TickTiming, tick: Tick): void {
    const beats = this.#turn.beats(this.#other);
    if (beats !== this.#beats) {
      this.#beats = beats;
      this.#beatAt = timing.executed;
    }
    const silent = timing.executed - this.#beatAt > SILENT_TICKS;
    const workers = this.#turn.joined(this.#other) && !silent ? 2 : 1;
    tick.record.counters.slots[LoopSlot.loop_workers] = workers;
    if (workers !== this.#reported[0] && this.#reported[0] !== 0) {
      tick.events.write(EventKind.WORKERS, workers, this.#other);
    }
    this.#reported[0] = workers;
  }
}
