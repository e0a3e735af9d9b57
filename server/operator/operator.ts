/**
 * Operator sockets: hello and welcome, inputs with deadman, authority, commands, 10 Hz status, events and alarms. Any client
 * may stop; only the holder of authority may move. What is refused is answered, not dropped in silence.
 */
import { encode } from '@msgpack/msgpack';
import type { FastifyBaseLogger } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import type { Settings } from '../../config/settings.ts';
import { CommandKind } from '../../hil/contract/commands.ts';
import { EventKind } from '../../hil/contract/events.ts';
import { touchLevel } from '../../hil/contract/touch-levels.ts';
import { limitWords, valueWords } from '../../hil/contract/limit-words.ts';
import { INJECTIONS } from '../../hil/contract/injections.ts';
import { LogLevel } from '../../hil/recording/event-words.ts';
import type { RobotRefusal } from '../../hil/threads/robot-book.ts';
import type { LoopEvent, Runtime } from '../../hil/threads/runtime-types.ts';
import { FAULT_CODES, SAFETY_STATES } from '../../hil/contract/codes.ts';
import { ControlWord, LoopState } from '../../hil/memory/shared.ts';
import { AlarmFeed } from '../alarms/alarm-feed.ts';
import { AlarmList } from '../alarms/alarms.ts';
import type { AuditSink } from '../audit/audit-sink.ts';
import { alarmNote } from '../audit/recording-notes.ts';
import { AuthorityKeeper } from './authority.ts';
import type { Role } from '../../hil/contract/roles.ts';
import type { AuthorityStatus, LoopNotice, Status, Welcome } from '../client/messages.ts';
import type { AuthorityReason, InputReject, ServerCounters } from '../metrics/metrics-families.ts';
import { energyRefusal } from '../status/energy-refusal.ts';
import {
  type ClientMessage,
  type InputMessage,
  parseClientMessage,
} from '../contract/client-messages.ts';
import { BerthError } from '../../src/base/errors.ts';
import { describeError } from '../contract/errors.ts';
import type { ScenarioLoader } from '../scenarios/scenario-loader.ts';
import { type OperatorRequest, OperatorRequests, SENTENCES } from './operator-requests.ts';
import { OperatorSession } from './operator-session.ts';
import { loadedScene } from '../status/scene.ts';
import { CloseCode, measureSockets, readMessage, SocketSender } from '../access/socket.ts';
import type { ProfileName } from '../../config/profiles.ts';
import { Standstill } from './standstill.ts';
import { instantOf, makeRow, sessionStatus } from '../status/status.ts';
import { TokenBucket } from '../access/token-bucket.ts';
import { toolFacts } from '../status/tool-facts.ts';

const MESSAGE_RATE = 200;
/** At once: the inputs of two seconds, as long as a stalled connection may keep its authority. */
const MESSAGE_BURST = 200;
const STATUS_HZ = 10;
/** How often the holder gets a new challenge, ms, and how often every client has to answer one, s. */
const CHALLENGE_MS = 10;
const ANSWER_S = 1;
/** How often leases are checked, ms. */
const KEEPER_MS = 20;
/** A client sends hello within this, or makes room for another, s. */
const HELLO_S = 5;

/** What the hub works with. */
export interface OperatorParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly loader: ScenarioLoader;
  readonly counters: ServerCounters;
  readonly audit: AuditSink;
  /** What is asked for can be read later. */
  readonly keepsAudit: boolean;
  readonly log: FastifyBaseLogger;
  /** Profile of the embedded settings. */
  readonly profile?: ProfileName;
}

type LoadMessage = Extract<ClientMessage, { type: 'scenario.load' }>;

export class OperatorHub {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #loader: ScenarioLoader;
  readonly #counters: ServerCounters;
  readonly #audit: AuditSink;
  readonly #keepsAudit: boolean;
  readonly #log: FastifyBaseLogger;
  readonly #profile: Pick<Status, 'profile'>;
  readonly #control: Int32Array;
  readonly #clients = new Map<number, OperatorSession>();
  readonly #keeper: AuthorityKeeper;
  readonly #requests: OperatorRequests;
  readonly #feed: AlarmFeed;
  readonly #standstill = new Standstill(KEEPER_MS / 1000, now_s());
  readonly #row = makeRow();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  #nextSession = 1;
  #postedHolder = 0;
  #alarmsChanged = false;
  /** Standing alarms. */
  readonly alarms: AlarmList;

