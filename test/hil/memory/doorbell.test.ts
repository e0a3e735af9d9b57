/** The loop's doorbell: it reaches its listener, and the next one too, and never blocks the ringing thread. */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Doorbell, DoorbellPair } from '../../../hil/memory/os-doorbell.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';

/** More bytes than a pair of sockets holds. */
const MANY = 5000;

const words = (): Int32Array => new Int32Array(new SharedArrayBuffer(64));

function open(control: Int32Array, t: TestContext): DoorbellPair | null {
  const pair = DoorbellPair.open(control);
  if (pair === null) t.skip('needs Linux and the optional package koffi');
  else t.after(() => pair.close());
  return pair;
}

/** A listener as the link worker has it, and its next hearing. */
function listen(pair: DoorbellPair): { heard: Promise<void>; socket: Socket } {
  const socket = new Socket({ fd: pair.listener(), readable: true, writable: false });
  const heard = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  return { heard, socket };
}

test('a ring wakes the listener, and after it has gone the next one', async (t) => {
  const control = words();
  const pair = open(control, t);
  if (pair === null) return;
  const bell = new Doorbell(control, words());
  for (let i = 0; i < 2; i++) {
    const { heard, socket } = listen(pair);
    bell.ring();
    await heard;
    socket.destroy();
    await new Promise((resolve) => socket.once('close', resolve));
  }
});

test('rings that nobody hears do not wait, and are heard later as one', async (t) => {
  const control = words();
  const pair = open(control, t);
  if (pair === null) return;
  const bell = new Doorbell(control, words());
  for (let i = 0; i < MANY; i++) bell.ring();
  const { heard, socket } = listen(pair);
  await heard;
  socket.destroy();
});

test('a pair that is closed is gone from the control words, and a ring does nothing', (t) => {
  const control = words();
  const pair = open(control, t);
  if (pair === null) return;
  assert.ok(control[ControlWord.DOORBELL] > 0, 'a descriptor');
  const bell = new Doorbell(control, words());
  pair.close();
  pair.close();
  assert.equal(control[ControlWord.DOORBELL], 0);
  assert.equal(pair.listener(), -1);
  bell.ring();
});

test('without a pair the waiter on the ring is notified', async () => {
  const control = words();
  const header = words();
  const bell = new Doorbell(control, header);
  const wait = Atomics.waitAsync(header, 0, 0, 60_000);
  bell.ring();
  assert.equal(await wait.value, 'ok');
});
