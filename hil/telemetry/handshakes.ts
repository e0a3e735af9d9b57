/**
 * Handshakes of the robot link on their way from the loop to the main thread, which has the time to put them in words. A frame
 * crosses with one byte before it: 1 when the robot sent it. Only handshakes write here, so a running session costs nothing.
 */
import type { HandshakeWitness } from '../protocol/endpoint.ts';
import { FrameType } from '../protocol/frames.ts';
import { fieldOffset, frameLayout } from '../protocol/layout.ts';
import { HandshakeReject } from '../contract/counters.ts';
import { REJECT_CODES } from '../contract/reject-codes.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import { FrameRing } from '../memory/ring.ts';
import type { SharedBuffers } from '../memory/shared.ts';

/** Longest frame of a handshake with the byte before it. */
const MOST = 512;
const REJECT_CODE = fieldOffset(FrameType.REJECT, 'code');
/** By reject code: the place of its reason among those that are counted. */
const PLACES: Readonly<Record<string, number | undefined>> = HandshakeReject;
const COUNTED = Int32Array.from(REJECT_CODES, (reason) => PLACES[reason] ?? HandshakeReject.other);
const LENGTHS: Readonly<Record<number, number>> = Object.fromEntries(
  [FrameType.HELLO, FrameType.CONFIG, FrameType.REJECT].map((type) => [
    type,
    frameLayout(type).length,
  ]),
);

/** Counts what came to nothing, and passes the frames on. A full ring drops them. */
export class HandshakePen implements HandshakeWitness {
  readonly #ring: FrameRing;
  readonly #slots: Float64Array;
  readonly #bytes = new Uint8Array(MOST);

  constructor({ handshakes, loopCounters }: Pick<SharedBuffers, 'handshakes' | 'loopCounters'>) {
    this.#ring = new FrameRing(handshakes);
    this.#slots = new Float64Array(loopCounters);
  }

  saw(frame: Uint8Array, type: number, received: boolean): void {
    const length = LENGTHS[type];
    const bytes = this.#bytes;
    bytes[0] = received ? 1 : 0;
    for (let i = 0; i < length; i++) bytes[i + 1] = frame[i];
    this.#ring.push(bytes, length + 1, 0.5);
    if (type !== FrameType.REJECT) return;
    const code = frame[REJECT_CODE];
    const reason = COUNTED[code < COUNTED.length ? code : 0];
    this.#slots[LoopSlot.robot_handshake_rejects_total + reason] += 1;
  }
}
