/**
 * HLP/1 frames as MessagePack maps, for peers in Python, MATLAB or a browser (sub-protocol `berth.robot.v1.msgpack`): the
 * same fields by the same names, `{type: 'STATE', seq, t_us, flags, position: [x, y, z], …}`. The link worker turns them into binary
 * frames, so the loop has one format. The version is the frame's, the CRC is made here; a tag travels as bytes.
 */
import { Decoder, encode } from '@msgpack/msgpack';
import { FRAME_ERRORS } from '../contract/counters.ts';
import { FRAME_OK, FrameReader, FrameWriter } from './frames.ts';
import { type Field, Flag, FRAMES, type FrameLayout, MAX_FRAME, TAG_BYTES } from './layout.ts';

/** No message is longer, and no part of one can make the decoder allocate more. */
export const MAX_MESSAGE = 2048;

const decoder = new Decoder({
  maxStrLength: 256,
  maxBinLength: TAG_BYTES,
  maxArrayLength: 16,
  maxMapLength: 32,
  maxExtLength: 0,
});
const reader = new FrameReader();
const writer = new FrameWriter();
const times = new Float64Array(1);
const BY_NAME = new Map(FRAMES.map((frame) => [frame.name, frame]));
const BY_TYPE = new Map(FRAMES.map((frame) => [frame.type, frame]));
const INTEGER_LIMIT = { u8: 255, u16: 65_535, u32: 4_294_967_295, u64: Number.MAX_SAFE_INTEGER };

let reason = '';

/** Why the last message or frame was refused; '' when it was not. */
export function messagePackReason(): string {
  return reason;
}

function readElement(field: Field, index: number): number {
  const view = reader.view;
  switch (field.type) {
    case 'u8':
    case 'char':
      return view.getUint8(field.offset + index);
    case 'u16':
      return view.getUint16(field.offset + 2 * index, true);
    case 'u32':
      return view.getUint32(field.offset + 4 * index, true);
    case 'u64':
      reader.time(field.offset + 8 * index, times, 0);
      return times[0];
    case 'f32':
      return view.getFloat32(field.offset + 4 * index, true);
    case 'f64':
      return view.getFloat64(field.offset + 8 * index, true);
  }
}

function readField(field: Field): unknown {
  if (field.type === 'char') {
    const bytes = reader.bytes.subarray(field.offset, field.offset + field.count);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }
  if (field.count === 1) return readElement(field, 0);
  return Array.from({ length: field.count }, (_, i) => readElement(field, i));
}

/** A binary frame as a packed map. @returns an empty array for a bad frame; `messagePackReason` says why */
export function frameToMessagePack(frame: Uint8Array, length: number): Uint8Array {
  const status = reader.load(frame, length);
  const layout = BY_TYPE.get(reader.type);
  reason = status === FRAME_OK ? '' : `bad frame: ${FRAME_ERRORS[status - 1]}`;
  if (reason === '' && layout === undefined) reason = `no layout for type ${reader.type}`;
  if (reason !== '' || layout === undefined) return new Uint8Array(0);
  const map: Record<string, unknown> = {
    type: layout.name,
    flags: reader.flags,
    seq: reader.seq,
    t_us: reader.t_us,
  };
  for (const field of layout.fields) map[field.name] = readField(field);
  if (reader.tagged) {
    map['tag'] = reader.bytes.slice(reader.bodyLength, reader.bodyLength + TAG_BYTES);
  }
  return encode(map);
}

/** Why a value does not fit a number field, or ''. */
function numberFault(name: string, type: Field['type'], value: unknown): string {
  const shown = typeof value === 'number' ? String(value) : typeof value;
  if (type === 'f32' || type === 'f64') {
    const fits =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (type === 'f64' || Number.isFinite(Math.fround(value)));
    return fits ? '' : `${name}: expected a finite number, got ${shown}`;
  }
  const limit = INTEGER_LIMIT[type as 'u8' | 'u16' | 'u32' | 'u64'];
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= limit;
  return fits ? '' : `${name}: expected an integer from 0 to ${limit}, got ${shown}`;
}

function writeTime(offset: number, value: number): void {
  times[0] = value;
  writer.time(offset, times, 0);
}

