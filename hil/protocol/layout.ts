/**
 * HLP/1 on the wire, declared once: every frame as a list of fields. Offsets, lengths, the layout hash that seeds the CRC,
 * the codecs and the tables of docs/protocol.md all derive from this file (`hil-anchors 9.1`).
 *
 * Little-endian, SI, quaternion (x, y, z, w), wrench on the tool at the tool point in the base frame.
 */

export type FieldType = 'u8' | 'u16' | 'u32' | 'u64' | 'f32' | 'f64' | 'char';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Number of elements; bytes of a fixed string for `char`. */
  readonly count: number;
  readonly unit: string;
  readonly note: string;
  /** Byte offset from the start of the frame. */
  readonly offset: number;
}

export interface FrameLayout {
  readonly name: string;
  readonly type: number;
  readonly fields: readonly Field[];
  /** Header and payload, bytes; the optional tag and the CRC follow. */
  readonly length: number;
}

export const FIELD_BYTES: Readonly<Record<FieldType, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  f32: 4,
  f64: 8,
  char: 1,
};

/** Protocol version byte, major << 4 | minor: the range that this end supports. */
export const VERSION = 0x10;
export const VERSION_MIN = 0x10;
export const HEADER_BYTES = 16;
export const CRC_BYTES = 4;
export const TAG_BYTES = 16;
/** No frame is longer, header to CRC. */
export const MAX_FRAME = 512;

/** Low byte of the flags: an unknown bit makes the frame be dropped. High byte: ignored when unknown. */
export const Flag = Object.freeze({
  /** A tag follows the payload. */
  TAGGED: 0x0001,
  // Inside an end and in recordings only, never on the line, in the place of the tag (links/tagging-link.ts):
  /** It was right under the robot key. */
  PROVEN: 0x0002,
  /** It was right under the key of the run: the service's own emulated robot. */
  PROVEN_RUN: 0x0004,
  /** It was wrong. */
  FORGED: 0x0008,
});
export const KNOWN_INCOMPATIBLE_FLAGS: number =
  Flag.TAGGED | Flag.PROVEN | Flag.PROVEN_RUN | Flag.FORGED;

type Row = readonly [name: string, type: FieldType, count: number, unit: string, note: string];

function place(rows: readonly Row[], start: number, frame: string): Field[] {
  let offset = start;
  return rows.map(([name, type, count, unit, note]) => {
    const size = FIELD_BYTES[type];
    if (offset % Math.min(size, 4) !== 0)
      throw new Error(`${frame}.${name} is not aligned: offset ${offset}`);
    const field = { name, type, count, unit, note, offset };
    offset += size * count;
    return field;
  });
}

function layout(name: string, type: number, rows: readonly Row[]): FrameLayout {
  const fields = place(rows, HEADER_BYTES, name);
  const last = fields[fields.length - 1];
  const length = last.offset + FIELD_BYTES[last.type] * last.count;
  if (length + TAG_BYTES + CRC_BYTES > MAX_FRAME) throw new Error(`${name} is too long`);
  return { name, type, fields, length };
}

export const HEADER: readonly Field[] = place(
  [
    ['version', 'u8', 1, '', 'major << 4 | minor; the major must match'],
    ['type', 'u8', 1, '', 'frame type'],
    ['flags', 'u16', 1, '', 'low byte incompatible (unknown bit: drop), high byte compatible'],
    ['seq', 'u32', 1, '', 'per direction, +1 a frame, wraps'],
    ['t_us', 'u64', 1, 'µs', 'sender monotonic time'],
  ],
  0,
  'header',
);

/** Six limits in this order wherever limits travel. */
const LIMITS: readonly Row[] = [
  ['speed', 'f32', 1, 'm/s', 'largest translational speed'],
  ['angularSpeed', 'f32', 1, 'rad/s', 'largest rotational speed'],
  ['acceleration', 'f32', 1, 'm/s²', 'largest translational acceleration'],
  ['force', 'f32', 1, 'N', 'largest force'],
  ['moment', 'f32', 1, 'N m', 'largest moment'],
  ['workspace', 'f32', 1, 'm', 'half-size of the cube about the start of the scenario'],
];

