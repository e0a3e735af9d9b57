/**
 * Operator sockets: hello and welcome, inputs with deadman, authority, commands, 10 Hz status, events and alarms. Any client
 * may stop; only the holder of authority may move. What is refused is answered, not dropped in silence.
 */
import { encode } from '@msgpack/msgpack';
import type { FastifyBaseLogger } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import type { Settings } from '../config/settings.ts';
import { CommandKind } from '../hil/commands.ts';
import { EventKind } from '../hil/events.ts';
import type { LoopEvent, Runtime } from '../hil/runtime-types.ts';
import { FAULT_CODES, SAFETY_STATES } from '../hil/safety/codes.ts';
import { AuthorityKeeper } from './authority.ts';
import type { Role } from './auth.ts';
import { InputAge } from './input-age.ts';
import type { AuthorityReason, InputReject, ServerCounters } from './metrics-families.ts';
import { type ClientMessage, type InputMessage, parseClientMessage } from './operator-messages.ts';
import { sceneOf } from './scene.ts';
import { CloseCode, readMessage, SocketSender } from './socket.ts';
import { Standstill } from './standstill.ts';
import { DEADMAN_COLUMN, makeRow, SAFETY_COLUMN, sessionStatus } from './status.ts';
import { TokenBucket } from './token-bucket.ts';
import { toolFacts } from './tool-facts.ts';

const MESSAGE_RATE = 200;
/** At once: the inputs of two seconds, as long as a stalled connection may keep its authority. */
const MESSAGE_BURST = 200;
const STATUS_HZ = 10;
/** How often leases are looked at, ms. */
const KEEPER_MS = 20;
/** Events that say the arm may be moving: authority is not taken from under it. */
const MOVING = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];

class Client {
  readonly session: number;
  readonly role: Role;
  readonly sender: SocketSender;
  readonly bucket: TokenBucket;
  readonly inputAge = new InputAge();
  greeted = false;
  lastSequence = -1;
  rejectTold_s = -Infinity;

  constructor(session: number, role: Role, sender: SocketSender, bucket: TokenBucket) {
    this.session = session;
    this.role = role;
    this.sender = sender;
    this.bucket = bucket;
  }
}

export class OperatorHub {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #counters: ServerCounters;
  readonly #log: FastifyBaseLogger;
  readonly #clients = new Map<number, Client>();
  readonly #keeper: AuthorityKeeper;
  readonly #standstill = new Standstill(KEEPER_MS / 1000, now_s());
  readonly #row = makeRow();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  #nextSession = 1;
  #postedHolder = 0;

