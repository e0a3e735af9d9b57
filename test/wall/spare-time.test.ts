/** Spare work of the real clock: once before a release that leaves room, never when it would not fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RealClock } from '../../hil/os/clock.ts';

const PERIOD_US = 8000;
const RELEASES = 40;
/** So long that a late wake-up leaves room, too. */
const SPIN_S = 5e-3;

function makeClock(): RealClock {
  return new RealClock(new Int32Array(new SharedArrayBuffer(4)), SPIN_S);
}

/** Waits for releases on a grid; how many of them had spare work, and how often it began after the release. */
function wait(clock: RealClock, work_us: number): { runs: number; late: number } {
  let runs = 0;
  let late = 0;
  clock.spare = {
    run: () => {
      runs++;
      const began = clock.now_us();
      if (began >= clock.release_us) late++;
      while (clock.now_us() < began + work_us);
    },
  };
  for (let n = 0; n < RELEASES; n++) {
    const before = runs;
    clock.release_us = clock.now_us() + PERIOD_US;
    clock.waitForRelease();
    assert.ok(clock.time_us[0] >= clock.release_us, 'the release has come');
    assert.ok(runs - before <= 1, 'once before a release');
  }
  return { runs, late };
}

test('spare work is done in the time that is left before a release', () => {
  const { runs, late } = wait(makeClock(), 20);
  // a wake-up that is late leaves no room: most are not
  assert.ok(runs > RELEASES / 2, `${runs} of ${RELEASES}`);
  assert.equal(late, 0);
});

test('work that takes longer than the polling is left out, and tried again now and then', () => {
  const { runs } = wait(makeClock(), 20_000);
  assert.ok(runs >= 1 && runs < RELEASES / 4, `${runs} of ${RELEASES}`);
});
