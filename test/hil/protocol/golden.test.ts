import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import {
  decodeSetpoint,
  decodeState,
  encodeSetpoint,
  encodeState,
  FrameReader,
  SetpointFrame,
  StateFrame,
} from '../../../hil/protocol/frames.ts';
import { FRAMES, LAYOUT_HASH } from '../../../hil/protocol/layout.ts';
import { layoutTables } from '../../../hil/protocol/layout-table.ts';
import { makeMaster, SessionKeys } from '../../../hil/protocol/session-keys.ts';
import { GOLDEN_KEY, goldenValue, makeGolden } from './golden-frames.ts';

interface Vectors {
  readonly layoutHash: string;
  readonly frames: Readonly<Record<string, string>>;
}
const root = packageRoot();
const vectors = JSON.parse(
  readFileSync(join(root, 'test/vectors/hlp1/1.0.json'), 'utf8'),
) as Vectors;

test('the layout hash is the published one of version 1.0', () => {
  assert.equal(`0x${LAYOUT_HASH.toString(16).padStart(8, '0')}`, vectors.layoutHash);
});

test('every frame of version 1.0 is still written byte for byte as it was', () => {
  const made = makeGolden();
  assert.deepEqual([...made.keys()].sort(), Object.keys(vectors.frames).sort());
  for (const [name, bytes] of made) {
    assert.equal(Buffer.from(bytes).toString('hex'), vectors.frames[name], name);
  }
});

const SIZES = { u8: 1, u16: 2, u32: 4, u64: 8, f32: 4, f64: 8 } as const;
const READ: Readonly<Record<keyof typeof SIZES, (r: FrameReader, offset: number) => number>> = {
  u8: (r, offset) => r.u8(offset),
  u16: (r, offset) => r.u16(offset),
  u32: (r, offset) => r.u32(offset),
  u64: (r, offset) => {
    const cell = new Float64Array(1);
    r.time(offset, cell, 0);
    return cell[0];
  },
  f32: (r, offset) => r.f32(offset),
  f64: (r, offset) => r.view.getFloat64(offset, true),
};

test('every frame of version 1.0 decodes to its values', () => {
  const reader = new FrameReader();
  for (const frame of FRAMES) {
    const bytes = Buffer.from(vectors.frames[frame.name], 'hex');
    assert.equal(reader.load(bytes, bytes.length), 0, frame.name);
    assert.equal(reader.type, frame.type);
    assert.equal(reader.seq, 0x01020304);
    assert.equal(reader.t_us, 987_654_321);
    for (const field of frame.fields) {
      if (field.type === 'char') continue;
      for (let i = 0; i < field.count; i++) {
        const value: number = READ[field.type](reader, field.offset + i * SIZES[field.type]);
        assert.equal(value, goldenValue(frame.type, field, i), `${frame.name}.${field.name}[${i}]`);
      }
    }
  }
});

test('SETPOINT is 116 bytes, STATE 136, and both survive a round trip through their classes', () => {
  const out = new Uint8Array(512);
  const setpoint = new SetpointFrame();
  const a = Buffer.from(vectors.frames['SETPOINT'], 'hex');
  assert.equal(a.length, 116);
  assert.equal(decodeSetpoint(a, a.length, setpoint), 0);
  assert.equal(setpoint.position[2], 3 * 0.125 - 16 / 64);
  assert.equal(encodeSetpoint(setpoint, out), 116);
  assert.deepEqual(out.slice(0, 116), new Uint8Array(a));
  const state = new StateFrame();
  const b = Buffer.from(vectors.frames['STATE'], 'hex');
  assert.equal(b.length, 136);
  assert.equal(decodeState(b, b.length, state), 0);
  assert.equal(state.wrench[5], 6 * 0.125 - 80 / 64);
  assert.equal(encodeState(state, out), 136);
  assert.deepEqual(out.slice(0, 136), new Uint8Array(b));
});

test('the tag of a STOP is accepted with its key, nonces and direction and with nothing else', () => {
  const bytes = new Uint8Array(Buffer.from(vectors.frames['STOP tagged'], 'hex'));
  const body = bytes.length - 4 - 16;
  const isRight = (key: string, role: number, robotNonce: number): boolean => {
    const keys = new SessionKeys(makeMaster(key));
    keys.derive(Uint32Array.of(1, 2), Uint32Array.of(3, robotNonce));
    return keys.isRight(role, bytes, body);
  };
  assert.equal(isRight(GOLDEN_KEY, 0, 4), true);
  assert.equal(isRight('another-key', 0, 4), false);
  assert.equal(isRight(GOLDEN_KEY, 1, 4), false);
  assert.equal(isRight(GOLDEN_KEY, 0, 5), false);
  // by the words of docs/protocol.md and node:crypto
  const nonces = Buffer.from('01000000020000000300000004000000', 'hex');
  const input = [
    Buffer.of(0, 0, 0, 1),
    Buffer.from('HLP/1 server\0'),
    nonces,
    Buffer.of(0, 0, 1, 0),
  ];
  const key = createHmac('sha256', GOLDEN_KEY).update(Buffer.concat(input)).digest();
  const tag = createHmac('sha256', key).update(bytes.subarray(0, body)).digest().subarray(0, 16);
  assert.deepEqual(Buffer.from(bytes.subarray(body, body + 16)), tag);
});

test('docs/protocol.md holds the layout tables that the layout gives', () => {
  const text = readFileSync(join(root, 'docs/protocol.md'), 'utf8');
  assert.ok(text.includes(layoutTables()), 'the tables of docs/protocol.md are out of date');
});
