/** Readings of the W3C Gamepad API: raw axes, and pairs of buttons as axes where the mapping is the standard one. */
import { type DeviceKind, FIRST_PAIR, LAYOUTS, MOST_AXES, PAIRS, type Reading } from './layout.ts';

/** The used fields of a `Gamepad`. */
export interface GamepadState {
  readonly id: string;
  readonly index: number;
  readonly connected: boolean;
  readonly mapping: string;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean; readonly value: number }[];
}

/** Value above which an analogue button counts as pressed. */
const PRESSED = 0.5;

export function gamepadKind(pad: GamepadState): DeviceKind {
  return pad.mapping === 'standard' ? 'gamepad' : 'joystick';
}

/** Vendor and product, as browsers write them into the id: "… (STANDARD GAMEPAD Vendor: 045e Product: 028e)", "045e-028e-…". */
const NUMBERS =
  /Vendor: (?<vendor>[0-9a-f]{4}) Product: (?<product>[0-9a-f]{4})|^(?<v>[0-9a-f]{3,4})-(?<p>[0-9a-f]{3,4})-/i;

/** Name without the additions of browsers. */
export function gamepadName({ id, mapping }: GamepadState): string {
  const name = id
    .replace(/\(.*$/, '')
    .replace(/^[0-9a-f]{3,4}-[0-9a-f]{3,4}-/i, '')
    .trim();
  if (name !== '') return name;
  return mapping === 'standard' ? 'Gamepad' : 'Joystick';
}

/** Key under which the calibration of this model is stored. */
export function gamepadModel(pad: GamepadState): string {
  const found = NUMBERS.exec(pad.id)?.groups;
  const vendor = found?.['vendor'] ?? found?.['v'];
  const product = found?.['product'] ?? found?.['p'];
  const numbers = vendor === undefined ? pad.id : `${vendor}:${product ?? ''}`;
  return `${gamepadKind(pad)}:${numbers}`;
}

/** Reads one gamepad into its own arrays. */
export class GamepadReading {
  readonly #kind: DeviceKind;
  readonly #axes: Float64Array;
  readonly #buttons: boolean[];
  readonly #reading: Reading;

  constructor(kind: DeviceKind) {
    const layout = LAYOUTS[kind];
    this.#kind = kind;
    this.#axes = new Float64Array(layout.axisNames.length);
    this.#buttons = layout.buttonNames.map(() => false);
    this.#reading = { axes: this.#axes, buttons: this.#buttons };
  }

  read(pad: GamepadState): Reading {
    const own = this.#kind === 'gamepad' ? FIRST_PAIR : MOST_AXES;
    for (let i = 0; i < own; i++) this.#axes[i] = pad.axes[i] ?? 0;
    if (this.#kind === 'gamepad') {
      PAIRS.forEach(([minus, plus], i) => {
        const value = (pad.buttons[plus]?.value ?? 0) - (pad.buttons[minus]?.value ?? 0);
        this.#axes[FIRST_PAIR + i] = value;
      });
    }
    for (let i = 0; i < this.#buttons.length; i++) {
      const button = pad.buttons[i];
      this.#buttons[i] = button !== undefined && (button.pressed || button.value > PRESSED);
    }
    return this.#reading;
  }
}
