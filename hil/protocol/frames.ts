/**
 * Codec of HLP/1 frames. `FrameWriter` and `FrameReader` handle header, tag room and CRC of every type in one preallocated
 * buffer; SETPOINT and STATE have classes of plain fields. Nothing here allocates per call or throws.
 *
 * HELLO and REJECT carry a plain CRC-32C, so that two ends with different layouts can still send the reason why they do not
 * connect. Every other frame is seeded with the layout hash, so that they never exchange a valid one.
 */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';
import { FRAME_ERRORS } from '../contract/counters.ts';
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import { CRC_PLAIN, crcOf, crcStart } from './crc.ts';
import {
  CRC_BYTES,
  FRAMES,
  fieldOffset,
  Flag,
  FrameType,
  frameLayout,
  HEADER_BYTES,
  KNOWN_INCOMPATIBLE_FLAGS,
  LAYOUT_HASH,
  MAX_FRAME,
  TAG_BYTES,
  VERSION,
} from './layout.ts';

export { FrameType, HEADER_BYTES, LAYOUT_HASH, MAX_FRAME };

const TWO_32 = 4294967296;
const SMALLEST_F32 = 1.1754943508222875e-38;
const SMALLEST_F64 = 2.2250738585072014e-308;

const FRAME_RESULTS = ['ok', ...FRAME_ERRORS] as const;
/** Result codes of the decoders: 0 ok, else 1 + index in FRAME_ERRORS. */
export const FrameError: NameIndices<typeof FRAME_RESULTS> = indicesOf(FRAME_RESULTS);
export const FRAME_OK: number = FrameError.ok;

/** Length of header and payload by type, 0 for an unknown type. */
const LENGTH_OF_TYPE = new Uint16Array(256);
for (const frame of FRAMES) LENGTH_OF_TYPE[frame.type] = frame.length;

const HELLO = FrameType.HELLO;
const REJECT = FrameType.REJECT;
const SEEDED = crcStart(LAYOUT_HASH);

/** Whether a type is outside the layout hash and may be longer in later versions. */
function isNegotiation(type: number): boolean {
  return type === HELLO || type === REJECT;
}

/** Builds one frame at a time in `bytes`. Fields are written by offset (`fieldOffset`, resolved once at load). */
export class FrameWriter {
  readonly bytes: Uint8Array = new Uint8Array(MAX_FRAME);
  readonly view: DataView = new DataView(this.bytes.buffer);
  private length = 0;

  /** Start a frame: header written, payload zero. */
  begin(type: number, flags: number, seq: number): void {
    this.length = LENGTH_OF_TYPE[type];
    this.bytes.fill(0);
    this.view.setUint8(0, VERSION);
    this.view.setUint8(1, type);
    this.view.setUint16(2, flags, true);
    this.view.setUint32(4, seq, true);
  }

  /** Write `times_us[index]` as u64; negative and non-finite times become 0. From a cell: a double argument may be boxed. */
  time(offset: number, times_us: Float64Array, index: number): void {
    const t_us = times_us[index];
    const t = t_us > 0 && t_us < 9007199254740992 ? Math.floor(t_us) : 0;
    const high = Math.floor(t / TWO_32);
    this.view.setUint32(offset, t - high * TWO_32, true);
    this.view.setUint32(offset + 4, high, true);
  }

  u8(offset: number, value: number): void {
    this.view.setUint8(offset, value);
  }

  u16(offset: number, value: number): void {
    this.view.setUint16(offset, value > 65535 ? 65535 : value < 0 ? 0 : value, true);
  }

  u32(offset: number, value: number): void {
    this.view.setUint32(offset, value, true);
  }

  /** Single precision, values below its normal range become 0 (a receiver refuses denormals). */
  f32(offset: number, value: number): void {
    const tiny = value < SMALLEST_F32 && value > -SMALLEST_F32;
    this.view.setFloat32(offset, tiny ? 0 : value, true);
  }

