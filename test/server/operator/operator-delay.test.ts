/** How late an operator's input may be, by what the server measures itself: whatever the clock or the client does. Any delays: operator-delay.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { Challenges } from '../../../server/operator/challenges.ts';
import { DelayedStation, MOST_TICKS, oldest, ROUNDING_S, TIMEOUT_S } from './delayed-station.ts';

test('58: a delay that grows slowly is seen as it grows', () => {
  const station = new DelayedStation();
  const start_s = station.now_s;
  // one millisecond more every ten: less than one input's interval at a time
  station.arrival = (sent_s) => sent_s + 0.1 * (sent_s - start_s);
  station.stick = 0.5;
  const { cause, ticks } = station.untilHold(5000);
  assert.equal(cause, 'INPUT_STALE');
  assert.ok(oldest(station) <= TIMEOUT_S + ROUNDING_S);
  assert.ok(ticks < 1100, `held after ${ticks} ms`); // 0.1 s of delay after a second
});

test('58: a clock that runs a hundred times too fast or too slowly, or jumps, makes nothing fresh', () => {
  const clocks: ((s: number) => number)[] = [
    (s) => 100 * s,
    (s) => 0.01 * s,
    (s) => s + (Math.floor(s * 7) % 2 === 0 ? 3600 : -3600),
    () => 0,
  ];
  for (const clock of clocks) {
    const station = new DelayedStation();
    station.clock = clock;
    station.stick = 0.5;
    station.run(300);
    // a stall of 400 ms and its burst
    const end_s = station.now_s + 0.4;
    station.arrival = (sent_s) => Math.max(sent_s + 0.005, end_s);
    station.run(1500);
    assert.ok(oldest(station) <= TIMEOUT_S + ROUNDING_S);
    assert.equal(station.rig.state, 'HOLD');
    // and a constant delay of 2 s, which a fast clock would hide
    station.accepted.length = 0;
    station.arrival = (sent_s) => sent_s + 2;
    station.run(5000);
    assert.deepEqual(station.accepted, []);
  }
});

test('58: an answer that is given again gets older; one that was made up, or is another client’s, counts for nothing', () => {
  const station = new DelayedStation();
  station.stick = 0.5;
  station.run(300);
  station.receives = false;
  const { ticks, cause } = station.untilHold(2000);
  assert.deepEqual([cause, ticks <= MOST_TICKS], ['INPUT_STALE', true]);
  assert.ok(station.refused.every((reason) => reason === 'stale'));

  const [mine, theirs] = [new Challenges(), new Challenges()];
  const other = theirs.issue(1);
  mine.issue(1);
  assert.equal(mine.age_s(other, 1), Infinity);
  assert.equal(mine.age_s(0, 1), Infinity);
  mine.answer(other, 1);
  assert.equal(mine.judge(1, TIMEOUT_S), 'delay_unknown');
  const nonce = mine.issue(2);
  mine.answer(nonce, 2.05);
  assert.equal(mine.judge(2.05, TIMEOUT_S), 'ok');
  // an answer counts for 5 s, and the same one again is no round trip of now
  assert.equal(mine.judge(7.06, TIMEOUT_S), 'delay_unknown');
  mine.answer(nonce, 7.06);
  assert.equal(mine.judge(7.06, TIMEOUT_S), 'delay_too_long');
});

test('58: an input without a challenge is not applied', () => {
  const station = new DelayedStation();
  station.quotes = false;
  station.stick = 0.5;
  const { ticks, cause } = station.untilHold(1000);
  assert.deepEqual([cause, ticks <= MOST_TICKS], ['INPUT_STALE', true]);
  assert.deepEqual(station.accepted, []);
  assert.ok(station.refused.every((reason) => reason === 'unmeasured'));
});

test('58: an input timeout above half a second is refused by name', () => {
  assert.throws(
    () => loadSettings(undefined, ['operator.input_timeout_s=60 s']),
    /operator\.input_timeout_s.*0\.5/,
  );
});
