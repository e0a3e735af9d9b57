/**
 * One half of a set-point, translation or rotation, whose velocity, acceleration and jerk stay bounded (docs/safety.md, Limits of set-points).
 *
 * It is given twice: as a twist (v, a) and as the differences of the poses that were sent (u, b). A model that divides its step
 * moves its pose by the mean of velocities, so the two differ by a share of a step, at most A h; both keep the limits. What is not
 * taken over from the model has u → v.
 *
 * The law that brings a velocity error e to rest in the fewest steps h with |jerk| ≤ J, a double integrator in discrete time:
 *
 *   n = ⌈(√(1 + 8 |e|/(J h²)) − 1)/2⌉,   a = −2 e/((n + 1) h),   |a| ≤ A,   |a − a_before| ≤ J h
 *
 * for n steps of −n j h, …, −j h sum up to j h² n (n + 1)/2 = |e|. It ends at rest without a remainder: with n = 1, a = −e/h.
 *
 * A next state is safe when the stop that begins in it keeps speed and region, and twist and pose no further apart than A h. The
 * stop of a safe state leads to safe states, so a caller that takes safe candidates only, and stops when there is none, never
 * leaves the region. It never has to brake harder than allowed.
 */
import { StateArena } from '../../src/math/state-arena.ts';

/** Where a motion may be. Null for a rotation. */
export interface Region {
  /** Distance to the nearest border, m; below zero outside. */
  clearance(position: Float64Array): number;
}

/** Slots of the limits of a half: m or rad, s. */
export const Bound = Object.freeze({ SPEED: 0, ACCELERATION: 1, JERK: 2, PERIOD: 3 });
const { SPEED, ACCELERATION, JERK, PERIOD } = Bound;

/** What a candidate may exceed by rounding. The law itself stays as far inside. */
const ROUNDING = 1e-9;
/** Twist and pose that differ by less, of A h and of A, are one: what two positions 30 m away are rounded by is 10⁻⁹ of A at 1 kHz. */
const AS_ONE = 1e-8;
/** Motions at one place and one twist whose rates differ by less, of the jerk limit, are one. */
const TOGETHER = 1e-7;
/** A stop that takes longer does not count as one. */
const LONGEST_STOP = 400;
/** Less is rest: rounding of a sum of velocities. */
const REST = 1e-14;
/** Below this a motion stands, m/s or rad/s: the difference of poses 30 m away is rounded by 10⁻¹¹ m/s. */
const STANDING = 1e-6;

/** Slots of a state. */
const V = 0;
const A = 3;
const U = 6;
const B = 9;
const STATE = 12;

/** Translation or rotation with bounded velocity, acceleration and jerk. */
export class BoundedMotion {
  /** Limits by Bound. */
  readonly limits: Float64Array = new Float64Array(4);
  /** What was sent last: v(3) a(3) u(3) b(3). */
  readonly state: Float64Array;
  /** The candidate for the next. */
  readonly next: Float64Array = new Float64Array(STATE);
  /** Why the last candidate was refused: 0 not at all, 1 speed, 2 acceleration, 3 jerk, 4 region. */
  refused = 0;
  readonly #probe = new Float64Array(STATE);
  readonly #place = new Float64Array(3);
  readonly #region: Region | null;
  readonly #zero = new Float64Array(3);
  readonly #wanted = new Float64Array(3);
  readonly #lag = new Float64Array(3);
  readonly #from = new Float64Array(STATE);

  constructor(region: Region | null, arena: StateArena = new StateArena()) {
    this.state = arena.add('motion', STATE);
    this.#region = region;
  }

  /** At rest. @alloc none */
  reset(): void {
    this.state.fill(0);
  }

  /** Takes the candidate as what is sent. @alloc none */
  accept(): void {
    for (let i = 0; i < STATE; i++) this.state[i] = this.next[i];
  }

