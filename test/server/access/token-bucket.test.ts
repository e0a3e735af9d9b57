/** Too many messages against a backlog behind a blocked server (hil-anchors 9.4: 47, 49). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Standstill } from '../../../server/operator/standstill.ts';
import { STANDSTILL_S, TokenBucket } from '../../../server/access/token-bucket.ts';

const RATE = 200;
const BURST = 50;
const BEAT_S = 0.02;
/** A hand controller sends at up to 125 Hz. */
const INPUT_HZ = 125;

/** A receiver whose timer beats on time up to `until_s`. */
function beating(until_s: number): Standstill {
  const standstill = new Standstill(BEAT_S, 0);
  for (let i = 1; i * BEAT_S <= until_s; i++) standstill.beat(i * BEAT_S);
  return standstill;
}

/** Messages taken in a row from `now_s` on, `gap_s` apart, up to `most`. */
function takenOf(
  bucket: TokenBucket,
  standstill: Standstill,
  now_s: number,
  gap_s: number,
  most = 1e5,
): number {
  let taken = 0;
  while (taken < most) {
    const now = now_s + taken * gap_s;
    if (!bucket.take(now, standstill.total_s(now))) break;
    taken++;
  }
  return taken;
}

test('a token bucket allows its burst and then its rate', () => {
  const bucket = new TokenBucket(RATE, BURST, 0);
  let taken = 0;
  while (bucket.take(0)) taken++;
  assert.equal(taken, BURST);
  assert.equal(bucket.take(0.004), false);
  assert.equal(bucket.take(0.0051), true);
});

test('inputs that piled up while the server stood still are taken, the flood behind them is not', () => {
  for (const [stood_s, read] of [
    [0.5, 'before'],
    [0.5, 'after'],
    [9, 'before'],
    [9, 'after'],
  ] as const) {
    const standstill = beating(1);
    const bucket = new TokenBucket(RATE, BURST, 0.5, standstill.total_s(0.5));
    // a client in step until the server stops at 1 s
    assert.equal(takenOf(bucket, standstill, 0.5, 1 / INPUT_HZ, 60), 60);
    const now = 1 + stood_s;
    if (read === 'after') standstill.beat(now); // whether sockets are read before the late timers run or after
    const pile = Math.ceil(stood_s * INPUT_HZ);
    assert.equal(takenOf(bucket, standstill, now, 1e-5, pile), pile, `${stood_s} s, ${read}`);
    // 1e5 a second from now on: what is left of burst and standstill, and no more
    const rest = takenOf(bucket, standstill, now + pile * 1e-5, 1e-5);
    assert.ok(rest <= BURST + stood_s * RATE - pile + 2, `${rest} of a flood`);
  }
});

test('a flood with no standstill ends after the burst, however long its sender was silent', () => {
  const standstill = beating(60);
  const bucket = new TokenBucket(RATE, BURST, 0);
  assert.equal(takenOf(bucket, standstill, 60, 1e-5), BURST);
  // late beats of a busy server, the flood going on: the sustained rate stays what it was
  let taken = 0;
  for (let now = 60; now < 70; now += 1e-4) {
    if (Math.round(now * 1e4) % 500 === 0) standstill.beat(now);
    if (bucket.take(now, standstill.total_s(now))) taken++;
  }
  assert.ok(taken <= 10 * RATE + 1, `${taken} in 10 s`);
});

test('what a standstill lifts fades as fast as it came, and an hour lifts no more than its bound', () => {
  const standstill = beating(1);
  const faded = new TokenBucket(RATE, BURST, 0);
  const used = new TokenBucket(RATE, BURST, 0);
  for (const bucket of [faded, used]) assert.ok(bucket.take(1, standstill.total_s(1)));
  standstill.beat(3601);
  assert.ok(faded.take(3601, standstill.total_s(3601)));
  const room = takenOf(used, standstill, 3601, 0);
  assert.equal(room, BURST + STANDSTILL_S * RATE);
  for (let i = 1; i * BEAT_S <= STANDSTILL_S; i++) standstill.beat(3601 + i * BEAT_S);
  assert.equal(takenOf(faded, standstill, 3601 + STANDSTILL_S, 0), BURST);
});

test('any schedule of messages, beats and standstills: never more than burst + rate·time', () => {
  const step = fc.record({
    gap_s: fc.double({ min: 0, max: 2, noNaN: true }),
    beats: fc.boolean(),
    messages: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const standstill = new Standstill(BEAT_S, 0);
      const bucket = new TokenBucket(RATE, BURST, 0);
      let now = 0;
      let taken = 0;
      let stood = 0;
      for (const { gap_s, beats, messages } of steps) {
        now += gap_s;
        if (beats) standstill.beat(now);
        assert.ok(standstill.total_s(now) >= stood && standstill.total_s(now) <= now);
        stood = standstill.total_s(now);
        taken += takenOf(bucket, standstill, now, 0, messages);
        // a millionth: rounding of thirty sums
        assert.ok(taken <= BURST + RATE * now + 1e-6);
      }
    }),
    { numRuns: 3000, seed: 47 },
  );
});
