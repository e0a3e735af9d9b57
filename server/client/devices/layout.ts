/**
 * Hand controllers for pages and tests: readings of a device, and layout of each kind of device.
 * Raw axes have the units of the device; a profile (profile.ts) turns them into command axes.
 * Nothing here depends on a browser.
 */

export type DeviceKind = 'keyboard' | 'gamepad' | 'joystick' | 'spacemouse';

/** Reading of a device. The arrays belong to the device, which overwrites them at the next reading. */
export interface Reading {
  /** Raw axes, in the order of the layout. */
  readonly axes: Float64Array;
  readonly buttons: readonly boolean[];
}

/** A connected or formerly connected hand controller. */
export interface HandDevice {
  readonly name: string;
  /** Key of its calibration: the same for every device of one model. */
  readonly model: string;
  readonly kind: DeviceKind;
  readonly connected: boolean;
  /** @param now_ms page clock, ms @returns newest reading; null when the device is lost or its contact is in doubt */
  poll(now_ms: number): Reading | null;
}

/** Layout of a kind of device. */
export interface DeviceLayout {
  readonly axisNames: readonly string[];
  readonly buttonNames: readonly string[];
  /** Raw reading of a correct axis at its end, relative to rest. */
  readonly nominalReach: number;
}

/** Command axes in the order of an input message: translation, then rotation. */
export const COMMAND_AXES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;
/** Largest number of raw axes used. */
export const MOST_AXES = 8;
/** Largest number of buttons used. */
export const MOST_BUTTONS = 32;

/** Pairs of buttons [minus, plus] of a standard gamepad that count as axes, after its own four. */
export const PAIRS: readonly (readonly [minus: number, plus: number])[] = [
  [6, 7],
  [14, 15],
  [13, 12],
  [4, 5],
];
export const FIRST_PAIR = 4;

const numbered = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`);

export const LAYOUTS: Readonly<Record<DeviceKind, DeviceLayout>> = Object.freeze({
  keyboard: {
    axisNames: ['A – D', 'S – W', 'F – R', '↓ – ↑', '← – →', 'Q – E'],
    buttonNames: ['Shift (left)', 'G'],
    nominalReach: 1,
  },
  // the standard mapping of the W3C Gamepad specification; pairs of buttons count as axes
  gamepad: {
    axisNames: [
      'Left stick, right',
      'Left stick, down',
      'Right stick, right',
      'Right stick, down',
      'Triggers, right − left',
      'Cross, right − left',
      'Cross, up − down',
      'Bumpers, right − left',
    ],
    buttonNames: [
      'A (lower)',
      'B (right)',
      'X (left)',
      'Y (upper)',
      'Left bumper',
      'Right bumper',
      'Left trigger',
      'Right trigger',
      'Back',
      'Start',
      'Left stick pressed',
      'Right stick pressed',
      'Cross up',
      'Cross down',
      'Cross left',
      'Cross right',
      'Home',
    ],
    nominalReach: 1,
  },
  joystick: {
    axisNames: numbered('Axis', MOST_AXES),
    buttonNames: numbered('Button', MOST_BUTTONS),
    nominalReach: 1,
  },
  spacemouse: {
    axisNames: [
      'Cap right',
      'Cap towards you',
      'Cap down',
      'Tilt towards you',
      'Tilt right',
      'Twist clockwise',
    ],
    buttonNames: numbered('Button', MOST_BUTTONS),
    nominalReach: 350,
  },
});
