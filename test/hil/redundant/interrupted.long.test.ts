/**
 * Workers stopped or ended at random readings of the clock or of the word of the turn: the other runs there and then, and every bit
 * that comes out is that of a single worker that never stopped. All in one thread.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phaseOf, Turn, TurnPhase } from '../../../hil/redundant/turn.ts';
import { Random } from '../../../src/math/random.ts';
import { compare, placed } from './compare.ts';
import { RedundantRig } from './rig.ts';
import { driveBoth, EVERY, Killed, stopAtWord } from './stopped-worker.ts';

const TICKS = 3600;
/** Readings of the clock in a tick, before and in it, and of the word after the first, to the last part of publishing. */
const CLOCKS = 13;
const WORDS = 11;

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