export const FRAMES: readonly FrameLayout[] = [
  layout('HELLO', 0x01, [
    ['role', 'u8', 1, '', '0 server, 1 robot'],
    ['protocolMin', 'u8', 1, '', 'lowest version spoken'],
    ['protocolMax', 'u8', 1, '', 'highest version spoken'],
    ['reserved', 'u8', 1, '', '0'],
    ['layoutHash', 'u32', 1, '', 'hash of this layout'],
    ['nonce', 'u32', 2, '', 'new for every start of the sender'],
    ['peerNonce', 'u32', 2, '', 'nonce of the HELLO answered, 0 when unknown'],
    ['device', 'char', 32, '', 'name of the device, UTF-8, zero padded'],
    ['firmware', 'char', 16, '', 'its version, UTF-8, zero padded'],
    ['periodMin', 'u32', 1, 'µs', 'shortest cycle that works'],
    ['periodMax', 'u32', 1, 'µs', 'longest cycle that works'],
    ...LIMITS,
    [
      'capabilities',
      'u32',
      1,
      '',
      'bit 0 force sensor, 1 tare, 2 gravity removed, 3 ARM needed, 4 tags',
    ],
  ]),
  layout('CONFIG', 0x02, [
    ['version', 'u8', 1, '', 'version chosen'],
    ['tare', 'u8', 1, '', '1: subtract the tare from the wrench'],
    ['gravity', 'u8', 1, '', '1: remove the weight of the tool'],
    ['frame', 'u8', 1, '', '0: robot base'],
    ['period', 'u32', 1, 'µs', 'cycle of SETPOINT and STATE'],
    ['ttlFree', 'u16', 1, 'ms', 'life of a set-point in free space'],
    ['ttlContact', 'u16', 1, 'ms', 'life of a set-point in contact'],
    ...LIMITS,
    ['session', 'u32', 1, '', 'number of this session'],
  ]),
  layout('CONFIG_ACK', 0x03, [
    ['version', 'u8', 1, '', 'as CONFIG'],
    ['reserved', 'u8', 3, '', '0'],
    ['period', 'u32', 1, 'µs', 'as CONFIG'],
    ['session', 'u32', 1, '', 'as CONFIG'],
  ]),
  layout('SYNC', 0x04, [
    ['t1', 'u64', 1, 'µs', 'server clock when the request left'],
    ['t2', 'u64', 1, 'µs', 'robot clock when it arrived, 0 in a request'],
    ['t3', 'u64', 1, 'µs', 'robot clock when the answer left, 0 in a request'],
  ]),
  layout('HEARTBEAT', 0x05, [['phase', 'u32', 1, '', 'phase of the sender, 0 to 3']]),
  layout('BYE', 0x06, [['reason', 'u32', 1, '', '0 asked']]),
  layout('SETPOINT', 0x10, [
    ['position', 'f64', 3, 'm', 'tool point in the base frame'],
    ['orientation', 'f32', 4, '', 'unit quaternion'],
    ['twist', 'f32', 6, 'm/s, rad/s', 'feed-forward'],
    ['wrench', 'f32', 6, 'N, N m', 'set-point or abort limit, by mode'],
    ['mode', 'u8', 1, '', '0 idle, 1 hold, 2 track, 3 contact, 4 stop'],
    ['stopCategory', 'u8', 1, '', '0, 1, 2 (mode 4)'],
    ['ttl', 'u16', 1, 'ms', 'the robot acts when it expires'],
    ['ackSeq', 'u32', 1, '', 'last STATE accepted'],
  ]),
  layout('STATE', 0x11, [
    ['position', 'f64', 3, 'm', 'measured'],
    ['orientation', 'f32', 4, '', 'measured, unit quaternion'],
    ['twist', 'f32', 6, 'm/s, rad/s', 'measured'],
    ['wrench', 'f32', 6, 'N, N m', 'measured; tare and gravity as CONFIG says'],
    [
      'linkState',
      'u8',
      1,
      '',
      '0 offline, 1 connecting, 2 synced, 3, 4 monitoring, 5 arming, 6 free, 7 contact, 8 hold, 9 stopping, 10 fault, 11 ESTOP',
    ],
    ['safety', 'u8', 1, '', '0 normal, 1 protective stop, 2 emergency stop, 3 reduced'],
    ['quality', 'u8', 1, '', '0 poor, 1 fair, 2 good, 3 excellent'],
    ['ctlMode', 'u8', 1, '', 'as SETPOINT.mode'],
    ['fault', 'u32', 1, '', 'one bit a cause (Robot faults)'],
    ['echoSeq', 'u32', 1, '', 'last set-point applied'],
    ['cmdAge', 'u16', 1, 'µs', 'age of that set-point when applied'],
    ['lostInRow', 'u16', 1, '', 'cycles in a row without a set-point'],
    ['ftAge', 'u16', 1, 'µs', 'by how much the force sample is older than tMeas'],
    ['success', 'u16', 1, '‰', 'set-points received in the last 100 cycles'],
    ['tMeas', 'u64', 1, 'µs', 'robot clock at the pose sample'],
  ]),
  layout('ARM', 0x20, [['request', 'u32', 1, '', 'number of the request']]),
  layout('ARM_ACK', 0x21, [
    ['request', 'u32', 1, '', 'as ARM'],
    ['accepted', 'u32', 1, '', '1 armed, 0 refused'],
  ]),
  layout('STOP', 0x22, [
    ['category', 'u32', 1, '', 'stop category 0, 1 or 2'],
    ['request', 'u32', 1, '', 'number of the request'],
  ]),
  layout('FAULT', 0x23, [
    ['code', 'u32', 1, '', 'number of the bit (Robot faults)'],
    ['detail', 'u32', 1, '', 'by code'],
  ]),
  layout('CLEAR', 0x24, [['request', 'u32', 1, '', 'number of the request']]),
  layout('TARE', 0x25, [['request', 'u32', 1, '', 'number of the request']]),
  layout('REJECT', 0x7f, [
    ['code', 'u8', 1, '', 'reject code'],
    ['refused', 'u8', 1, '', 'type of the frame refused'],
    ['protocolMin', 'u8', 1, '', 'lowest version spoken'],
    ['protocolMax', 'u8', 1, '', 'highest version spoken'],
    ['layoutHash', 'u32', 1, '', 'hash of the layout spoken'],
    ['value', 'f32', 1, '', 'value refused'],
    ['limit', 'f32', 1, '', 'what is allowed'],
    ['text', 'char', 128, '', 'one sentence, UTF-8, zero padded'],
  ]),
];

