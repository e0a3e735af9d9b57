/**
 * Stops one thread of another process once a second, at random times, and lets it continue, as if
 * its core stopped alone. It is a separate process (`node thread-stops-process.js THREAD
 * MILLISECONDS SEED`), because the tracer waits for the thread. It uses ptrace(2), which unlike
 * SIGSTOP stops a single thread. It ends by SIGTERM or with the thread and prints the number of
 * stops.
 */
import { systemLibrary } from '../hil/os/os-library.ts';
import { raiseThread } from '../hil/os/os.ts';
import { Random } from '../src/math/random.ts';

const SEIZE = 0x4206;
const INTERRUPT = 0x4207;
const DETACH = 17;
const ANY_CHILD = 0x40000000;
const MEAN_GAP_MS = 1000;
/** Above everything that is measured: a stop must not last longer because this process waits for a core. */
const PRIORITY = 95;

const [thread, stop_ms, seed] = process.argv.slice(2).map(Number);
const library = systemLibrary();
if (library === null) throw new Error('koffi is not installed, or this is not Linux');
const ptrace = library.func('long ptrace(int request, int thread, size_t address, size_t data)');
const waitFor = library.func('int waitpid(int thread, void *status, int options)');
const grant = raiseThread(PRIORITY);
if (!grant.realtime) throw new Error(`no real-time class: ${grant.reason}`);

const random = new Random(seed);
const status = new Int32Array(1);
const cell = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number): void => void Atomics.wait(cell, 0, 0, ms);

let stops = 0;
let ended = false;
process.on('SIGTERM', () => (ended = true));
while (!ended) {
  // signals are handled only between stops
  await new Promise((resolve) =>
    setTimeout(resolve, 2 * (MEAN_GAP_MS - stop_ms) * random.uniform()),
  );
  if (ended) break;
  if (ptrace(SEIZE, thread, 0, 0) !== 0) {
    console.error(`thread ${thread} has ended, or must not be traced here`);
    process.exitCode = 1;
    break;
  }
  ptrace(INTERRUPT, thread, 0, 0);
  waitFor(thread, status, ANY_CHILD);
  sleep(stop_ms);
  ptrace(DETACH, thread, 0, 0);
  stops++;
}
console.log(stops);
process.exit();
