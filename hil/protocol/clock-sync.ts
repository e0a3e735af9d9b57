/**
 * Offset and drift of the robot clock from SYNC exchanges (t1 sent, t2 arrived, t3 answered, t4 back):
 *   offset = ((t2 − t1) + (t3 − t4)) / 2,  round trip = (t4 − t1) − (t3 − t2).
 * Queueing only ever adds to the round trip, so of each burst the exchange with the smallest one is kept (Mills, RFC 5905
 * clock filter); a weighted line through the last bests gives offset and drift. The error of a point is at most half of
 * what its round trip exceeds the smallest by.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';

/** Exchanges of the first burst, of later ones, and points that the line goes through. */
const FIRST_BURST = 16;
const BURST = 4;
const POINTS = 16;
/** Fast bursts pin the drift within the first seconds, then one a second follows it. */
const FAST_BURSTS = 8;
const FAST_EVERY_us = 250_000;
const EVERY_us = 1_000_000;
const SPACING_us = 2000;
/** Requests on their way: at one every 2 ms, a round trip of up to 128 ms finds its own. */
const OUTSTANDING = 64;
/** Round trips that are kept. */
const RECENT = 8;
/** A difference from the line beyond this and the round trip is a step of the clock, not noise. */
const STEP_us = 5000;
/** Weight of a point falls with its possible asymmetry beyond this. */
const NOISE_us = 20;

/** Counts and marks, and what they begin with. */
const FIELDS = {
  known: false,
  steps: 0,
  exchanges: 0,
  answered: 0,
  nextSlot: 0,
  inBurst: 0,
  bursts: 0,
  points: 0,
} as const;
/** Slots of the running doubles, µs. */
const Value = Object.freeze({
  RTT: 0,
  REFERENCE: 1,
  OFFSET: 2,
  DRIFT: 3,
  BEST_OFFSET: 4,
  BEST_RTT: 5,
  BEST_TIME: 6,
  NEXT: 7,
});
const { RTT, REFERENCE, OFFSET, DRIFT, BEST_OFFSET, BEST_RTT, BEST_TIME, NEXT } = Value;

export class ClockSync {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Whether the offset may be used. */
  declare known: boolean;
  /** Steps of the robot clock noticed. */
  declare steps: number;
  /** Exchanges answered since the last restart. */
  declare exchanges: number;
  /** Exchanges answered ever. */
  declare answered: number;
  /** Where the next request is kept. */
  declare nextSlot: number;
  /** Exchanges of the present burst, bursts since the last restart, and points of the line so far. */
  declare inBurst: number;
  declare bursts: number;
  declare points: number;
  /** Round trips of the newest `RECENT` exchanges, µs: number n is at n mod 8. */
  readonly roundTrips_us: Float64Array;
  /** By how much the newest step put the robot clock forward, µs: written before `stepped` is called. */
  readonly step_us: Float64Array;
  /** Arguments and results cross in cells: a double passed to a call that is not inlined is boxed on the heap. */
  readonly at_us: Float64Array = new Float64Array(1);
  readonly offset_us: Float64Array = new Float64Array(1);
  /** t1 … t4 of an answer. */
  readonly exchange_us: Float64Array = new Float64Array(4);
  private readonly now_us: Float64Array;
  private readonly value: Float64Array;
  private readonly outstanding: Float64Array;
  private readonly time: Float64Array;
  private readonly offset: Float64Array;
  private readonly rtt: Float64Array;

  /** `now_us` is the cell of the session's present time. */
  constructor(now_us: Float64Array, arena: StateArena = new StateArena()) {
    this.now_us = now_us;
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.value = arena.table(Value);
    this.roundTrips_us = arena.add('roundTrips_us', RECENT);
    this.outstanding = arena.add('outstanding_us', OUTSTANDING);
    this.time = arena.add('time_us', POINTS);
    this.offset = arena.add('offset_us', POINTS);
    this.rtt = arena.add('rtt_us', POINTS);
    this.step_us = arena.add('step_us', 1);
    this.restart();
  }

  /** Round trip of the newest exchange, µs. */
  get rtt_us(): number {
    return this.value[RTT];
  }

  /** Robot clock rate minus 1. */
  get drift(): number {
    return this.value[DRIFT];
  }

