/**
 * Input reports of 3Dconnexion devices. Report 1: translation x, y, z, as little-endian int16; report 2: rotation x, y, z; later
 * models put all six into report 1 (12 bytes); report 3: buttons, one bit each. A device reports without pause
 * while its cap is deflected (wired at 125 Hz, wireless at about 60 Hz) and is silent at rest.
 */
import { LAYOUTS, type Reading } from './layout.ts';

/** Vendors of the devices: Logitech, the first vendor, and 3Dconnexion. */
export const SPACEMOUSE_VENDORS: readonly number[] = [0x046d, 0x256f];
/** Time without a report with a deflected cap after which contact is lost, ms. */
export const SILENCE_MS = 100;
/** Counts within which the cap counts as resting: a device may stop reporting at a small deflection. */
const REST_COUNTS = 20;

export class SpaceMouseReports {
  readonly #axes = new Float64Array(6);
  readonly #buttons: boolean[] = LAYOUTS.spacemouse.buttonNames.map(() => false);
  readonly #reading: Reading = { axes: this.#axes, buttons: this.#buttons };
  #newest_ms = -Infinity;

  /** Takes an input report without its identifier. @returns whether it contained motion or buttons */
  take(id: number, data: DataView, now_ms: number): boolean {
    if (id === 3) return this.#takeButtons(data);
    if ((id !== 1 && id !== 2) || data.byteLength < 6) return false;
    this.#newest_ms = now_ms;
    this.#takeAxes(id === 1 ? 0 : 3, data, 0);
    if (id === 1 && data.byteLength >= 12) this.#takeAxes(3, data, 6);
    return true;
  }

  #takeAxes(first: number, data: DataView, at: number): void {
    for (let i = 0; i < 3; i++) this.#axes[first + i] = data.getInt16(at + 2 * i, true);
  }

  #takeButtons(data: DataView): boolean {
    for (let i = 0; i < this.#buttons.length; i++) {
      const byte = i >> 3;
      this.#buttons[i] = byte < data.byteLength && ((data.getUint8(byte) >> (i & 7)) & 1) === 1;
    }
    return true;
  }

  /** @returns newest reading, or null when reports stopped with a deflected cap */
  read(now_ms: number): Reading | null {
    const deflected = this.#axes.some((value) => Math.abs(value) > REST_COUNTS);
    return deflected && now_ms - this.#newest_ms > SILENCE_MS ? null : this.#reading;
  }
}
