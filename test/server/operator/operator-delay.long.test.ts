/** How late an operator's input may be, by what the server measures itself, over delays of every size both ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DelayedStation, MOST_TICKS, oldest, ROUNDING_S, TIMEOUT_S } from './delayed-station.ts';

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
    assert.ok(oldest(station) <= TIMEOUT_S + ROUNDING_S);
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
      assert.ok(oldest(station) <= TIMEOUT_S + ROUNDING_S);
    }),
    { numRuns: 15 },
  );
});
