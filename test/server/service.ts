/** A real service for the tests: real loop without a robot, real HTTP and sockets on a free port. */
import { once } from 'node:events';
import { decode, encode } from '@msgpack/msgpack';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { loadSettings } from '../../config/load-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Runtime } from '../../hil/runtime-types.ts';
import { type RuntimeOptions, startRuntime } from '../../hil/runtime.ts';
import { buildApp } from '../../server/app.ts';
import type { AuditEntry } from '../../server/audit-sink.ts';
import { listeningPort } from '../../server/upgrade.ts';

/** Longer than any stall of the machine: who waits this long has failed. */
const PATIENCE_MS = 60_000;

export type Message = Record<string, unknown> & { type: string };

/** Settings of a loop in simulation mode that nobody is connected to. */
export function testSettings(change: (settings: Settings) => void = () => undefined): Settings {
  const settings = structuredClone(loadSettings());
  settings.scenario = 'half-sphere-on-plate';
  settings.mode = 'simulation';
  settings.robot.transport = 'none';
  settings.robot.emulate = false;
  settings.server.port = 0;
  settings.server.log_level = 'silent';
  settings.recording.mode = 'off';
  settings.audit.enabled = false;
  settings.recording.freezes = 0;
  // Tests run on loaded machines: stalls are for the wall-clock tests to watch.
  settings.loop.realtime_priority = 0;
  settings.loop.overrun_single_s = 60;
  settings.loop.overrun_consecutive = 1e6;
  settings.loop.overrun_bucket = 1e6;
  settings.operator.input_timeout_s = 5;
  settings.operator.authority_lease_s = 60;
  change(settings);
  return settings;
}

/**
 * A loop whose punctuality nobody watches: without warm-up and without polling for a release, which take more processor time than all else
 * of a short test.
 */
export function startUntimed(settings: Settings, options: RuntimeOptions = {}): Promise<Runtime> {
  settings.loop.spin_s = 0;
  return startRuntime(settings, { ...options, warmUp: false });
}

interface ServiceOptions {
  /** False: the audit log is that of the settings, as in a service. */
  readonly keepsAudit?: boolean;
  /** The test watches the clock. */
  readonly timed?: boolean;
}

export class Service {
  readonly app: FastifyInstance;
  readonly runtime: Runtime;
  readonly port: number;
  /** What was written down so far. */
  readonly audit: AuditEntry[];

  private constructor(app: FastifyInstance, runtime: Runtime, audit: AuditEntry[]) {
    this.audit = audit;
    this.app = app;
    this.runtime = runtime;
    this.port = listeningPort(app);
  }

  static async start(
    change?: (settings: Settings) => void,
    { keepsAudit = true, timed = false }: ServiceOptions = {},
  ): Promise<Service> {
    const settings = testSettings(change);
    const runtime = await (timed ? startRuntime : startUntimed)(settings);
    const audit: AuditEntry[] = [];
    const kept = { audit: { write: (one: AuditEntry) => void audit.push(one) } };
    const app = await buildApp({ settings, runtime, ...(keepsAudit ? kept : {}) });
    await app.listen({ host: settings.server.host, port: 0 });
    return new Service(app, runtime, audit);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async ticket(role: string, key = ''): Promise<string> {
    const response = await fetch(`${this.origin}/api/tickets`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ role }),
    });
    return ((await response.json()) as { ticket: string }).ticket;
  }

  /** Status of a refused upgrade, or 101. */
  async tryUpgrade(
    path: string,
    ticket: string | null,
    options: { origin?: string | null; protocol?: string } = {},
  ): Promise<number> {
    const query = ticket === null ? '' : `?ticket=${ticket}`;
    const protocol = options.protocol ?? `berth.${path}.v1`;
    const origin = options.origin === undefined ? this.origin : options.origin;
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/${path}${query}`, protocol, {
      ...(origin === null ? {} : { origin }),
    });
    return new Promise((resolve, reject) => {
      socket.on('unexpected-response', (request, response) => {
        request.destroy();
        resolve(response.statusCode ?? 0);
      });
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('error', reject);
    });
  }

  async connect(path: 'operator' | 'telemetry', role = 'operator', key = ''): Promise<Peer> {
    const ticket = await this.ticket(role, key);
    const address = `ws://127.0.0.1:${this.port}/${path}?ticket=${ticket}`;
    const peer = new Peer(new WebSocket(address, `berth.${path}.v1`, { origin: this.origin }));
    await once(peer.socket, 'open');
    return peer;
  }

  /** A client that has said hello; an older one answers no challenges. */
  async operator(role = 'operator', timely = true): Promise<Peer> {
    const peer = await this.connect('operator', role);
    peer.timely = timely;
    peer.send({ type: 'hello', id: 0 });
    peer.session = (await peer.next((m) => m.type === 'welcome'))['session'] as number;
    return peer;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.runtime.close();
  }
}

/** One socket of a client, with everything it has received. */
export class Peer {
  readonly socket: WebSocket;
  readonly received: Message[] = [];
  readonly closed: Promise<number>;
  session = 0;
  #waiting: { accept: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  #id = 1;
  #sequence = 0;
  /** Newest challenge heard. */
  challenge = 0;
  /** Answers challenges and quotes them, as a client has to; an older one does not. */
  timely = true;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const message = decode(data as Buffer) as Message;
      this.received.push(message);
      this.#hearChallenge(message);
      this.#waiting = this.#waiting.filter(({ accept, resolve }) => {
        if (!accept(message)) return true;
        resolve(message);
        return false;
      });
    });
  }

  #hearChallenge({ type, challenge, answer }: Message): void {
    if (!this.timely || typeof challenge !== 'number') return;
    this.challenge = challenge;
    if (type === 'welcome' || answer === true) this.send({ type: 'challenge.answer', challenge });
  }

  send(message: Record<string, unknown>): void {
    this.socket.send(encode({ v: 1, ...message }));
  }

  /** The next message that `accept` likes, from now on. */
  next(accept: (message: Message) => boolean, timeout_ms = PATIENCE_MS): Promise<Message> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no such message in time')), timeout_ms);
      timer.unref(); // what was not waited for in the end must not keep the process
      this.#waiting.push({
        accept,
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  async request(type: string, extra: Record<string, unknown> = {}): Promise<Message> {
    const id = this.#id++;
    const answer = this.next((m) => m.type === 'ack' && m['id'] === id);
    this.send({ type, id, ...extra });
    return answer;
  }

  input(deadman: boolean, z = 0): void {
    const axes = [0, 0, z, 0, 0, 0];
    const t = performance.now() / 1000;
    const seq = this.#sequence++;
    const quoted = this.timely ? { challenge: this.challenge } : {};
    this.send({ type: 'input', axes, deadman, gear: 'vernier', frame: 'base', ...quoted, seq, t });
  }

  status(accept: (status: Message) => boolean, timeout_ms?: number): Promise<Message> {
    return this.next((m) => m.type === 'status' && accept(m), timeout_ms);
  }
}