  constructor(
    settings: Settings,
    runtime: Runtime,
    counters: ServerCounters,
    log: FastifyBaseLogger,
  ) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#counters = counters;
    this.#log = log;
    this.#keeper = new AuthorityKeeper(settings.operator.authority_lease_s, {
      changed: (holder, reason) => this.#authorityChanged(holder, reason),
      asked: (holder, session) =>
        this.#clients.get(holder)?.sender.send({ type: 'authority.request', session }),
      denied: (session, message) =>
        this.#clients.get(session)?.sender.send({ type: 'authority.deny', session, message }),
    });
    this.#unsubscribe = runtime.onEvent((event) => this.#onLoopEvent(event));
    this.#timers = [
      setInterval(() => this.#keep(now_s()), KEEPER_MS),
      setInterval(() => this.#sendStatus(now_s()), 1000 / STATUS_HZ),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Session that may move the arm, 0 nobody. */
  get holder(): number {
    return this.#keeper.holder;
  }

  /** Take over an upgraded socket. */
  accept(socket: WebSocket, role: Role): void {
    const sender = new SocketSender(socket, 'operator', this.#counters);
    const now = now_s();
    const stood_s = this.#standstill.total_s(now);
    const bucket = new TokenBucket(MESSAGE_RATE, MESSAGE_BURST, now, stood_s);
    const client = new Client(this.#nextSession++, role, sender, bucket);
    this.#clients.set(client.session, client);
    this.#countClients();
    this.#log.info({ session: client.session, role }, 'operator connected');
    socket.on('message', (data, isBinary) => this.#receive(client, data, isBinary));
    socket.on('error', (error: Error & { code?: string }) => {
      const big = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      this.#counters.add('ws_rejects_total', 1, big ? 'too_big' : 'bad_message');
    });
    socket.on('close', (code) => {
      this.#clients.delete(client.session);
      this.#countClients();
      this.#log.info({ session: client.session, code }, 'operator gone');
      this.#keeper.disconnect(client.session, now_s());
    });
  }

  /** Nobody holds authority any more: another scenario was loaded. */
  dropAuthority(): void {
    this.#postedHolder = 0;
    if (this.holder !== 0) this.#keeper.release(this.holder, now_s());
  }

  close(): void {
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
    for (const { sender } of this.#clients.values()) {
      sender.close(1001, null, 'The server is stopping.');
    }
  }

  #receive(client: Client, data: RawData, isBinary: boolean): void {
    const now = now_s();
    if (!client.bucket.take(now, this.#standstill.total_s(now))) {
      const text = `At most ${MESSAGE_RATE} messages a second, ${MESSAGE_BURST} at once.`;
      client.sender.close(CloseCode.RATE, 'rate', text);
      return;
    }
    const value = readMessage(data, isBinary);
    const version = (value as { v?: unknown } | null | undefined)?.v;
    if (typeof version === 'number' && version !== 1) {
      client.sender.close(CloseCode.VERSION, 'protocol', 'Only v = 1 is spoken here.');
      return;
    }
    const message = value === undefined ? 'Not a MessagePack map.' : parseClientMessage(value);
    if (typeof message === 'string') {
      client.sender.close(CloseCode.BAD_MESSAGE, 'bad_message', message);
      return;
    }
    if (!client.greeted && message.type !== 'hello' && message.type !== 'stop') {
      client.sender.close(CloseCode.BAD_MESSAGE, 'bad_message', 'Say hello first.');
      return;
    }
    if (message.type === 'input') this.#input(client, message, now);
    else void this.#answer(client, message, now);
  }

  #input(client: Client, input: InputMessage, now: number): void {
    if (this.holder !== client.session) {
      this.#refuseInput(client, 'authority', now);
      return;
    }
    const advance = (input.seq - client.lastSequence) >>> 0;
    if (client.lastSequence >= 0 && (advance === 0 || advance > 0x7fffffff)) {
      this.#refuseInput(client, 'sequence', now);
      return;
    }
    client.lastSequence = input.seq;
    const age_s = client.inputAge.update(input.t, now);
    if (age_s > this.#settings.operator.input_timeout_s) {
      this.#refuseInput(client, 'stale', now);
      return;
    }
    if (!this.#keeper.renew(client.session, now)) {
      this.#refuseInput(client, 'authority', now);
      return;
    }
    const posted = this.#runtime.post(
      CommandKind.INPUT,
      ...input.axes,
      input.deadman ? 1 : 0,
      input.gear === 'coarse' ? 1 : 0,
      input.frame === 'tool' ? 1 : 0,
      input.seq,
      age_s,
    );
    if (!posted) this.#refuseInput(client, 'queue_full', now);
  }

  /** Count a refused input and tell its sender, at most once a second. The socket stays open: it may still stop. */
  #refuseInput(client: Client, reason: InputReject, now: number): void {
    this.#counters.add('operator_input_rejects_total', 1, reason);
    if (now - client.rejectTold_s < 1) return;
    client.rejectTold_s = now;
    const code = reason === 'authority' ? CloseCode.AUTHORITY : CloseCode.STALE;
    client.sender.send({ type: 'input.reject', code, reason });
  }

  async #answer(
    client: Client,
    message: Exclude<ClientMessage, InputMessage>,
    now: number,
  ): Promise<void> {
    if (message.type === 'hello') {
      this.#welcome(client, message.id);
      return;
    }
    const result = await this.#act(client, message, now);
    const ok = result === 'ok';
    this.#log.info({ session: client.session, request: message.type, result }, 'operator request');
    client.sender.send({
      type: 'ack',
      id: message.id,
      ok,
      code: result,
      message: ok ? '' : (SENTENCES[result] ?? result.replaceAll('_', ' ')),
    });
  }

  /** Do what is asked. @returns 'ok' or a reason. */
  async #act(
    client: Client,
    message: Exclude<ClientMessage, InputMessage>,
    now: number,
  ): Promise<string> {
    const mine = this.holder === client.session;
    switch (message.type) {
      case 'hello':
        return 'ok';
      case 'stop':
        return this.#runtime.request(CommandKind.STOP, message.cat);
      case 'hold':
        return this.#runtime.request(CommandKind.HOLD);
      case 'clear':
        return this.#runtime.request(CommandKind.CLEAR);
      case 'arm':
        return mine ? this.#runtime.request(CommandKind.ARM) : 'no_authority';
      case 'resume':
        return mine ? this.#runtime.request(CommandKind.RESUME) : 'no_authority';
      case 'authority.request':
        return this.#requestAuthority(client, message.take_over === true, now);
      case 'authority.grant':
        if (mine && this.#deadmanPressed()) return 'deadman_pressed';
        return this.#keeper.grant(client.session, now) ? 'ok' : 'nothing_asked';
      case 'authority.deny':
        return this.#keeper.deny(client.session) ? 'ok' : 'nothing_asked';
      case 'authority.release':
        return this.#keeper.release(client.session, now) ? 'ok' : 'no_authority';
    }
  }

  #requestAuthority(client: Client, takeOver: boolean, now: number): string {
    if (takeOver && this.holder !== 0) {
      if (this.#moving()) return 'wrong_state';
      return this.#keeper.takeOver(client.session, client.role, now) ? 'ok' : 'not_allowed';
    }
    const answer = this.#keeper.request(client.session, now);
    return answer === 'granted' || answer === 'holder' ? 'ok' : answer;
  }

  #deadmanPressed(): boolean {
    return this.#runtime.readNewest(this.#row) && this.#row[DEADMAN_COLUMN] !== 0;
  }

  #moving(): boolean {
    if (!this.#runtime.readNewest(this.#row)) return false;
    return MOVING.includes(SAFETY_STATES[this.#row[SAFETY_COLUMN]] ?? '');
  }

  #welcome(client: Client, id: number): void {
    client.greeted = true;
    const { operator, limits } = this.#settings;
    client.sender.send({
      type: 'welcome',
      id,
      session: client.session,
      role: client.role,
      server_time_s: now_s(),
      scenario: this.#runtime.scenario,
      mode: this.#runtime.mode,
      rates: { status_hz: STATUS_HZ, input_hz: 100, messages_per_s: MESSAGE_RATE },
      operator,
      limits,
      tool: toolFacts(this.#runtime.scenario),
      insertion: sceneOf(this.#runtime.scenario).insertion,
      authority: this.#authorityState(),
    });
  }

  #authorityState(): Record<string, unknown> {
    return { holder: this.holder, asking: this.#keeper.asking, clients: this.#clients.size };
  }

  #broadcast(message: Record<string, unknown>): void {
    for (const client of this.#clients.values()) {
      if (client.greeted) client.sender.send(message);
    }
  }

  #authorityChanged(holder: number, reason: AuthorityReason): void {
    this.#counters.add('authority_changes_total', 1, reason);
    this.#counters.set('authority_held', holder === 0 ? 0 : 1);
    const client = this.#clients.get(holder);
    if (client !== undefined) client.lastSequence = -1;
    this.#log.info({ holder, reason }, 'authority');
    this.#postHolder(holder);
    this.#broadcast({ type: 'authority.state', holder, reason });
  }

  #postHolder(holder: number): void {
    if (this.#runtime.post(CommandKind.AUTHORITY, holder)) this.#postedHolder = holder;
  }

  #keep(now: number): void {
    this.#standstill.beat(now);
    this.#keeper.tick(now);
    // A full ring refused it: the loop must learn who holds as soon as there is room.
    if (this.#postedHolder !== this.holder) this.#postHolder(this.holder);
  }

  #sendStatus(now: number): void {
    let buffered = 0;
    for (const { sender } of this.#clients.values()) buffered += sender.socket.bufferedAmount;
    this.#counters.set('ws_buffered_bytes', buffered, 'operator');
    if (this.#clients.size === 0) return;
    const bytes = encode({
      v: 1,
      type: 'status',
      ...sessionStatus(this.#runtime, this.#row, this.#settings.loop.period_s),
      authority: this.#authorityState(),
    });
    for (const client of this.#clients.values()) {
      if (client.greeted) client.sender.sendLatest(bytes, now);
    }
  }

  #onLoopEvent(event: LoopEvent): void {
    const when = { tick: event.tick, time_s: event.time_s };
    if (event.kind === EventKind.TRANSITION) {
      const [from, to] = [SAFETY_STATES[event.a], SAFETY_STATES[event.b]];
      const cause = FAULT_CODES[event.c] ?? null;
      this.#log.info({ from, to, cause }, 'state');
      this.#broadcast({ type: 'event', name: 'transition', ...when, from, to, cause });
    } else if (event.kind === EventKind.FAULT) {
      const code = FAULT_CODES[event.a] ?? 'UNKNOWN';
      this.#log.warn({ code, detail: event.b }, 'fault');
      this.#broadcast({ type: 'alarm', ...when, code, detail: event.b });
    } else if (event.kind === EventKind.LINK) {
      this.#log.info({ up: event.a === 1, reject: event.b }, 'robot link');
      this.#broadcast({ type: 'event', name: 'link', ...when, up: event.a === 1 });
    } else if (event.kind === EventKind.CONTACT) {
      const found = event.b === 1;
      const value = found ? { speed_mps: event.c } : { peak_force_N: event.c };
      this.#broadcast({ type: 'event', name: 'contact', ...when, found, ...value });
    } else if (event.kind === EventKind.REALTIME) {
      this.#counters.setRealtime(event.a === 1);
    } else if (event.kind === EventKind.ENDED && event.a === 1) {
      this.#log.error(when, 'the loop ended with an internal error');
      this.#broadcast({ type: 'alarm', ...when, code: 'INTERNAL_ERROR', detail: 0 });
    }
  }

  #countClients(): void {
    const clients = [...this.#clients.values()];
    for (const role of ['operator', 'supervisor'] as const) {
      const count = clients.filter((client) => client.role === role).length;
      this.#counters.set('operator_clients', count, role);
    }
    this.#counters.set('ws_sessions', clients.length, 'operator');
  }
}

/** Reasons in words; COMMAND_RESULTS and the server's own. */
export const SENTENCES: Readonly<Record<string, string>> = {
  not_ready: 'The loop is not ready to arm: see arm_blockers in the status.',
  no_authority: 'Only the holder of authority may do this.',
  deadman_not_pressed: 'Press and hold the deadman first.',
  not_neutral: 'Centre the hand controllers first.',
  pose_mismatch: 'The set-point does not agree with the measured pose yet.',
  fault_latched: 'A fault is latched: clear it first.',
  robot_not_normal: 'The robot does not report a normal safety state.',
  wrong_state: 'This cannot be done in the present state.',
  not_allowed: 'This is not allowed here.',
  asked: 'The holder has been asked; it has 10 s to answer.',
  busy: 'Somebody else is already waiting for authority.',
  deadman_pressed: 'Release the deadman before handing over.',
  nothing_asked: 'Nobody has asked for authority, or you do not hold it.',
  timeout: 'The loop did not answer in time.',
};

function now_s(): number {
  return performance.now() / 1000;
}