/** Frame type numbers by name. */
export const FrameType = Object.freeze(
  Object.fromEntries(FRAMES.map((frame) => [frame.name, frame.type])),
) as Readonly<
  Record<
    | 'HELLO'
    | 'CONFIG'
    | 'CONFIG_ACK'
    | 'SYNC'
    | 'HEARTBEAT'
    | 'BYE'
    | 'SETPOINT'
    | 'STATE'
    | 'ARM'
    | 'ARM_ACK'
    | 'STOP'
    | 'FAULT'
    | 'CLEAR'
    | 'TARE'
    | 'REJECT',
    number
  >
>;

/** Layout of a type; throws at load for a wrong one. */
export function frameLayout(type: number): FrameLayout {
  const found = FRAMES.find((frame) => frame.type === type);
  if (found === undefined) throw new Error(`No HLP/1 frame has type ${type}`);
  return found;
}

/** Byte offset of a field; throws at load for a wrong name. */
export function fieldOffset(type: number, name: string): number {
  const field = frameLayout(type).fields.find((f) => f.name === name);
  if (field === undefined) throw new Error(`${frameLayout(type).name} has no field "${name}"`);
  return field.offset;
}

/** Text that the layout hash is taken of: everything that changes the meaning of a byte. */
export function canonicalLayout(): string {
  const line = (owner: string, f: Field): string =>
    `${owner}.${f.name}@${f.offset}:${f.type}*${f.count}[${f.unit}]`;
  return [
    `HLP/${VERSION >> 4}`,
    ...HEADER.map((f) => line('header', f)),
    ...FRAMES.flatMap((frame) => [
      `${frame.name}=${frame.type}`,
      ...frame.fields.map((f) => line(frame.name, f)),
    ]),
  ].join('\n');
}

/** 32-bit FNV-1a of a text's UTF-8 bytes (RFC 9923 parameters: offset basis 0x811c9dc5, prime 0x01000193). */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Hash of this layout: seeds the CRC of every frame but HELLO and REJECT. */
export const LAYOUT_HASH: number = fnv1a32(canonicalLayout());