  f64(offset: number, value: number): void {
    const tiny = value < SMALLEST_F64 && value > -SMALLEST_F64;
    this.view.setFloat64(offset, tiny ? 0 : value, true);
  }

  /** `f32` and `f64` of a whole array: nothing of it crosses a call as a double. */
  floats(offset: number, values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const tiny = value < SMALLEST_F32 && value > -SMALLEST_F32;
      this.view.setFloat32(offset + 4 * i, tiny ? 0 : value, true);
    }
  }

  doubles(offset: number, values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const tiny = value < SMALLEST_F64 && value > -SMALLEST_F64;
      this.view.setFloat64(offset + 8 * i, tiny ? 0 : value, true);
    }
  }

  /** Room for a tag after the payload; the frame must carry `Flag.TAGGED`. @returns its offset */
  tagRoom(): number {
    const at = this.length;
    this.length += TAG_BYTES;
    return at;
  }

  /** Append the CRC. @returns length of the frame */
  finish(): number {
    const type = this.bytes[1];
    const crc = crcOf(this.bytes, this.length, isNegotiation(type) ? CRC_PLAIN : SEEDED);
    this.view.setInt32(this.length, crc, true);
    return this.length + CRC_BYTES;
  }
}

/** Checks and reads one frame at a time. */
export class FrameReader {
  readonly bytes: Uint8Array = new Uint8Array(MAX_FRAME);
  readonly view: DataView = new DataView(this.bytes.buffer);
  type = 0;
  flags = 0;
  seq = 0;
  t_us = 0.5;
  /** Header and payload, bytes; a tag, if any, starts here. */
  bodyLength = 0;
  tagged = false;
  /** Version byte of the newest frame. */
  version = 0;
  private readonly times = new Float64Array(1);

  /**
   * Take a frame over and check CRC, version, flags and length, in this order.
   * @returns 0, or 1 + index in FRAME_ERRORS
   * @alloc none
   */
  load(source: Uint8Array, length: number): number {
    if (length < HEADER_BYTES + CRC_BYTES || length > MAX_FRAME) return FrameError.length;
    const bytes = this.bytes;
    if (source !== bytes) for (let i = 0; i < length; i++) bytes[i] = source[i];
    const type = bytes[1];
    const negotiation = isNegotiation(type);
    const body = length - CRC_BYTES;
    if (crcOf(bytes, body, negotiation ? CRC_PLAIN : SEEDED) !== this.view.getInt32(body, true)) {
      return FrameError.crc;
    }
    this.version = bytes[0];
    this.type = type;
    this.flags = this.view.getUint16(2, true);
    this.seq = this.view.getUint32(4, true);
    if (!negotiation && bytes[0] >> 4 !== VERSION >> 4) return FrameError.version;
    if ((this.flags & 255 & ~KNOWN_INCOMPATIBLE_FLAGS) !== 0) return FrameError.flags;
    this.tagged = (this.flags & Flag.TAGGED) !== 0;
    this.bodyLength = this.tagged ? body - TAG_BYTES : body;
    const expected = LENGTH_OF_TYPE[type];
    if (expected === 0 && type < 0x80) return FrameError.version;
    if (negotiation ? this.bodyLength < expected : expected > 0 && this.bodyLength !== expected) {
      return FrameError.length;
    }
    if (this.bodyLength < HEADER_BYTES) return FrameError.length;
    if (this.view.getUint32(12, true) >= 2097152) return FrameError.value;
    this.time(8, this.times, 0);
    this.t_us = this.times[0];
    return FRAME_OK;
  }

  /** Read a u64 time, µs, into `into[index]`; NaN beyond 2^53. */
  time(offset: number, into: Float64Array, index: number): void {
    const high = this.view.getUint32(offset + 4, true);
    into[index] = high < 2097152 ? high * TWO_32 + this.view.getUint32(offset, true) : Number.NaN;
  }

  u8(offset: number): number {
    return this.bytes[offset];
  }

  u16(offset: number): number {
    return this.view.getUint16(offset, true);
  }

