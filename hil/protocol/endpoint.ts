/**
 * What both ends of a robot link have in common: numbering and sending frames, checking what arrives, tags, nonces, the
 * back-off of the handshake and the counts. Each `Session` holds one.
 */
import { FRAME_ERRORS } from '../contract/counters.ts';
import type { Link } from '../contract/link.ts';
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { FRAME_OK, FrameError, FrameReader, FrameType, FrameWriter } from './frames.ts';
import { Capability, chooseVersion, layoutText, versionText } from './handshake.ts';
import { REJECT_CODES, RejectCode } from '../contract/reject-codes.ts';
import { LIMIT_FIELDS, type RobotLimits } from '../contract/limit-fields.ts';
import { fieldOffset, Flag, frameLayout, LAYOUT_HASH, VERSION, VERSION_MIN } from './layout.ts';
import { LinkQuality } from './link-quality.ts';
import { PastNonces } from './past-nonces.ts';
import { Phase } from '../contract/phase.ts';
import { Arrival, ReceiveWindow } from './receive-window.ts';
import { newNonce, type Nonces, type NonceSource } from './nonce.ts';

/** Indices of `counts`: frames in FRAME_TYPES order, errors in FRAME_ERRORS order. */
export const SessionCount = Object.freeze({
  RX: 0,
  TX: 4,
  ERRORS: 8,
  LOST: 8 + FRAME_ERRORS.length,
  SEND_FAILURES: 9 + FRAME_ERRORS.length,
  HANDSHAKES: 10 + FRAME_ERRORS.length,
  CLOCK_STEPS: 11 + FRAME_ERRORS.length,
  REJECTS_SENT: 12 + FRAME_ERRORS.length,
  REJECTS_RECEIVED: 13 + FRAME_ERRORS.length,
  LENGTH: 14 + FRAME_ERRORS.length,
});

/** Index in FRAME_TYPES (setpoint, state, sync, control) of a frame type. */
export function countIndex(type: number): number {
  if (type === FrameType.SETPOINT) return 0;
  if (type === FrameType.STATE) return 1;
  return type === FrameType.SYNC ? 2 : 3;
}

/** Silence after which a session is given up. */
export const SILENCE_us = 500_000;
const HEARTBEAT_us = 100_000;
const BACKOFF_FIRST_us = 250_000;
const BACKOFF_LAST_us = 8_000_000;
/** Frames read in one poll at most; the rest waits a period. */
export const FRAMES_PER_POLL = 256;

export const Role = Object.freeze({ SERVER: 0, ROBOT: 1 });

/** Sees the frames by which a handshake comes about, or to nothing. It must not block. */
export interface HandshakeWitness {
  /** @param type HELLO, CONFIG or REJECT @param received whether the peer sent it */
  saw(frame: Uint8Array, type: number, received: boolean): void;
}

/** What an end sends about itself in HELLO. */
export interface Identity {
  readonly role: number;
  /** The peer has to prove a key (`TaggingLink` judges), and this end proves its own. */
  readonly keyed: boolean;
  /** Which the service's own emulated robot may do without that (key of the run). */
  readonly provable?: boolean;
  readonly device: string;
  readonly firmware: string;
  readonly periodMin_us: number;
  readonly periodMax_us: number;
  readonly limits: RobotLimits;
  readonly capabilities: number;
  /** Layout hash to announce; other than `LAYOUT_HASH` only to show a mismatch. */
  readonly layoutHash?: number;
  /** Versions to announce. */
  readonly versionMin?: number;
  readonly versionMax?: number;
  /** Where nonces come from; random numbers of the machine when left out. */
  readonly nonces?: NonceSource;
  readonly witness?: HandshakeWitness;
}

