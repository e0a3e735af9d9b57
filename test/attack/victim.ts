/**
 * The service under attack: the real one, on a free port of the loopback, with role keys, and
 * clients for attackers.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { Service } from '../fixtures/service.ts';

/** Role keys of the victim. */
export const KEYS = {
  viewer: 'viewer-key-9f2c71d0aa',
  operator: 'operator-key-5b1e93c4dd',
  supervisor: 'supervisor-key-77e1a0b2c9',
} as const;

/** Longer than any stall. */
const PATIENCE_MS = 20_000;

/** One service for the cases of a domain. */
export class Victim {
  #service: Service | null = null;
  readonly #keyed: boolean;
  readonly #change: (settings: Settings) => void;

  constructor(keyed: boolean, change: (settings: Settings) => void = () => undefined) {
    this.#keyed = keyed;
    this.#change = change;
  }

  get service(): Service {
    assert.ok(this.#service !== null, 'the service runs');
    return this.#service;
  }

  get port(): number {
    return this.service.port;
  }

  async start(): Promise<void> {
    const change = (settings: Settings): void => {
      if (this.#keyed) settings.server.keys = { ...KEYS };
      this.#change(settings);
    };
    this.#service = await Service.start(change, { timed: true });
  }

  async stop(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
  }

  /** Sends a request as a correct client, or as one that claims to be. */
  async call(
    method: string,
    path: string,
    options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; text: string; type: string }> {
    const { key, body, headers } = options;
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, text: await response.text(), type };
  }

  /** Checks that the service answers a correct client. */
  async assertAlive(): Promise<void> {
    const { status } = await this.call('GET', '/health');
    assert.equal(status, 200, 'an honest client gets /health');
  }

  /** A metric of the service; NaN when it has none. */
  async metric(name: string): Promise<number> {
    const { text } = await this.call('GET', '/metrics', { key: KEYS.viewer });
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? NaN);
  }

  /** A plain connection. */
  async dial(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.once('connect', () => resolve());
      socket.once('close', () => resolve());
    });
    return socket;
  }

  /**
   * Send bytes as they are.
   * @returns status of the answer; 0 when the connection was closed without one, −1 when nothing came in time
   */
  async raw(bytes: string | Uint8Array, within_ms = PATIENCE_MS): Promise<number> {
    const socket = await this.dial();
    let text = '';
    const answered = new Promise<number>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const status = /^HTTP\/1[.]1 (\d{3})/.exec(text)?.[1];
        if (status !== undefined) resolve(Number(status));
      });
      socket.on('close', () => resolve(0));
    });
    socket.write(bytes);
    const status = await Promise.race([answered, wait(within_ms, -1)]);
    socket.destroy();
    return status;
  }
}
