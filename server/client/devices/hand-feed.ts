/**
 * Input of the selected device: reads and calibrates it, toggles the gear at its button, adds the
 * deadman of the page. A lost or replaced device gives null once and so releases the deadman;
 * `HandStation` has the rules for what follows.
 */
import type { Frame, Gear, HandInput, Numbers } from '../messages.ts';
import { COMMAND_AXES, type DeviceKind, type HandDevice, type Reading } from './layout.ts';
import { commandAxes, type DeviceProfile } from './profile.ts';

export class HandFeed {
  gear: Gear = 'vernier';
  frame: Frame = 'base';
  /** Whether the deadman of the page is held. */
  heldOnPage = false;
  /** Function for the orientation of the camera in the base frame (x, y, z, w), called for frame `camera`. */
  camera: (() => Numbers) | null = null;
  /** Raw reading of the last call, null without one. */
  reading: Reading | null = null;
  /** Command axes of the last call, −1 … 1. */
  readonly axes: Float64Array = new Float64Array(COMMAND_AXES.length);
  #device: HandDevice | null = null;
  #profile: DeviceProfile | null = null;
  /** Of the last device; null before the first. */
  #kind: DeviceKind | null = null;
  #gearWasPressed = true;

  get device(): HandDevice | null {
    return this.#device;
  }

  get profile(): DeviceProfile | null {
    return this.#profile;
  }

  /**
   * Selects another device, or the same with another profile. The caller informs the station that
   * the device before is gone.
   */
  use(device: HandDevice | null, profile: DeviceProfile | null): void {
    if (device !== null && device.kind !== this.#kind) {
      this.#kind = device.kind;
      // a key has no travel to be gentle with: in vernier gear an arm seems to stand
      this.gear = device.kind === 'keyboard' ? 'coarse' : 'vernier';
    }
    this.#device = device;
    this.#profile = profile;
    this.#forget();
  }

  /** Reads the device. @returns the input to send; null without a device */
  poll(now_ms: number): HandInput | null {
    const device = this.#device;
    const profile = this.#profile;
    const reading = device?.connected === true ? device.poll(now_ms) : null;
    if (reading === null || profile === null) {
      this.#forget();
      return null;
    }
    this.reading = reading;
    commandAxes(profile, reading, this.axes);
    const gearPressed = reading.buttons[profile.gear] ?? false;
    if (gearPressed && !this.#gearWasPressed) this.toggleGear();
    this.#gearWasPressed = gearPressed;
    const { gear, frame } = this;
    const axes = [...this.axes];
    const deadman = this.heldOnPage || (reading.buttons[profile.deadman] ?? false);
    if (frame !== 'camera') return { axes, deadman, gear, frame };
    const camera = this.camera?.();
    // without a picture the directions of the axes are unknown
    if (camera === undefined) return { axes, deadman: false, gear, frame: 'base' };
    return { axes, deadman, gear, frame, camera };
  }

  toggleGear(): void {
    this.gear = this.gear === 'vernier' ? 'coarse' : 'vernier';
  }

  /** Resets the gear button: one that is down when a device connects is not pressed. */
  #forget(): void {
    this.reading = null;
    this.axes.fill(0);
    this.#gearWasPressed = true;
  }
}
