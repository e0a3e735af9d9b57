/** SpaceMouse devices over WebHID. The browser requires permission once, at a click, and stores it. */
import type { HandDevice, Reading } from '../../client/devices/layout.ts';
import { SPACEMOUSE_VENDORS, SpaceMouseReports } from '../../client/devices/spacemouse-reports.ts';

/** Generic desktop, multi-axis controller; the vendors make mice as well. */
const USAGE = { usagePage: 0x01, usage: 0x08 } as const;

class SpaceMouse implements HandDevice {
  readonly name: string;
  readonly model: string;
  readonly kind = 'spacemouse';
  connected = true;
  readonly #reports = new SpaceMouseReports();

  constructor(device: HIDDevice) {
    const hex = (id: number): string => id.toString(16).padStart(4, '0');
    this.name = device.productName === '' ? 'SpaceMouse' : device.productName;
    this.model = `spacemouse:${hex(device.vendorId)}:${hex(device.productId)}`;
    device.addEventListener('inputreport', ({ reportId, data }) => {
      this.#reports.take(reportId, data, performance.now());
    });
  }

  poll(now_ms: number): Reading | null {
    return this.#reports.read(now_ms);
  }
}

const isSpaceMouse = (device: HIDDevice): boolean =>
  SPACEMOUSE_VENDORS.includes(device.vendorId) &&
  device.collections.some(
    ({ usagePage, usage }) => usagePage === USAGE.usagePage && usage === USAGE.usage,
  );

export class SpaceMice {
  /** Whether this browser supports WebHID on this page: Chromium does, from HTTPS or this computer. */
  readonly supported: boolean = 'hid' in navigator;
  readonly #devices = new Map<HIDDevice, SpaceMouse>();
  readonly #changed: () => void;

  /** @param changed called when a device connects or disconnects */
  constructor(changed: () => void) {
    this.#changed = changed;
    if (!this.supported) return;
    navigator.hid.addEventListener('connect', ({ device }) => void this.#take(device));
    navigator.hid.addEventListener('disconnect', ({ device }) => {
      const gone = this.#devices.get(device);
      if (gone === undefined) return;
      gone.connected = false;
      this.#devices.delete(device);
      changed();
    });
    void navigator.hid
      .getDevices()
      .then((known) => Promise.all(known.map((device) => this.#take(device))));
  }

  get devices(): readonly HandDevice[] {
    return [...this.#devices.values()];
  }

  /** Opens the browser's selection of a device; only possible at a click. @returns an error sentence, or null */
  async ask(): Promise<string | null> {
    const filters = SPACEMOUSE_VENDORS.map((vendorId) => ({ vendorId, ...USAGE }));
    const chosen = await navigator.hid.requestDevice({ filters });
    const answers = await Promise.all(chosen.map((device) => this.#take(device)));
    return answers.find((answer) => answer !== null) ?? null;
  }

  async #take(device: HIDDevice): Promise<string | null> {
    if (!isSpaceMouse(device) || this.#devices.has(device)) return null;
    try {
      if (!device.opened) await device.open();
    } catch (error) {
      return `${device.productName} cannot be opened (${(error as Error).message}): on Linux its /dev/hidraw needs read and write permission.`;
    }
    this.#devices.set(device, new SpaceMouse(device));
    this.#changed();
    return null;
  }
}