  /**
   * Candidate: what the model commands, a twist and the mean velocity of the pose in this step.
   * @param stops whether it is to come to rest: then it may not be so decelerated that it would turn round
   * @returns whether every limit is kept, and the motion can stop within them
   * @alloc none
   */
  tryWanted(
    twist: Float64Array,
    at: number,
    poseRate: Float64Array,
    position: Float64Array,
    stops: boolean,
  ): boolean {
    const { state, next, limits } = this;
    const h = limits[PERIOD];
    for (let i = 0; i < 3; i++) {
      next[V + i] = twist[at + i];
      next[A + i] = (twist[at + i] - state[V + i]) / h;
      next[U + i] = poseRate[i];
      next[B + i] = (poseRate[i] - state[U + i]) / h;
    }
    this.refused = 0;
    const hardest = limits[ACCELERATION] * (1 + ROUNDING);
    const sharpest = limits[JERK] * h * (1 + ROUNDING);
    if (!(size(next, A) <= hardest && size(next, B) <= hardest)) this.refused = 2;
    else if (!(distance(next, A, state, A) <= sharpest && distance(next, B, state, B) <= sharpest))
      this.refused = 3;
    else if (stops && (this.#turnsRound(V, A) || this.#turnsRound(U, B))) this.refused = 3;
    if (this.refused !== 0) return false;
    return this.#isSafe(position);
  }

  /** Whether the stop of the candidate would have to go beyond rest and back. */
  #turnsRound(v: number, a: number): boolean {
    const { next, limits } = this;
    const h = limits[PERIOD];
    const speed = size(next, v);
    const along = next[v] * next[a] + next[v + 1] * next[a + 1] + next[v + 2] * next[a + 2];
    const slack = limits[JERK] * h;
    if (speed <= REST) return size(next, a) > slack * (1 + ROUNDING);
    return -along / speed > this.#hardness(speed) + slack * (1 + ROUNDING);
  }

  /** Candidate: one step of the law towards a velocity. @returns whether it is safe @alloc none */
  tryTowards(target: Float64Array, position: Float64Array): boolean {
    this.#step(this.state, this.next, target);
    this.refused = 0;
    return this.#isSafe(position);
  }

  /** Candidate: one step of the stop. @alloc none */
  brake(): void {
    this.#step(this.state, this.next, this.#zero);
  }

  /** Whether nothing moves any more, but for the rounding of poses. @alloc none */
  get rests(): boolean {
    return size(this.state, V) <= STANDING && size(this.state, U) <= STANDING;
  }

  /** Whether the next step may be that of another one at the same twist: the jerk between the two is nothing. @alloc none */
  goesAs(other: BoundedMotion): boolean {
    const { state, limits } = this;
    const h = limits[PERIOD];
    const most = TOGETHER * limits[JERK] * h;
    return (
      distance(state, A, other.state, A) <= most &&
      distance(state, B, other.state, B) <= most &&
      distance(state, U, other.state, U) <= most * h
    );
  }

  /** The acceleration with which an error of velocity is to be taken away. */
  #hardness(error: number): number {
    const { limits } = this;
    const h = limits[PERIOD];
    const j = limits[JERK] * (1 - ROUNDING);
    const n = Math.max(1, Math.ceil((Math.sqrt(1 + (8 * error) / (j * h * h)) - 1) / 2 - ROUNDING));
    const wanted = (2 * error) / ((n + 1) * h);
    const most = limits[ACCELERATION] * (1 - ROUNDING);
    return wanted < most ? wanted : most;
  }