function writeElement(field: Field, index: number, value: number): void {
  if (field.type === 'u8') writer.u8(field.offset + index, value);
  else if (field.type === 'u16') writer.u16(field.offset + 2 * index, value);
  else if (field.type === 'u32') writer.u32(field.offset + 4 * index, value);
  else if (field.type === 'u64') writeTime(field.offset + 8 * index, value);
  else if (field.type === 'f32') writer.f32(field.offset + 4 * index, value);
  else writer.f64(field.offset + 8 * index, value);
}

/** Check one field and write it. @returns why not, or '' */
function writeField(field: Field, value: unknown): string {
  if (field.type === 'char') {
    if (typeof value !== 'string') return `${field.name}: expected a string, got ${typeof value}`;
    const bytes = new TextEncoder().encode(value);
    if (bytes.length > field.count) {
      return `${field.name}: expected at most ${field.count} bytes, got ${bytes.length}`;
    }
    writer.bytes.set(bytes, field.offset);
    return '';
  }
  const list: readonly unknown[] = field.count === 1 ? [value] : Array.isArray(value) ? value : [];
  if (list.length !== field.count) {
    return `${field.name}: expected an array of ${field.count} numbers`;
  }
  for (let i = 0; i < list.length; i++) {
    const fault = numberFault(field.name, field.type, list[i]);
    if (fault !== '') return fault;
    writeElement(field, i, list[i] as number);
  }
  return '';
}

const HEAD = [
  ['flags', 'u16'],
  ['seq', 'u32'],
  ['t_us', 'u64'],
] as const;

/** Check the map and build the frame in `writer`. @returns why not, or '' */
function build(layout: FrameLayout, map: Record<string, unknown>): string {
  for (const [name, type] of HEAD) {
    const fault = numberFault(name, type, map[name]);
    if (fault !== '') return fault;
  }
  const flags = map['flags'] as number;
  const tag = map['tag'];
  const tagged = (flags & Flag.TAGGED) !== 0;
  if (tagged !== (tag instanceof Uint8Array && tag.length === TAG_BYTES)) {
    return `tag: expected ${TAG_BYTES} bytes exactly when flag 1 is set`;
  }
  writer.begin(layout.type, flags, map['seq'] as number);
  writeTime(8, map['t_us'] as number);
  for (const field of layout.fields) {
    const value = field.name === 'reserved' ? (map[field.name] ?? zeros(field)) : map[field.name];
    const fault = writeField(field, value);
    if (fault !== '') return fault;
  }
  if (tagged) writer.bytes.set(tag as Uint8Array, writer.tagRoom());
  const allowed = layout.fields.length + HEAD.length + 1 + (tagged ? 1 : 0);
  if (Object.keys(map).length > allowed) {
    const known = new Set(['type', 'flags', 'seq', 't_us', 'tag']);
    for (const field of layout.fields) known.add(field.name);
    const unknown = Object.keys(map).find((key) => !known.has(key)) ?? 'tag';
    return `${unknown.slice(0, 40)}: no such field in ${layout.name}`;
  }
  return '';
}

function zeros(field: Field): number | number[] {
  return field.count === 1 ? 0 : new Array<number>(field.count).fill(0);
}

function parse(message: Uint8Array): string {
  if (message.length > MAX_MESSAGE) return `message: at most ${MAX_MESSAGE} bytes`;
  let value: unknown;
  try {
    value = decoder.decode(message);
  } catch (error) {
    return `message: not MessagePack (${error instanceof Error ? error.message : 'error'})`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'message: expected a map';
  }
  const map = value as Record<string, unknown>;
  const layout = typeof map['type'] === 'string' ? BY_NAME.get(map['type']) : undefined;
  if (layout === undefined) return 'type: expected the name of an HLP/1 frame';
  return build(layout, map);
}

/**
 * A packed map as a binary frame in `out` (at least `MAX_FRAME` bytes).
 * @returns its length, 0 when the message is bad; `messagePackReason` says why. Never throws.
 */
export function messagePackToFrame(message: Uint8Array, out: Uint8Array): number {
  reason = parse(message);
  if (reason !== '') return 0;
  const length = writer.finish();
  if (length > MAX_FRAME || length > out.length) return 0;
  for (let i = 0; i < length; i++) out[i] = writer.bytes[i];
  return length;
}
