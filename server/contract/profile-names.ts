/** Profiles of the embedded settings: `full` at 1 kHz, and `try` for a machine that is too busy for it. */
export const PROFILES = ['full', 'try'] as const;
export type ProfileName = (typeof PROFILES)[number];
