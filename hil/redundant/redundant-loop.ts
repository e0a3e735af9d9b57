/**
 * One of two loop workers on the same grid (`rt-loop` 4). The first to arrive at a release claims
 * the tick and runs it on its stage; the other sleeps again. The worker that ran the tick before
 * has the state. The other loads the committed state before it sleeps, so that a change of worker
 * costs the next tick nothing. A claimed tick that is not committed in time is taken over. Its
 * worker is blocked or has ended. It loses its claim before anything of its tick becomes visible.
 */
import type { StateArena } from '../../src/math/state-arena.ts';
import type { Clock, DozingClock } from '../os/clock.ts';
import type { Loop } from '../loop/loop.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import type { TickTiming } from '../contract/timing.ts';
import { type Stage, StageHead } from './stage.ts';
import { claimantOf, phaseOf, stageOwner, stagePage, type Turn, TurnPhase } from './turn.ts';

/** Actions of a worker around a tick; each may write events. */
export interface TickEdges {
  /** Called at the start of the loop, before the first tick. */
  begin(): void;
  before(): void;
  /** Called after a state was loaded. */
  loaded(): void;
  /** Whether the loop ends with the tick just run. If so, it ends the session. */
  ends(): boolean;
}

/** Parts of one worker. */
export interface RedundantParts {
  /** Number of this worker, 0 or 1. */
  readonly worker: number;
  readonly turn: Turn;
  /** Stages by worker. */
  readonly stages: readonly Stage[];
  readonly clock: DozingClock;
  readonly timing: TickTiming;
  readonly loop: Loop;
  readonly tap: RecordingTap | null;
  /** State of a tick that moves from worker to worker, without counters and times. */
  readonly state: StateArena;
  /** Time state of loop and tick. */
  readonly times: StateArena;
  readonly edges: TickEdges;
  readonly period_s: number;
  /** Time by which the worker that did not run the tick before waits for the other, s. */
  readonly headStart_s: number;
  /** Time after a claim at which its tick is taken over, s. */
  readonly patience_s: number;
  /** Blocks for `timing.injectedStall_s`. */
  readonly stall: (seconds: number) => void;
}

/** Time after which the other worker publishes, µs. Publishing takes microseconds. */
const PUBLISH_PATIENCE_us = 100;
/** Largest part of the patience that a tick may take to be repeated within the period. */
const REPEATABLE = 0.8;
/** Takeovers double the patience up to this many times, so that a long tick can end. */
const MOST_DOUBLINGS = 10;

const NOBODY = -1;

/** One loop worker of a redundant pair. Each thread has one and calls `step` repeatedly. */
export class RedundantLoop {
  /** Ticks that this worker committed, took over from the other, loaded, and lost to the other. */
  committed = 0;
  takeovers = 0;
  loads = 0;
  discarded = 0;
  /** The loop has ended, by this worker or the other. */
  ended = false;
  readonly #worker: number;
  readonly #turn: Turn;
  readonly #stages: readonly Stage[];
  readonly #stage: Stage;
  readonly #clock: DozingClock;
  readonly #timing: TickTiming;
  readonly #loop: Loop;
  readonly #tap: RecordingTap | null;
  readonly #state: StateArena;
  readonly #times: StateArena;
  readonly #edges: TickEdges;
  readonly #stall: (seconds: number) => void;
  readonly #period_us: number;
  readonly #headStart_us: number;
  readonly #patience_us: number;
  /** Time before a takeover at which a sleep must end, µs, because some sleeps end late. */
  readonly #awake_us: number;
  readonly #publishPatience_us: number;
  /** Committed state in this thread: owner of its stage, page and period; NOBODY for none. */
  #heldOwner = NOBODY;
  #heldPage = 0;
  #heldPeriod = 0.5;
  readonly #claimedAt_us = new Float64Array(1);
  /** Start of the present tick: at its claim, with the state of the tick before. */
  readonly #begun_us = new Float64Array(1);

  constructor(parts: RedundantParts) {
    this.#worker = parts.worker;
    this.#turn = parts.turn;
    this.#stages = parts.stages;
    this.#stage = parts.stages[parts.worker];
    this.#clock = parts.clock;
    this.#timing = parts.timing;
    this.#loop = parts.loop;
    this.#tap = parts.tap;
    this.#state = parts.state;
    this.#times = parts.times;
    this.#edges = parts.edges;
    this.#stall = parts.stall;
    this.#period_us = parts.period_s * 1e6;
    this.#headStart_us = parts.headStart_s * 1e6;
    this.#patience_us = parts.patience_s * 1e6;
    this.#awake_us = this.#patience_us / 2;
    this.#publishPatience_us = Math.min(PUBLISH_PATIENCE_us, this.#patience_us);
    this.#heldPeriod = 0;
  }

  /** Whether this thread has the newest committed state. */
  get isCurrent(): boolean {
    const word = this.#turn.word;
    return this.#holds(stageOwner(word), stagePage(word));
  }

