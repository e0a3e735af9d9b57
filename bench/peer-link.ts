/**
 * Lines of the latency measurement, driven by events so that each arrival gets its time at once: a
 * WebSocket client, and the controlling side of a pseudo terminal. Both deliver whole frames and
 * are a `Link` for `RobotSession`.
 */
import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { WebSocket } from 'ws';
import { monotonic_us } from '../hil/os/clock.ts';
import type { Link } from '../hil/contract/link.ts';
import { openPty } from '../hil/os/os-pty.ts';
import { CobsDecoder, MAX_ENCODED, cobsEncode } from '../hil/protocol/cobs.ts';

/** Link that holds at most one received frame; its listener takes the frame at once. */
export abstract class PeerLink implements Link {
  readonly transport: Link['transport'];
  connected = true;
  receivedAt_us = 0.5;
  bytesReceived = 0;
  bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  /** Told of each frame that has arrived; `receive` gives it. */
  onFrame: () => void = () => undefined;
  #frame: Uint8Array | null = null;

  protected constructor(transport: Link['transport']) {
    this.transport = transport;
  }

  protected deliver(frame: Uint8Array, arrived_us: number): void {
    this.receivedAt_us = arrived_us;
    this.bytesReceived += frame.length;
    this.#frame = frame;
    this.onFrame();
    this.#frame = null;
  }

  receive(frame: Uint8Array): number {
    const newest = this.#frame;
    if (newest === null) return 0;
    this.#frame = null;
    frame.set(newest);
    return newest.length;
  }

  abstract send(frame: Uint8Array, length: number): boolean;
}

/** A WebSocket client, one frame a message. */
export class SocketPeer extends PeerLink {
  readonly #socket: WebSocket;

  constructor(url: string) {
    super('websocket');
    this.connected = false;
    this.#socket = new WebSocket(url, 'berth.robot.v1', { perMessageDeflate: false });
    this.#socket.on('open', () => (this.connected = true));
    this.#socket.on('close', () => (this.connected = false));
    this.#socket.on('message', (message: Buffer) => this.deliver(message, monotonic_us()));
  }

  send(frame: Uint8Array, length: number): boolean {
    if (!this.connected) return false;
    this.#socket.send(frame.slice(0, length));
    this.bytesSent += length;
    return true;
  }
}

/** The controlling side of a new pseudo terminal, frames as COBS blocks between zeros. */
export class PtyPeer extends PeerLink {
  /** The path that the other end opens. */
  readonly path: string;
  readonly #fd: number;
  readonly #decoder = new CobsDecoder();
  readonly #encoded = Buffer.alloc(MAX_ENCODED + 1);

  constructor() {
    super('serial');
    const pty = openPty();
    this.path = pty.path;
    this.#fd = pty.fd;
    const stream = new ReadStream(pty.fd);
    stream.on('data', (bytes: Buffer) => this.#take(bytes, monotonic_us()));
    stream.on('error', () => (this.connected = false)); // EIO: the other end has closed
  }

  #take(bytes: Buffer, arrived_us: number): void {
    const decoder = this.#decoder;
    for (let at = 0; at < bytes.length; ) {
      at = decoder.decode(bytes, at, bytes.length);
      if (decoder.ready > 0) this.deliver(decoder.frame.slice(0, decoder.ready), arrived_us);
    }
  }

  send(frame: Uint8Array, length: number): boolean {
    const count = cobsEncode(frame, length, this.#encoded);
    try {
      this.bytesSent += count;
      return writeSync(this.#fd, this.#encoded, 0, count) === count;
    } catch {
      return false; // EAGAIN: the line is full
    }
  }
}
