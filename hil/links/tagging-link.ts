/**
 * Tags of a session under a robot key, between the line and the recorder. A received frame is
 * passed on without its tag and with a mark for the result of the check. A sent frame gets its tag
 * here. Recordings therefore contain neither keys nor tags, and replays need none. The keys in
 * force follow from the session alone: its nonces, and the key that the peer proved. Nothing here
 * is therefore part of the state of a tick.
 */
import { CRC_PLAIN, crcOf, crcStart } from '../protocol/crc.ts';
import {
  CRC_BYTES,
  fieldOffset,
  Flag,
  FrameType,
  HEADER_BYTES,
  LAYOUT_HASH,
  MAX_FRAME,
  TAG_BYTES,
} from '../protocol/layout.ts';
import type { TaggedSession } from '../protocol/nonce.ts';
import { makeMaster, SessionKeys } from '../protocol/session-keys.ts';
import { ForwardingLink } from './forwarding-link.ts';
import type { Link } from '../contract/link.ts';

const { HELLO, REJECT } = FrameType;
const NONCE = fieldOffset(HELLO, 'nonce');
const PEER_NONCE = fieldOffset(HELLO, 'peerNonce');
const SEEDED = crcStart(LAYOUT_HASH);
const MARKS = Flag.PROVEN | Flag.PROVEN_RUN | Flag.FORGED;
/** An incompatible flag that has no meaning: the frame is dropped as one of an unknown version. */
const UNKNOWN_FLAG = 0x80;
/**
 * Most HELLO frames checked per poll. Each has its own keys, which cost as much as three frames; a
 * correct peer sends fewer.
 */
const HELLOS_PER_POLL = 8;
/** Most wrong tags per poll; further frames are not checked, because a flood must not cost the period. */
const FORGED_PER_POLL = 32;

function crc(bytes: Uint8Array, length: number): number {
  const plain = bytes[1] === HELLO || bytes[1] === REJECT;
  return crcOf(bytes, length, plain ? CRC_PLAIN : SEEDED);
}

function writeCrc(bytes: Uint8Array, length: number): number {
  const sum = crc(bytes, length);
  for (let i = 0; i < CRC_BYTES; i++) bytes[length + i] = sum >> (8 * i);
  return length + CRC_BYTES;
}

function crcIsRight(bytes: Uint8Array, length: number): boolean {
  const sum = crc(bytes, length);
  let differs = 0;
  for (let i = 0; i < CRC_BYTES; i++) differs |= bytes[length + i] ^ ((sum >> (8 * i)) & 255);
  return differs === 0;
}

function readNonce(bytes: Uint8Array, at: number, into: Uint32Array): void {
  for (let w = 0; w < 2; w++) {
    const i = at + 4 * w;
    into[w] = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
  }
}

/** Link that checks and removes tags of received frames and adds tags to sent frames. */
export class TaggingLink extends ForwardingLink {
  receivedAt_us = 0.5;
  /**
   * The session, set once before the first frame. The session reads through this link, and the link
   * reads the session's state.
   */
  session: TaggedSession = {
    nonces: { server: new Uint32Array(2), robot: new Uint32Array(2) },
    provenBy: 0,
  };
  readonly #role: number;
  /** Keys by their number less 1: of the session, and of the HELLO just received. */
  readonly #keys: readonly (SessionKeys | null)[];
  readonly #candidates: readonly (SessionKeys | null)[];
  readonly #nonce = new Uint32Array(2);
  readonly #quoted = new Uint32Array(2);
  readonly #out = new Uint8Array(MAX_FRAME);
  #hellos = 0;
  #forged = 0;

  /**
   * @param role role of this end, 0 server, 1 robot
   * @param keys the robot key, then the key of the run, if any
   */
  constructor(inner: Link, role: number, keys: readonly string[]) {
    super(inner);
    this.#role = role;
    // an empty key has a number, but proves nothing
    const make = (key: string): SessionKeys | null =>
      key === '' ? null : new SessionKeys(makeMaster(key));
    this.#keys = keys.map(make);
    this.#candidates = keys.map(make);
  }

  receive(frame: Uint8Array): number {
    const length = this.inner.receive(frame);
    if (length <= 0) {
      this.#hellos = 0;
      this.#forged = 0;
      return length;
    }
    this.receivedAt_us = this.inner.receivedAt_us;
    if (length < HEADER_BYTES + CRC_BYTES || length > MAX_FRAME) return length;
    const marks = frame[2] & MARKS;
    const tagged = (frame[2] & Flag.TAGGED) !== 0;
    if (marks === 0 && !tagged) return length;
    const body = length - CRC_BYTES;
    // a damaged frame counts as damaged, not as forged
    if (!crcIsRight(frame, body)) return length;
    if (marks !== 0) {
      frame[2] = UNKNOWN_FLAG; // marks belong to this link: a peer cannot set them
      return writeCrc(frame, body);
    }
    const end = body - TAG_BYTES;
    if (end < HEADER_BYTES) return length;
    const by = this.#forged < FORGED_PER_POLL ? this.#provenBy(frame, end) : 0;
    if (by === 0) this.#forged++;
    const mark = by === 0 ? Flag.FORGED : by === 1 ? Flag.PROVEN : Flag.PROVEN_RUN;
    frame[2] = (frame[2] & ~Flag.TAGGED) | mark;
    return writeCrc(frame, end);
  }

  /** Number of the key whose tag a frame carries; 0 for none. */
  #provenBy(frame: Uint8Array, end: number): number {
    const peer = 1 - this.#role;
    const { session } = this;
    if (frame[1] !== HELLO) {
      const by = session.provenBy;
      const keys = this.#keysOf(by);
      return keys !== null && keys.isRight(peer, frame, end) ? by : 0;
    }
    if (++this.#hellos > HELLOS_PER_POLL || end < PEER_NONCE + 8) return 0;
    readNonce(frame, NONCE, this.#nonce);
    readNonce(frame, PEER_NONCE, this.#quoted);
    for (let i = 0; i < this.#candidates.length; i++) {
      const keys = this.#candidates[i];
      if (keys === null) continue;
      if (this.#role === 0) keys.derive(this.#quoted, this.#nonce);
      else keys.derive(this.#nonce, this.#quoted);
      if (keys.isRight(peer, frame, end)) return i + 1;
    }
    return 0;
  }

  /** Keys in force of a number. */
  #keysOf(by: number): SessionKeys | null {
    const keys = by > 0 && by <= this.#keys.length ? this.#keys[by - 1] : null;
    if (keys === null) return null;
    const { server, robot } = this.session.nonces;
    keys.derive(server, robot);
    return keys;
  }

  send(frame: Uint8Array, length: number): boolean {
    const keys = this.#keysOf(this.session.provenBy);
    if (keys === null || frame[1] === REJECT) return this.inner.send(frame, length);
    const out = this.#out;
    const body = length - CRC_BYTES;
    for (let i = 0; i < body; i++) out[i] = frame[i];
    out[2] |= Flag.TAGGED;
    keys.write(this.#role, out, body);
    return this.inner.send(out, writeCrc(out, body + TAG_BYTES));
  }
}
