/** Lines of the event log: events in words, by kind. */
import type { LoopNotice, RobotRefusal } from '../../client/messages.ts';
import { injectionWords } from '../shell/injected.ts';
import { cause, fixed, words } from '../shell/words.ts';

/** Kinds by which the log can be filtered. */
export const LOG_KINDS = [
  'transition',
  'contact',
  'contact_seen',
  'contact_crossed',
  'link',
  'robot_refused',
  'injected',
  'authority',
  'connection',
] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export const KIND_WORDS: Readonly<Record<LogKind, string>> = {
  transition: 'State',
  contact: 'Contact',
  contact_seen: 'Observed contact',
  contact_crossed: 'Crossed contact',
  link: 'Robot link',
  robot_refused: 'Robot refused',
  injected: 'Injected fault',
  authority: 'Authority',
  connection: 'This page',
};

export interface LogLine {
  readonly key: number;
  readonly kind: LogKind;
  /** Time at which this page received it, ms of the Unix epoch. */
  readonly at_ms: number;
  /** Time of the loop, s; null for entries from elsewhere. */
  readonly time_s: number | null;
  readonly text: string;
}

/** Words of a notice of the loop. */
export function noticeWords(notice: LoopNotice): string {
  switch (notice.name) {
    case 'transition': {
      const why = notice.cause === null ? '' : ` ${cause(notice.cause)}`;
      return `From ${words(notice.from)} to ${words(notice.to)}.${why}`;
    }
    case 'link':
      return notice.up ? 'The robot link came up.' : 'The robot link went down.';
    case 'robot_refused':
      return refusalWords(notice, notice.more);
    case 'contact':
      return contactWords(notice);
    case 'contact_seen':
      return `${notice.alarm ? 'Warning: o' : 'O'}bserved contact ${notice.contact} at ${fixed(notice.speed_mps * 1000, 1)} mm/s.`;
    case 'contact_crossed':
      return `The bodies of contact ${notice.contact} moved through each other${notice.contacts > 1 ? `, and those of ${notice.contacts - 1} more` : ''}.`;
    case 'injected':
      return injectionWords(notice);
  }
}

/** A robot that did not come into session; `times` when it is not the first time. */
export function refusalWords(
  refusal: Pick<RobotRefusal, 'by' | 'device' | 'from' | 'message'>,
  times = 1,
): string {
  const { by, device, from, message } = refusal;
  const robot = device === '' ? 'A robot' : `“${device}”`;
  const place = from === '' ? '' : ` at ${from}`;
  const what = by === 'server' ? `${robot}${place} was refused` : `${robot}${place} refused Berth`;
  return `${what}${times > 1 ? ` ${times} times` : ''}: ${message.replace(/\.?$/, '.')}`;
}

function contactWords(notice: Extract<LoopNotice, { name: 'contact' }>): string {
  if (notice.found) {
    const { speed_mps } = notice;
    return speed_mps === undefined ? 'Contact.' : `Contact at ${fixed(speed_mps * 1000, 1)} mm/s.`;
  }
  const { peak_force_N } = notice;
  const peak =
    peak_force_N === undefined ? '' : ` Its force was at most ${fixed(peak_force_N, 1)} N.`;
  return `Contact lost.${peak}`;
}

/** Words for the holder of authority. */
export function authorityWords(holder: number, own: number): string {
  if (holder === 0) return 'Nobody has authority.';
  return holder === own ? 'This page has authority.' : `Session ${holder} has authority.`;
}

/** Time of day with milliseconds, local. */
export function clockTime(at_ms: number): string {
  const at = new Date(at_ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** The log as text to paste: tab-separated with a heading, time of day in UTC, oldest first. */
export function logText(lines: readonly LogLine[]): string {
  const rows = lines.map(({ at_ms, time_s, kind, text }) =>
    [new Date(at_ms).toISOString(), time_s === null ? '' : time_s.toFixed(3), kind, text].join(
      '\t',
    ),
  );
  return ['time\tloop_time_s\tkind\tevent', ...rows].join('\n');
}
