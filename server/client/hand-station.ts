/**
 * Rules between a hand controller and the wire (client side of the teleoperation rules in
 * docs/safety.md; the server does not depend on them). A deadman counts only from a present device
 * on a visible page. After a trip it counts again once it has been released with all axes centred.
 * Pure: the caller passes the time.
 */
import type { HandInput } from './messages.ts';

/** Reading of a hand controller for sending; written in place, 100 times a second. */
export type MutableHand = {
  -readonly [Key in keyof HandInput]: Key extends 'axes' | 'camera' ? number[] : HandInput[Key];
};

/** Reason why the deadman is not passed on. */
export type HandTrip = 'start' | 'state' | 'authority' | 'device' | 'hidden';

/** Silence after which a device counts as lost, s. */
const SILENCE_S = 0.1;

/** A reading with nothing pressed and all axes centred. */
export const restingHand = (): MutableHand => ({
  axes: [0, 0, 0, 0, 0, 0],
  deadman: false,
  gear: 'vernier',
  frame: 'base',
});

const isMoving = (state: string): boolean => state === 'ARMING' || state.startsWith('ACTIVE');

export class HandStation {
  readonly #deadband: number;
  readonly #silence_s: number;
  readonly #reading = restingHand();
  #seen_s = -Infinity;
  /** Whether the reading belongs to a device that is still connected. */
  #known = false;
  #hidden = false;
  #moving = false;
  #trip: HandTrip | null = 'start';

  /**
   * @param deadband range in which axes count as centred, 0 … 1 (`welcome.operator.deadband`)
   * @param silence_s silence after which a device counts as lost
   *   (`welcome.operator.input_timeout_s`)
   */
  constructor(deadband: number, silence_s = SILENCE_S) {
    this.#deadband = deadband;
    this.#silence_s = silence_s;
  }

  /** Cause of the present trip, which ends when the deadman is released with the axes centred; null for none. */
  get trip(): HandTrip | null {
    return this.#trip;
  }

  /** Takes a reading of the device. */
  update(reading: HandInput, now_s: number): void {
    this.#watch(now_s); // a lost device trips before its new reading counts
    const { axes, deadman, gear, frame, camera } = reading;
    const mine = this.#reading;
    for (let axis = 0; axis < 6; axis++) mine.axes[axis] = axes[axis] ?? 0;
    mine.deadman = deadman;
    mine.gear = gear;
    mine.frame = frame;
    if (camera !== undefined) mine.camera = [...camera];
    this.#known = true;
    this.#seen_s = now_s;
    this.#settle();
  }

  /** The device was polled and is still connected; its last reading remains valid. */
  present(now_s: number): void {
    this.#watch(now_s);
    this.#seen_s = now_s;
    this.#settle();
  }

  /** The device disconnected or is silent. */
  lose(): void {
    this.#known = false;
    this.#trip = 'device';
  }

  /** Sets whether the page is visible and has the focus. */
  show(visible: boolean): void {
    this.#hidden = !visible;
    if (this.#hidden) this.#trip = 'hidden';
  }

  /** Takes each reported state of the loop. Leaving motion trips. */
  follow(state: string): void {
    const moving = isMoving(state);
    if (this.#moving && !moving) this.#trip = 'state';
    this.#moving = moving;
  }

  /** Authority was lost. */
  loseAuthority(): void {
    this.#trip = 'authority';
  }

  /** Fills the input to send: all zero without a device or a visible page, deadman only without a trip. */
  fill(hand: MutableHand, now_s: number): void {
    this.#watch(now_s);
    const mine = this.#reading;
    const silent = this.#hidden || !this.#known;
    for (let axis = 0; axis < 6; axis++) hand.axes[axis] = silent ? 0 : mine.axes[axis];
    hand.deadman = mine.deadman && !silent && this.#trip === null;
    hand.gear = mine.gear;
    hand.frame = mine.frame;
    if (mine.camera !== undefined) hand.camera = mine.camera;
  }

  #watch(now_s: number): void {
    if (this.#known && now_s - this.#seen_s > this.#silence_s) this.lose();
  }

  #settle(): void {
    const { axes, deadman } = this.#reading;
    const centred = axes.every((value) => Math.abs(value) <= this.#deadband);
    if (this.#known && !this.#hidden && !deadman && centred) this.#trip = null;
  }
}
