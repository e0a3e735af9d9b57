/**
 * The robot at the link: its own description, what was agreed, and the newest refusal of any
 * robot, in words. Handshakes come from the loop by a ring, what the robot port refused from its worker.
 */
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { REJECT_CODES } from '../contract/reject-codes.ts';
import { RefusalPace } from '../access/refusal-pace.ts';
import { FrameRing } from '../memory/ring.ts';
import type { SharedBuffers } from '../memory/shared.ts';
import { readText } from '../protocol/endpoint.ts';
import { FrameType } from '../protocol/frames.ts';
import { fieldOffset, frameLayout } from '../protocol/layout.ts';
import type { PortRefusal } from '../loop/worker-data.ts';

/** A robot that goes on trying is told of again after this, ms. */
const AGAIN_MS = 60_000;

const { HELLO, CONFIG, REJECT } = FrameType;
const DEVICE = fieldOffset(HELLO, 'device');
const FIRMWARE = fieldOffset(HELLO, 'firmware');
const PERIOD = fieldOffset(CONFIG, 'period');
const CONFIG_LIMITS = fieldOffset(CONFIG, 'speed');
const CODE = fieldOffset(REJECT, 'code');
const TEXT = fieldOffset(REJECT, 'text');
const TEXT_BYTES = frameLayout(REJECT).length - TEXT;

/** The robot of the newest handshake that went well. */
export interface RobotFacts {
  readonly device: string;
  readonly firmware: string;
  /** Limits in force by LIMIT_FIELDS: the smaller of both ends. */
  readonly limits: Readonly<Record<string, number>>;
  /** Cycle of the session, s. */
  readonly period_s: number;
}

/** A robot that did not come into session. */
export interface RobotRefusal {
  /** Name of REJECT_CODES, or of ROBOT_REJECTS where the port refused it. */
  readonly reason: string;
  /** One sentence. */
  readonly message: string;
  readonly by: 'server' | 'robot';
  /** Address, or the path of the line; '' unknown. */
  readonly from: string;
  /** What it says of itself; '' where it said nothing. */
  readonly device: string;
  readonly firmware: string;
  /** When, ms by `performance.now`. */
  readonly at_ms: number;
  /** How often in a row, with the same message from the same place. */
  readonly count: number;
}

/** Keeps both. */
export class RobotBook {
  facts: RobotFacts | null = null;
  lastReject: RobotRefusal | null = null;
  /** Called with each refusal that is new, or has gone on for a minute; `more` counts it and those not told. */
  onRefused: (refusal: RobotRefusal, more: number) => void = () => undefined;
  readonly #handshakes: FrameRing;
  /** One byte, 1 when the robot sent it, and a frame (hil/telemetry/handshakes.ts). */
  readonly #bytes = new Uint8Array(512);
  readonly #pace = new RefusalPace(AGAIN_MS);
  /** Where the robot is that the loop reads. */
  #place: string;
  #identity = { device: '', firmware: '' };

  /** @param place of the robot until `turn` names another: the path of a serial line */
  constructor(shared: SharedBuffers, place: string) {
    this.#handshakes = new FrameRing(shared.handshakes);
    this.#place = place;
  }

  /** Another robot has the turn at the port. */
  turn(peer: string): void {
    this.#place = peer;
  }

  /** The port has refused a robot. */
  refused({ reason, peer, message, more, read }: PortRefusal): void {
    const identity = read ? this.#identity : { device: '', firmware: '' };
    this.#note(reason, message, 'server', peer, identity, more);
  }

  /** Read what the loop passed on. */
  drain(): void {
    const bytes = this.#bytes;
    for (let n = this.#handshakes.pop(bytes); n > 0; n = this.#handshakes.pop(bytes)) {
      this.#take(bytes.subarray(1, n), bytes[0] === 1);
    }
  }

  #take(frame: Uint8Array, received: boolean): void {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const type = frame[1];
    if (type === HELLO) {
      this.#identity = {
        device: readText(frame, DEVICE, 32),
        firmware: readText(frame, FIRMWARE, 16),
      };
    } else if (type === CONFIG) {
      const limits = LIMIT_FIELDS.map(
        (name, i) => [name, view.getFloat32(CONFIG_LIMITS + 4 * i, true)] as const,
      );
      this.facts = {
        ...this.#identity,
        limits: Object.fromEntries(limits),
        period_s: view.getUint32(PERIOD, true) * 1e-6,
      };
    } else if (type === REJECT) {
      const reason = REJECT_CODES[frame[CODE]] ?? `code ${frame[CODE]}`;
      const text = readText(frame, TEXT, TEXT_BYTES);
      this.#note(reason, text, received ? 'robot' : 'server', this.#place, this.#identity, 1);
    }
  }

  #note(
    reason: string,
    message: string,
    by: RobotRefusal['by'],
    from: string,
    identity: { readonly device: string; readonly firmware: string },
    times: number,
  ): void {
    const last = this.lastReject;
    const isSame = last !== null && last.message === message && last.from === from;
    const count = times + (isSame ? last.count : 0);
    const at_ms = performance.now();
    this.lastReject = { reason, message, by, from, ...identity, at_ms, count };
    const more = this.#pace.count(`${from} ${message}`, at_ms);
    if (more > 0) this.onRefused(this.lastReject, more + times - 1);
  }
}
