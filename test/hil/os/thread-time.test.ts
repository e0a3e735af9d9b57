/** Processor time of a thread: it goes on while the thread computes, and stands while it sleeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemLibrary } from '../../../hil/os/os-library.ts';
import { openThreadTime } from '../../../hil/os/thread-time.ts';

const skip = process.platform !== 'linux' || systemLibrary() === null ? 'needs koffi' : false;

test('a thread that sleeps takes no time, one that computes no more than passes', { skip }, () => {
  const time_ms = openThreadTime();
  time_ms(); // the first call compiles
  const before_ms = time_ms();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  const slept_ms = time_ms() - before_ms;
  assert.ok(slept_ms < 25, `${slept_ms} ms of 50 ms of sleep`);

  const start_ms = time_ms();
  const begin_ms = performance.now();
  let sum = 0;
  while (time_ms() - start_ms < 20) sum += 1;
  const passed_ms = performance.now() - begin_ms;
  assert.ok(sum > 0 && passed_ms > 19.9, `20 ms computed in ${passed_ms} ms`);
});
