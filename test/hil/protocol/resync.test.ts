/** Whatever a line lost, and for how long: once it is good again, both ends are synchronised within a second and a half, and nothing is armed. At random: resync.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pair } from '../../fixtures/session-pair.ts';
import { LIMIT_MS, mend, set, SYNCED } from './lost-lines.ts';

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
