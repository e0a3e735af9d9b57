/** Clock offset of a client: never off by more than half the shortest round trip. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClockSync } from '../../../server/client/clock-sync.ts';

test('the offset is within half the shortest round trip of the last 16, whatever the delays', () => {
  const delay = fc.double({ min: 0, max: 0.2, noNaN: true });
  const trips = fc.array(fc.tuple(delay, delay), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(trips, fc.double({ min: -1e5, max: 1e5, noNaN: true }), (pairs, offset_s) => {
      const clock = new ClockSync();
      let now_s = 10;
      for (const [there_s, back_s] of pairs) {
        const received_s = now_s + there_s + back_s;
        clock.add(now_s, now_s + there_s + offset_s, received_s);
        now_s = received_s + 1;
      }
      const shortest_s = Math.min(...pairs.slice(-16).map(([there_s, back_s]) => there_s + back_s));
      assert.ok(Math.abs(clock.offset_s! - offset_s) <= shortest_s / 2 + 1e-9);
      const [there_s, back_s] = pairs.at(-1)!;
      assert.ok(Math.abs(clock.roundTrip_s! - there_s - back_s) < 1e-9);
    }),
  );
});

test('before the first answer nothing is known', () => {
  const clock = new ClockSync();
  assert.deepEqual([clock.offset_s, clock.roundTrip_s], [null, null]);
});
