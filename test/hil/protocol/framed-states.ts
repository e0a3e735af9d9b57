/** STATE frames as they are on the wire, and what a decoder finds in a stream. */
import { CobsDecoder, cobsEncode, MAX_ENCODED } from '../../../hil/protocol/cobs.ts';
import { encodeState, StateFrame } from '../../../hil/protocol/frames.ts';

export function makeState(seq: number): StateFrame {
  const state = new StateFrame();
  state.seq = seq;
  state.t_us = seq * 1000;
  state.position[0] = 0.25;
  state.wrench[2] = -30;
  return state;
}

export function encoded(seq: number): Uint8Array {
  const out = new Uint8Array(512);
  return out.slice(0, encodeState(makeState(seq), out));
}

/** Frames that a decoder finds in a stream given in pieces. */
export function decodeStream(
  decoder: CobsDecoder,
  stream: Uint8Array,
  piece: number,
): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let from = 0; from < stream.length; from += piece) {
    const to = Math.min(from + piece, stream.length);
    let at = from;
    while (at < to) {
      at = decoder.decode(stream, at, to);
      if (decoder.ready > 0) frames.push(decoder.frame.slice(0, decoder.ready));
    }
  }
  return frames;
}

export function stuff(frames: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(MAX_ENCODED);
  const parts = frames.map((frame) => out.slice(0, cobsEncode(frame, frame.length, out)));
  return new Uint8Array(Buffer.concat(parts));
}