  #step(state: Float64Array, to: Float64Array, target: Float64Array): void {
    const { limits } = this;
    const h = limits[PERIOD];
    const wanted = this.#wanted;
    const lag = this.#lag;
    // `to` may be the state itself
    const from = this.#from;
    for (let i = 0; i < STATE; i++) from[i] = state[i];
    for (let i = 0; i < 3; i++) wanted[i] = from[V + i] - target[i];
    this.#decelerate(wanted);
    this.#slew(from, to, A, wanted);
    // the pose follows the twist, by the same law in their difference
    for (let i = 0; i < 3; i++) lag[i] = from[U + i] - from[V + i];
    this.#decelerate(lag);
    for (let i = 0; i < 3; i++) lag[i] += to[A + i];
    this.#slew(from, to, B, lag);
    // a pose that cannot follow so fast is waited for
    const most = limits[ACCELERATION] * h;
    for (let i = 0; i < 3; i++) lag[i] = from[U + i] - from[V + i] + h * (to[B + i] - to[A + i]);
    const apart = size(lag, 0);
    if (apart > most) {
      const share = (apart - most) / (apart * h);
      for (let i = 0; i < 3; i++) wanted[i] = to[A + i] + share * lag[i];
      this.#slew(from, to, A, wanted);
    }
    for (let i = 0; i < 3; i++) to[V + i] = from[V + i] + h * to[A + i];
    for (let i = 0; i < 3; i++) to[U + i] = from[U + i] + h * to[B + i];
    settle(to, V);
    settle(to, U);
  }

  /** error := the acceleration that takes it away. */
  #decelerate(error: Float64Array): void {
    const length = size(error, 0);
    const k = length > 0 ? -this.#hardness(length) / length : 0;
    for (let i = 0; i < 3; i++) error[i] *= k;
  }

  /** to[at] := the commanded acceleration as far as acceleration and jerk allow. */
  #slew(from: Float64Array, to: Float64Array, at: number, wanted: Float64Array): void {
    const { limits } = this;
    const most = limits[ACCELERATION] * (1 - ROUNDING);
    const length = size(wanted, 0);
    const k = length > most ? most / length : 1;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      wanted[i] = wanted[i] * k - from[at + i];
      square += wanted[i] * wanted[i];
    }
    const change = Math.sqrt(square);
    const sharpest = limits[JERK] * limits[PERIOD] * (1 - ROUNDING);
    const s = change > sharpest ? sharpest / change : 1;
    for (let i = 0; i < 3; i++) to[at + i] = from[at + i] + s * wanted[i];
  }

  /** Whether the stop from the candidate keeps speed and region, and twist and pose together. `position` is the one sent last. */
  #isSafe(position: Float64Array): boolean {
    const { state, next, limits } = this;
    const region = this.#region;
    const place = this.#place;
    const h = limits[PERIOD];
    // a limit that was lowered in flight is reached from above
    const before = Math.max(size(state, V), size(state, U));
    const fastest = Math.max(limits[SPEED], before) * (1 + ROUNDING);
    const clear = region === null ? Infinity : region.clearance(position);
    const hard = Math.max(size(next, A), size(next, B));
    const speed = Math.max(size(next, V), size(next, U));
    // a bound of everything that the stop can do: until the acceleration is turned round, and then against A
    const turn = hard / limits[JERK] + 2 * h;
    const peak = speed + hard * turn;
    const time = peak / limits[ACCELERATION] + limits[ACCELERATION] / limits[JERK] + turn + 4 * h;
    const most = limits[ACCELERATION];
    const asOne =
      distance(next, V, next, U) <= AS_ONE * most * h &&
      distance(next, A, next, B) <= AS_ONE * most;
    if (asOne && peak <= fastest && peak * (time + h) < clear) return true;
    // one is the other's derivative, unless the acceleration was lowered in flight
    const apart = Math.max(most * h * (1 + ROUNDING), distance(state, V, state, U));
    const least = clear < 0 ? clear : 0;
    const probe = this.#probe;
    for (let i = 0; i < STATE; i++) probe[i] = next[i];
    for (let i = 0; i < 3; i++) place[i] = position[i];
    for (let n = 0; n < LONGEST_STOP; n++) {
      if (!(size(probe, V) <= fastest && size(probe, U) <= fastest)) {
        this.refused = 1;
        return false;
      }
      if (!(distance(probe, V, probe, U) <= apart)) {
        this.refused = 2;
        return false;
      }
      for (let i = 0; i < 3; i++) place[i] += h * probe[U + i];
      if (region !== null && !(region.clearance(place) >= least)) {
        this.refused = 4;
        return false;
      }
      if (isRest(probe)) return true;
      this.#step(probe, probe, this.#zero);
    }
    this.refused = 1;
    return false;
  }

  /** Time until the stop that begins now has ended, in steps. @alloc none */
  countStop(): number {
    const probe = this.#probe;
    for (let i = 0; i < STATE; i++) probe[i] = this.state[i];
    let n = 0;
    while (n < LONGEST_STOP && !isRest(probe)) {
      this.#step(probe, probe, this.#zero);
      n++;
    }
    return n;
  }
}

function size(values: Float64Array, at: number): number {
  const x = values[at];
  const y = values[at + 1];
  const z = values[at + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

function distance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** What is left of a velocity by rounding is nothing. */
function settle(values: Float64Array, at: number): void {
  if (size(values, at) > REST) return;
  for (let i = 0; i < 3; i++) values[at + i] = 0;
}

function isRest(state: Float64Array): boolean {
  return size(state, V) === 0 && size(state, U) === 0;
}
