/** Profiles of the embedded settings: `full` at 1 kHz, and `try` for a machine that is too busy for it. */
import type { Settings } from './settings.ts';

export const PROFILES = ['full', 'try'] as const;
export type ProfileName = (typeof PROFILES)[number];

/**
 * What `try` changes. A missing STATE holds after 4 periods and stops after 20, so these become 16 ms and 80 ms with the period.
 * One long overrun counts from 25 periods, as at 1 kHz; in a row and in the bucket more are allowed.
 * The oldest input moves the arm by 6 mm at the coarse speed.
 */
export const TRY = Object.freeze({
  loop: Object.freeze({
    period_s: 0.004,
    overrun_consecutive: 50,
    overrun_bucket: 200,
    overrun_single_s: 0.1,
  }),
  operator: Object.freeze({ input_timeout_s: 0.3 }),
});

/** Changes settings to those of `try`. */
export function becomeTry(settings: Settings): void {
  Object.assign(settings.loop, TRY.loop);
  Object.assign(settings.operator, TRY.operator);
}
