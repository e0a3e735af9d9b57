/**
 * WebSocket client of the emulated robot: shared rings carry frames to and from the robot's thread.
 * It reconnects without end, after 0.25 s, then twice as long each time, at most 8 s. A connection
 * that lasted resets the wait.
 */
import type { ConnectionOptions } from 'node:tls';
import { WebSocket } from 'ws';
import { monotonic_us } from '../os/clock.ts';
import { frameToMessagePack, messagePackToFrame } from '../protocol/messagepack.ts';
import { FrameRing } from '../memory/ring.ts';
import { ControlWord } from '../memory/shared.ts';

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MOST_MS = 8000;
/** Time limit of an upgrade, ms; an overloaded machine has taken more than 2 s. */
const HANDSHAKE_MS = 10_000;
/** Duration after which a connection counts as good, ms. */
const SETTLED_MS = 2000;
const MOST_BUFFERED = 65_536;
const FRAME_MOST = 512;

export interface SocketClientOptions {
  readonly url: string;
  readonly protocol: 'binary' | 'msgpack';
  /** Certificates for wss. */
  readonly tls: ConnectionOptions;
  readonly control: SharedArrayBuffer;
  /** Frames of this robot to the loop, and back. */
  readonly toLoop: SharedArrayBuffer;
  readonly fromLoop: SharedArrayBuffer;
  readonly onConnected: () => void;
  readonly onDisconnected: (reason: string, retry_ms: number) => void;
}

export class SocketClient {
  readonly #options: SocketClientOptions;
  readonly #control: Int32Array;
  readonly #toLoop: FrameRing;
  readonly #fromLoop: FrameRing;
  readonly #outgoing = new Uint8Array(FRAME_MOST);
  readonly #incoming = new Uint8Array(FRAME_MOST);
  #socket: WebSocket | null = null;
  #backoff_ms = BACKOFF_FIRST_MS;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: SocketClientOptions) {
    this.#options = options;
    this.#control = new Int32Array(options.control);
    this.#toLoop = new FrameRing(options.toLoop);
    this.#fromLoop = new FrameRing(options.fromLoop);
    this.#connect();
    void this.#pump();
  }

  /** Closes the connection and opens no other. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#socket?.terminate();
    Atomics.notify(this.#toLoop.header, 0);
  }

  #connect(): void {
    const { url, protocol, tls } = this.#options;
    const packed = protocol === 'msgpack';
    const socket = new WebSocket(url, packed ? 'berth.robot.v1.msgpack' : 'berth.robot.v1', {
      ...tls,
      perMessageDeflate: false,
      maxPayload: 2048,
      handshakeTimeout: HANDSHAKE_MS,
    });
    this.#socket = socket;
    let opened_ms = 0;
    let reason = 'closed by the loop';
    socket.on('open', () => {
      opened_ms = performance.now();
      while (this.#toLoop.pop(this.#outgoing) > 0); // frames left from before are stale
      Atomics.store(this.#control, ControlWord.ROBOT_CONNECTED, 1);
      this.#options.onConnected();
    });
    socket.on('message', (message: Buffer) => {
      const arrived = monotonic_us();
      let frame: Uint8Array = message;
      let length = message.length;
      if (packed) {
        length = messagePackToFrame(message, this.#incoming);
        frame = this.#incoming;
      }
      if (length <= FRAME_MOST) this.#fromLoop.push(frame, length, arrived);
    });
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => {
      Atomics.store(this.#control, ControlWord.ROBOT_CONNECTED, 0);
      if (this.#closed) return;
      if (opened_ms > 0 && performance.now() - opened_ms > SETTLED_MS) {
        this.#backoff_ms = BACKOFF_FIRST_MS;
      }
      this.#options.onDisconnected(reason, this.#backoff_ms);
      this.#timer = setTimeout(() => this.#connect(), this.#backoff_ms);
      this.#backoff_ms = Math.min(2 * this.#backoff_ms, BACKOFF_MOST_MS);
    });
  }

  #flush(): void {
    const socket = this.#socket;
    const frame = this.#outgoing;
    for (let n = this.#toLoop.pop(frame); n > 0; n = this.#toLoop.pop(frame)) {
      // a peer that does not read gets no more frames: old states are useless
      if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > MOST_BUFFERED) continue;
      if (this.#options.protocol === 'msgpack') socket.send(frameToMessagePack(frame, n));
      else socket.send(Buffer.from(frame.subarray(0, n)));
    }
  }

  /** Sleeps until the robot's thread announces frames. */
  async #pump(): Promise<void> {
    while (!this.#closed) {
      const seen = Atomics.load(this.#toLoop.header, 0);
      this.#flush();
      const wait = Atomics.waitAsync(this.#toLoop.header, 0, seen, 1000);
      if (wait.async) await wait.value;
    }
  }
}
