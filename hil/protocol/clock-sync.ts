/**
 * Offset and drift of the robot clock from SYNC exchanges (t1 sent, t2 arrived, t3 answered, t4 back):
 *   offset = ((t2 − t1) + (t3 − t4)) / 2,  round trip = (t4 − t1) − (t3 − t2).
 * Queueing only ever adds to the round trip, so of each burst the exchange with the smallest one is kept (Mills, RFC 5905
 * clock filter); a weighted line through the last bests gives offset and drift. The error of a point is at most half of
 * what its round trip exceeds the smallest by.
 */
import { loadArray, type Stateful } from '../contract/stateful.ts';

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

// Slots of the running doubles.
const RTT = 0;
const REFERENCE = 1;
const OFFSET = 2;
const DRIFT = 3;
const BEST_OFFSET = 4;
const BEST_RTT = 5;
const BEST_TIME = 6;
const NEXT = 7;

export class ClockSync implements Stateful {
  /** Whether the offset may be used. */
  known = false;
  /** Steps of the robot clock noticed. */
  steps = 0;
  /** By how much the newest step put it forward, µs: whoever notices one writes it here and calls `stepped`. */
  readonly step_us: Float64Array = new Float64Array(1);
  /** Exchanges answered since the last restart, and whether the last `add` was taken. */
  exchanges = 0;
  /** Exchanges answered ever, and the round trips of the newest `RECENT` of them, µs: number n is at n mod 8. */
  answered = 0;
  readonly roundTrips_us: Float64Array = new Float64Array(RECENT);
  /** Arguments and results cross in cells: a double passed to a call that is not inlined is boxed on the heap. */
  readonly at_us: Float64Array = new Float64Array(1);
  readonly offset_us: Float64Array = new Float64Array(1);
  /** t1 … t4 of an answer. */
  readonly exchange_us: Float64Array = new Float64Array(4);
  private readonly now_us: Float64Array;
  private readonly value = new Float64Array(8);
  private readonly outstanding = new Float64Array(OUTSTANDING);
  private nextSlot = 0;
  private inBurst = 0;
  private bursts = 0;
  private points = 0;
  private readonly time = new Float64Array(POINTS);
  private readonly offset = new Float64Array(POINTS);
  private readonly rtt = new Float64Array(POINTS);

  /** `now_us` is the cell of the session's present time. */
  constructor(now_us: Float64Array) {
    this.now_us = now_us;
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

  readonly stateLength: number = 17 + RECENT + OUTSTANDING + 3 * POINTS;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.known ? 1 : 0;
    into[at + 1] = this.steps;
    into[at + 2] = this.exchanges;
    into[at + 3] = this.answered;
    into[at + 4] = this.nextSlot;
    into[at + 5] = this.inBurst;
    into[at + 6] = this.bursts;
    into[at + 7] = this.points;
    into.set(this.value, at + 8);
    into.set(this.roundTrips_us, at + 16);
    into.set(this.outstanding, at + 16 + RECENT);
    const points = at + 16 + RECENT + OUTSTANDING;
    into.set(this.time, points);
    into.set(this.offset, points + POINTS);
    into.set(this.rtt, points + 2 * POINTS);
    into[points + 3 * POINTS] = this.step_us[0];
  }

  loadState(from: Float64Array, at: number): void {
    this.known = from[at] === 1;
    this.steps = from[at + 1];
    this.exchanges = from[at + 2];
    this.answered = from[at + 3];
    this.nextSlot = from[at + 4];
    this.inBurst = from[at + 5];
    this.bursts = from[at + 6];
    this.points = from[at + 7];
    loadArray(this.value, from, at + 8);
    loadArray(this.roundTrips_us, from, at + 16);
    loadArray(this.outstanding, from, at + 16 + RECENT);
    const points = at + 16 + RECENT + OUTSTANDING;
    loadArray(this.time, from, points);
    loadArray(this.offset, from, points + POINTS);
    loadArray(this.rtt, from, points + 2 * POINTS);
    this.step_us[0] = from[points + 3 * POINTS];
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
