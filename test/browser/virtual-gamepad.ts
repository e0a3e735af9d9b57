/**
 * A gamepad moved by a test: `navigator.getGamepads` of the page returns it, and events report its
 * connection and disconnection. Install it before the page is loaded.
 */
import type { Page } from 'playwright-core';

/** Buttons of the standard mapping that the profile of a new gamepad uses. */
export const PAD_DEADMAN = 4;
export const PAD_GEAR = 5;

// Runs in the page. It is text, because the compiler knows the names of Node here and not those of
// a browser.
const SCRIPT = `(() => {
  const pad = {
    id: 'Virtual pad (STANDARD GAMEPAD Vendor: 1209 Product: 0001)',
    index: 0,
    mapping: 'standard',
    timestamp: 0,
    connected: false,
    axes: [0, 0, 0, 0],
    buttons: Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 })),
  };
  navigator.getGamepads = () => [pad.connected ? pad : null, null, null, null];
  const tell = (name) =>
    dispatchEvent(Object.assign(new Event(name), { gamepad: pad }));
  window.virtualGamepad = {
    plug: () => { pad.connected = true; tell('gamepadconnected'); },
    unplug: () => { pad.connected = false; tell('gamepaddisconnected'); },
    axis: (i, value) => { pad.axes[i] = value; pad.timestamp = performance.now(); },
    button: (i, value) => {
      pad.buttons[i] = { pressed: value > 0.5, touched: value > 0, value };
      pad.timestamp = performance.now();
    },
  };
})()`;

/** The pad of one page. */
export class VirtualGamepad {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Call before `page.goto`: the pad is there from the first script on, but not plugged in. */
  static async install(page: Page): Promise<VirtualGamepad> {
    await page.addInitScript(SCRIPT);
    return new VirtualGamepad(page);
  }

  /** The page sees it, and has it in the list `#device-choice`. */
  plug(): Promise<void> {
    return this.#call('plug');
  }

  /** It goes, with whatever was deflected or held. */
  unplug(): Promise<void> {
    return this.#call('unplug');
  }

  /** @param i 0 left stick right, 1 left stick down, 2 and 3 the right one @param value −1 … 1 */
  axis(i: number, value: number): Promise<void> {
    return this.#call('axis', i, value);
  }

  /** @param i button of the standard mapping @param value 0 … 1: pressed beyond 0.5 */
  button(i: number, value: number): Promise<void> {
    return this.#call('button', i, value);
  }

  async #call(name: string, ...values: readonly number[]): Promise<void> {
    await this.#page.evaluate(`virtualGamepad.${name}(${values.join(', ')})`);
  }
}
