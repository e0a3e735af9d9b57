/** Fuzzers of the robot protocol: frames, their byte stream, the MessagePack dialect, and both ends of a session. */
import assert from 'node:assert/strict';
import { encode } from '@msgpack/msgpack';
import { FRAME_ERRORS } from '../../hil/contract/counters.ts';
import { CobsDecoder, cobsEncode, MAX_ENCODED } from '../../hil/protocol/cobs.ts';
import { CRC_PLAIN, crcOf, crcStart } from '../../hil/protocol/crc.ts';
import {
  decodeSetpoint,
  decodeState,
  FRAME_OK,
  FrameReader,
  FrameType,
  MAX_FRAME,
  SetpointFrame,
  StateFrame,
} from '../../hil/protocol/frames.ts';
import { CRC_BYTES, LAYOUT_HASH } from '../../hil/protocol/layout.ts';
import {
  frameToMessagePack,
  messagePackReason,
  messagePackToFrame,
} from '../../hil/protocol/messagepack.ts';
import type { Random } from '../../src/math/random.ts';
import { makeGolden } from '../hil/protocol/golden-frames.ts';
import { Pair } from '../fixtures/session-pair.ts';
import { type FuzzTarget, kindOf } from './target.ts';

const golden = [...makeGolden().values()];
const SEEDED = crcStart(LAYOUT_HASH);

const startOf = (type: number): number =>
  type === FrameType.HELLO || type === FrameType.REJECT ? CRC_PLAIN : SEEDED;

/** Bit by bit, by the definition (RFC 3720 B.4): nothing of the decoder's own. */
function crcByDefinition(bytes: Uint8Array, length: number, seeded: boolean): number {
  let register = 0xffffffff;
  const take = (byte: number): void => {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      register = register & 1 ? (register >>> 1) ^ 0x82f63b78 : register >>> 1;
    }
  };
  if (seeded) for (let shift = 0; shift < 32; shift += 8) take((LAYOUT_HASH >>> shift) & 255);
  for (let i = 0; i < length; i++) take(bytes[i]);
  return ~register >>> 0;
}

/** Give a frame the right CRC. */
function withCrc(frame: Uint8Array): Uint8Array {
  const body = frame.length - CRC_BYTES;
  if (body < 2) return frame;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  view.setInt32(body, crcOf(frame, body, startOf(frame[1])), true);
  return frame;
}

function assertCrc(frame: Uint8Array): void {
  const body = frame.length - CRC_BYTES;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const right = crcByDefinition(frame, body, startOf(frame[1]) === SEEDED);
  assert.equal(view.getUint32(body, true), right, 'a frame with a wrong CRC was accepted');
}

/** Every number of a set-point or a state that was accepted is finite. */
function assertSound(frame: SetpointFrame | StateFrame): void {
  for (const list of [frame.position, frame.orientation, frame.twist, frame.wrench]) {
    assert.ok(list.every(Number.isFinite), `not finite: ${list.join()}`);
  }
  assert.ok(Number.isFinite(frame.t_us), 'a time that is not finite');
}

/** One frame. */
export function frames(): FuzzTarget {
  const reader = new FrameReader();
  const setpoint = new SetpointFrame();
  const state = new StateFrame();
  return {
    corpus: golden,
    most: 2 * MAX_FRAME,
    mend: withCrc,
    run: (input) => {
      const { length } = input;
      const status = reader.load(input, length);
      if (status === FRAME_OK) {
        assertCrc(input);
        assert.ok(reader.bodyLength <= length, 'a body longer than the frame');
      }
      const asSetpoint = decodeSetpoint(input, length, setpoint);
      const asState = decodeState(input, length, state);
      if (asSetpoint === FRAME_OK) assertSound(setpoint);
      if (asState === FRAME_OK) assertSound(state);
      return `${status === FRAME_OK ? `type ${reader.type}` : FRAME_ERRORS[status - 1]} ${asSetpoint} ${asState}`;
    },
  };
}

