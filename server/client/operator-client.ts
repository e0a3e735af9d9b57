/**
 * Client of the operator socket, for a console, a hand controller or a script. SI units, vectors in
 * the base frame unless a field documents another.
 */
import { ClockSync } from './clock-sync.ts';
import { type HandStation, type MutableHand, restingHand } from './hand-station.ts';
import { Listeners, type Unsubscribe } from './listeners.ts';
import type {
  Ack,
  Alarm,
  AuthorityStatus,
  LoopNotice,
  Requests,
  RequestType,
  Status,
  Welcome,
} from './messages.ts';
import {
  type CloseReason,
  ConnectError,
  type ConnectOptions,
  now_s,
  post,
  Wire,
  type WireMessage,
} from './wire.ts';

/** Events of an operator client and their content. */
export interface OperatorEvents {
  /** Status, at 10 Hz. */
  status: Status;
  /** Transition, link up or down, contact found or lost, injected fault. */
  notice: LoopNotice;
  /** The whole list of alarms, after every change. */
  alarms: readonly Alarm[];
  authority: AuthorityStatus & { readonly reason: string | null };
  /** Another session requests the authority that this one holds: grant or deny within 10 s. */
  'authority.request': { readonly session: number };
  /** Result of a request for authority that was not granted. */
  'authority.deny': { readonly message: string };
  /**
   * An input was refused: `authority`, `sequence`, `stale`, `unmeasured` or `queue_full`; sent at
   * most once a second.
   */
  'input.reject': { readonly code: number; readonly reason: string };
  close: CloseReason;
}

const INPUT_MS = 10;
/** Interval of clock exchanges, ms; the first ones are more frequent. */
const SYNC_MS = 1000;
const FIRST_SYNCS = 5;
/** A load compiles the scenario, and warms its loop up, ms. */
const LOAD_MS = 120_000;

export class OperatorClient {
  readonly welcome: Welcome;
  /** Newest status; null before the first. */
  status: Status | null = null;
  alarms: readonly Alarm[];
  authority: AuthorityStatus;
  /** Hand-controller input; it is sent until changed. A station overwrites it. */
  readonly hand: MutableHand = restingHand();
  /** Rules of the hand controller, applied before every input. */
  station: HandStation | null = null;
  readonly #wire: Wire;
  readonly #options: ConnectOptions;
  readonly #clock = new ClockSync();
  readonly #listeners = new Listeners<OperatorEvents>();
  #inputTimer: ReturnType<typeof setInterval> | undefined;
  #syncTimer: ReturnType<typeof setInterval> | undefined;
  #sequence = 0;
  /** Newest challenge of the server, which every input quotes. */
  #challenge: number;

