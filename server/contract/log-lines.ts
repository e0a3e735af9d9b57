/** Records of the log (JSON, one a line) as lines for people: time of day, level, message, and what else is in the record. */

/** Where lines go: a terminal when `isTTY` is set. */
export interface LogTarget {
  readonly isTTY?: boolean;
  /** Whether the terminal shows colours; the environment may say no (NO_COLOR, TERM=dumb). */
  hasColors?(): boolean;
  write(text: string): unknown;
}

type Log = Readonly<Record<string, unknown>>;
type Colour = keyof typeof COLOURS;

const COLOURS = { red: 31, yellow: 33, green: 32, cyan: 36, magenta: 35, dim: 2 };
const LEVELS: Readonly<Record<number, readonly [name: string, colour: Colour]>> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'cyan'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'magenta'],
};
/** Fields of a record that stand elsewhere in its line, or are the same in all. */
const ELSEWHERE = new Set(['time', 'level', 'msg', 'pid', 'hostname', 'err']);
const LEVEL_WIDTH = 5;

/** Time of day, in the zone of the machine. */
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A text that stays on its line and cannot steer a terminal. */
const harmless = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (c) =>
    JSON.stringify(c)
      .slice(1, -1)
      .replace(/^[\x7f-\x9f]$/, '?'),
  );

/** A value after `name=`; text with blanks is in quotes. */
function valueOf(value: unknown): string {
  if (typeof value !== 'string') return harmless(textOf(value));
  return /^[^\s"=]+$/.test(value) ? harmless(value) : harmless(JSON.stringify(value));
}

/** Message of an error in a record, with the place where it arose. */
function errorOf(value: unknown): string {
  const { type, message, stack } = value as Log;
  const place = /\n\s+at (.*)/.exec(textOf(stack))?.[1];
  const where = place === undefined ? '' : ` (${place})`;
  return `${textOf(type)}: ${textOf(message)}${where}`;
}

/** One record as a line without its end, fields that are null left out; what is no record stays as it is. */
export function logLine(record: string, colours: boolean): string {
  let log: Log;
  try {
    log = JSON.parse(record) as Log;
  } catch {
    return harmless(record);
  }
  const paint = (colour: Colour, text: string): string =>
    colours ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text;
  const [level, colour] = LEVELS[Number(log['level'])] ?? [textOf(log['level']), 'dim'];
  const fields = Object.entries(log).filter(
    ([name, value]) => value !== null && !ELSEWHERE.has(name),
  );
  return [
    paint('dim', CLOCK.format(Number(log['time']))),
    paint(colour, level.padEnd(LEVEL_WIDTH)),
    harmless(textOf(log['msg'])),
    ...(log['err'] === undefined ? [] : [harmless(errorOf(log['err']))]),
    ...fields.map(([name, value]) => `${paint('dim', `${harmless(name)}=`)}${valueOf(value)}`),
  ].join(' ');
}

/** Stream for the log: records as they are, or as lines for people. `auto` is text on a terminal and JSON elsewhere. */
export function logStream(
  format: 'auto' | 'text' | 'json',
  target: LogTarget,
): { write(record: string): void } {
  const isText = format === 'text' || (format === 'auto' && target.isTTY === true);
  if (!isText) return { write: (record) => void target.write(record) };
  const colours = target.isTTY === true && target.hasColors?.() === true;
  return { write: (record) => void target.write(`${logLine(record.trimEnd(), colours)}\n`) };
}
