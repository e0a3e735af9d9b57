/**
 * Hand controller of this page: reads the selected device 100 times a second and passes the
 * readings to the station of the operator client, which sends them. Only the fly page, visible and
 * with the focus, can fly. Leaving it releases the deadman at once.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { HandFeed } from '../../client/devices/hand-feed.ts';
import type { HandDevice } from '../../client/devices/layout.ts';
import type { DeviceProfile } from '../../client/devices/profile.ts';
import { HandStation } from '../../client/hand-station.ts';
import type { Frame, Gear } from '../../client/messages.ts';
import { hash } from '../router.ts';
import { cameraOrientation } from '../scene/camera-frame.ts';
import { operator } from '../store.ts';
import { Gamepads } from './gamepads.ts';
import { KeyboardDevice } from './keyboard.ts';
import { chosenModel, keepChosenModel, keepProfile, profileOf } from './profiles.ts';
import { SpaceMice } from './spacemice.ts';

const POLL_MS = 10;
/** Interval of the drawings of the axes, ms: 30 a second. */
const SHOW_MS = 33;
const FLY = '#/fly';
const DEVICES = '#/devices';

/** Input of the selected device; its fields change 100 times a second. */
export const feed = new HandFeed();
feed.camera = cameraOrientation;

let keyListener: (event: KeyboardEvent) => void = () => undefined;
const keyboard: KeyboardDevice = new KeyboardDevice(
  (): boolean => feed.device === keyboard && [FLY, DEVICES].includes(hash.peek()),
  (event) => keyListener(event),
);
/** Calls `listener` for each key that goes down on the page and is not used by one of its elements. */
export function onKey(listener: (event: KeyboardEvent) => void): void {
  keyListener = listener;
}
/** Whether the key is down while keys control the arm. */
export const isKeyDown = (code: string): boolean => keyboard.isDown(code);
const gamepads = new Gamepads();
export const spacemice = new SpaceMice(() => refresh());

const found = signal<readonly HandDevice[]>([keyboard]);
/** Connected devices. */
export const devices: ReadonlySignal<readonly HandDevice[]> = found;
/** Selected model; its device may be disconnected. */
export const model = signal(chosenModel());
/** Device in use; null while that of the selected model is disconnected. */
export const inUse = signal<HandDevice | null>(null);
export const frame = signal<Frame>(feed.frame);
/** Incremented whenever the drawings of the axes must read `feed` and `station` again. */
const drawings = signal(0);
/** Called by a component, which is then drawn again with every shown reading. */
export const follow = (): number => drawings.value;
/** Rules of the connected operator client. */
export const station = signal<HandStation | null>(null);

/** Whether this page may fly now. */
export const mayFly = (): boolean =>
  hash.peek() === FLY && document.visibilityState === 'visible' && document.hasFocus();

let flying = false;
let shown_ms = 0;
const listeners = new Set<(now_ms: number) => void>();

/** Calls `listener` at every reading, page time in ms. @returns a function that ends the calls */
export function onPoll(listener: (now_ms: number) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Updates the list of devices and the selected one. */
function refresh(): void {
  found.value = [keyboard, ...gamepads.devices, ...spacemice.devices];
  const wanted = found.value.find((device) => device.model === model.value) ?? null;
  if (wanted === inUse.value && wanted === feed.device && wanted !== null) return;
  station.value?.lose();
  inUse.value = wanted;
  feed.use(wanted, wanted === null ? null : profileOf(wanted));
}

function poll(): void {
  const now_ms = performance.now();
  if (gamepads.scan()) refresh();
  watch();
  const input = feed.poll(now_ms);
  if (input === null) station.value?.lose();
  else station.value?.update(input, now_ms / 1000);
  for (const listener of listeners) listener(now_ms);
  if (now_ms - shown_ms < SHOW_MS || document.visibilityState !== 'visible') return;
  shown_ms = now_ms;
  drawings.value++;
}

/** Handles a change of visibility or focus of the page. */
function watch(): void {
  const now = mayFly();
  if (now === flying) return;
  flying = now;
  if (flying) station.value?.show(true);
  else releaseDeadman();
}

/** Releases the deadman at once and informs the server. */
function releaseDeadman(): void {
  flying = false;
  feed.heldOnPage = false;
  const client = operator.peek();
  if (client === null) station.value?.show(false);
  else client.releaseDeadman();
}

/** Selects another model. */
export function choose(device: HandDevice): void {
  model.value = device.model;
  keepChosenModel(device.model);
  refresh();
}

/** Stores a calibration of the device, or deletes it with null, and applies it. */
export function setProfile(device: HandDevice, profile: DeviceProfile | null): void {
  keepProfile(device, profile);
  if (device !== feed.device) return;
  station.value?.lose();
  feed.use(device, profileOf(device));
}

export function setGear(wanted: Gear): void {
  feed.gear = wanted;
  drawings.value++;
}

export function setFrame(wanted: Frame): void {
  feed.frame = wanted;
  frame.value = wanted;
}

effect(() => {
  const client = operator.value;
  flying = false;
  feed.heldOnPage = false;
  if (client === null) {
    station.value = null;
    return;
  }
  const { deadband, input_timeout_s } = client.welcome.operator;
  station.value = client.station = new HandStation(deadband, input_timeout_s);
  client.station.show(false);
  client.startInputs();
});

for (const event of ['blur', 'pagehide']) addEventListener(event, releaseDeadman);
addEventListener('hashchange', watch);
document.addEventListener('visibilitychange', watch);
addEventListener('gamepaddisconnected', poll);
refresh();
setInterval(poll, POLL_MS);
