/** Two loop workers that share one loop: their memory, and the steps by which one of them runs a tick. */
import { StateArena } from '../../src/math/state-arena.ts';
import type { Settings } from '../../config/settings.ts';
import type { DozingClock } from '../os/clock.ts';
import { EventKind } from '../contract/events.ts';
import type { InjectingLink } from '../faults/injecting-link.ts';
import { Loop } from '../loop/loop.ts';
import { RecorderWatch } from '../recording/recorder-watch.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import { ControlWord, type SharedBuffers } from '../memory/shared.ts';
import type { Tick } from '../loop/tick.ts';
import type { TickTiming } from '../contract/timing.ts';
import type { PairMemory } from '../loop/worker-data.ts';
import { RedundantLoop, type TickEdges } from './redundant-loop.ts';
import { Stage, allocateStage } from './stage.ts';
import { Turn } from './turn.ts';
import { WorkerWatch } from './worker-watch.ts';

/** Number of workers of a pair. */
export const WORKERS = 2;
/** Longest time for the category-1 stop at the end, periods; and periods after which it is in progress in any case. */
export const STOP_PERIODS = 500;
const STOP_UNDER_WAY = 2;
/**
 * Delay of the other worker, s. It avoids collisions at the turn word and keeps a tick with the
 * worker whose caches are warm. A later wake-up counts as late.
 */
const HEAD_START_s = 5e-6;
/** Doubles of the state of a tick without the model: robot session, safety, energy, operator. */
const TICK_STATE = 16384;

/** Allocates memory for a model with `modelState` doubles of state. */
export function allocatePair(real: SharedBuffers, modelState: number): PairMemory {
  const most = modelState + TICK_STATE;
  const stages = Array.from({ length: WORKERS }, () => allocateStage(real, most));
  return { turn: Turn.allocate(), stages };
}

/** A tick on the stage of one worker, and the parts that it needs. */
export interface PairPart {
  readonly memory: PairMemory;
  readonly real: SharedBuffers;
  readonly worker: number;
  /** Tick made with `memory.stages[worker].buffers` as its shared buffers. */
  readonly tick: Tick;
  readonly clock: DozingClock;
  readonly timing: TickTiming;
  readonly tap: RecordingTap | null;
  readonly injector: InjectingLink | null;
  readonly settings: Settings;
  /** Reports the end of the session to the robot. */
  readonly farewell: () => void;
  /** Details of the REALTIME event: obtained, thread. */
  readonly realtime: readonly [number, number];
  /** Blocks for an injected fault. */
  readonly stall: (seconds: number) => void;
  readonly headStart_s?: number;
  readonly patience_s?: number;
}

/** Actions around a tick in a service: watches, end of the session. */
class Edges implements TickEdges {
  readonly #part: PairPart;
  readonly #control: Int32Array;
  readonly #recorder: RecorderWatch;
  readonly #workers: WorkerWatch;
  #stopFrom = -1;

  constructor(part: PairPart, recorder: RecorderWatch, workers: WorkerWatch) {
    this.#part = part;
    this.#control = new Int32Array(part.real.control);
    this.#recorder = recorder;
    this.#workers = workers;
  }

  begin(): void {
    const [obtained, thread] = this.#part.realtime;
    this.#part.tick.events.write(EventKind.REALTIME, obtained, thread);
    if (this.#part.tap !== null) this.#part.tap.flush();
  }

  before(): void {
    const { tick, timing } = this.#part;
    this.#recorder.check(timing);
    tick.recorderLost = this.#recorder.lost;
    tick.shutdownAsked = Atomics.load(this.#control, ControlWord.SHUTDOWN) !== 0;
    this.#workers.check(timing, tick);
  }

  loaded(): void {
    this.#part.tick.followSession();
  }

  ends(): boolean {
    const { tick, timing, tap, farewell } = this.#part;
    if (!tick.shutdownAsked) return false;
    if (this.#stopFrom < 0) this.#stopFrom = timing.period;
    const periods = timing.period - this.#stopFrom;
    if (periods < STOP_PERIODS && !(periods >= STOP_UNDER_WAY && tick.atRest)) return false;
    farewell();
    tick.events.write(EventKind.ENDED, 0, 0);
    if (tap !== null) tap.flush();
    return true;
  }
}

/** Makes one worker of the pair. It serves once `joined` is set. */
export function joinPair(part: PairPart): { loop: RedundantLoop; turn: Turn } {
  const { memory, real, worker, tick, clock, timing, tap, injector, settings } = part;
  const turn = new Turn(memory.turn);
  const stages = memory.stages.map((stage) => new Stage(stage, real));
  const { period_s, overrun_single_s } = settings.loop;
  const grid = new Loop(clock, tick, timing, { period_s, stall_s: overrun_single_s });
  const recorder = new RecorderWatch(new Int32Array(real.control), settings);
  const workers = new WorkerWatch(turn, worker);
  const state = new StateArena();
  state.part('tick', tick.state);
  state.adopt('stages', tick.timer.durations_s);
  state.adopt('row', tick.record.row);
  state.adopt('latest', tick.record.latest);
  state.adopt('scene', tick.scene.row);
  state.part('recorder', recorder.arena);
  state.part('workers', workers.arena);
  if (injector !== null) state.part('injector', injector.arena);
  if (tap !== null) state.part('tap', tap.arena);
  const times = new StateArena();
  times.part('timing', timing.arena);
  times.part('grid', grid.arena);
  times.adopt('shift_us', clock.shift_us);
  if (state.stateLength > stages[worker].room) {
    throw new RangeError(
      `The state of the tick has ${state.stateLength} numbers, its stage room for ${stages[worker].room}`,
    );
  }
  const loop = new RedundantLoop({
    worker,
    turn,
    stages,
    clock,
    timing,
    loop: grid,
    tap,
    state,
    times,
    edges: new Edges(part, recorder, workers),
    period_s,
    stall: part.stall,
    headStart_s: part.headStart_s ?? HEAD_START_s,
    patience_s: part.patience_s ?? period_s / 2,
  });
  return { loop, turn };
}