const H = FrameType.HELLO;
const HELLO_ROLE = fieldOffset(H, 'role');
const HELLO_MIN = fieldOffset(H, 'protocolMin');
const HELLO_MAX = fieldOffset(H, 'protocolMax');
const HELLO_HASH = fieldOffset(H, 'layoutHash');
const HELLO_NONCE = fieldOffset(H, 'nonce');
const HELLO_PEER = fieldOffset(H, 'peerNonce');
const HELLO_DEVICE = fieldOffset(H, 'device');
const HELLO_FIRMWARE = fieldOffset(H, 'firmware');
const HELLO_PERIOD_MIN = fieldOffset(H, 'periodMin');
const HELLO_PERIOD_MAX = fieldOffset(H, 'periodMax');
const HELLO_LIMITS = fieldOffset(H, 'speed');
const HELLO_CAPABILITIES = fieldOffset(H, 'capabilities');
const R = FrameType.REJECT;
const REJECT_CODE = fieldOffset(R, 'code');
const REJECT_REFUSED = fieldOffset(R, 'refused');
const REJECT_MIN = fieldOffset(R, 'protocolMin');
const REJECT_MAX = fieldOffset(R, 'protocolMax');
const REJECT_HASH = fieldOffset(R, 'layoutHash');
const REJECT_VALUE = fieldOffset(R, 'value');
const REJECT_LIMIT = fieldOffset(R, 'limit');
const REJECT_TEXT = fieldOffset(R, 'text');
const REJECT_TEXT_BYTES = frameLayout(R).length - REJECT_TEXT;

/**
 * Answers of `takeHello`. NEW, ANSWER_OF_NEW: a handshake begins with a peer that does not have this end's nonce yet, or has it.
 * REPEAT, ANSWER: the same peer sends HELLO again, without this end's nonce, or with it. ENDS: the session that was is over.
 * QUESTION: a peer that has yet to prove its key asks for this end's nonce.
 */
export const Hello = Object.freeze({
  IGNORED: 0,
  REFUSED: 1,
  NEW: 2,
  ANSWER_OF_NEW: 3,
  REPEAT: 4,
  ANSWER: 5,
  ENDS: 6,
  QUESTION: 7,
});

/** Numbers of an end and what they begin with. */
const FIELDS = {
  seq: 0,
  version: VERSION,
  rejectCode: 0,
  peerPeriodMin_us: 0,
  peerPeriodMax_us: 0,
  peerCapabilities: 0,
} as const;
/** Slots of what tags are judged by. */
const Trust = Object.freeze({
  /** Number of the key that the peer of this session has proved, from 1; 0 none: no tags. */
  PROVEN_BY: 0,
  /** 1: the peer has to prove a key. Of the identity, but part of the state: a recording has no keys. */
  KEYED: 1,
  /** 1: frames may carry tags. */
  PROVABLE: 2,
});
/** Slots of the running times, µs. */
const Time = Object.freeze({ HEARD: 0, SENT: 1, NEXT_HELLO: 2, BACKOFF: 3, REJECT_AFTER: 4 });
const { HEARD, SENT, NEXT_HELLO, BACKOFF, REJECT_AFTER } = Time;
const MARKS = Flag.PROVEN | Flag.PROVEN_RUN | Flag.FORGED;

/** Texts of the peer are for people, and no part of the state. */
export class Endpoint {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  readonly reader: FrameReader = new FrameReader();
  readonly writer: FrameWriter = new FrameWriter();
  readonly window: ReceiveWindow;
  readonly quality: LinkQuality;
  readonly counts: Float64Array;
  readonly nonces: Nonces = { server: new Uint32Array(2), robot: new Uint32Array(2) };
  /** Limits of the peer's HELLO, in LIMIT_FIELDS order. */
  readonly peerLimits: Float64Array;
  peerDevice = '';
  peerFirmware = '';
  declare peerPeriodMin_us: number;
  declare peerPeriodMax_us: number;
  declare peerCapabilities: number;
  declare version: number;
  /** Of the last REJECT sent or received: code and sentence. */
  declare rejectCode: number;
  rejectText = '';
  /** Number of the last frame sent. */
  declare seq: number;
  private readonly identity: Identity;
  /** Time of the present poll or send, µs. A cell, because a double argument of a call that is not inlined is boxed. */
  readonly now_us: Float64Array;
  private readonly trust: Float64Array;
  private readonly times: Float64Array;
  private readonly past: PastNonces;

