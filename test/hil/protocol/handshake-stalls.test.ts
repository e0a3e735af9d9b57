/** A handshake comes to its end whatever went before: ends that stood still, and robots that began anew with frames on their way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phase } from '../../../hil/contract/phase.ts';
import { makeRandom, Pair } from '../../fixtures/session-pair.ts';

const PERIOD_us = 1000;
/** Chances a cycle that an end stands still, for up to a second, and that another robot takes the line. */
const STALL = 0.004;
const RESTART = 0.002;
/** Half a second of silence, then back-offs of 0.25 s and more. */
const PATIENCE_TICKS = 5000;
/** Both ends stay in the session for so long. */
const STEADY_TICKS = 200;

/** Up to 3 s of stalls and restarts; what an end did not read waits for it. */
function disturb(pair: Pair, keyed: boolean, random: () => number): void {
  const { serverLine, robotLine } = pair;
  const end = pair.now_us + 3e6 * random();
  let serverStands = 0;
  while (pair.now_us < end) {
    if (random() < STALL) serverStands = pair.now_us + 1e6 * random() ** 3;
    if (random() < STALL) pair.robotRuns = false;
    else if (random() < 0.01) pair.robotRuns = true;
    if (random() < RESTART) {
      pair.robot = Pair.makeRobot({ keyed });
      robotLine.session = pair.robot.tags;
    }
    if (pair.now_us > serverStands) {
      pair.tick();
      continue;
    }
    pair.now_us += PERIOD_us;
    if (!pair.robotRuns) continue;
    pair.robot.now_us[0] = pair.robotTime(pair.now_us);
    pair.robot.poll(robotLine);
    pair.robot.sendState(robotLine, pair.state);
  }
  pair.robotRuns = true;
  robotLine.session = pair.robot.tags;
  assert.ok(serverLine.connected);
}

/** @returns ticks until both ends were in the session, and stayed there */
function settle(pair: Pair): number {
  let steady = 0;
  for (let tick = 1; tick <= PATIENCE_TICKS; tick++) {
    pair.tick();
    const synced = pair.server.phase === Phase.SYNCED && pair.robot.phase === Phase.SYNCED;
    steady = synced ? steady + 1 : 0;
    if (steady === STEADY_TICKS) return tick;
  }
  return PATIENCE_TICKS;
}

const KEYS = [
  { name: 'no key', keys: {}, keyed: false },
  { name: 'a key of the run at both ends', keys: { run: 'run', robot: 'run' }, keyed: true },
  { name: 'a robot without the key of the run', keys: { run: 'run' }, keyed: false },
  { name: 'the robot key', keys: { server: 'key', robot: 'key' }, keyed: true },
];

for (const { name, keys, keyed } of KEYS) {
  test(`stalls and restarts are followed by a session: ${name}`, () => {
    for (let seed = 1; seed <= 60; seed++) {
      const pair = new Pair({}, {}, keys);
      disturb(pair, keyed, makeRandom(seed));
      const ticks = settle(pair);
      assert.ok(ticks < PATIENCE_TICKS, `seed ${seed}: no session after ${PATIENCE_TICKS} ticks`);
    }
  });
}
