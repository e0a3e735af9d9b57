/**
 * One socket of the service with its handshake: a ticket by `POST /api/tickets`, the sub-protocol,
 * MessagePack maps with `v: 1`. It uses the given `WebSocket` and `fetch`, in a browser or in Node.
 */
import { decode, encode } from '@msgpack/msgpack';
import { BerthError, type BerthErrorCode } from '../../src/base/errors.ts';
import type { Role } from './messages.ts';

/** The used fields of a socket event. */
interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}
/** The used members of a WebSocket. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
  send(data: Uint8Array): void;
  close(): void;
}
export type SocketConstructor = new (url: string, protocol: string) => SocketLike;
let platformSocket = (globalThis as unknown as { WebSocket: SocketConstructor }).WebSocket;
/** Sets the default socket class of clients. */
export function usePlatformSocket(socket: SocketConstructor): void {
  platformSocket = socket;
}

/** Certificates of a client for https and wss, PEM. In Node only: a browser has its own settings. */
export interface TlsTrust {
  /**
   * Trusted roots, or the certificate of the service itself, which is then trusted under any name.
   * Default: those of the system.
   */
  readonly ca?: string;
  /** Certificate and private key of this client, where the service requires them. */
  readonly certificate?: string;
  readonly key?: string;
}
/** Connects with given certificates; a platform without that throws an error. */
type TrustingPlatform = (trust: TlsTrust) => { WebSocket: SocketConstructor; fetch: FetchLike };
let trustingPlatform: TrustingPlatform = () => {
  const text = 'tls: a browser trusts what it is set up to trust; leave it out.';
  throw new BerthError('BERTH_UNSUPPORTED', text, { field: 'tls' });
};
/** Sets the platform for clients with given certificates. */
export function useTrustingPlatform(platform: TrustingPlatform): void {
  trustingPlatform = platform;
}

/** The used part of `fetch`. */
export type FetchLike = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

export interface ConnectOptions {
  /** Address of the service, `http://…` or `https://…`. */
  readonly url: string;
  /** Key of the role, when the service requires one. */
  readonly key?: string;
  /** Default: operator for the operator socket, viewer for telemetry. */
  readonly role?: Role;
  /** Name of the client for the audit log: at most 64 characters. */
  readonly name: string;
  /** Certificates for https; Node only. */
  readonly tls?: TlsTrust;
  /** Default: that of the platform. */
  readonly WebSocket?: SocketConstructor;
  readonly fetch?: FetchLike;
}

/** Reason for the end of a socket. 1001: the service ends; 4400 … 4429: docs/api.md. */
export interface CloseReason {
  readonly code: number;
  readonly text: string;
}

export type WireMessage = Record<string, unknown> & { readonly type: string };

/** Error of a failed connection. */
export class ConnectError extends BerthError {
  /** HTTP status of the refusal: 401 requires a key, 403 another role; 0 without a response. */
  readonly status: number;

  constructor(code: BerthErrorCode, message: string, status: number, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'ConnectError';
    this.status = status;
  }
}

const ANSWER_MS = 3000;
/** Time limit for a ticket, ms. A service that just started or is overloaded may take long. */
const TICKET_MS = 10_000;
const OPEN = 1;
/**
 * Limits of decoding. A scene has some hundred numbers. An array is allocated before its elements
 * arrive, so nested ones could fill the memory.
 */
const LIMITS = { maxArrayLength: 1024 } as const;

/** Monotonic time of this client, s. */
export const now_s = (): number => performance.now() / 1000;

/** Reason for a missing response; an untrusted certificate differs from silence. */
function unanswered(url: string, cause: unknown): string {
  const { message = '', cause: inner } = cause as { message?: string; cause?: unknown };
  const text = inner instanceof Error ? inner.message : message;
  const untrusted = /certificate|altname|self[- ]signed|issuer|SSL|TLS/i.test(text);
  return untrusted
    ? `The service at ${url} is not trusted, or does not trust this client: ${text}.`
    : `No Berth service answers at ${url}.`;
}

