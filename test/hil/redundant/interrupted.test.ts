/**
 * A worker that stops anywhere in a tick, for a while or for good, costs nothing: the other goes on, and every bit that comes out
 * is that of a single worker that never stopped. All in one thread: one worker is stopped where it reads the word of the turn, and the
 * other runs there and then. At random: interrupted.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turn } from '../../../hil/redundant/turn.ts';
import { compare } from './compare.ts';
import { RedundantRig } from './rig.ts';
import { driveBoth, EVERY, Killed, stopAtWord } from './stopped-worker.ts';

test('a tick is taken over on time, also by a worker whose sleep ends late', () => {
  const patience_us = 500;
  const rig = new RedundantRig({ redundant: true, patience_s: patience_us * 1e-6 });
  rig.workers[0].step(); // lays the grid
  rig.tick(() => rig.workers[0].step()); // measures the duration of a tick
  stopAtWord(rig, 0, 1, () => {
    throw new Killed();
  });
  assert.throws(() => rig.workers[0].step(), Killed, 'ends with the tick claimed');
  rig.seats[1].clock.lateDoze_us = 0.4 * patience_us;
  rig.tick(() => rig.workers[1].step());
  assert.equal(rig.workers[1].takeovers, 1);
  const claims = [0, 1].map((worker) => {
    const at_us = new Float64Array(1);
    rig.turns[1].claimedAt(worker, at_us);
    return at_us[0];
  });
  assert.equal(claims[1] - claims[0], patience_us);
});

/** Readings of the word by a worker that publishes for the other: the last before publishing, and one before each part. */
const HELPER_WORDS = 8;

test('a worker that stops while it publishes for the other, and comes back a tick later, changes nothing', () => {
  const ticks = 400;
  const one = new RedundantRig({ redundant: false, recorded: true });
  const other = new RedundantRig({ redundant: true, recorded: true });
  const { toRobot, events, telemetry, scene, log } = other.shared;
  const service = [toRobot, events, telemetry, scene, log].map((buffer) => Buffer.from(buffer));
  const plain = new Turn(other.memory!.turn);
  other.workers[0].step(); // lays the grid
  let i = 0;
  const next = (): void => driveBoth(one, other, i++);
  const run = (worker: number): void => other.tick(() => other.workers[worker].step());
  let stops = 0;
  while (i < ticks - 1) {
    next();
    const owner = i % 2;
    if (i % EVERY !== 0) {
      run(owner);
      continue;
    }
    // the owner ends with its commit, so that another in its place can come first while the helper stands
    Object.defineProperty(other.turns[owner], 'commit', {
      value: (claim: number, page: number): never => {
        plain.commit(claim, page);
        throw new Killed();
      },
    });
    assert.throws(() => other.workers[owner].step(), Killed);
    other.join(owner);
    let left = 1 + (stops++ % HELPER_WORDS);
    let after: Buffer[] = [];
    const turn = other.turns[1 - owner];
    Object.defineProperty(turn, 'word', {
      configurable: true,
      get: (): number => {
        const { word } = plain;
        if (left-- !== 0) return word;
        Reflect.deleteProperty(turn, 'word');
        run(owner);
        next();
        run(owner);
        after = service.map((buffer) => Buffer.from(buffer));
        return word; // it had looked before
      },
    });
    other.workers[1 - owner].step();
    assert.deepEqual(
      service.map((buffer, k) => buffer.equals(after[k])),
      service.map(() => true),
      `tick ${i}, reading ${1 + ((stops - 1) % HELPER_WORDS)}`,
    );
  }
  if (i < ticks) {
    next();
    run(0);
  }
  compare(one, other, ticks);
  assert.ok(other.frames.length > 100 && stops > 2 * HELPER_WORDS, `${stops} stops`);
});
