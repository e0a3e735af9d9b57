/** Instructions for a hand controller: its deadman, what moves the arm, how to begin again. Keys stand in square brackets. */
import { type DeviceKind, LAYOUTS } from '../../client/devices/layout.ts';
import type { DeviceProfile } from '../../client/devices/profile.ts';
import type { HandTrip } from '../../client/hand-station.ts';
import type { HandMode } from '../../client/messages.ts';

/** What is held as deadman. */
export function deadmanSentence(kind: DeviceKind | null, profile: DeviceProfile | null): string {
  if (kind === 'keyboard') return 'Hold the left [Shift] and keep it down.';
  const button = kind === null ? undefined : LAYOUTS[kind].buttonNames[profile?.deadman ?? -1];
  return button === undefined
    ? 'Hold the button “Hold to fly” below.'
    : `Hold the deadman, ${button}, and keep it down.`;
}

/** Keys of a command axis as [minus, plus]; null for an axis without keys. */
export function keysOfAxis(profile: DeviceProfile | null, axis: number): [string, string] | null {
  const { source = -1, inverted = false } = profile?.assignments[axis] ?? {};
  const name = LAYOUTS.keyboard.axisNames[source];
  if (name === undefined) return null;
  const [minus = '', plus = ''] = name.split(' – ');
  return inverted ? [plus, minus] : [minus, plus];
}

/** What moves the arm. In single-joint mode one axis of the device moves the joint, in others all of them the tool. */
export function motionSentence(
  kind: DeviceKind | null,
  profile: DeviceProfile | null,
  mode?: HandMode,
): string {
  if (kind !== 'keyboard') return 'Move the stick, with the deadman held.';
  if (mode?.mode === 'joint') {
    const keys = keysOfAxis(profile, mode.axis ?? 0);
    return keys === null
      ? 'No key moves this joint: choose another axis.'
      : `Move the joint, Shift held: [${keys[1]}] [${keys[0]}].`;
  }
  const along = ['x', 'y', 'z'].flatMap((axis, i) => {
    const keys = keysOfAxis(profile, i);
    return keys === null ? [] : [`[${keys[1]}] [${keys[0]}] ${axis}`];
  });
  return `Move, Shift held: ${along.join(', ')}.`;
}

const AGAIN = 'Release the deadman and centre the axes, then press it again.';
const KEYS_AGAIN = 'Let go of all keys, then hold the left Shift again.';

/** Why a pressed deadman does not count, and what to do. A keyboard is not lost: only its page stands still. */
export function tripWords(trip: HandTrip, kind: DeviceKind): string {
  const keys = kind === 'keyboard';
  const again = keys ? KEYS_AGAIN : AGAIN;
  switch (trip) {
    case 'start':
      return keys
        ? 'Let go of all keys once, then hold the left Shift.'
        : 'Release the deadman and centre the axes once; then press it to fly.';
    case 'state':
      return `Motion has ended. ${again}`;
    case 'authority':
      return `Authority went away. ${again}`;
    case 'device':
      return keys
        ? `This page stood still and read no keys. ${again}`
        : `The hand controller was lost. ${again}`;
    case 'hidden':
      return `This page was left. ${again}`;
  }
}
