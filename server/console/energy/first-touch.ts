/** The first touch of the tool along its commanded twist, in words. */
import type { FirstTouchStatus } from '../../client/messages.ts';
import { fixed } from '../shell/words.ts';

/** Contact, time and place; that there is none within 10 s; a dash where it is not told. */
export function firstTouchWords(touch: FirstTouchStatus | null | undefined): string {
  if (touch === undefined) return '—';
  if (touch === null) return 'none within 10 s';
  const { contact, after_ms, point_m } = touch;
  const place = point_m.map((x) => fixed(1000 * x, 1)).join(', ');
  const when = after_ms > 0 ? `in ${fixed(after_ms, 0)} ms` : 'now';
  return `${contact} ${when} at (${place}) mm`;
}