  constructor(parts: OperatorParts) {
    const { settings, runtime, loader, counters, audit, keepsAudit, log, profile } = parts;
    this.#settings = settings;
    this.#runtime = runtime;
    this.#loader = loader;
    loader.onLoaded = () => {
      this.dropAuthority();
      counters.add('scenario_loads_total', 1);
    };
    this.#counters = counters;
    this.#audit = audit;
    this.#keepsAudit = keepsAudit;
    this.#log = log;
    this.#profile =
      profile === undefined ? {} : { profile: { name: profile, period_s: settings.loop.period_s } };
    this.#control = new Int32Array(runtime.shared.control);
    this.alarms = new AlarmList(
      () => (this.#alarmsChanged = true),
      (alarm) => runtime.note?.(...alarmNote(alarm)),
    );
    this.#feed = new AlarmFeed(this.alarms);
    this.#keeper = new AuthorityKeeper(settings.operator.authority_lease_s, {
      changed: (holder, reason) => this.#authorityChanged(holder, reason),
      asked: (holder, session) =>
        this.#clients.get(holder)?.sender.send({ type: 'authority.request', session }),
      denied: (session, message) =>
        this.#clients.get(session)?.sender.send({ type: 'authority.deny', session, message }),
    });
    this.#requests = new OperatorRequests(
      runtime,
      this.#keeper,
      this.alarms,
      audit,
      settings.operator.input_timeout_s,
    );
    runtime.onRefused?.((refusal, more) => this.#onRefused(refusal, more));
    this.#unsubscribe = runtime.onEvent((event) => this.#onLoopEvent(event));
    this.#timers = [
      setInterval(() => this.#keep(now_s()), KEEPER_MS),
      setInterval(() => this.#challenge(now_s()), CHALLENGE_MS),
      setInterval(() => this.#sendStatus(now_s()), 1000 / STATUS_HZ),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Session that may move the arm, 0 none. */
  get holder(): number {
    return this.#keeper.holder;
  }

  /** Take over an upgraded socket. */
  accept(socket: WebSocket, role: Role): void {
    const sender = new SocketSender(socket, 'operator', this.#counters);
    const now = now_s();
    const stood_s = this.#standstill.total_s(now);
    const bucket = new TokenBucket(MESSAGE_RATE, MESSAGE_BURST, now, stood_s);
    const helloDue_s = now - stood_s + HELLO_S;
    const client = new OperatorSession(this.#nextSession++, role, sender, bucket, helloDue_s);
    this.#clients.set(client.session, client);
    this.#countClients();
    this.#log.info({ session: client.session, role }, 'operator connected');
    socket.on('message', (data, isBinary) => this.#receive(client, data, isBinary));
    socket.on('close', (code) => {
      this.#clients.delete(client.session);
      this.#countClients();
      this.#log.info({ session: client.session, code }, 'operator gone');
      this.#keeper.disconnect(client.session, now_s());
    });
  }

  /** Authority has no holder any more: another scenario was loaded. */
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

  #receive(client: OperatorSession, data: RawData, isBinary: boolean): void {
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
    else if (message.type === 'hello') this.#welcome(client, message.id);
    else if (message.type === 'challenge.answer') {
      client.gate.challenges.answer(message.challenge, now);
    } else if (message.type === 'sync') {
      const { id, t } = message;
      client.sender.send({ type: 'sync', id, t, server_time_s: now });
    } else if (message.type === 'scenario.load') void this.#load(client, message);
    else void this.#answer(client, message, now);
  }

  /** Load a scenario for the holder of authority; the other rules are those of the loop. Authority is free afterwards. */
  async #load(client: OperatorSession, message: LoadMessage): Promise<void> {
    const { scenario, mode } = message;
    let [code, text] = [this.#requests.mayLoad(client), ''];
    if (code === 'ok') {
      try {
        await this.#loader.load({ scenario, mode });
      } catch (error) {
        const { body } = describeError(error);
        [code, text] = ['not_loaded', body.message];
        if (!(error instanceof BerthError)) this.#log.error({ err: error }, 'load failed');
      }
    }
    const detail = this.#loader.meant({ scenario, mode });
    this.#audit.write({ actor: client.actor, action: message.type, result: code, detail });
    this.#log.info({ session: client.session, request: message.type, result: code, ...detail });
    const ok = code === 'ok';
    const words = ok ? '' : text || (SENTENCES[code] ?? code);
    client.sender.send({ type: 'ack', id: message.id, ok, code, message: words });
  }

  #input(client: OperatorSession, input: InputMessage, now: number): void {
    if (this.holder !== client.session) {
      this.#refuseInput(client, 'authority', now);
      return;
    }
    const refused = client.gate.judge(input, now, this.#settings.operator.input_timeout_s);
    if (refused !== null) {
      this.#refuseInput(client, refused, now);
      return;
    }
    if (!this.#keeper.renew(client.session, now)) {
      this.#refuseInput(client, 'authority', now);
      return;
    }
    const posted = this.#runtime.post(CommandKind.INPUT, ...client.gate.arguments(input));
    if (!posted) this.#refuseInput(client, 'queue_full', now);
  }

  /** Count a refused input and inform its sender, at most once a second. The socket stays open: it may still stop. */
  #refuseInput(client: OperatorSession, reason: InputReject, now: number): void {
    this.#counters.add('operator_input_rejects_total', 1, reason);
    if (now - client.rejectReported_s < 1) return;
    client.rejectReported_s = now;
    const code = reason === 'authority' ? CloseCode.AUTHORITY : CloseCode.STALE;
    client.sender.send({ type: 'input.reject', code, reason });
  }

  async #answer(client: OperatorSession, message: OperatorRequest, now: number): Promise<void> {
    const result = await this.#requests.act(client, message, now);
    const ok = result === 'ok';
    this.#log.info({ session: client.session, request: message.type, result }, 'operator request');
    client.sender.send({
      type: 'ack',
      id: message.id,
      ok,
      code: result,
      message: ok ? '' : this.#reason(message, result),
    });
  }

  /** Why a request was not done, in a sentence. */
  #reason(message: OperatorRequest, result: string): string {
    const { loop_energy: now } = this.status();
    if (result === 'not_combinable' && message.type === 'energy.set' && now !== undefined) {
      const refusal = energyRefusal(message, now, this.#settings.energy);
      if (refusal !== '') return refusal;
    }
    return SENTENCES[result] ?? result.replaceAll('_', ' ');
  }

  #welcome(client: OperatorSession, id: number): void {
    client.greeted = true;
    const { operator, limits } = this.#settings;
    const { scenario, mode } = this.#runtime;
    const now = now_s();
    const welcome: Welcome = {
      id,
      session: client.session,
      role: client.role,
      server_time_s: now,
      challenge: client.gate.challenges.issue(now),
      scenario,
      mode,
      rates: { status_hz: STATUS_HZ, input_hz: 100, messages_per_s: MESSAGE_RATE },
      operator,
      limits: numbersOf(limits),
      audit_log: this.#keepsAudit,
      authority: this.authority,
      alarms: this.alarms.list,
      accommodation: this.status().accommodation ?? null,
      tool: toolFacts(this.#runtime),
      insertion: loadedScene(this.#runtime).insertion,
    };
    client.sender.send({ type: 'welcome', ...welcome });
  }

  /** The holder of authority, the session that waits for it, and the number of clients. */
  get authority(): AuthorityStatus {
    return { holder: this.holder, asking: this.#keeper.asking, clients: this.#clients.size };
  }

  /** The session as it is now. */
  status(): Status {
    const now = sessionStatus(this.#runtime, this.#row, this.#settings, this.authority);
    return { ...now, ...this.#profile };
  }

  #broadcast(message: Record<string, unknown>): void {
    for (const client of this.#clients.values()) {
      if (client.greeted) client.sender.send(message);
    }
  }

  #authorityChanged(holder: number, reason: AuthorityReason): void {
    this.#counters.add('authority_changes_total', 1, reason);
    this.#counters.set('authority_held', holder === 0 ? 0 : 1);
    this.#clients.get(holder)?.gate.restart();
    this.#log.info({ holder, reason }, 'authority');
    const who = this.#clients.get(holder)?.actor ?? null;
    this.#audit.write({ actor: 'server', action: 'authority', result: reason, detail: { who } });
    this.#postHolder(holder);
    this.#broadcast({ type: 'authority.state', holder, reason });
  }

  #postHolder(holder: number): void {
    if (this.#runtime.post(CommandKind.AUTHORITY, holder)) this.#postedHolder = holder;
  }

  /** The holder, whose inputs quote them, gets one often; every client is asked now and then for an answer at once. */
  #challenge(now: number): void {
    for (const { session, greeted, gate, sender } of this.#clients.values()) {
      const { challenges } = gate;
      const answer = now >= challenges.answerDue_s;
      if (!greeted || (!answer && session !== this.holder)) continue;
      if (answer) challenges.answerDue_s = now + ANSWER_S;
      const challenge = challenges.issue(now);
      sender.sendLatest(encode({ v: 1, type: 'challenge', challenge, answer }), now);
    }
    const holder = this.#clients.get(this.holder);
    const roundTrip_s = holder?.gate.challenges.roundTrip_s(now) ?? 0;
    this.#counters.set('operator_round_trip_seconds', roundTrip_s);
  }

  #keep(now: number): void {
    this.#standstill.beat(now);
    this.#keeper.tick(now);
    this.#closeSilent(now);
    this.#sendAlarms();
    // A full ring refused it: the loop must get the holder as soon as there is room.
    if (this.#postedHolder !== this.holder) this.#postHolder(this.holder);
  }

  /** Close the clients whose hello did not come in time; while this thread stood still, none could be received. */
  #closeSilent(now: number): void {
    const running_s = now - this.#standstill.total_s(now);
    for (const { greeted, helloDue_s, sender } of this.#clients.values()) {
      if (greeted || running_s < helloDue_s) continue;
      sender.close(CloseCode.BAD_MESSAGE, 'bad_message', `No hello came within ${HELLO_S} s.`);
    }
  }

  #sendStatus(now: number): void {
    measureSockets(this.#clients.values(), 'operator', this.#counters);
    const status = this.status();
    if (status.running) {
      const state = Atomics.load(this.#control, ControlWord.LOOP_STATE);
      const ticks = state === LoopState.RUNNING || state === LoopState.FAILED;
      this.#feed.row(this.#row, ticks, status.recording?.state, now);
      this.#feed.freezes(status.recording?.freezes ?? []);
    }
    if (this.#clients.size === 0) return;
    const bytes = encode({ v: 1, type: 'status', ...status });
    for (const client of this.#clients.values()) {
      if (client.greeted) client.sender.sendLatest(bytes, now);
    }
  }

  #sendAlarms(): void {
    if (!this.#alarmsChanged) return;
    this.#alarmsChanged = false;
    this.#broadcast({ type: 'alarms', alarms: this.alarms.list });
  }

  #onLoopEvent(event: LoopEvent): void {
    const when = { tick: event.tick, time_s: event.time_s };
    this.#feed.event(event);
    if (event.kind === EventKind.TRANSITION) {
      const [from, to] = [SAFETY_STATES[event.a] ?? 'unknown', SAFETY_STATES[event.b] ?? 'unknown'];
      const cause = FAULT_CODES[event.c] ?? null;
      this.#log.info({ from, to, cause }, 'state');
      this.#notice({ name: 'transition', ...when, from, to, cause });
    } else if (event.kind === EventKind.FAULT) {
      const value = valueWords(event.b, event.c);
      this.#log.warn({ code: FAULT_CODES[event.a], ...(value === '' ? {} : { value }) }, 'fault');
    } else if (event.kind === EventKind.LIMIT) {
      const limit = limitWords(event.b, event.c);
      this.#log.warn({ code: FAULT_CODES[event.a], limit }, 'limit');
    } else if (event.kind === EventKind.LINK) {
      this.#log.info({ up: event.a === 1, reject: event.b }, 'robot link');
      this.#notice({ name: 'link', ...when, up: event.a === 1 });
    } else if (event.kind === EventKind.CONTACT) {
      const found = event.b === 1;
      const value = found ? { speed_mps: event.c } : { peak_force_N: event.c };
      this.#notice({ name: 'contact', ...when, found, ...value });
    } else if (event.kind === EventKind.CONTACT_SEEN) {
      const contact = this.#runtime.names.contacts[event.a] ?? `contact ${event.a}`;
      const alarm = event.b === 1;
      if (alarm) this.#log.warn({ contact, speed_mps: event.c }, 'observed contact');
      this.#notice({ name: 'contact_seen', ...when, contact, alarm, speed_mps: event.c });
    } else if (event.kind === EventKind.CONTACT_CROSSED) {
      const contact = this.#runtime.names.contacts[event.a] ?? `contact ${event.a}`;
      this.#log.warn({ contact, contacts: event.b }, 'contact crossed');
      this.#notice({ name: 'contact_crossed', ...when, contact, contacts: event.b });
    } else if (event.kind === EventKind.TOUCH_CHANGED) {
      const { contacts, constraints } = this.#runtime.names;
      const touch = [...contacts, ...constraints][event.a] ?? `touch ${event.a}`;
      const facts = { touch, k2L: event.b, condition: 1 / event.c };
      if (touchLevel(event.b, 0) > 0) this.#log.warn(facts, 'touch of surfaces is held weakly');
      else this.#log.info(facts, 'touch of surfaces is held at a point again');
    } else if (event.kind === EventKind.CONSTRAINT_LOST) {
      const constraint = this.#runtime.names.constraints[event.a] ?? `constraint ${event.a}`;
      this.#log.warn({ constraint }, 'constraint lost its point of contact');
    } else if (event.kind === EventKind.INJECTED) {
      const kind = INJECTIONS[event.a] ?? 'unknown';
      const began = event.b === 1;
      this.#notice({
        name: 'injected',
        ...when,
        kind,
        began,
        ...(began ? { amount: event.c } : {}),
      });
    } else if (event.kind === EventKind.CLOCK_STEP) {
      this.#log.warn({ step_s: event.c, steps: event.a }, 'robot clock stepped');
    } else if (event.kind === EventKind.REALTIME) {
      this.#counters.setRealtime(event.a === 1);
    }
  }

  /** A robot that did not come into session: into the log, to the clients, and into the recording. */
  #onRefused(refused: RobotRefusal, more: number): void {
    const { reason, message, by, from, device, firmware } = refused;
    const refusal = { reason, by, from, device, firmware };
    this.#log.warn({ ...refusal, more }, `robot refused: ${message}`);
    const name = device === '' ? 'a robot' : device;
    this.#runtime.note?.(`refused ${name} at ${from}: ${message}`, LogLevel.WARN);
    const when = instantOf(this.#row);
    this.#notice({ name: 'robot_refused', ...when, ...refusal, message, more });
  }

  #notice(notice: LoopNotice): void {
    this.#broadcast({ type: 'event', ...notice });
  }

  #countClients(): void {
    const clients = [...this.#clients.values()];
    for (const role of ['operator', 'supervisor'] as const) {
      const count = clients.filter((client) => client.role === role).length;
      this.#counters.set('operator_clients', count, role);
    }
    measureSockets(clients, 'operator', this.#counters);
  }
}

function now_s(): number {
  return performance.now() / 1000;
}

/** The fields of limits that are plain numbers: what a station shows; places in space are not among them. */
function numbersOf(limits: object): Record<string, number> {
  const entries: [string, unknown][] = Object.entries(limits);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