  constructor(identity: Identity, arena: StateArena = new StateArena()) {
    this.identity = identity;
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.now_us = arena.add('now_us', 1);
    arena.adopt('serverNonce', this.nonces.server);
    arena.adopt('robotNonce', this.nonces.robot);
    this.trust = arena.table(Trust);
    this.peerLimits = arena.add('peerLimits', LIMIT_FIELDS.length);
    this.times = arena.table(Time);
    this.past = new PastNonces(arena.part('past'));
    this.counts = arena.add('counts', SessionCount.LENGTH);
    this.window = new ReceiveWindow(arena.part('window'));
    this.quality = new LinkQuality(arena.part('quality'));
    this.trust[Trust.KEYED] = identity.keyed ? 1 : 0;
    this.trust[Trust.PROVABLE] = identity.keyed || identity.provable === true ? 1 : 0;
    this.times[BACKOFF] = BACKOFF_FIRST_us;
    this.renew(false);
    // below 2³⁰, so that numbers stay small integers for the first twelve days and are never boxed
    this.seq = this.mine[1] & 0x3fffffff;
  }

  private get mine(): Uint32Array {
    return this.identity.role === Role.SERVER ? this.nonces.server : this.nonces.robot;
  }

  private get theirs(): Uint32Array {
    return this.identity.role === Role.SERVER ? this.nonces.robot : this.nonces.server;
  }

  /**
   * Forget the peer and take a new nonce: nothing of the old session is valid any more. Where there was none yet, the peer may have
   * missed that this end gave up, and its nonce is accepted again.
   */
  renew(hadSession: boolean): void {
    this.past.add(this.theirs, hadSession);
    this.draw();
    this.forget();
    this.quality.reset();
  }

  /** Number of the key that the peer of this session has proved, from 1; 0 none: no tags. */
  get provenBy(): number {
    return this.trust[Trust.PROVEN_BY];
  }

  /** Whether the peer has to prove a key. */
  private get keyed(): boolean {
    return this.trust[Trust.KEYED] === 1;
  }

  /** Whether frames may carry tags. */
  get mayTag(): boolean {
    return this.trust[Trust.PROVABLE] === 1;
  }

  private draw(): void {
    const { nonces } = this.identity;
    if (nonces === undefined) newNonce(this.mine);
    else nonces.draw(this.mine);
  }

  /** Forget the peer of a handshake that was refused; it may try again as it is. */
  forget(): void {
    this.theirs.fill(0);
    this.trust[Trust.PROVEN_BY] = 0;
  }

  /** Next frame from the link. @returns its type when header, CRC and tag are right, 0 when it was refused, −1 when none is left */
  receive(link: Link): number {
    const { reader } = this;
    const length = link.receive(reader.bytes);
    if (length === 0) return -1;
    const status = reader.load(reader.bytes, length);
    if (status !== FRAME_OK) return this.refuse(status);
    const type = reader.type;
    this.counts[SessionCount.RX + countIndex(type)]++;
    if (type !== FrameType.HELLO && type !== FrameType.REJECT) {
      if (this.window.compare(reader.seq) === Arrival.OLD) return this.refuse(FrameError.sequence);
      if (this.proof() !== this.provenBy) return this.refuse(FrameError.tag);
      this.times[HEARD] = this.now_us[0];
    }
    return type;
  }

  /** Count an error. @returns 0 */
  refuse(status: number): number {
    this.counts[SessionCount.ERRORS + status - 1]++;
    return 0;
  }

  /** Note the frame just received as seen. */
  accept(): void {
    this.window.accept(this.reader.seq);
    this.counts[SessionCount.LOST] = this.window.lost;
  }

  /** Number of the key under which the frame just received was tagged, 0 without a tag, −1 when the tag is wrong. */
  private proof(): number {
    const mark = this.reader.flags & MARKS;
    if (mark === 0) return 0;
    return mark === Flag.PROVEN ? 1 : mark === Flag.PROVEN_RUN ? 2 : -1;
  }

  /** Start a control frame; fields follow, then `send`. */
  begin(type: number): FrameWriter {
    this.seq = (this.seq + 1) >>> 0;
    this.writer.begin(type, 0, this.seq);
    this.writer.time(8, this.now_us, 0);
    return this.writer;
  }

  /** Send the frame begun. @returns whether the link took it */
  send(link: Link): boolean {
    const { writer } = this;
    return this.sendBytes(link, writer.bytes, writer.finish(), writer.bytes[1]);
  }

