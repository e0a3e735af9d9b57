/** Words of the page of recordings: sizes, lengths, times. */
import { fixed } from '../shell/words.ts';
import type { KeptRoom, ListedRecording } from '../../contract/recordings.ts';

/** A size in B, kB, MB or GB. */
export function size(bytes: number): string {
  const [factor, unit] =
    bytes < 1e3 ? [1, 'B'] : bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  const value = bytes / factor;
  return `${fixed(value, unit === 'B' || value >= 100 ? 0 : 1)} ${unit}`;
}

/** A length as seconds, then as minutes and seconds, then as hours and minutes. */
export function span(time_s: number): string {
  const whole = Math.floor(time_s);
  if (whole < 60) return `${fixed(time_s, 1)} s`;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two((whole % 3600) / 60)} min`;
}

/** Day and time, local. */
export function moment(at_ms: number): string {
  const at = new Date(at_ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export const KIND_WORDS: Readonly<Record<ListedRecording['kind'], string>> = {
  flight: 'flight',
  excerpt: 'around a fault',
  freeze: 'before a fault',
  other: 'not of this recorder',
};

/** What becomes of a file. */
export function fate({ kind, pinned, writing, next }: ListedRecording): string {
  if (writing) return 'is being written';
  if (kind === 'other') return 'never removed';
  if (pinned) return 'kept';
  return next ? 'goes next' : '';
}

/** What is kept of flights, and when the next one goes. */
export function flightWords(kept: KeptRoom): string {
  const used = `${size(kept.flight_bytes)} of ${size(kept.room_bytes)} are in use by flights that may go.`;
  const why =
    kept.room_bytes < kept.keep_bytes
      ? ` The disk has room for no more: recording.keep_free_bytes leaves ${size(kept.keep_free_bytes)} free.`
      : '';
  if (kept.left_s === null) return `${used}${why} Nothing is recorded now.`;
  const when = `The oldest goes after about ${span(kept.left_s)} more of flight.`;
  return `${used}${why} ${when}`;
}

/** What is kept of the ticks before faults. */
export function freezeWords({ freezes, keep_freezes }: KeptRoom): string {
  const full = freezes >= keep_freezes ? ' The next fault removes the oldest.' : '';
  return `${freezes} of ${keep_freezes} files before a fault.${full}`;
}