  u32(offset: number): number {
    return this.view.getUint32(offset, true);
  }

  f32(offset: number): number {
    return this.view.getFloat32(offset, true);
  }
}

/** Server to robot, cyclic. Times µs, SI units; orientation (x, y, z, w). */
export class SetpointFrame {
  seq = 0;
  t_us = 0.5;
  flags = 0;
  readonly position: Float64Array = new Float64Array(3);
  readonly orientation: Float64Array = Float64Array.of(0, 0, 0, 1);
  readonly twist: Float64Array = new Float64Array(6);
  readonly wrench: Float64Array = new Float64Array(6);
  /** Index in CTL_MODES. */
  mode = 0;
  stopCategory = 0;
  ttl_ms = 20;
  ackSeq = 0;
}

/** Numbers of a STATE beside its vectors, and what they begin with. */
const STATE_FIELDS = {
  seq: 0,
  t_us: 0.5,
  flags: 0,
  linkState: 0,
  safety: 0,
  quality: 0,
  ctlMode: 0,
  fault: 0,
  echoSeq: 0,
  cmdAge_us: 0,
  lostInRow: 0,
  ftAge_us: 0,
  successPermille: 0,
  tMeas_us: 0.5,
} as const;

/** Robot to server, cyclic. */
export class StateFrame {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  declare seq: number;
  declare t_us: number;
  declare flags: number;
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  readonly twist: Float64Array;
  readonly wrench: Float64Array;
  declare linkState: number;
  /** 0 normal, 1 protective stop, 2 emergency stop, 3 reduced. */
  declare safety: number;
  declare quality: number;
  declare ctlMode: number;
  declare fault: number;
  declare echoSeq: number;
  declare cmdAge_us: number;
  declare lostInRow: number;
  declare ftAge_us: number;
  declare successPermille: number;
  declare tMeas_us: number;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(STATE_FIELDS);
    this.position = arena.add('position', 3);
    this.orientation = arena.add('orientation', 4);
    this.twist = arena.add('twist', 6);
    this.wrench = arena.add('wrench', 6);
    this.orientation[3] = 1;
  }

  /** Copy every field of another frame. */
  assign(other: StateFrame): void {
    const { cells, position, orientation, twist, wrench } = this;
    for (let i = 0; i < cells.length; i++) cells[i] = other.cells[i];
    for (let i = 0; i < 3; i++) position[i] = other.position[i];
    for (let i = 0; i < 4; i++) orientation[i] = other.orientation[i];
    for (let i = 0; i < 6; i++) twist[i] = other.twist[i];
    for (let i = 0; i < 6; i++) wrench[i] = other.wrench[i];
  }
}

defineFields(StateFrame, STATE_FIELDS);

/** Flags about a tag: those of the line, and no encoder of a frame sets them. */
const OF_TAGS = KNOWN_INCOMPATIBLE_FLAGS;
const SP = FrameType.SETPOINT;
const ST = FrameType.STATE;
const at = fieldOffset;
const POSITION = at(SP, 'position');
const ORIENTATION = at(SP, 'orientation');
const TWIST = at(SP, 'twist');
const WRENCH = at(SP, 'wrench');
const SP_MODE = at(SP, 'mode');
const SP_STOP = at(SP, 'stopCategory');
const SP_TTL = at(SP, 'ttl');
const SP_ACK = at(SP, 'ackSeq');
const ST_LINK = at(ST, 'linkState');
const ST_SAFETY = at(ST, 'safety');
const ST_QUALITY = at(ST, 'quality');
const ST_MODE = at(ST, 'ctlMode');
const ST_FAULT = at(ST, 'fault');
const ST_ECHO = at(ST, 'echoSeq');
const ST_CMD_AGE = at(ST, 'cmdAge');
const ST_LOST = at(ST, 'lostInRow');
const ST_FT_AGE = at(ST, 'ftAge');
const ST_SUCCESS = at(ST, 'success');
const ST_T_MEAS = at(ST, 'tMeas');
// SETPOINT and STATE share the head of their payload; the codec below relies on it.
if (
  POSITION !== at(ST, 'position') ||
  ORIENTATION !== at(ST, 'orientation') ||
  TWIST !== at(ST, 'twist') ||
  WRENCH !== at(ST, 'wrench')
) {
  throw new Error('SETPOINT and STATE must begin alike');
}

