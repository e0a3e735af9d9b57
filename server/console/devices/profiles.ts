/** Calibrations stored in this browser, one per model of device, and the selected model. */
import type { HandDevice } from '../../client/devices/layout.ts';
import { defaultProfile, type DeviceProfile, readProfile } from '../../client/devices/profile.ts';

const PROFILE = 'berth.device.';
const CHOSEN = 'berth.device';

/** Stored value, or null; a browser may store nothing at all. */
function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // without storage the value is valid until the page is left
  }
}

const session = new Map<string, DeviceProfile>();

/** @returns the stored calibration of the model, or null */
export function keptProfile({ model, kind }: HandDevice): DeviceProfile | null {
  const now = session.get(model);
  if (now !== undefined) return now;
  const text = kept(PROFILE + model);
  if (text === null) return null;
  try {
    return readProfile(JSON.parse(text), kind);
  } catch {
    return null;
  }
}

export const profileOf = (device: HandDevice): DeviceProfile =>
  keptProfile(device) ?? defaultProfile(device.kind);

/** @param profile null deletes it */
export function keepProfile({ model }: HandDevice, profile: DeviceProfile | null): void {
  if (profile === null) session.delete(model);
  else session.set(model, profile);
  keep(PROFILE + model, profile === null ? null : JSON.stringify(profile));
}

export const chosenModel = (): string => kept(CHOSEN) ?? 'keyboard';
export const keepChosenModel = (model: string): void => keep(CHOSEN, model);
