/** The rates of loss, duplication and reordering match the requested ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { ImpairedLink } from '../../../hil/emulator/impaired-link.ts';
import { type Impairment, NO_IMPAIRMENT } from '../../../hil/emulator/options.ts';
import type { Link } from '../../../hil/contract/link.ts';

const N = 20_000;
const PERIOD_US = 1000;

/** One numbered frame each cycle; remembers what is sent through it. */
class Source implements Link {
  readonly transport = 'loopback';
  readonly connected = true;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  receivedAt_us = 0;
  next = 0;
  pending = false;
  readonly sent: number[] = [];

  receive(frame: Uint8Array): number {
    if (!this.pending) return 0;
    this.pending = false;
    new DataView(frame.buffer).setUint32(0, this.next++);
    return 40;
  }

  send(frame: Uint8Array, length: number): boolean {
    assert.equal(length, 40);
    this.sent.push(new DataView(frame.buffer).getUint32(0));
    return true;
  }
}

interface Run {
  received: number[];
  delays: number[];
  sent: number[];
}

function pass(impairment: Impairment, seed: number): Run {
  const source = new Source();
  const link = new ImpairedLink(source, impairment, impairment, new Random(seed));
  const frame = new Uint8Array(512);
  const out = new Uint8Array(512);
  const run: Run = { received: [], delays: [], sent: source.sent };
  for (let n = 0; n < N + 300; n++) {
    const now = n * PERIOD_US;
    if (n < N) {
      source.pending = true;
      source.receivedAt_us = now;
    }
    link.advance(now);
    while (link.receive(frame) > 0) {
      const number = new DataView(frame.buffer).getUint32(0);
      run.received.push(number);
      run.delays.push(link.receivedAt_us - number * PERIOD_US);
    }
    if (n < N) {
      new DataView(out.buffer).setUint32(0, n);
      link.send(out, 40);
    }
  }
  assert.equal(link.incoming.overflowed + link.outgoing.overflowed, 0);
  return run;
}

/** A share counted over N frames must lie within 4.5 binomial standard errors. */
function assertShare(count: number, rate: number, what: string): void {
  const error = 4.5 * Math.sqrt((rate * (1 - rate)) / N);
  assert.ok(Math.abs(count / N - rate) < error, `${what}: ${count / N}, asked ${rate}`);
}

test('without impairment every frame passes at once, in order', () => {
  const run = pass(NO_IMPAIRMENT, 1);
  assert.deepEqual(run.received, [...Array(N).keys()]);
  assert.deepEqual(run.sent, run.received);
  assert.ok(run.delays.every((delay) => delay === 0));
});

test('loss and duplication happen at their rates, both ways', () => {
  const run = pass({ ...NO_IMPAIRMENT, loss: 0.05, duplicate: 0.02 }, 3);
  for (const [name, frames] of [
    ['in', run.received],
    ['out', run.sent],
  ] as const) {
    const distinct = new Set(frames).size;
    assertShare(N - distinct, 0.05, `loss ${name}`);
    assertShare(frames.length - distinct, 0.02 * 0.95, `duplicates ${name}`);
  }
});

test('reordered frames come later than their successors, by at most 50 ms, and none is lost', () => {
  const run = pass({ ...NO_IMPAIRMENT, reorder: 0.1 }, 5);
  assert.deepEqual(
    [...run.received].sort((a, b) => a - b),
    [...Array(N).keys()],
  );
  const late = run.delays.filter((delay) => delay > 0);
  assertShare(late.length, 0.1, 'held back');
  assert.ok(Math.max(...late) <= 50_000 && Math.max(...late) > 45_000);
  const overtaken = run.received.filter((number, i) => i > 0 && number < run.received[i - 1]);
  assert.ok(overtaken.length > 0.08 * N);
});

test('latency and jitter delay every frame within their range and keep the order', () => {
  const run = pass({ ...NO_IMPAIRMENT, latency_s: 0.004, jitter_s: 0.003 }, 9);
  assert.deepEqual(run.received, [...Array(N).keys()]);
  assert.ok(run.delays.every((delay) => delay >= 4000 - 1e-6 && delay <= 7000 + 1e-6));
});

test('the same seed impairs the same frames', () => {
  const impairment = { loss: 0.1, duplicate: 0.1, reorder: 0.1, latency_s: 0.001, jitter_s: 0.002 };
  assert.deepEqual(pass(impairment, 11), pass(impairment, 11));
  assert.notDeepEqual(pass(impairment, 11).received, pass(impairment, 12).received);
});
