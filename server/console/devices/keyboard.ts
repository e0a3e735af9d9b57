/** The keyboard of the page as a hand controller. It does not use Space, which is STOP. */
import { KeyAxes } from '../../client/devices/key-axes.ts';
import type { HandDevice, Reading } from '../../client/devices/layout.ts';

/**
 * Elements that need keys when they have the focus. An element with single-key commands, like the
 * scene, prevents their default.
 */
const OWN_KEYS = 'input, select, textarea, [contenteditable]';

export class KeyboardDevice implements HandDevice {
  readonly name = 'Keyboard';
  readonly model = 'keyboard';
  readonly kind = 'keyboard';
  readonly connected = true;
  readonly #keys = new KeyAxes();

  /**
   * @param isWanted whether keys control the arm now
   * @param pressed called for each key that goes down and is not used by an element of the page
   */
  constructor(isWanted: () => boolean, pressed: (event: KeyboardEvent) => void) {
    addEventListener('keydown', (event) => {
      this.#keys.shift(event.shiftKey);
      const chord = event.ctrlKey || event.altKey || event.metaKey;
      const taken = event.target instanceof Element && event.target.matches(OWN_KEYS);
      const free = !chord && !taken && !event.defaultPrevented;
      if (chord || taken || !isWanted()) {
        this.#keys.release();
      } else if (!event.defaultPrevented && this.#keys.down(event.code)) {
        event.preventDefault(); // arrow keys would scroll the page
      }
      if (free && !event.repeat) pressed(event);
    });
    addEventListener('keyup', (event) => {
      this.#keys.up(event.code);
      this.#keys.shift(event.shiftKey);
    });
    addEventListener('blur', () => this.#keys.release());
    addEventListener('focusin', (event) => {
      if (event.target instanceof Element && event.target.matches(OWN_KEYS)) this.#keys.release();
    });
  }

  poll(): Reading {
    return this.#keys.read();
  }

  /** Whether the key is down, as far as its events say. */
  isDown(code: string): boolean {
    return this.#keys.isDown(code);
  }
}