/** Bytes of a whole SETPOINT and STATE, CRC included. */
export const SETPOINT_BYTES: number = frameLayout(SP).length + CRC_BYTES;
export const STATE_BYTES: number = frameLayout(ST).length + CRC_BYTES;

interface Motion {
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  readonly twist: Float64Array;
  readonly wrench: Float64Array;
}

const writer = new FrameWriter();
const reader = new FrameReader();
const times = new Float64Array(1);

function writeMotion(frame: Motion): void {
  writer.doubles(POSITION, frame.position);
  writer.floats(ORIENTATION, frame.orientation);
  writer.floats(TWIST, frame.twist);
  writer.floats(WRENCH, frame.wrench);
}

/** Zero or a normal finite double. Judged by its bits: a double argument may be boxed. */
function isNormalDouble(view: DataView, offset: number): boolean {
  const high = view.getInt32(offset + 4, true);
  const exponent = high & 0x7ff00000;
  if (exponent === 0) return (high & 0x000fffff) === 0 && view.getInt32(offset, true) === 0;
  return exponent !== 0x7ff00000;
}

/** The same in single precision. */
function isNormalFloat(view: DataView, offset: number): boolean {
  const bits = view.getInt32(offset, true);
  const exponent = bits & 0x7f800000;
  return exponent === 0 ? (bits & 0x007fffff) === 0 : exponent !== 0x7f800000;
}

/** Whether every number of the head is finite and not denormal, and the quaternion a unit one. */
function motionIsSound(r: FrameReader): boolean {
  for (let i = 0; i < 3; i++) {
    if (!isNormalDouble(r.view, POSITION + 8 * i)) return false;
  }
  for (let at_ = ORIENTATION; at_ < WRENCH + 24; at_ += 4) {
    if (!isNormalFloat(r.view, at_)) return false;
  }
  let square = 0;
  for (let i = 0; i < 4; i++) {
    const q = r.view.getFloat32(ORIENTATION + 4 * i, true);
    square += q * q;
  }
  // Single precision rounds a unit quaternion to 1 ± 4e-7; 1e-3 leaves room for cheap robot arithmetic, not for errors.
  return square > 0.998 && square < 1.002;
}

function readMotion(r: FrameReader, into: Motion): void {
  for (let i = 0; i < 3; i++) into.position[i] = r.view.getFloat64(POSITION + 8 * i, true);
  for (let i = 0; i < 4; i++) into.orientation[i] = r.view.getFloat32(ORIENTATION + 4 * i, true);
  for (let i = 0; i < 6; i++) into.twist[i] = r.view.getFloat32(TWIST + 4 * i, true);
  for (let i = 0; i < 6; i++) into.wrench[i] = r.view.getFloat32(WRENCH + 4 * i, true);
}

function copyOut(out: Uint8Array, length: number): number {
  for (let i = 0; i < length; i++) out[i] = writer.bytes[i];
  return length;
}

/** Encode a SETPOINT into `out`. @returns its length @alloc none */
export function encodeSetpoint(frame: SetpointFrame, out: Uint8Array): number {
  writer.begin(SP, frame.flags & ~OF_TAGS, frame.seq);
  times[0] = frame.t_us;
  writer.time(8, times, 0);
  writeMotion(frame);
  writer.u8(SP_MODE, frame.mode);
  writer.u8(SP_STOP, frame.stopCategory);
  writer.u16(SP_TTL, frame.ttl_ms);
  writer.u32(SP_ACK, frame.ackSeq);
  return copyOut(out, writer.finish());
}

