/** The operator socket from the other side: a scripted hand controller. Connects, requests, and sends inputs at 100 Hz. */
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import { BerthError } from '../../src/errors.ts';
import type { InsertionFacts } from '../scene.ts';

/** What the client reads of the 10 Hz status. */
export interface Status {
  readonly state: string;
  readonly faults: readonly string[];
  readonly holds: readonly string[];
  readonly arm_blockers: readonly string[];
  readonly sim_time_s?: number;
  readonly tool_force_N?: readonly number[];
  readonly measured?: {
    readonly position_m: readonly number[];
    readonly orientation: readonly number[];
  };
  readonly contact?: {
    readonly active: number;
    readonly penetration_m: number;
    readonly pairs: number;
  };
}

export interface Welcome {
  readonly session: number;
  readonly scenario: string;
  readonly mode: string;
  readonly operator: {
    readonly deadband: number;
    readonly coarse_speed_mps: number;
    readonly coarse_angular_speed_radps: number;
    readonly vernier_ratio: number;
  };
  readonly tool: {
    readonly force_gain_Ns_per_m: number;
    readonly force_deadband_N: number;
    readonly maximum_speed_mps: number;
  } | null;
  readonly insertion: InsertionFacts | null;
}

interface Ack {
  readonly ok: boolean;
  readonly code: string;
  readonly message: string;
}

const INPUT_MS = 10;
const ANSWER_MS = 3000;
/** Close code of a service that ends (RFC 6455). */
const GOING_AWAY = 1001;

export class OperatorClient {
  /** What the hand controller shows; sent until changed. */
  readonly axes: number[] = [0, 0, 0, 0, 0, 0];
  deadman = false;
  gear: 'vernier' | 'coarse' = 'vernier';
  status: Status | null = null;
  closed = false;
  /** The service said that it ends. */
  goneAway = false;
  welcome!: Welcome;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (message: Record<string, unknown>) => void>();
  readonly #statusListeners = new Set<(status: Status) => void>();
  #timer: NodeJS.Timeout | undefined;
  #id = 1;
  #sequence = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(decode(data as Buffer)));
    socket.on('close', (code) => {
      this.closed = true;
      this.goneAway = code === GOING_AWAY;
      clearInterval(this.#timer);
      for (const answer of this.#pending.values()) {
        answer({ ok: false, code: 'closed', message: 'The server closed the connection.' });
      }
    });
    socket.on('error', () => undefined); // 'close' follows
  }

  /** Ticket, socket, hello. @throws BERTH_AUTH or BERTH_PROTOCOL with what the server said. */
  static async connect(url: string, key: string): Promise<OperatorClient> {
    const base = new URL(url);
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (key !== '') headers['authorization'] = `Bearer ${key}`;
    let response: Response;
    try {
      response = await fetch(new URL('/api/tickets', base), {
        method: 'POST',
        headers,
        body: JSON.stringify({ role: 'operator' }),
      });
    } catch (cause) {
      throw new BerthError('BERTH_TIMEOUT', `No Berth service answers at ${url}.`, { cause });
    }
    const body = (await response.json()) as { ticket?: string; message?: string };
    if (body.ticket === undefined) {
      throw new BerthError('BERTH_AUTH', body.message ?? 'No ticket was given.');
    }
    const address = new URL(`/operator?ticket=${body.ticket}`, base);
    address.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, 'berth.operator.v1', { origin: base.origin });
    const client = new OperatorClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (cause) => {
        reject(new BerthError('BERTH_PROTOCOL', `No socket: ${cause.message}`, { cause }));
      });
    });
    client.welcome = (await client.#ask({
      type: 'hello',
      client: 'berth fly',
    })) as unknown as Welcome;
    return client;
  }

  #ask(message: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = this.#id++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        resolve({ ok: false, code: 'timeout', message: 'The server did not answer in time.' });
      }, ANSWER_MS);
      this.#pending.set(id, (answer) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(answer);
      });
      if (this.closed) this.#pending.get(id)!({ ok: false, code: 'closed', message: 'Closed.' });
      else this.#send({ ...message, id });
    });
  }

  /** Send a request and wait for its answer. */
  async request(type: string, extra: Record<string, unknown> = {}): Promise<Ack> {
    return (await this.#ask({ type, ...extra })) as unknown as Ack;
  }

  #send(message: Record<string, unknown>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(encode({ v: 1, ...message }));
  }

  /** Send one input now. */
  sendInput(): void {
    const { axes, deadman, gear } = this;
    const t = performance.now() / 1000;
    this.#send({ type: 'input', axes, deadman, gear, frame: 'base', seq: this.#sequence++, t });
  }

  /** Send inputs at 100 Hz from now on. */
  startInputs(): void {
    this.#timer ??= setInterval(() => this.sendInput(), INPUT_MS);
  }

  /**
   * Wait for a status that `accept` likes.
   * @returns it, or null when the time is over, the socket closed or `signal` aborted.
   */
  waitFor(
    accept: (status: Status) => boolean,
    timeout_s: number,
    signal: AbortSignal,
  ): Promise<Status | null> {
    return new Promise((resolve) => {
      const finish = (status: Status | null): void => {
        clearTimeout(timer);
        this.#statusListeners.delete(look);
        this.#socket.off('close', give);
        signal.removeEventListener('abort', give);
        resolve(status);
      };
      const give = (): void => finish(null);
      const look = (status: Status): void => {
        if (accept(status)) finish(status);
      };
      const timer = setTimeout(give, timeout_s * 1000);
      this.#statusListeners.add(look);
      this.#socket.on('close', give);
      signal.addEventListener('abort', give);
      if (this.closed || signal.aborted) give();
    });
  }

  #receive(value: unknown): void {
    const message = value as Record<string, unknown>;
    if (message['type'] === 'status') {
      this.status = message as unknown as Status;
      for (const listener of [...this.#statusListeners]) listener(this.status);
    } else if (message['type'] === 'ack' || message['type'] === 'welcome') {
      this.#pending.get(message['id'] as number)?.(message);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }
}