  /** Put the robot clock minus this clock at the time in `at_us` into `offset_us`. */
  findOffset(): void {
    const v = this.value;
    this.offset_us[0] = v[OFFSET] + v[DRIFT] * (this.at_us[0] - v[REFERENCE]);
  }

  /** Forget everything and start the first burst at once. */
  restart(): void {
    this.known = false;
    this.exchanges = 0;
    this.inBurst = 0;
    this.bursts = 0;
    this.points = 0;
    this.outstanding.fill(0);
    this.value.fill(0);
    this.value[BEST_RTT] = Infinity;
  }

  /** The robot clock jumped: the offset is unknown until measured again. */
  stepped(): void {
    this.steps++;
    this.restart();
  }

  /** Whether an exchange is due; then send one with this time and call `sent`. */
  due(): boolean {
    return this.now_us[0] >= this.value[NEXT];
  }

  sent(): void {
    const now = this.now_us[0];
    this.outstanding[this.nextSlot] = Math.floor(now);
    this.nextSlot = (this.nextSlot + 1) % OUTSTANDING;
    this.value[NEXT] = now + SPACING_us;
  }

  /** An answer came back: its times are in `exchange_us`. @returns whether it belongs to a request of ours */
  add(): boolean {
    const t1 = this.exchange_us[0];
    const t2 = this.exchange_us[1];
    const t3 = this.exchange_us[2];
    const t4 = this.exchange_us[3];
    let slot = 0;
    while (slot < OUTSTANDING && this.outstanding[slot] !== t1) slot++;
    const rtt = t4 - t1 - (t3 - t2);
    if (slot === OUTSTANDING || t1 === 0 || !(rtt >= 0)) return false;
    this.outstanding[slot] = 0;
    const v = this.value;
    v[RTT] = rtt;
    this.roundTrips_us[this.answered % RECENT] = rtt;
    this.answered++;
    this.exchanges++;
    if (rtt < v[BEST_RTT]) {
      v[BEST_RTT] = rtt;
      v[BEST_OFFSET] = (t2 - t1 + (t3 - t4)) / 2;
      v[BEST_TIME] = (t1 + t4) / 2;
    }
    if (++this.inBurst >= (this.bursts === 0 ? FIRST_BURST : BURST)) this.endBurst();
    return true;
  }

  private endBurst(): void {
    const v = this.value;
    this.at_us[0] = v[BEST_TIME];
    this.findOffset();
    const innovation = v[BEST_OFFSET] - this.offset_us[0];
    if (this.known && Math.abs(innovation) > STEP_us + v[BEST_RTT]) {
      this.step_us[0] = innovation;
      this.stepped();
      return;
    }
    const slot = this.points % POINTS;
    this.time[slot] = v[BEST_TIME];
    this.offset[slot] = v[BEST_OFFSET];
    this.rtt[slot] = v[BEST_RTT];
    this.points++;
    this.bursts++;
    this.inBurst = 0;
    v[BEST_RTT] = Infinity;
    v[NEXT] = this.exchange_us[3] + (this.bursts <= FAST_BURSTS ? FAST_EVERY_us : EVERY_us);
    this.fit();
    this.known = true;
  }

  /** Weighted straight line through the points, with times from the newest. */
  private fit(): void {
    const reference = this.value[BEST_TIME];
    const count = this.points < POINTS ? this.points : POINTS;
    let smallest = Infinity;
    for (let i = 0; i < count; i++) if (this.rtt[i] < smallest) smallest = this.rtt[i];
    const base = this.offset[0];
    let w0 = 0;
    let wt = 0;
    let wtt = 0;
    let wo = 0;
    let wto = 0;
    for (let i = 0; i < count; i++) {
      const error = NOISE_us + (this.rtt[i] - smallest) / 2;
      const w = 1 / (error * error);
      const t = this.time[i] - reference;
      const o = this.offset[i] - base;
      w0 += w;
      wt += w * t;
      wtt += w * t * t;
      wo += w * o;
      wto += w * t * o;
    }
    const determinant = w0 * wtt - wt * wt;
    const v = this.value;
    v[REFERENCE] = reference;
    v[DRIFT] = count > 1 && determinant > 0 ? (w0 * wto - wt * wo) / determinant : 0;
    v[OFFSET] = base + (wo - v[DRIFT] * wt) / w0;
  }
}

defineFields(ClockSync, FIELDS);