/** Sends a JSON request. @throws ConnectError with the message of the service */
export async function post(
  options: ConnectOptions,
  path: string,
  body: Record<string, unknown>,
  patience_ms = ANSWER_MS,
): Promise<unknown> {
  const { url, key = '' } = options;
  const trusting = options.tls === undefined ? null : trustingPlatform(options.tls);
  const send = options.fetch ?? trusting?.fetch ?? globalThis.fetch;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key !== '') headers['authorization'] = `Bearer ${key}`;
  const signal = AbortSignal.timeout(patience_ms);
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const response = await send(new URL(path, url).href, request).catch((cause: unknown) => {
    throw new ConnectError('BERTH_TIMEOUT', unanswered(url, cause), 0, cause);
  });
  const answer = (await response.json().catch(() => null)) as { message?: string } | null;
  if (response.ok && answer !== null) return answer;
  const text = answer?.message ?? `${path} answered ${response.status}.`;
  throw new ConnectError('BERTH_AUTH', text, response.status);
}

export class Wire {
  readonly #socket: SocketLike;
  readonly #pending = new Map<number, (answer: WireMessage) => void>();
  #id = 1;
  closed: CloseReason | null = null;
  /** Handler of messages that answer no request. Set it before the first request. */
  onMessage: (message: WireMessage) => void = () => undefined;
  onClose: (reason: CloseReason) => void = () => undefined;

  private constructor(socket: SocketLike) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', (event) => this.#receive(event.data));
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      this.closed = { code, text: reason };
      for (const answer of [...this.#pending.values()]) answer(refusal('closed'));
      this.onClose(this.closed);
    });
  }

  /** Gets a ticket and opens the socket. @throws ConnectError with the message of the service */
  static async open(path: 'operator' | 'telemetry', options: ConnectOptions): Promise<Wire> {
    const role = options.role ?? (path === 'operator' ? 'operator' : 'viewer');
    const answer = await post(options, '/api/tickets', { role }, TICKET_MS);
    const { ticket } = answer as { ticket: string };
    const address = new URL(`/${path}?ticket=${ticket}`, options.url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const trusting = options.tls === undefined ? null : trustingPlatform(options.tls);
    const Socket = options.WebSocket ?? trusting?.WebSocket ?? platformSocket;
    const socket = new Socket(address.href, `berth.${path}.v1`);
    const wire = new Wire(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      const fail = (event: SocketEvent): void =>
        reject(new ConnectError('BERTH_PROTOCOL', `No socket: ${event.message ?? 'refused'}.`, 0));
      socket.addEventListener('error', fail);
      socket.addEventListener('close', fail);
    });
    return wire;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN;
  }

  /** Sends without waiting; dropped when the socket is not open. */
  send(message: WireMessage): void {
    if (this.isOpen) this.#socket.send(encode({ v: 1, ...message }));
  }

  /** Sends a message with an id and waits for its answer; a refusal when none arrives. */
  ask(message: WireMessage, patience_ms = ANSWER_MS): Promise<WireMessage> {
    if (!this.isOpen) return Promise.resolve(refusal('closed'));
    const id = this.#id++;
    return new Promise((resolve) => {
      const finish = (answer: WireMessage): void => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(() => finish(refusal('timeout')), patience_ms);
      this.#pending.set(id, finish);
      this.send({ ...message, id });
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(data: unknown): void {
    let message: WireMessage | null;
    try {
      message = decode(data as ArrayBuffer, LIMITS) as WireMessage | null;
    } catch {
      message = null;
    }
    if (typeof message !== 'object' || message === null) {
      this.close(); // such a peer is not the service
      return;
    }
    const answer = this.#pending.get(message['id'] as number);
    if (answer === undefined) this.onMessage(message);
    else answer(message);
  }
}

const refusal = (code: 'closed' | 'timeout'): WireMessage => ({
  type: 'ack',
  id: 0,
  ok: false,
  code,
  message:
    code === 'closed' ? 'The server closed the connection.' : 'The server did not answer in time.',
});