/** A stream of bytes from a serial line, in pieces. */
export function stream(): FuzzTarget {
  const encoded = golden.map((frame) => {
    const out = new Uint8Array(MAX_ENCODED);
    return out.slice(0, cobsEncode(frame, frame.length, out));
  });
  const all = new Uint8Array(encoded.flatMap((one) => [...one]));
  return {
    corpus: [...encoded, all],
    most: 4096,
    run: (input) => {
      const decoder = new CobsDecoder();
      const reader = new FrameReader();
      let [found, sound] = [0, 0];
      const step = 1 + (input.length % 61);
      for (let from = 0; from < input.length; from += step) {
        const to = Math.min(from + step, input.length);
        for (let at = from; at < to; ) {
          const next = decoder.decode(input, at, to);
          assert.ok(next > at && next <= to, 'no progress');
          at = next;
          if (decoder.ready === 0) continue;
          found++;
          assert.ok(decoder.ready <= MAX_FRAME, 'a frame longer than any');
          if (reader.load(decoder.frame, decoder.ready) !== FRAME_OK) continue;
          assertCrc(decoder.frame.slice(0, decoder.ready));
          sound++;
        }
      }
      const { malformed, oversized, resyncs } = decoder;
      assert.ok(found + malformed + oversized <= input.length, 'more frames than bytes');
      const few = (n: number): number => Math.min(n, 3);
      return `${few(found)} ${few(sound)} ${few(malformed)} ${few(oversized)} ${few(resyncs)}`;
    },
  };
}

/** MessagePack from a robot, and what the server makes of it. */
export function messages(): FuzzTarget {
  const out = new Uint8Array(MAX_FRAME);
  const reader = new FrameReader();
  const corpus = golden.map((frame) => frameToMessagePack(frame, frame.length));
  return {
    corpus: [...corpus, encode({ type: 'STATE', seq: 1 }), encode([[[[]]]])],
    words: ['type', 'STATE', 'HELLO', 'position', 'tag', 'reserved', '__proto__', 'constructor'],
    most: 3000,
    run: (input) => {
      const length = messagePackToFrame(input, out);
      if (length === 0) return kindOf(messagePackReason());
      assertCrc(out.slice(0, length));
      const status = reader.load(out, length);
      // times beyond 2^53 and the like are refused by the reader of the frame, as from any robot
      return status === FRAME_OK ? `type ${reader.type}` : FRAME_ERRORS[status - 1];
    },
  };
}

/** Frames that arrive in one input at most. */
const MOST_AT_ONCE = 64;

/** Messages to a session: two bytes of length, then a frame, and again. */
function packed(list: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(list.flatMap((one) => [one.length & 255, one.length >> 8, ...one]));
}

function unpacked(input: Uint8Array): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at + 2 <= input.length && list.length < MOST_AT_ONCE; ) {
    const length = Math.min(input[at] + 256 * input[at + 1], MAX_FRAME, input.length - at - 2);
    list.push(input.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return list;
}

/** Right CRCs for most of the frames. */
function withCrcs(input: Uint8Array, random: Random): Uint8Array {
  return packed(unpacked(input).map((one) => (random.nextUint32() % 8 === 0 ? one : withCrc(one))));
}

/** An exchange up to STATE and SETPOINT, as `end` received it. */
function exchange(end: 'server' | 'robot'): Uint8Array[] {
  const pair = new Pair();
  pair.run(400);
  const link = end === 'server' ? pair.robotLink : pair.serverLink;
  return link.sent.slice(0, 40);
}

/** A session that lives on from input to input, so that a peer can bring it into any state; begun anew now and then. */
function session(end: 'server' | 'robot'): FuzzTarget {
  let pair = new Pair();
  let runs = 0;
  const heard = exchange(end);
  return {
    corpus: [
      packed(heard),
      packed(heard.slice(0, 8)),
      packed(golden),
      ...heard.map((f) => packed([f])),
    ],
    most: 4096,
    mend: withCrcs,
    run: (input) => {
      if (runs++ % 200 === 0) pair = new Pair();
      const link = end === 'server' ? pair.serverLink : pair.robotLink;
      pair.run(5);
      for (const frame of unpacked(input)) link.deliver(frame, 0);
      pair.run(5);
      // what was sent is kept by the link of the test: nothing of that belongs to the session
      pair.serverLink.sent.length = 0;
      pair.robotLink.sent.length = 0;
      const { server, robot } = pair;
      const { state } = server;
      assertSound(state);
      assertSound(robot.setpoint);
      assert.ok(server.rejectText.length <= 256, 'a long reason');
      return `${server.phase} ${robot.phase} ${server.rejectCode} ${robot.rejectCode} ${robot.armed}`;
    },
  };
}

export const serverSession = (): FuzzTarget => session('server');
export const robotSession = (): FuzzTarget => session('robot');
