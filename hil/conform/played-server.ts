/**
 * The server's end of HLP/1, played against a robot that is judged: it does what a loop does, and on request what a loop never does,
 * such as a wrong checksum or an old number. Frames of the robot are kept in their order for the checks (checks.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../contract/link.ts';
import { CTL_MODES, CtlMode } from '../contract/codes.ts';
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { monotonic_us } from '../os/clock.ts';
import {
  decodeState,
  encodeSetpoint,
  FRAME_OK,
  FrameReader,
  FrameType,
  FrameWriter,
  SetpointFrame,
  StateFrame,
} from '../protocol/frames.ts';
import {
  CRC_BYTES,
  fieldOffset,
  Flag,
  LAYOUT_HASH,
  MAX_FRAME,
  VERSION,
} from '../protocol/layout.ts';
import { newNonce } from '../protocol/nonce.ts';
import { TaggingLink } from '../links/tagging-link.ts';

const { HELLO, CONFIG, CONFIG_ACK, STATE, SYNC, BYE, REJECT, ARM, STOP, CLEAR } = FrameType;
const at = fieldOffset;
/** Longest wait for an answer: a robot that was refused several times keeps silent for up to 8 s. */
export const ANSWER_S = 10;
/** Longer gaps of this process itself void what a robot did in them, in periods. */
const OWN_LATENESS_PERIODS = 8;

/** What a robot says about itself in HELLO. */
export interface RobotHello {
  readonly role: number;
  readonly protocolMin: number;
  readonly protocolMax: number;
  readonly layoutHash: number;
  readonly nonce: readonly [number, number];
  readonly device: string;
  readonly firmware: string;
  readonly periodMin_us: number;
  readonly periodMax_us: number;
  /** In LIMIT_FIELDS order. */
  readonly limits: readonly number[];
  readonly capabilities: number;
}

/** One frame of the robot that arrived whole. */
export interface Received {
  readonly type: number;
  readonly seq: number;
  readonly t_us: number;
  readonly at_us: number;
  readonly tagged: boolean;
  readonly bytes: Uint8Array;
  /** Its values, when it is a STATE with sound ones. */
  readonly state: StateFrame | null;
}

export interface PlayOptions {
  readonly link: Link;
  readonly key: string;
  /** Wanted cycle, µs; brought into the range of the robot. */
  readonly period_us: number;
}

/** What a handshake of a check changes. */
export interface Offer {
  readonly layoutHash?: number;
  readonly version?: number;
  /** Changes of the CONFIG frame. */
  readonly config?: (writer: FrameWriter) => void;
}

export const u32 = (frame: Received, offset: number): number =>
  new DataView(frame.bytes.buffer, frame.bytes.byteOffset).getUint32(offset, true);

function text(bytes: Uint8Array, offset: number, room: number): string {
  const part = bytes.subarray(offset, offset + room);
  const end = part.indexOf(0);
  return new TextDecoder().decode(end < 0 ? part : part.subarray(0, end));
}

export class PlayedServer {
  /** Every frame since `forget`, and what was wrong with those that were none. */
  readonly frames: Received[] = [];
  readonly damaged: number[] = [];
  hello: RobotHello | null = null;
  /** Newest STATE of the session. */
  state: StateFrame | null = null;
  /** Set-point sent in each cycle; null sends none. */
  cyclic: SetpointFrame | null = null;
  /** Called before each cyclic set-point, to move it on. It returns false for one that is to be lost. */
  onCycle: (setpoint: SetpointFrame, cycle: number) => boolean = () => true;
  period_us: number;
  seq = 1;
  inSession = false;
  /** Longest gap between two turns of this process since it was set to zero, µs. */
  gap_us = 0;
  /** Number of the last set-point that was sent. */
  lastSetpoint = 0;
  readonly nonces = { server: new Uint32Array(2), robot: new Uint32Array(2) };
  /** For TaggingLink: 1 once the robot has proved the key. */
  provenBy = 0;
  readonly #options: PlayOptions;
  readonly #line: Link;
  readonly #reader = new FrameReader();
  readonly #buffer = new Uint8Array(MAX_FRAME);
  readonly #out = new Uint8Array(MAX_FRAME);
  #session = 0;
  #request = 0;
  #offer: Offer | null = null;
  #turn_us = 0;
  #cycle = 0;
  #next_us = 0;

