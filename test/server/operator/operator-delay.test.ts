/** How late an operator's input may be, by what the server measures itself: whatever the network, the clock or the client does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadSettings } from '../../../config/load-settings.ts';
import { Challenges } from '../../../server/operator/challenges.ts';
import { DelayedStation, TIMEOUT_S } from './delayed-station.ts';

/** The limit in ticks, and the one in which what is too old by then is seen. */
const MOST_TICKS = TIMEOUT_S / 1e-3 + 1;
const rounding_s = 1e-9;
const oldest = (station: DelayedStation): number => Math.max(0, ...station.accepted);

test('58: a deadman that is released holds within the input timeout, whatever the delay of the uplink', (t) => {
  const worst: Record<string, number> = {};
  for (const uplink_s of [0, 0.02, 0.05, 0.08, 0.085, 0.095, 0.2, 2]) {
    const station = new DelayedStation();
    station.arrival = (sent_s) => sent_s + uplink_s;
    station.stick = 0.5;
    // with an uplink that is too long it holds in this time already, for nothing in time comes
    const before = station.untilHold(3000);
    const flies = before.cause === null;
    // an input every 10 ms: the one before has to last for so long
    assert.equal(flies, uplink_s < TIMEOUT_S - 0.01, `${uplink_s} s`);
    assert.ok(oldest(station) <= TIMEOUT_S + rounding_s);
    const verdict = station.gate.challenges.judge(station.now_s, TIMEOUT_S);
    assert.equal(verdict === 'ok', uplink_s <= TIMEOUT_S, `${uplink_s} s: ${verdict}`);
    if (!flies) {
      assert.ok(before.ticks <= MOST_TICKS, `held after ${before.ticks} ms`);
      continue;
    }
    station.deadman = false;
    const { ticks } = station.untilHold(3000);
    assert.ok(ticks <= MOST_TICKS, `${uplink_s} s: ${ticks} ms`);
    worst[uplink_s] = ticks;
  }
  const slowest = Math.max(...Object.values(worst));
  t.diagnostic(
    `acceptance 58: HOLD at most ${slowest} ms after release with uplinks up to 85 ms; 0.2 s and 2 s get no authority and no motion`,
  );
});

test('58: a delay that grows slowly is seen as it grows', () => {
  const station = new DelayedStation();
  const start_s = station.now_s;
  // one millisecond more every ten: less than one input's interval at a time
  station.arrival = (sent_s) => sent_s + 0.1 * (sent_s - start_s);
  station.stick = 0.5;
  const { cause, ticks } = station.untilHold(5000);
  assert.equal(cause, 'INPUT_STALE');
  assert.ok(oldest(station) <= TIMEOUT_S + rounding_s);
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
    assert.ok(oldest(station) <= TIMEOUT_S + rounding_s);
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

test('58: nothing older than the timeout is applied, over any delays both ways', () => {
  const delays = fc.array(fc.double({ min: 0, max: 0.3, noNaN: true }), {
    minLength: 5,
    maxLength: 20,
  });
  fc.assert(
    fc.property(delays, delays, fc.double({ min: -2, max: 2, noNaN: true }), (up, down, rate) => {
      const station = new DelayedStation();
      station.clock = (s) => s * 10 ** rate;
      const step = (list: readonly number[]): number =>
        list[Math.floor(station.now_s * 5) % list.length];
      let last_s = 0;
      // in order, as over one connection
      station.arrival = (sent_s) => (last_s = Math.max(last_s, sent_s + step(up)));
      for (let i = 0; i < 10; i++) {
        station.downlink_s = down[i % down.length];
        station.run(200);
      }
      assert.ok(oldest(station) <= TIMEOUT_S + rounding_s);
    }),
    { numRuns: 15 },
  );
});

test('58: an input timeout above half a second is refused by name', () => {
  assert.throws(
    () => loadSettings(undefined, ['operator.input_timeout_s=60 s']),
    /operator\.input_timeout_s.*0\.5/,
  );
});
