/** Lines of the log on a terminal: one a record, with what is in it, and nothing that steers the terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { logStream } from '../../../server/contract/log-lines.ts';

interface Terminal {
  isTTY: boolean;
  colours: boolean;
}

/** What is written for these records. */
function written(
  format: 'auto' | 'text' | 'json',
  { isTTY, colours }: Terminal,
  log: (logger: FastifyBaseLogger) => void,
): string {
  let text = '';
  const target = {
    isTTY,
    hasColors: () => colours,
    write: (part: string) => void (text += part),
  };
  log(Fastify({ logger: { level: 'trace', stream: logStream(format, target) } }).log);
  return text;
}
const TERMINAL = { isTTY: true, colours: false };
const PIPE = { isTTY: false, colours: false };

test('JSON where no person reads, lines on a terminal, and either by setting', () => {
  const one = (logger: FastifyBaseLogger): void =>
    logger.info({ session: 3 }, 'operator connected');
  const line = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}operator connected session=3\n$/;
  assert.match(written('auto', TERMINAL, one), line);
  assert.match(written('text', PIPE, one), line);
  for (const [format, target] of [
    ['auto', PIPE],
    ['json', TERMINAL],
  ] as const) {
    const { level, msg, session } = JSON.parse(written(format, target, one)) as Record<
      string,
      unknown
    >;
    assert.deepEqual([level, msg, session], [30, 'operator connected', 3]);
  }
});

test('the time is that of the record, in the zone of the machine', () => {
  const line = written('text', PIPE, (logger) => logger.info('now'));
  const seconds = line.slice(0, 8).split(':').map(Number);
  const now = new Date();
  const since = (h: number, m: number, s: number): number => 3600 * h + 60 * m + s;
  const apart =
    since(now.getHours(), now.getMinutes(), now.getSeconds()) -
    since(seconds[0], seconds[1], seconds[2]);
  assert.ok((apart + 86_400) % 86_400 < 60, line);
});

test('one line a record: levels, errors with their place, text in quotes, objects as JSON', () => {
  const text = written('text', PIPE, (logger) => {
    logger.warn({ code: 'FORCE_LIMIT', why: 'two words', at: { x: 1 }, none: null }, 'fault');
    logger.error(new TypeError('no such\nthing'));
    logger.debug({ list: [1, 2] }, 'd');
  });
  const [warn, error, debug, end] = text.split('\n');
  assert.match(warn, / WARN {2}fault code=FORCE_LIMIT why="two words" at={"x":1}$/);
  assert.match(error, / ERROR no such\\nthing TypeError: no such\\nthing \(.*log-lines\.test.*\)$/);
  assert.match(debug, / DEBUG d list=\[1,2\]$/);
  assert.equal(end, '');
});

test('text from outside cannot colour, move or end a line', () => {
  const evil = 'a\x1b[2Jb\r\nc\x07\x9b1m';
  const text = written('text', PIPE, (logger) => logger.info({ [evil]: evil }, evil));
  assert.equal(text.match(/\n/g)?.length, 1);
  assert.doesNotMatch(text.trimEnd(), /\p{Cc}/u);
});

test('colours are for terminals that show them', () => {
  const one = (logger: FastifyBaseLogger): void => logger.error('x');
  assert.ok(written('auto', { isTTY: true, colours: true }, one).includes('\x1b[31mERROR\x1b[0m'));
  assert.ok(!written('auto', TERMINAL, one).includes('\x1b'));
  assert.ok(!written('text', { isTTY: false, colours: true }, one).includes('\x1b'));
});