  private constructor(wire: Wire, options: ConnectOptions, welcome: Welcome) {
    this.#wire = wire;
    this.#options = options;
    this.welcome = welcome;
    this.alarms = welcome.alarms;
    this.authority = welcome.authority;
    this.#challenge = welcome.challenge;
    wire.onMessage = (message) => this.#receive(message);
    wire.onClose = (reason) => {
      this.stopInputs();
      clearInterval(this.#syncTimer);
      this.#listeners.emit('close', reason);
    };
    this.#syncTimer = setInterval(() => void this.#sync(), SYNC_MS);
    this.#answerChallenge();
    void this.#syncOften();
  }

  /**
   * Gets a ticket, opens the socket and sends the hello.
   * @throws ConnectError with the message of the server and the HTTP status of a refusal
   */
  static async connect(options: ConnectOptions): Promise<OperatorClient> {
    const wire = await Wire.open('operator', options);
    const welcome = await wire.ask({ type: 'hello', client: options.name });
    if (welcome.type === 'welcome') {
      return new OperatorClient(wire, options, welcome as unknown as Welcome);
    }
    wire.close();
    const text = wire.closed?.text ?? String(welcome['message']);
    throw new ConnectError('BERTH_PROTOCOL', text, 0);
  }

  get closed(): boolean {
    return this.#wire.closed !== null;
  }

  get closeReason(): CloseReason | null {
    return this.#wire.closed;
  }

  /** Whether this session holds authority; only the holder may move the arm. */
  get isHolder(): boolean {
    return this.authority.holder === this.welcome.session;
  }

  /** Newest round trip, s; null before the first. */
  get roundTrip_s(): number | null {
    return this.#clock.roundTrip_s;
  }

  /** Server time less `performance.now()`, s; null before the first answer. */
  get offset_s(): number | null {
    return this.#clock.offset_s;
  }

  /** Age of the holder's newest input when the loop took it, s, from the newest status. */
  get inputAge_s(): number | null {
    return this.status?.operator?.input_age_s ?? null;
  }

  on<Name extends keyof OperatorEvents>(
    event: Name,
    listener: (value: OperatorEvents[Name]) => void,
  ): Unsubscribe {
    return this.#listeners.on(event, listener);
  }

  /** Sends a request and waits for its answer: `ok`, or a code and one sentence. */
  async request<Type extends RequestType>(type: Type, extra?: Requests[Type]): Promise<Ack> {
    const patience_ms = type === 'scenario.load' ? LOAD_MS : undefined;
    return (await this.#wire.ask({ ...extra, type }, patience_ms)) as unknown as Ack;
  }

  /** Clears a hold, or latched faults, which require a reason of 1 to 200 characters. */
  clear(reason?: string): Promise<Ack> {
    return this.request('clear', reason === undefined ? {} : { reason });
  }

  /**
   * Stops the arm with or without authority: over the socket and by HTTP at once. A second stop
   * does no harm.
   * @param cat stop category of IEC 60204-1
   */
  async stop(cat: 0 | 1 | 2 = 1): Promise<Ack> {
    const [socket, http] = await Promise.all([
      this.request('stop', { cat }),
      post(this.#options, '/api/session/stop', { category: cat }).then(
        () => null,
        (error: unknown) => (error as Error).message,
      ),
    ]);
    if (socket.ok || http !== null) return socket;
    return { id: 0, ok: true, code: 'ok', message: '' };
  }

  /** Starts to send inputs at 100 Hz, by a timer of the platform. */
  startInputs(): void {
    this.#inputTimer ??= setInterval(() => this.sendInput(), INPUT_MS);
  }

  stopInputs(): void {
    clearInterval(this.#inputTimer);
    this.#inputTimer = undefined;
  }

  /** Sends one input now. The server refuses it without authority. */
  sendInput(): void {
    const t = now_s();
    const { hand } = this;
    this.station?.fill(hand, t);
    if (!this.isHolder) return;
    const { axes, deadman, gear, frame } = hand;
    const camera = frame === 'camera' ? { camera: hand.camera } : {};
    const seq = this.#sequence++;
    const challenge = this.#challenge;
    this.#wire.send({ type: 'input', axes, deadman, gear, frame, ...camera, challenge, seq, t });
  }

  /** Releases the deadman at once: page hidden or left, focus or device lost. */
  releaseDeadman(): void {
    this.hand.axes.fill(0);
    this.hand.deadman = false;
    this.station?.show(false);
    this.sendInput();
  }

  /**
   * Waits for a status that `accept` accepts.
   * @returns it, or null when the time is over, the socket closed or `signal` aborted
   */
  waitFor(
    accept: (status: Status) => boolean,
    timeout_s: number,
    signal?: AbortSignal,
  ): Promise<Status | null> {
    return new Promise((resolve) => {
      const finish = (status: Status | null): void => {
        clearTimeout(timer);
        for (const stop of stops) stop();
        signal?.removeEventListener('abort', give);
        resolve(status);
      };
      const give = (): void => finish(null);
      const timer = setTimeout(give, timeout_s * 1000);
      const stops = [
        this.on('status', (status) => {
          if (accept(status)) finish(status);
        }),
        this.on('close', give),
      ];
      signal?.addEventListener('abort', give);
      if (this.closed || signal?.aborted === true) give();
    });
  }

  close(): void {
    this.stopInputs();
    this.#wire.close();
  }

  async #syncOften(): Promise<void> {
    for (let i = 0; i < FIRST_SYNCS; i++) await this.#sync();
  }

  /** Answers a challenge, by which the server measures the delay of this client with its own clock. */
  #answerChallenge(): void {
    this.#wire.send({ type: 'challenge.answer', challenge: this.#challenge });
  }

  /** Exchanges clock readings once, for display in this client. */
  async #sync(): Promise<void> {
    const sent_s = now_s();
    const answer = await this.#wire.ask({ type: 'sync', t: sent_s });
    const server_s = answer['server_time_s'];
    if (typeof server_s === 'number') this.#clock.add(sent_s, server_s, now_s());
  }

  #receive(message: WireMessage): void {
    const emit = this.#listeners;
    switch (message.type) {
      case 'status':
        this.status = message as unknown as Status;
        this.#setAuthority(this.status.authority, null);
        this.station?.follow(this.status.state);
        emit.emit('status', this.status);
        break;
      case 'challenge':
        this.#challenge = message['challenge'] as number;
        if (message['answer'] === true) this.#answerChallenge();
        break;
      case 'event': {
        const notice = message as unknown as LoopNotice;
        // a status is of the newest tick; a notice may arrive after a status of a later tick
        if (notice.name === 'transition' && notice.tick > (this.status?.tick ?? 0)) {
          this.station?.follow(notice.to);
        }
        emit.emit('notice', notice);
        break;
      }
      case 'alarms':
        this.alarms = message['alarms'] as readonly Alarm[];
        emit.emit('alarms', this.alarms);
        break;
      case 'authority.state': {
        const { holder, reason } = message as unknown as { holder: number; reason: string };
        this.#setAuthority({ ...this.authority, holder }, reason);
        break;
      }
      case 'authority.request':
        emit.emit('authority.request', message as unknown as OperatorEvents['authority.request']);
        break;
      case 'authority.deny':
        emit.emit('authority.deny', message as unknown as OperatorEvents['authority.deny']);
        break;
      case 'input.reject':
        emit.emit('input.reject', message as unknown as OperatorEvents['input.reject']);
        break;
    }
  }

  #setAuthority(authority: AuthorityStatus, reason: string | null): void {
    const before = this.authority;
    const held = this.isHolder;
    this.authority = authority;
    if (held && !this.isHolder) this.station?.loseAuthority();
    const same =
      before.holder === authority.holder &&
      before.asking === authority.asking &&
      before.clients === authority.clients;
    if (!same) this.#listeners.emit('authority', { ...authority, reason });
  }
}
