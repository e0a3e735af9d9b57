/** Whatever a line lost, and for how long: once it is good again, both ends are synchronised within a second and a half, and nothing is armed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom, Pair } from '../../fixtures/session-pair.ts';

const SYNCED = 3;
/** A silence of 0.5 s, two back-offs of 0.25 s, and the clock's first exchanges, ms. */
const LIMIT_MS = 1500;

/** Cut a direction, or mend it. */
function set(pair: Pair, toRobot: boolean, toServer: boolean): void {
  pair.serverLink.drops = () => !toRobot;
  pair.robotLink.drops = () => !toServer;
}

/** Mend the line. @returns time until both ends are synchronised and have stayed so for 600 ms, ms; Infinity when they are not within the limit */
function mend(pair: Pair): number {
  set(pair, true, true);
  let since = 0;
  for (let ms = 1; ms <= LIMIT_MS + 600; ms++) {
    pair.run(1);
    if (pair.server.phase !== SYNCED || pair.robot.phase !== SYNCED) since = ms;
    if (ms - since >= 600) return since;
  }
  return Infinity;
}

for (const [toRobot, toServer] of [
  [false, true],
  [true, false],
  [false, false],
] as const) {
  const words = [toRobot ? '' : 'to the robot', toServer ? '' : 'to the server'].filter(Boolean);
  test(`a line that loses all frames ${words.join(' and ')} for 0.1 s to 3 s`, () => {
    for (let ms = 100; ms <= 3000; ms += 50) {
      const pair = new Pair();
      pair.run(200);
      pair.server.sendArm(pair.serverLink);
      pair.run(3);
      set(pair, toRobot, toServer);
      pair.run(ms);
      const broken = pair.server.phase !== SYNCED || pair.robot.phase !== SYNCED;
      const took = mend(pair);
      assert.ok(took <= LIMIT_MS, `after ${ms} ms: not synchronised within ${LIMIT_MS} ms`);
      if (broken) assert.equal(pair.robot.armed, false);
    }
  });
}

test('lines that come and go at random, each direction for itself', () => {
  let longest = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = makeRandom(seed);
    const pair = new Pair();
    pair.run(200);
    for (let n = 0; n < 8; n++) {
      set(pair, random() < 0.5, random() < 0.5);
      pair.run(Math.ceil(1200 * random()));
    }
    const took = mend(pair);
    assert.ok(took <= LIMIT_MS, `seed ${seed}: not synchronised within ${LIMIT_MS} ms`);
    longest = Math.max(longest, took);
  }
  assert.ok(longest > 0);
});