  /** Send an encoded frame. */
  sendBytes(link: Link, bytes: Uint8Array, length: number, type: number): boolean {
    this.times[SENT] = this.now_us[0];
    const taken = link.send(bytes, length);
    this.counts[taken ? SessionCount.TX + countIndex(type) : SessionCount.SEND_FAILURES]++;
    return taken;
  }

  /** Whether the peer has been silent for too long. */
  silent(): boolean {
    return this.now_us[0] - this.times[HEARD] > SILENCE_us;
  }

  /** Send a HEARTBEAT when nothing else was sent for a while. */
  heartbeat(link: Link, phase: number): void {
    if (this.now_us[0] - this.times[SENT] < HEARTBEAT_us) return;
    this.begin(FrameType.HEARTBEAT).u32(HEARTBEAT_PHASE, phase);
    this.send(link);
  }

  /** Whether an unanswered HELLO is to be sent again. */
  helloDue(): boolean {
    return this.now_us[0] >= this.times[NEXT_HELLO];
  }

  /** Send HELLO. */
  sendHello(link: Link): void {
    const { identity } = this;
    const w = this.begin(FrameType.HELLO);
    w.u8(HELLO_ROLE, identity.role);
    w.u8(HELLO_MIN, identity.versionMin ?? VERSION_MIN);
    w.u8(HELLO_MAX, identity.versionMax ?? VERSION);
    w.u32(HELLO_HASH, identity.layoutHash ?? LAYOUT_HASH);
    for (let i = 0; i < 2; i++) {
      w.u32(HELLO_NONCE + 4 * i, this.mine[i]);
      w.u32(HELLO_PEER + 4 * i, this.theirs[i]);
    }
    writeText(w.bytes, HELLO_DEVICE, 32, identity.device);
    writeText(w.bytes, HELLO_FIRMWARE, 16, identity.firmware);
    w.u32(HELLO_PERIOD_MIN, identity.periodMin_us);
    w.u32(HELLO_PERIOD_MAX, identity.periodMax_us);
    for (let i = 0; i < LIMIT_FIELDS.length; i++) {
      w.f32(HELLO_LIMITS + 4 * i, identity.limits[LIMIT_FIELDS[i]]);
    }
    w.u32(HELLO_CAPABILITIES, identity.capabilities | (this.keyed ? Capability.TAGS : 0));
    this.send(link);
    this.times[NEXT_HELLO] = this.now_us[0] + this.times[BACKOFF];
  }

  /**
   * Judge the HELLO just received; a refusal is answered with REJECT. One that is no repetition in the middle of a session ends it,
   * and its content is not taken over. The next one begins the next session, with a new nonce of this end.
   * @param phase of this end, one of `Phase` @returns one of `Hello`
   */
  takeHello(link: Link, phase: number): number {
    const r = this.reader;
    if (r.u8(HELLO_ROLE) === this.identity.role) {
      return this.reject(link, RejectCode.role, H, 0, 0, 'HELLO: both ends have one role');
    }
    const a = r.u32(HELLO_NONCE);
    const b = r.u32(HELLO_NONCE + 4);
    if (a === 0 && b === 0) {
      return this.reject(link, RejectCode.nonce, H, 0, 0, 'HELLO nonce 0: any other is allowed');
    }
    const by = this.proof();
    const known = a === this.theirs[0] && b === this.theirs[1] && by === this.provenBy;
    // a HELLO that proves a key over the nonce of this end is no replay
    if (!known && by === 0 && this.past.refuses(a, b)) {
      this.refuse(FrameError.sequence);
      return Hello.IGNORED;
    }
    const min = r.u8(HELLO_MIN);
    const max = r.u8(HELLO_MAX);
    const version = chooseVersion(min, max);
    if (version === 0) {
      return this.reject(link, RejectCode.version, H, max, VERSION, versionText(min, max));
    }
    const hash = r.u32(HELLO_HASH);
    if (hash !== LAYOUT_HASH) {
      return this.reject(link, RejectCode.layout, H, 0, 0, layoutText(hash));
    }
    const quoted = [r.u32(HELLO_PEER), r.u32(HELLO_PEER + 4)];
    const quotes = quoted[0] !== 0 || quoted[1] !== 0;
    const knowsUs = quoted[0] === this.mine[0] && quoted[1] === this.mine[1];
    const willProve = this.mayTag && (r.u32(HELLO_CAPABILITIES) & Capability.TAGS) !== 0;
    if (by === 0 && !quotes && (this.keyed || willProve)) return this.takeQuestion(phase);
    if (this.isShut(phase)) {
      this.refuse(FrameError.tag);
      return Hello.IGNORED;
    }
    if (by < 0 || r.tagged || (by === 0 && this.keyed)) {
      this.refuse(FrameError.tag);
      const text = this.mayTag
        ? 'HELLO: the robot key of this end is set, and the tag is missing or wrong'
        : 'HELLO: it is tagged, and this end has no robot key';
      return this.reject(link, RejectCode.tag, H, 0, 0, text);
    }
    // It answers another session. In a handshake under no key it would begin the next one, whose HELLO the peer would answer likewise: two
    // ends with frames on their way would begin anew for ever.
    if (!knowsUs && (by > 0 || (quotes && phase === Phase.CONNECTING))) {
      this.refuse(FrameError.sequence);
      return Hello.IGNORED;
    }
    if (known && phase !== Phase.OFFLINE) {
      const arrival = this.window.compare(r.seq);
      if (arrival === Arrival.OLD) return Hello.IGNORED;
      this.accept();
      // late ones of the handshake may still arrive; but a peer that sends HELLO anew has no session
      if (arrival === Arrival.NEW && phase === Phase.SYNCED) return Hello.ENDS;
      return knowsUs ? Hello.ANSWER : Hello.REPEAT;
    }
    if (phase >= Phase.SYNCING) return Hello.ENDS;
    // a peer that still has the session before has missed that this end began anew
    if (phase !== Phase.OFFLINE && !knowsUs) this.draw();
    this.adopt(by);
    return knowsUs ? Hello.ANSWER_OF_NEW : Hello.NEW;
  }

