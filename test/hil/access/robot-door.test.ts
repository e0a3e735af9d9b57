/** Delays at the robot port on a test clock: peers with wrong keys wait longer and longer, other peers do not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE_GUESSES, LONGEST_DELAY_MS, PEERS_APART } from '../../../hil/access/key-guesses.ts';
import { RobotDoor } from '../../../hil/access/robot-door.ts';

const TEN_MINUTES_MS = 600_000;

test('60: a peer that tries keys at the robot port as fast as it can tries less than one in three seconds', (t) => {
  const door = new RobotDoor();
  let tried = 0;
  for (let now = 0; now < TEN_MINUTES_MS; now++) {
    if (!door.isOpen('10.0.0.1', now)) continue;
    tried++;
    door.wrong('10.0.0.1', now);
    assert.ok(now % 60_000 !== 0 || door.isOpen('10.0.0.2', now), 'another robot');
  }
  // one in 5 s, and a start that was cheaper: five that are free, five whose waits double to 5 s
  assert.ok(tried <= TEN_MINUTES_MS / LONGEST_DELAY_MS + 10, String(tried));
  t.diagnostic(
    `acceptance 60: a peer at the robot port tries ${tried} keys in ten minutes, however fast it is`,
  );
});

test('60: keys that were mistyped cost nothing; then the door shuts for a quarter of a second, twice as long each time, to 5 s', () => {
  const door = new RobotDoor();
  for (let i = 0; i < FREE_GUESSES; i++) {
    assert.equal(door.wrong('a', 0), false);
    assert.ok(door.isOpen('a', 0));
  }
  for (const wait of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    assert.equal(door.wrong('a', 0), true);
    assert.deepEqual([door.isOpen('a', wait - 1), door.isOpen('a', wait)], [false, true]);
  }
});

test('60: peers without number leave the door of each as it is, in bounded memory', () => {
  const door = new RobotDoor();
  for (let i = 0; i < 4 * PEERS_APART; i++) {
    // beyond a hundred a minute in all, the first of a peer waits too
    door.wrong(`peer ${i}`, 0);
  }
  assert.ok(door.isOpen('peer 0', 0), 'forgotten');
  assert.ok(!door.isOpen(`peer ${4 * PEERS_APART - 1}`, 0));
  assert.ok(door.isOpen('the robot', 0));
});