/** Read a SETPOINT that `r.load` accepted. @returns 0 or a code; `into` is untouched on error */
export function readSetpoint(r: FrameReader, into: SetpointFrame): number {
  if (r.type !== SP) return FrameError.length;
  if (!motionIsSound(r) || r.u8(SP_MODE) > 4 || r.u8(SP_STOP) > 2) return FrameError.value;
  into.seq = r.seq;
  into.t_us = r.t_us;
  into.flags = r.flags;
  readMotion(r, into);
  into.mode = r.u8(SP_MODE);
  into.stopCategory = r.u8(SP_STOP);
  into.ttl_ms = r.u16(SP_TTL);
  into.ackSeq = r.u32(SP_ACK);
  return FRAME_OK;
}

/** Check and decode a SETPOINT. @returns 0 ok, else 1 + index in FRAME_ERRORS; never throws @alloc none */
export function decodeSetpoint(bytes: Uint8Array, length: number, into: SetpointFrame): number {
  const status = reader.load(bytes, length);
  return status === FRAME_OK ? readSetpoint(reader, into) : status;
}

/** Encode a STATE into `out`. @returns its length @alloc none */
export function encodeState(frame: StateFrame, out: Uint8Array): number {
  writer.begin(ST, frame.flags & ~OF_TAGS, frame.seq);
  times[0] = frame.t_us;
  writer.time(8, times, 0);
  writeMotion(frame);
  writer.u8(ST_LINK, frame.linkState);
  writer.u8(ST_SAFETY, frame.safety);
  writer.u8(ST_QUALITY, frame.quality);
  writer.u8(ST_MODE, frame.ctlMode);
  writer.u32(ST_FAULT, frame.fault);
  writer.u32(ST_ECHO, frame.echoSeq);
  writer.u16(ST_CMD_AGE, frame.cmdAge_us);
  writer.u16(ST_LOST, frame.lostInRow);
  writer.u16(ST_FT_AGE, frame.ftAge_us);
  writer.u16(ST_SUCCESS, frame.successPermille);
  times[0] = frame.tMeas_us;
  writer.time(ST_T_MEAS, times, 0);
  return copyOut(out, writer.finish());
}

/** Read a STATE that `r.load` accepted. @returns 0 or a code; `into` is untouched on error */
export function readState(r: FrameReader, into: StateFrame): number {
  if (r.type !== ST) return FrameError.length;
  r.time(ST_T_MEAS, times, 0);
  const tMeas = times[0];
  if (
    !motionIsSound(r) ||
    r.u8(ST_LINK) > 11 ||
    r.u8(ST_SAFETY) > 3 ||
    r.u8(ST_QUALITY) > 3 ||
    r.u8(ST_MODE) > 4 ||
    r.u16(ST_SUCCESS) > 1000 ||
    Number.isNaN(tMeas)
  ) {
    return FrameError.value;
  }
  into.seq = r.seq;
  into.t_us = r.t_us;
  into.flags = r.flags;
  readMotion(r, into);
  into.linkState = r.u8(ST_LINK);
  into.safety = r.u8(ST_SAFETY);
  into.quality = r.u8(ST_QUALITY);
  into.ctlMode = r.u8(ST_MODE);
  into.fault = r.u32(ST_FAULT);
  into.echoSeq = r.u32(ST_ECHO);
  into.cmdAge_us = r.u16(ST_CMD_AGE);
  into.lostInRow = r.u16(ST_LOST);
  into.ftAge_us = r.u16(ST_FT_AGE);
  into.successPermille = r.u16(ST_SUCCESS);
  into.tMeas_us = tMeas;
  return FRAME_OK;
}

/** Check and decode a STATE. @returns 0 ok, else 1 + index in FRAME_ERRORS; never throws @alloc none */
export function decodeState(bytes: Uint8Array, length: number, into: StateFrame): number {
  const status = reader.load(bytes, length);
  return status === FRAME_OK ? readState(reader, into) : status;
}
