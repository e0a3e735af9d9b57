/** How long flights are kept: the room that there is for them over the rate at which they are written. */
import type { Settings } from '../../config/settings.ts';

/**
 * Bytes of a file for one period of the loop, as measured of contact tasks at 1 kHz (docs/recording.md); a run reports its own
 * after a minute.
 */
const BYTES_PER_PERIOD = { zstd: 750, none: 3400 };

/** Room of the flights, bytes: what is there already, and what may come. */
export function roomForFlights(
  { keep_bytes, keep_free_bytes }: Pick<Settings['recording'], 'keep_bytes' | 'keep_free_bytes'>,
  present_bytes: number,
  free_bytes: number,
): number {
  return Math.min(keep_bytes, present_bytes + Math.max(0, free_bytes - keep_free_bytes));
}

/** Rate to be expected, bytes a second. */
export function expectedRate(compression: '' | 'zstd', period_s: number): number {
  return BYTES_PER_PERIOD[compression === '' ? 'none' : compression] / period_s;
}

/** In words: minutes below two hours, then hours, then days. */
export function timeWords(time_s: number): string {
  if (time_s < 7200) return `${Math.floor(time_s / 60)} min`;
  if (time_s < 172_800) return `${(Math.floor(time_s / 360) / 10).toFixed(1)} h`;
  return `${Math.floor(time_s / 86_400)} days`;
}