  /** One key may be tried for each REJECT: what comes before its interval is over is not judged, be it right or wrong. */
  private isShut(phase: number): boolean {
    if (this.identity.role !== Role.SERVER || phase >= Phase.SYNCING) return false;
    return this.rejectCode === RejectCode.tag && this.now_us[0] < this.times[REJECT_AFTER];
  }

  /**
   * A HELLO that proves nothing, and quotes no nonce that could be proved over. The server answers with its own nonce alone, the
   * robot with the proof of its key over both. In a session under a key it has no proven sender, and is ignored.
   */
  private takeQuestion(phase: number): number {
    if (phase >= Phase.SYNCING) {
      if (this.provenBy === 0) return Hello.ENDS;
      this.refuse(FrameError.tag);
      return Hello.IGNORED;
    }
    const r = this.reader;
    const known =
      r.u32(HELLO_NONCE) === this.theirs[0] && r.u32(HELLO_NONCE + 4) === this.theirs[1];
    if (this.identity.role === Role.ROBOT) {
      if (known && phase === Phase.CONNECTING) return Hello.REPEAT;
      this.adopt(1);
      return Hello.NEW;
    }
    if (known && phase === Phase.CONNECTING) return Hello.IGNORED;
    // after a REJECT the answer waits for its interval
    if (this.now_us[0] >= this.times[REJECT_AFTER]) this.times[NEXT_HELLO] = 0;
    return Hello.QUESTION;
  }

  /** Take the sender of the HELLO just received for the peer. */
  private adopt(by: number): void {
    const r = this.reader;
    const a = r.u32(HELLO_NONCE);
    const b = r.u32(HELLO_NONCE + 4);
    if (a !== this.theirs[0] || b !== this.theirs[1]) this.past.add(this.theirs, true);
    this.theirs[0] = a;
    this.theirs[1] = b;
    this.trust[Trust.PROVEN_BY] = by;
    this.version = chooseVersion(r.u8(HELLO_MIN), r.u8(HELLO_MAX));
    this.window.start(r.seq);
    this.times[HEARD] = this.now_us[0];
    this.takePeer();
    this.identity.witness?.saw(r.bytes, H, true);
  }

