/**
 * A keyboard as a hand controller: pairs of keys are axes, left Shift is the deadman, which the
 * little finger holds while the same hand flies. The deadman is a modifier because keyboards report
 * modifiers apart from other keys, so that no combination of keys hides it. Keys are identified by
 * position (`KeyboardEvent.code`), independent of the layout of letters.
 */
import { type Reading } from './layout.ts';

/** Keys of each axis: [minus, plus]. */
export const AXIS_KEYS: readonly (readonly [minus: string, plus: string])[] = [
  ['KeyA', 'KeyD'],
  ['KeyS', 'KeyW'],
  ['KeyF', 'KeyR'],
  ['ArrowDown', 'ArrowUp'],
  ['ArrowLeft', 'ArrowRight'],
  ['KeyQ', 'KeyE'],
];
export const DEADMAN_KEY = 'ShiftLeft';
export const GEAR_KEY = 'KeyG';
const USED = new Set([...AXIS_KEYS.flat(), DEADMAN_KEY, GEAR_KEY]);

export class KeyAxes {
  readonly #held = new Set<string>();
  /** Whether the gear key was pressed since the last reading; a tap may be shorter than the interval. */
  #gearTapped = false;
  readonly #axes = new Float64Array(AXIS_KEYS.length);
  readonly #buttons = [false, false];
  readonly #reading: Reading = { axes: this.#axes, buttons: this.#buttons };

  /** Presses a key. @returns whether it is a control key, which the page must then not use otherwise */
  down(code: string): boolean {
    if (!USED.has(code)) return false;
    this.#held.add(code);
    if (code === GEAR_KEY) this.#gearTapped = true;
    return true;
  }

  up(code: string): void {
    this.#held.delete(code);
  }

  isDown(code: string): boolean {
    return this.#held.has(code);
  }

  /** Updates Shift from an event of another key, because its release may have gone to another window. */
  shift(isDown: boolean): void {
    if (!isDown) this.#held.delete(DEADMAN_KEY);
  }

  /** Releases all keys, because the page no longer receives their events. */
  release(): void {
    this.#held.clear();
    this.#gearTapped = false;
  }

  read(): Reading {
    const held = (code: string): number => (this.#held.has(code) ? 1 : 0);
    AXIS_KEYS.forEach(([minus, plus], i) => (this.#axes[i] = held(plus) - held(minus)));
    this.#buttons[0] = this.#held.has(DEADMAN_KEY);
    this.#buttons[1] = this.#gearTapped || this.#held.has(GEAR_KEY);
    this.#gearTapped = false;
    return this.#reading;
  }
}
