/** One frame of every type with chosen contents, and one tagged. The vectors in test/vectors/hlp1 were made from these, once. */
import { FrameWriter, FrameType } from '../../../hil/protocol/frames.ts';
import { type Field, Flag, FRAMES } from '../../../hil/protocol/layout.ts';
import { makeMaster, SessionKeys } from '../../../hil/protocol/session-keys.ts';

/** Key of the tagged vector. */
export const GOLDEN_KEY = 'golden-key';

/** Value of element `index` of a field: small, exact in single precision, different everywhere. */
export function goldenValue(frame: number, field: Field, index: number): number {
  if (field.name === 'orientation') return [0.5, -0.5, 0.5, 0.5][index];
  if (field.name === 'protocolMin' || field.name === 'protocolMax') return 0x10;
  if (field.type === 'u8') return (frame + index) % 3;
  if (field.type === 'u64') return 1_234_567_890_123 + field.offset;
  if (field.type === 'f32' || field.type === 'f64') return (index + 1) * 0.125 - field.offset / 64;
  return field.offset * 7 + index + 1;
}

function writeField(w: FrameWriter, type: number, f: Field): void {
  for (let i = 0; i < f.count; i++) {
    const value = goldenValue(type, f, i);
    if (f.type === 'u8') w.u8(f.offset + i, value);
    else if (f.type === 'u16') w.u16(f.offset + 2 * i, value);
    else if (f.type === 'u32') w.u32(f.offset + 4 * i, value);
    else if (f.type === 'u64') w.time(f.offset + 8 * i, Float64Array.of(value), 0);
    else if (f.type === 'f32') w.f32(f.offset + 4 * i, value);
    else if (f.type === 'f64') w.f64(f.offset + 8 * i, value);
    else if (i < 5) w.u8(f.offset + i, 'Berth'.charCodeAt(i));
  }
}

/** Bytes of every golden frame, by name. */
export function makeGolden(): Map<string, Uint8Array> {
  const golden = new Map<string, Uint8Array>();
  for (const frame of FRAMES) {
    const w = new FrameWriter();
    w.begin(frame.type, 0, 0x01020304);
    w.time(8, Float64Array.of(987_654_321), 0);
    for (const field of frame.fields) writeField(w, frame.type, field);
    golden.set(frame.name, w.bytes.slice(0, w.finish()));
  }
  const w = new FrameWriter();
  w.begin(FrameType.STOP, Flag.TAGGED, 7);
  w.time(8, Float64Array.of(1_000_000), 0);
  w.u32(16, 1);
  w.u32(20, 3);
  const at = w.tagRoom();
  const keys = new SessionKeys(makeMaster(GOLDEN_KEY));
  keys.derive(Uint32Array.of(1, 2), Uint32Array.of(3, 4));
  keys.write(0, w.bytes, at);
  golden.set('STOP tagged', w.bytes.slice(0, w.finish()));
  return golden;
}
