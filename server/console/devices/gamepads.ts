/**
 * Gamepads and joysticks of the browser. They are polled, because the browser reports only
 * connection and disconnection.
 */
import {
  gamepadKind,
  gamepadModel,
  GamepadReading,
  gamepadName,
  type GamepadState,
} from '../../client/devices/gamepad-reading.ts';
import type { DeviceKind, HandDevice, Reading } from '../../client/devices/layout.ts';

/** Gamepads of the browser; a page without a secure context has none. */
const pads = (): readonly (GamepadState | null)[] =>
  'getGamepads' in navigator ? navigator.getGamepads() : [];

class Pad implements HandDevice {
  readonly name: string;
  readonly model: string;
  readonly kind: DeviceKind;
  connected = true;
  readonly id: string;
  readonly #index: number;
  readonly #reading: GamepadReading;

  constructor(state: GamepadState) {
    this.id = state.id;
    this.#index = state.index;
    this.kind = gamepadKind(state);
    this.name = gamepadName(state);
    this.model = gamepadModel(state);
    this.#reading = new GamepadReading(this.kind);
  }

  poll(): Reading | null {
    const state = pads()[this.#index];
    // another gamepad may have taken the slot
    this.connected &&= state?.connected === true && state.id === this.id;
    return this.connected ? this.#reading.read(state!) : null;
  }
}

export class Gamepads {
  #devices: Pad[] = [];

  get devices(): readonly HandDevice[] {
    return this.#devices;
  }

  /** Scans for devices. @returns whether one connected or disconnected */
  scan(): boolean {
    const found = pads().filter((state) => state?.connected === true) as GamepadState[];
    for (const device of this.#devices) device.poll();
    const left = this.#devices.filter((device) => device.connected);
    const known = new Set(left.map(({ id }) => id));
    const come = found.filter((state) => !known.has(state.id)).map((state) => new Pad(state));
    const changed = come.length > 0 || left.length < this.#devices.length;
    if (changed) this.#devices = [...left, ...come];
    return changed;
  }
}
