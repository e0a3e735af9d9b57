/**
 * A worker that stops anywhere in a tick, for a while or for good, costs nothing: the other goes on, and every bit that comes out
 * is that of a single worker that never stopped. All in one thread: one worker is stopped where it reads the clock or the word
 * of the turn, and the other runs there and then.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phaseOf, Turn, TurnPhase } from '../../../hil/redundant/turn.ts';
import { Random } from '../../../src/math/random.ts';
import { compare, drive, placed } from './compare.ts';
import { RedundantRig } from './rig.ts';

const TICKS = 3600;
/** Every so many ticks one is interrupted. */
const EVERY = 11;
/** Readings of the clock in a tick, before and in it, and of the word after the first, to the last part of publishing. */
const CLOCKS = 13;
const WORDS = 11;

class Killed extends Error {}

/** Have a worker call `then` at its n-th reading of the clock. */
function stopAtClock(rig: RedundantRig, worker: number, n: number, then: () => void): void {
  const { clock } = rig.seats[worker];
  let left = n;
  clock.hook = (): void => {
    if (left-- !== 0) return;
    clock.hook = (): void => undefined;
    then();
  };
}

/** The same at its n-th reading of the word of the turn. */
function stopAtWord(rig: RedundantRig, worker: number, n: number, then: () => void): void {
  const turn = rig.turns[worker];
  const plain = new Turn(rig.memory!.turn);
  let left = n;
  Object.defineProperty(turn, 'word', {
    configurable: true,
    get: (): number => {
      if (left-- === 0) {
        Reflect.deleteProperty(turn, 'word');
        then();
      }
      return plain.word;
    },
  });
}

/** What tick `i` brings goes to both; the single loop has it at once. */
function driveBoth(one: RedundantRig, other: RedundantRig, i: number): void {
  for (const rig of [one, other]) drive(rig, i);
  one.tick();
}

test('stops and ends of workers at random places of a tick leave every bit as it is', () => {
  const model = placed('half-sphere-on-plate', [0, 0, 20e-6]);
  const one = new RedundantRig({ redundant: false, model, recorded: true });
  const other = new RedundantRig({ redundant: true, model, recorded: true });
  const random = new Random(5);
  const below = (n: number): number => Math.floor(random.uniform() * n);
  const seen = { clock: 0, word: 0, killed: 0, helped: 0, discarded: 0, takeovers: 0 };
  const plain = new Turn(other.memory!.turn);
  other.workers[0].step(); // lays the grid

  let i = 0;
  const next = (): void => driveBoth(one, other, i++);
  /** Whether row number `done` exists and both workers are idle. */
  const settled = (done: number): boolean =>
    other.published > done && phaseOf(plain.word) === TurnPhase.IDLE;
  /** A worker brings the tick to its end, from wherever it stands, and runs some more. */
  const goOn = (worker: number, done: number, more: number): void => {
    const finish = (row: number): void => {
      for (let n = 0; n < 4 && !settled(row); n++) other.workers[worker].step();
    };
    other.tick(() => finish(done));
    for (let n = 0; n < more && i < TICKS; n++) {
      next();
      const row = other.published;
      other.tick(() => finish(row));
    }
  };

  while (i < TICKS) {
    next();
    const worker = below(2);
    const stopped = other.workers[worker];
    if (i % EVERY !== 0) {
      other.tick(() => stopped.step());
      continue;
    }
    const done = other.published;
    const more = below(3);
    const kills = random.uniform() < 0.3;
    let interrupted = false;
    const then = (): void => {
      interrupted = true;
      if (kills) throw new Killed();
      goOn(1 - worker, done, more);
    };
    // an error that is thrown where the tick reads the clock would be one of the tick
    if (kills || random.uniform() < 0.5) stopAtWord(other, worker, 1 + below(WORDS), then);
    else stopAtClock(other, worker, below(CLOCKS), then);
    try {
      stopped.step();
      Reflect.deleteProperty(other.turns[worker], 'word');
      other.seats[worker].clock.hook = (): void => undefined;
      if (!interrupted) other.tick(() => undefined);
      seen[kills ? 'word' : 'clock']++;
    } catch (error) {
      assert.ok(error instanceof Killed, String(error));
      seen.killed++;
      seen.discarded += stopped.discarded;
      seen.takeovers += stopped.takeovers;
      if (random.uniform() < 0.5) {
        goOn(1 - worker, done, more);
        other.join(worker);
      } else {
        // the one in its place finds the tick of its predecessor
        other.join(worker);
        goOn(worker, done, more);
      }
    }
  }
  compare(one, other, TICKS);
  for (const worker of other.workers) {
    seen.discarded += worker.discarded;
    seen.takeovers += worker.takeovers;
  }
  assert.ok(seen.killed > 50, `${seen.killed} ends`);
  assert.ok(seen.takeovers > 50, `${seen.takeovers} taken over`);
  assert.ok(seen.discarded > 20, `${seen.discarded} discarded`);
});

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