  /** What the peer sent about itself in the HELLO just received. */
  private takePeer(): void {
    const r = this.reader;
    this.peerDevice = readText(r.bytes, HELLO_DEVICE, 32);
    this.peerFirmware = readText(r.bytes, HELLO_FIRMWARE, 16);
    this.peerPeriodMin_us = r.u32(HELLO_PERIOD_MIN);
    this.peerPeriodMax_us = r.u32(HELLO_PERIOD_MAX);
    this.peerCapabilities = r.u32(HELLO_CAPABILITIES);
    for (let i = 0; i < LIMIT_FIELDS.length; i++) {
      this.peerLimits[i] = r.f32(HELLO_LIMITS + 4 * i);
    }
  }

  /** Refuse a handshake: REJECT at most once per back-off interval. @returns Hello.REFUSED */
  reject(
    link: Link,
    code: number,
    refused: number,
    value: number,
    limit: number,
    text: string,
  ): number {
    this.rejectCode = code;
    this.rejectText = text;
    if (this.now_us[0] < this.times[REJECT_AFTER]) return Hello.REFUSED;
    const w = this.begin(FrameType.REJECT);
    w.u8(REJECT_CODE, code);
    w.u8(REJECT_REFUSED, refused);
    w.u8(REJECT_MIN, this.identity.versionMin ?? VERSION_MIN);
    w.u8(REJECT_MAX, this.identity.versionMax ?? VERSION);
    w.u32(REJECT_HASH, this.identity.layoutHash ?? LAYOUT_HASH);
    w.f32(REJECT_VALUE, value);
    w.f32(REJECT_LIMIT, limit);
    writeText(w.bytes, REJECT_TEXT, REJECT_TEXT_BYTES, text);
    this.send(link);
    this.identity.witness?.saw(this.reader.bytes, H, true);
    this.witness(R);
    this.counts[SessionCount.REJECTS_SENT]++;
    this.backOff();
    return Hello.REFUSED;
  }

  /** Take a REJECT over. */
  takeReject(): void {
    const r = this.reader;
    const code = r.u8(REJECT_CODE);
    this.rejectCode = code < REJECT_CODES.length ? code : 0;
    this.rejectText = readText(r.bytes, REJECT_TEXT, REJECT_TEXT_BYTES);
    this.identity.witness?.saw(r.bytes, R, true);
    this.counts[SessionCount.REJECTS_RECEIVED]++;
    this.backOff();
  }

  /** Show the frame just sent, of that type, to the witness. */
  witness(type: number): void {
    this.identity.witness?.saw(this.writer.bytes, type, false);
  }

  private backOff(): void {
    this.times[REJECT_AFTER] = this.now_us[0] + this.times[BACKOFF];
    this.times[NEXT_HELLO] = this.now_us[0] + this.times[BACKOFF];
    this.times[BACKOFF] = Math.min(2 * this.times[BACKOFF], BACKOFF_LAST_us);
  }

  /** The handshake is complete. */
  settled(): void {
    this.times[BACKOFF] = BACKOFF_FIRST_us;
    this.times[REJECT_AFTER] = 0;
    this.rejectCode = 0;
    this.rejectText = '';
    this.past.close();
    this.counts[SessionCount.HANDSHAKES]++;
  }

  /** Send HELLO again after one back-off interval, not before. */
  helloLater(): void {
    this.times[NEXT_HELLO] = this.now_us[0] + this.times[BACKOFF];
  }

  /** Send HELLO at the next poll (a link came up). */
  helloNow(): void {
    this.times[NEXT_HELLO] = 0;
    this.times[REJECT_AFTER] = 0;
    this.times[BACKOFF] = BACKOFF_FIRST_us;
  }
}

defineFields(Endpoint, FIELDS);

const HEARTBEAT_PHASE = fieldOffset(FrameType.HEARTBEAT, 'phase');

/** Write UTF-8 cut to the room, zero padded, never in the middle of a character. */
export function writeText(bytes: Uint8Array, offset: number, room: number, text: string): void {
  new TextEncoder().encodeInto(text, bytes.subarray(offset, offset + room));
}

/** Read zero-padded UTF-8; control characters become '?'. */
export function readText(bytes: Uint8Array, offset: number, room: number): string {
  let length = 0;
  while (length < room && bytes[offset + length] !== 0) length++;
  const text = new TextDecoder().decode(bytes.subarray(offset, offset + length));
  return text.replace(/\p{Cc}/gu, '?');
}
