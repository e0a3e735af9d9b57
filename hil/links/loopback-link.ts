/**
 * Two ends of a link in one process, for the virtual clock: latency, loss, duplication and
 * reordering depend only on the seed, so that a run repeats bit for bit.
 */
import type { Clock } from '../os/clock.ts';
import { Random } from '../../src/math/random.ts';
import type { Link } from '../contract/link.ts';
import { MAX_FRAME } from '../protocol/layout.ts';

/** Faults of one direction; all may be changed while running. */
export interface LoopbackFaults {
  latency_us: number;
  /** Probability that a frame is lost, 0 … 1. */
  loss: number;
  /** Probability that a frame arrives twice. */
  duplication: number;
  /** Probability that a frame is delayed by up to `reorderDepth` later frames. */
  reordering: number;
  reorderDepth: number;
  /** Drops every frame, as with a disconnected cable. */
  cut: boolean;
  /** Changes a frame on its way; null for no change. */
  corrupt: ((frame: Uint8Array, length: number) => void) | null;
}

/** Frame on its way, or room for the next one. */
interface Queued {
  due_us: number;
  length: number;
  bytes: Uint8Array;
}

function makeFaults(latency_us: number): LoopbackFaults {
  return {
    latency_us,
    loss: 0,
    duplication: 0,
    reordering: 0,
    reorderDepth: 3,
    cut: false,
    corrupt: null,
  };
}

/** One end of a loopback link. */
export class LoopbackEnd implements Link {
  readonly transport = 'loopback';
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  connected = true;
  /** Faults of the frames sent by this end. */
  readonly faults: LoopbackFaults;
  /** Every frame sent by this end, for tests that request a capture. */
  capture: Uint8Array[] | null = null;
  #peer: LoopbackEnd | null = null;
  readonly #queue: Queued[] = [];
  readonly #free: Queued[] = [];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #period_us: number;

  constructor(clock: Clock, random: Random, latency_us: number, period_us: number) {
    this.#clock = clock;
    this.#random = random;
    this.#period_us = period_us;
    this.faults = makeFaults(latency_us);
  }

  /** Joins two ends. */
  join(peer: LoopbackEnd): void {
    this.#peer = peer;
    peer.#peer = this;
  }

  receive(frame: Uint8Array): number {
    const first = this.#queue[0];
    if (first === undefined || first.due_us > this.#clock.now_us()) return 0;
    this.#queue.shift();
    this.#free.push(first);
    frame.set(first.bytes.subarray(0, first.length));
    this.receivedAt_us = first.due_us;
    this.bytesReceived += first.length;
    return first.length;
  }

  send(frame: Uint8Array, length: number): boolean {
    const faults = this.faults;
    const random = this.#random;
    this.bytesSent += length;
    this.capture?.push(frame.slice(0, length));
    if (faults.cut || (faults.loss > 0 && random.uniform() < faults.loss)) return true;
    let sent = frame;
    if (faults.corrupt !== null) {
      sent = frame.slice(0, length);
      faults.corrupt(sent, length);
    }
    let delay = faults.latency_us;
    if (faults.reordering > 0 && random.uniform() < faults.reordering) {
      delay += Math.ceil(random.uniform() * faults.reorderDepth) * this.#period_us;
    }
    this.#peer?.deliver(sent, delay, length);
    if (faults.duplication > 0 && random.uniform() < faults.duplication) {
      this.#peer?.deliver(sent, delay, length);
    }
    return true;
  }

  /** Delivers a frame to this end, as a replayed capture does. */
  deliver(frame: Uint8Array, delay_us: number, length = frame.length): void {
    const entry = this.#free.pop() ?? { due_us: 0.5, length: 0, bytes: new Uint8Array(MAX_FRAME) };
    if (entry.bytes.length < length) entry.bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) entry.bytes[i] = frame[i];
    entry.length = length;
    entry.due_us = this.#clock.now_us() + delay_us;
    // behind all that are due until then: frames of the same time keep their order
    const queue = this.#queue;
    let at = queue.length;
    while (at > 0 && queue[at - 1].due_us > entry.due_us) at--;
    if (at === queue.length) queue.push(entry);
    else queue.splice(at, 0, entry);
  }
}

/** Two joined ends: [server side, robot side]. */
export function makeLoopback(
  clock: Clock,
  options: { seed: number; latency_us: number; period_us: number },
): [LoopbackEnd, LoopbackEnd] {
  const random = new Random(options.seed);
  const server = new LoopbackEnd(clock, random, options.latency_us, options.period_us);
  const robot = new LoopbackEnd(clock, random, options.latency_us, options.period_us);
  server.join(robot);
  return [server, robot];
}
