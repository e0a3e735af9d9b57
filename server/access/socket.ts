/** What all kinds of socket share: close codes, limits, sending that never piles up for a slow client, and an end for one that is gone. */
import { decode, encode } from '@msgpack/msgpack';
import type { RawData, WebSocket } from 'ws';
import type { ServerCounters, SocketReject } from '../metrics/metrics-families.ts';
import type { SocketProtocol } from '../contract/socket-paths.ts';

export const CloseCode = Object.freeze({
  BAD_MESSAGE: 4400,
  TICKET: 4401,
  ROLE: 4403,
  STALE: 4408,
  AUTHORITY: 4409,
  TOO_BIG: 4413,
  VERSION: 4426,
  RATE: 4429,
});

/** Above this a client only gets the newest state, bytes. */
export const SOFT_BUFFER_BYTES = 256 * 1024;
/** Above this it is closed. */
export const HARD_BUFFER_BYTES = 2 * 1024 * 1024;
/** A client that stays above the soft limit for so long has gone, s. */
export const SOFT_LIFE_S = 30;
/** How often a client is asked for a sign of life, and how many times in vain before it is cut off: a half-open one keeps no place. */
export const PING_MS = 10_000;
export const MOST_UNANSWERED = 2;

/** One open socket with its back-pressure rule and its sign of life. */
export class SocketSender {
  readonly socket: WebSocket;
  readonly #protocol: SocketProtocol;
  readonly #counters: ServerCounters;
  #blockedSince_s = Infinity;
  /** Pings since the last answer. */
  #unanswered = 0;
  /** Messages left out for this client so far. */
  dropped = 0;

  constructor(socket: WebSocket, protocol: SocketProtocol, counters: ServerCounters) {
    this.socket = socket;
    this.#protocol = protocol;
    this.#counters = counters;
    // ws closes by itself after what it cannot read
    socket.on('error', (error: Error & { code?: string }) => {
      const big = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      counters.add('ws_rejects_total', 1, big ? 'too_big' : 'bad_message');
    });
    const timer = setInterval(() => this.#checkAlive(), PING_MS);
    timer.unref();
    socket.on('pong', () => (this.#unanswered = 0));
    socket.on('close', () => clearInterval(timer));
  }

  #checkAlive(): void {
    const { socket } = this;
    if (socket.bufferedAmount > 0) return; // back-pressure, which has its own rule
    if (this.#unanswered < MOST_UNANSWERED) {
      this.#unanswered++;
      socket.ping();
      return;
    }
    this.#counters.add('ws_rejects_total', 1, 'stale');
    socket.terminate();
  }

  /** Send what must arrive (answers, events, alarms). */
  send(message: Record<string, unknown>): void {
    this.sendRaw(encode({ v: 1, ...message }));
  }

  /** The same for a path that has a form of its own. */
  sendRaw(data: Uint8Array | string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(data);
    if (this.socket.bufferedAmount > HARD_BUFFER_BYTES) this.#giveUp();
  }

  /**
   * Send a state that a newer one will replace: left out while the client is behind, so it always gets the latest.
   * @returns false when it was left out.
   */
  sendLatest(bytes: Uint8Array, now_s: number): boolean {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount <= SOFT_BUFFER_BYTES) {
      this.#blockedSince_s = Infinity;
      socket.send(bytes);
      return true;
    }
    this.dropped++;
    this.#counters.add('ws_dropped_messages_total', 1, this.#protocol);
    this.#blockedSince_s = Math.min(this.#blockedSince_s, now_s);
    const lost = now_s - this.#blockedSince_s > SOFT_LIFE_S;
    if (lost || socket.bufferedAmount > HARD_BUFFER_BYTES) this.#giveUp();
    return false;
  }

  #giveUp(): void {
    this.close(CloseCode.STALE, 'stale', 'The client does not read.');
    // The close frame waits behind everything unread; do not wait with it.
    const { socket } = this;
    setTimeout(() => socket.terminate(), 1000).unref();
  }

  /** Close for cause and count it. */
  close(code: number, reason: SocketReject | null, message: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (reason !== null) this.#counters.add('ws_rejects_total', 1, reason);
    this.socket.close(code, message.slice(0, 120));
  }
}

/** Tell how many clients a path has, and how much waits for them. */
export function measureSockets(
  clients: Iterable<{ readonly sender: SocketSender }>,
  protocol: SocketProtocol,
  counters: ServerCounters,
): void {
  let [count, bytes] = [0, 0];
  for (const { sender } of clients) {
    count++;
    bytes += sender.socket.bufferedAmount;
  }
  counters.set('ws_sessions', count, protocol);
  counters.set('ws_buffered_bytes', bytes, protocol);
}

/** Read one MessagePack message. @returns undefined when it is not one. */
export function readMessage(data: RawData, isBinary: boolean): unknown {
  if (!isBinary || Array.isArray(data)) return undefined;
  try {
    // Limits well above any real message keep hostile nesting and lengths cheap.
    return decode(data, {
      maxStrLength: 1024,
      maxArrayLength: 64,
      maxMapLength: 32,
      maxExtLength: 0,
    });
  } catch {
    return undefined; // truncated, trailing bytes, too deep or too long: the caller closes with 4400
  }
}