  constructor(options: PlayOptions) {
    this.#options = options;
    this.period_us = options.period_us;
    this.#line =
      options.key === '' ? options.link : new TaggingLink(options.link, 0, [options.key]);
    if (this.#line instanceof TaggingLink) this.#line.session = this;
    newNonce(this.nonces.server);
  }

  get connected(): boolean {
    return this.#line.connected;
  }

  /** Whether this process was late by so much that a robot may rightly have stopped. */
  get wasLate(): boolean {
    return this.gap_us > OWN_LATENESS_PERIODS * this.period_us;
  }

  /** Number of the session that was offered last. */
  get session(): number {
    return this.#session;
  }

  forget(): void {
    this.frames.length = 0;
    this.damaged.length = 0;
  }

  /** Wait for a HELLO from now on. */
  forgetHello(): void {
    this.hello = null;
  }

  /** STATE frames since `forget`. */
  get states(): StateFrame[] {
    return this.frames.flatMap(({ state }) => (state === null ? [] : [state]));
  }

  /** First frame of a type since `forget` that `accept` takes. */
  find(type: number, accept: (frame: Received) => boolean = () => true): Received | null {
    return this.frames.find((frame) => frame.type === type && accept(frame)) ?? null;
  }

  /** Play until `done`, for a time at most. @returns whether it was done */
  async until(done: () => boolean, most_s: number): Promise<boolean> {
    const end_us = monotonic_us() + 1e6 * most_s;
    for (;;) {
      this.#take();
      if (done()) return true;
      const now_us = monotonic_us();
      if (now_us >= end_us) return false;
      this.#sendCyclic(now_us);
      await sleep(1);
    }
  }

  async play(time_s: number): Promise<void> {
    await this.until(() => false, time_s);
  }

  /** Begin a frame; `send` follows. */
  begin(type: number): FrameWriter {
    const writer = new FrameWriter();
    this.seq = (this.seq + 1) >>> 0;
    writer.begin(type, 0, this.seq);
    writer.time(8, Float64Array.of(monotonic_us()), 0);
    return writer;
  }

  send(writer: FrameWriter): void {
    this.#line.send(writer.bytes, writer.finish());
  }

  /** Send bytes as they are, past the tags. */
  sendRaw(bytes: Uint8Array): void {
    this.#options.link.send(bytes, bytes.length);
  }

  /** Bytes of a set-point with the next number, or with another one. */
  setpointBytes(setpoint: SetpointFrame, seq?: number): Uint8Array {
    if (seq === undefined) this.seq = (this.seq + 1) >>> 0;
    setpoint.seq = seq ?? this.seq;
    setpoint.t_us = monotonic_us();
    return this.#out.slice(0, encodeSetpoint(setpoint, this.#out));
  }

  /** Send a set-point once. @returns its number */
  sendSetpoint(setpoint: SetpointFrame, seq?: number): number {
    const bytes = this.setpointBytes(setpoint, seq);
    this.#line.send(bytes, bytes.length);
    this.lastSetpoint = setpoint.seq;
    return setpoint.seq;
  }

  /** Send a request of one number, and perhaps a category before it. @returns the number */
  request(type: number, category?: number): number {
    const writer = this.begin(type);
    const request = ++this.#request;
    if (type === STOP) writer.u32(at(STOP, 'category'), category ?? 1);
    writer.u32(at(type, 'request'), request);
    this.send(writer);
    return request;
  }

  /** Ask again with the same number. */
  repeat(type: number, request: number): void {
    const writer = this.begin(type);
    writer.u32(at(type, 'request'), request);
    this.send(writer);
  }

  /** A set-point at the newest measured pose, at rest. */
  setpointHere(mode: keyof typeof CtlMode = 'IDLE', ttl_ms = 1000): SetpointFrame {
    const setpoint = new SetpointFrame();
    if (this.state !== null) {
      setpoint.position.set(this.state.position);
      setpoint.orientation.set(this.state.orientation);
      setpoint.ackSeq = this.state.seq;
    }
    setpoint.mode = CTL_MODES.indexOf(mode.toLowerCase() as (typeof CTL_MODES)[number]);
    setpoint.ttl_ms = ttl_ms;
    return setpoint;
  }

  /** End what there is, and begin with a new nonce. */
  end(): void {
    if (this.inSession) this.send(this.begin(BYE));
    this.inSession = false;
    this.cyclic = null;
    this.onCycle = () => true;
    this.state = null;
    this.provenBy = 0;
    this.nonces.robot.fill(0);
    newNonce(this.nonces.server);
  }

  /** Offer a session until the robot has answered it with CONFIG_ACK or REJECT. @returns that frame, null when none came */
  async offer(offer: Offer): Promise<Received | null> {
    this.end();
    this.forget();
    this.#offer = offer;
    const answer = (): Received | null => this.find(CONFIG_ACK) ?? this.find(REJECT);
    await this.until(() => answer() !== null, ANSWER_S);
    this.#offer = null;
    const found = answer();
    this.inSession = found?.type === CONFIG_ACK;
    return found;
  }

  /** A session with set-points of mode idle at the measured pose. @returns whether it came about */
  async start(): Promise<boolean> {
    const answer = await this.offer({});
    if (answer?.type !== CONFIG_ACK) return false;
    if (!(await this.until(() => this.state !== null, ANSWER_S))) return false;
    this.cyclic = this.setpointHere();
    for (let i = 0; i < 4; i++) {
      this.sync();
      await this.play(0.02);
    }
    await this.play(0.2);
    return true;
  }

  /** Ask for the time of the robot's clock. @returns t1, µs */
  sync(): number {
    const writer = this.begin(SYNC);
    const t1 = Math.floor(monotonic_us());
    writer.time(at(SYNC, 't1'), Float64Array.of(t1), 0);
    this.send(writer);
    return t1;
  }

  /** HELLO of this end. @param tagged false: the challenge, which quotes no nonce */
  sendHello(offer: Offer, quoted: Uint32Array): void {
    const writer = this.begin(HELLO);
    const version = offer.version ?? VERSION;
    writer.u8(at(HELLO, 'protocolMin'), version);
    writer.u8(at(HELLO, 'protocolMax'), version);
    writer.u32(at(HELLO, 'layoutHash'), offer.layoutHash ?? LAYOUT_HASH);
    for (let i = 0; i < 2; i++) {
      writer.u32(at(HELLO, 'nonce') + 4 * i, this.nonces.server[i]);
      writer.u32(at(HELLO, 'peerNonce') + 4 * i, quoted[i]);
    }
    writer.bytes.set(new TextEncoder().encode('berth conform'), at(HELLO, 'device'));
    writer.u32(at(HELLO, 'periodMin'), this.period_us);
    writer.u32(at(HELLO, 'periodMax'), this.period_us);
    for (let i = 0; i < LIMIT_FIELDS.length; i++) writer.f32(at(HELLO, 'speed') + 4 * i, 1);
    this.send(writer);
  }

  #sendConfig(offer: Offer, hello: RobotHello): void {
    const writer = this.begin(CONFIG);
    writer.u8(at(CONFIG, 'version'), VERSION);
    writer.u32(at(CONFIG, 'period'), this.period_us);
    writer.u16(at(CONFIG, 'ttlFree'), 1000);
    writer.u16(at(CONFIG, 'ttlContact'), 1000);
    hello.limits.forEach((limit, i) => {
      writer.f32(at(CONFIG, 'speed') + 4 * i, limit);
    });
    this.#session++;
    writer.u32(at(CONFIG, 'session'), this.#session);
    offer.config?.(writer);
    this.send(writer);
  }

  #sendCyclic(now_us: number): void {
    if (this.cyclic === null || now_us < this.#next_us) return;
    this.#next_us += this.period_us;
    if (this.#next_us < now_us) this.#next_us = now_us + this.period_us;
    if (this.onCycle(this.cyclic, this.#cycle++)) this.sendSetpoint(this.cyclic);
    else this.seq = (this.seq + 1) >>> 0;
  }

  #take(): void {
    const now_us = monotonic_us();
    if (this.#turn_us > 0) this.gap_us = Math.max(this.gap_us, now_us - this.#turn_us);
    this.#turn_us = now_us;
    for (;;) {
      const length = this.#line.receive(this.#buffer);
      if (length <= 0) return;
      const reader = this.#reader;
      const status = reader.load(this.#buffer, length);
      if (status !== FRAME_OK) {
        this.damaged.push(status);
        continue;
      }
      const state = reader.type === STATE ? new StateFrame() : null;
      const isSound = state !== null && decodeState(this.#buffer, length, state) === FRAME_OK;
      const { type, seq, t_us } = reader;
      const tagged = (reader.flags & (Flag.TAGGED | Flag.PROVEN | Flag.FORGED)) !== 0;
      const bytes = this.#buffer.slice(0, length - CRC_BYTES);
      const at_us = this.#line.receivedAt_us;
      this.frames.push({ type, seq, t_us, at_us, tagged, bytes, state: isSound ? state : null });
      if (isSound) this.state = state;
      if (type === HELLO) this.#takeHello();
    }
  }

  #takeHello(): void {
    const r = this.#reader;
    const robot = this.nonces.robot;
    const quoted = [r.u32(at(HELLO, 'peerNonce')), r.u32(at(HELLO, 'peerNonce') + 4)];
    const { server } = this.nonces;
    const nonce = [r.u32(at(HELLO, 'nonce')), r.u32(at(HELLO, 'nonce') + 4)] as const;
    const limits = LIMIT_FIELDS.map((_, i) => r.f32(at(HELLO, 'speed') + 4 * i));
    this.hello = {
      role: r.u8(at(HELLO, 'role')),
      protocolMin: r.u8(at(HELLO, 'protocolMin')),
      protocolMax: r.u8(at(HELLO, 'protocolMax')),
      layoutHash: r.u32(at(HELLO, 'layoutHash')),
      nonce,
      device: text(r.bytes, at(HELLO, 'device'), 32),
      firmware: text(r.bytes, at(HELLO, 'firmware'), 16),
      periodMin_us: r.u32(at(HELLO, 'periodMin')),
      periodMax_us: r.u32(at(HELLO, 'periodMax')),
      limits,
      capabilities: r.u32(at(HELLO, 'capabilities')),
    };
    const { periodMin_us, periodMax_us } = this.hello;
    this.period_us = Math.min(
      Math.max(this.#options.period_us, periodMin_us),
      Math.max(periodMin_us, periodMax_us),
    );
    if (this.#offer === null) return;
    const proven = (r.flags & Flag.PROVEN) !== 0;
    const knowsUs = quoted[0] === server[0] && quoted[1] === server[1];
    if (this.#options.key !== '' && !(proven && knowsUs)) {
      this.provenBy = 0;
      this.sendHello(this.#offer, new Uint32Array(2));
      return;
    }
    robot.set(nonce);
    this.provenBy = this.#options.key === '' ? 0 : 1;
    this.sendHello(this.#offer, robot);
    this.#sendConfig(this.#offer, this.hello);
  }

  /** Clear the robot's faults. @returns whether it says that it has none, and can be armed */
  async clear(): Promise<boolean> {
    this.cyclic = this.setpointHere();
    this.onCycle = () => true;
    const isReady = (): boolean => this.state?.fault === 0 && this.state.safety !== 2;
    for (let tries = 0; tries < 20; tries++) {
      this.request(CLEAR);
      await this.until(isReady, 0.1);
      await this.play(0.1);
      if (isReady()) return true;
    }
    return false;
  }

  /** Ask to arm, again and again as a loop does. @returns the answer: 1, 0, or null for none */
  async arm(most_s: number): Promise<number | null> {
    const request = this.request(ARM);
    const answer = (): Received | null =>
      this.find(FrameType.ARM_ACK, (f) => u32(f, at(FrameType.ARM_ACK, 'request')) === request);
    await this.until(() => answer() !== null, most_s);
    const found = answer();
    return found === null ? null : u32(found, at(FrameType.ARM_ACK, 'accepted'));
  }
}