  /** Waits for the next action and performs it unless the other worker does. @alloc none */
  step(): void {
    const turn = this.#turn;
    turn.beat(this.#worker);
    const word = turn.word;
    const phase = phaseOf(word);
    if (phase === TurnPhase.IDLE) this.#await(word);
    else if (phase === TurnPhase.CLAIMED) this.#watch(word);
    else if (phase === TurnPhase.COMMITTED) this.#help(word);
    else this.ended = true;
  }

  /** No worker has the next tick: waits for its release, then claims it. */
  #await(word: number): void {
    const clock = this.#clock;
    const owner = stageOwner(word);
    const head = this.#stages[owner].heads[stagePage(word)];
    if (head[StageHead.VALID] === 1) {
      if (!this.#holds(owner, stagePage(word)) && !this.#load(word)) return;
      const done = head[StageHead.PERIOD];
      const release = head[StageHead.ORIGIN_us] + (done + 1) * this.#period_us;
      const start = owner === this.#worker ? 0 : this.#headStart_us;
      clock.release_us = release + head[StageHead.INJECTED_us] + start;
      clock.waitForRelease();
    }
    this.#claim(word);
  }

  /** The other worker runs the tick: takes it over when it does not end. */
  #watch(word: number): void {
    const other = claimantOf(word);
    const turn = this.#turn;
    const attempts = turn.attempts(other);
    turn.claimedAt(other, this.#claimedAt_us);
    const head = this.#stages[stageOwner(word)].heads[stagePage(word)];
    let patience = this.#patience_us;
    // a tick this long cannot be repeated in time, so the worker that started it continues
    if (head[StageHead.DURATION_us] > REPEATABLE * patience) patience = 2 * this.#period_us;
    for (let i = 0; i < attempts && i < MOST_DOUBLINGS; i++) patience *= 2;
    const takeover_us = this.#claimedAt_us[0] + patience;
    this.#clock.release_us = takeover_us - this.#awake_us;
    this.#clock.doze();
    if (turn.word !== word) return;
    this.#clock.release_us = takeover_us;
    this.#clock.poll();
    if (turn.word === word && this.#claim(word)) this.takeovers++;
  }

  /** The other worker is about to publish: publishes in its place when it does not. */
  #help(word: number): void {
    const clock = this.#clock;
    clock.sample();
    clock.release_us = clock.time_us[0] + this.#publishPatience_us;
    clock.doze();
    if (this.#turn.word !== word) return;
    this.#stage.publishFor(this.#stages[claimantOf(word)], stagePage(word), this.#turn, word);
  }

  /** @returns whether this worker had the tick, finished or not */
  #claim(word: number): boolean {
    const clock: Clock = this.#clock;
    clock.sample();
    const claim = this.#turn.claim(word, this.#worker, clock.time_us);
    if (claim === 0) return false;
    this.#run(claim);
    return true;
  }

  /** Whether this thread has the state of a page, to which no worker writes meanwhile. */
  #holds(owner: number, page: number): boolean {
    return (
      this.#heldOwner === owner &&
      this.#heldPage === page &&
      this.#heldPeriod === this.#stages[owner].heads[page][StageHead.PERIOD]
    );
  }

  /**
   * Loads the newest committed state. @returns false when the word has changed: the loaded values
   * may then be of two ticks
   */
  #load(word: number): boolean {
    const owner = stageOwner(word);
    const page = stagePage(word);
    const from = this.#stages[owner];
    this.#heldOwner = NOBODY;
    this.#stage.load(from, page, this.#state, this.#times);
    this.loads++;
    this.#heldPage = page;
    this.#heldPeriod = from.heads[page][StageHead.PERIOD];
    if (this.#turn.word !== word) return false;
    this.#edges.loaded();
    this.#heldOwner = owner;
    return true;
  }

  #run(claim: number): void {
    const turn = this.#turn;
    const stage = this.#stage;
    const clock: Clock = this.#clock;
    const owner = stageOwner(claim);
    const from = stagePage(claim);
    const begun = this.#stages[owner].heads[from][StageHead.VALID] === 1;
    if (begun && !this.#holds(owner, from)) {
      if (!this.#load(claim)) {
        this.discarded++;
        return;
      }
      clock.sample();
    }
    this.#begun_us[0] = clock.time_us[0];
    this.#heldOwner = NOBODY;
    // taken over before it started
    if (turn.word !== claim) {
      this.discarded++;
      return;
    }
    stage.open(this.#tap);
    let last = false;
    if (begun) {
      this.#edges.before();
      this.#timing.wake_us = this.#begun_us[0];
      this.#loop.serve();
      last = this.#edges.ends();
    } else {
      this.#edges.begin();
      this.#loop.start();
    }
    if (begun) this.#standStill(this.#stages[owner].heads[from]);
    this.#commit(claim, owner === this.#worker ? 1 - from : 0, last);
  }

  #commit(claim: number, page: number, last: boolean): void {
    const timing = this.#timing;
    const stage = this.#stage;
    const stall = timing.injectedStall_s;
    timing.injectedStall_s = 0;
    stage.close(page, this.#state, this.#tap);
    if (timing.executed > 0) this.#loop.close();
    stage.closeTimes(page, this.#times);
    const head = stage.heads[page];
    head[StageHead.LAST] = last ? 1 : 0;
    head[StageHead.PERIOD] = timing.period;
    head[StageHead.ORIGIN_us] = timing.origin_us;
    head[StageHead.INJECTED_us] = timing.injectedLateness_us;
    head[StageHead.STALL_s] = stall;
    this.#clock.sample();
    head[StageHead.DURATION_us] = this.#clock.time_us[0] - timing.wake_us;
    const word = this.#turn.commit(claim, page);
    if (word === 0) {
      this.discarded++;
      return;
    }
    this.#heldOwner = this.#worker;
    this.#heldPage = page;
    this.#heldPeriod = timing.period;
    this.committed++;
    stage.publish(page, this.#turn, word);
  }

  /**
   * Applies an injected fault of the tick before: the first worker to claim this tick, and only it,
   * blocks between its work and its commit.
   */
  #standStill(before: Float64Array): void {
    const seconds = before[StageHead.STALL_s];
    if (seconds > 0 && this.#turn.attempts(this.#worker) === 0) this.#stall(seconds);
  }
}
