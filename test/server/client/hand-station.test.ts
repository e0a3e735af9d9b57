/** Rules between a hand controller and the wire (hil-anchors 4 and 9.4: 24), on a clock of our own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HandInput } from '../../../server/client/messages.ts';
import { HandStation, restingHand } from '../../../server/client/node.ts';

const DEADBAND = 0.08;
const reading = (deadman: boolean, x = 0): HandInput => ({
  axes: [x, 0, 0, 0, 0, 0],
  deadman,
  gear: 'coarse',
  frame: 'tool',
});

/** A station with a device that is polled every 10 ms. */
class Bench {
  readonly station = new HandStation(DEADBAND);
  now_s = 100;

  /** Polled for a while with the same reading. @returns what is sent at the end */
  poll(value: HandInput, seconds = 0.05): { deadman: boolean; x: number } {
    for (let left = seconds; left > 0; left -= 0.01) {
      this.now_s += 0.01;
      this.station.update(value, this.now_s);
    }
    return this.sent();
  }

  sent(): { deadman: boolean; x: number } {
    const hand = restingHand();
    this.station.fill(hand, this.now_s);
    return { deadman: hand.deadman, x: hand.axes[0] };
  }

  /** Released and centred, then pressed: the arm follows. */
  press(): void {
    this.poll(reading(false));
    assert.deepEqual(this.poll(reading(true, 0.5)), { deadman: true, x: 0.5 });
  }
}

test('a deadman that is held when the device is first seen does not count', () => {
  const bench = new Bench();
  assert.equal(bench.poll(reading(true)).deadman, false);
  assert.equal(bench.station.trip, 'start');
  bench.press();
  assert.equal(bench.station.trip, null);
});

test('everything of the reading goes out', () => {
  const bench = new Bench();
  bench.poll(reading(false));
  const hand = restingHand();
  const camera = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const axes = [0.1, -0.2, 0.3, -0.4, 0.5, -0.6];
  const shown: HandInput = { axes, deadman: true, gear: 'coarse', frame: 'camera', camera };
  bench.station.update(shown, bench.now_s);
  bench.station.fill(hand, bench.now_s);
  assert.deepEqual(hand, shown);
});

for (const [name, drop, cause] of [
  ['the loop left ACTIVE', (bench: Bench) => bench.station.follow('STOPPING'), 'state'],
  ['authority went', (bench: Bench) => bench.station.loseAuthority(), 'authority'],
  [
    'the page was hidden and shown',
    (bench: Bench) => {
      bench.station.show(false);
      assert.deepEqual(bench.poll(reading(true, 0.5)), { deadman: false, x: 0 });
      bench.station.show(true);
    },
    'hidden',
  ],
  [
    'the device was lost and came back',
    (bench: Bench) => {
      bench.station.lose();
      assert.deepEqual(bench.sent(), { deadman: false, x: 0 });
    },
    'device',
  ],
] as const) {
  test(`after ${name}: released and centred at once, before the deadman counts again`, () => {
    const bench = new Bench();
    bench.press();
    bench.station.follow('ARMING');
    bench.station.follow('ACTIVE_CONTACT');
    drop(bench);
    assert.equal(bench.station.trip, cause);
    assert.equal(bench.poll(reading(true, 0.5)).deadman, false, 'still pressed');
    assert.equal(bench.poll(reading(true, 0)).deadman, false, 'centred, not released');
    assert.equal(bench.poll(reading(false, 0.5)).deadman, false, 'released, not centred');
    assert.equal(bench.poll(reading(true, 0)).deadman, false, 'one after the other');
    assert.equal(bench.station.trip, cause);
    bench.press();
  });
}

test('moving on within ACTIVE is no trip; within the deadband is centred', () => {
  const bench = new Bench();
  bench.poll(reading(false, 0.9 * DEADBAND));
  for (const state of ['MONITOR_READY', 'ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'ACTIVE_FREE']) {
    bench.station.follow(state);
  }
  assert.equal(bench.poll(reading(true, 1)).deadman, true);
});

test('a device that falls silent is let go after 100 ms, however often inputs are sent', () => {
  const bench = new Bench();
  bench.press();
  const last_s = bench.now_s;
  bench.now_s = last_s + 0.099;
  assert.deepEqual(bench.sent(), { deadman: true, x: 0.5 });
  bench.now_s = last_s + 0.101;
  for (let i = 0; i < 100; i++) {
    assert.deepEqual(bench.sent(), { deadman: false, x: 0 });
    bench.now_s += 0.01;
  }
  assert.equal(bench.station.trip, 'device');
  // its first word after the silence is the old one, still held
  assert.equal(bench.poll(reading(true, 0.5)).deadman, false);
});

test('a silence that nobody sent an input in trips all the same', () => {
  const bench = new Bench();
  bench.press();
  bench.now_s += 5; // a frozen page: no timer ran
  bench.station.update(reading(true, 0.5), bench.now_s);
  assert.equal(bench.sent().deadman, false);
  assert.equal(bench.station.trip, 'device');
});

test('a device without reports at rest holds its reading while it is polled connected', () => {
  const bench = new Bench();
  bench.press();
  for (let i = 0; i < 100; i++) {
    bench.now_s += 0.01;
    bench.station.present(bench.now_s);
  }
  assert.deepEqual(bench.sent(), { deadman: true, x: 0.5 });
  // once it was gone, being connected again is no reading
  bench.station.lose();
  bench.station.present(bench.now_s);
  assert.deepEqual(bench.sent(), { deadman: false, x: 0 });
});
