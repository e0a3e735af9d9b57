import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import { packageRoot } from '../../../config/paths.ts';
import {
  frameToMessagePack,
  messagePackReason,
  messagePackToFrame,
} from '../../../hil/protocol/messagepack.ts';
import { makeRandom } from '../../fixtures/session-pair.ts';

const vectors = JSON.parse(
  readFileSync(join(packageRoot(), 'test/vectors/hlp1/1.0.json'), 'utf8'),
) as { frames: Record<string, string> };
const out = new Uint8Array(512);

test('every frame goes to a map and back to the same bytes', () => {
  for (const [name, hex] of Object.entries(vectors.frames)) {
    const frame = Buffer.from(hex, 'hex');
    const packed = frameToMessagePack(frame, frame.length);
    assert.equal(messagePackReason(), '', name);
    const map = decode(packed) as Record<string, unknown>;
    assert.equal(map['type'], name.split(' ')[0]);
    const length = messagePackToFrame(packed, out);
    assert.equal(messagePackReason(), '', name);
    assert.equal(Buffer.from(out.subarray(0, length)).toString('hex'), hex, name);
  }
});

test('a bad message is refused with the field and what is allowed, and never throws', () => {
  const frame = Buffer.from(vectors.frames['STATE'], 'hex');
  const good = decode(frameToMessagePack(frame, frame.length)) as Record<string, unknown>;
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [[1, 2], /message: expected a map/],
    [{ ...good, type: 'NOPE' }, /type: expected the name/],
    [{ ...good, seq: -1 }, /seq: expected an integer from 0 to 4294967295, got -1/],
    [{ ...good, seq: 1.5 }, /seq: expected an integer/],
    [{ ...good, position: [0, 0] }, /position: expected an array of 3 numbers/],
    [{ ...good, position: [0, 0, NaN] }, /position: expected a finite number, got NaN/],
    [{ ...good, twist: [0, 0, 0, 0, 0, 1e39] }, /twist: expected a finite number/],
    [{ ...good, safety: 256 }, /safety: expected an integer from 0 to 255, got 256/],
    [{ ...good, colour: 1 }, /colour: no such field in STATE/],
    [{ ...good, tag: new Uint8Array(16) }, /tag: expected 16 bytes exactly when/],
    [{ ...good, flags: 1 }, /tag: expected 16 bytes exactly when/],
  ];
  for (const [value, reason] of cases) {
    assert.equal(messagePackToFrame(encode(value), out), 0);
    assert.match(messagePackReason(), reason);
  }
  assert.equal(messagePackToFrame(new Uint8Array(4096), out), 0);
  assert.match(messagePackReason(), /at most 2048 bytes/);
  assert.equal(frameToMessagePack(frame, 20).length, 0);
  assert.match(messagePackReason(), /bad frame: crc/);
});

test('random and mutated messages never throw', () => {
  const random = makeRandom(3);
  const frame = Buffer.from(vectors.frames['STATE'], 'hex');
  const good = frameToMessagePack(frame, frame.length);
  for (let n = 0; n < 20_000; n++) {
    const message = n & 1 ? good.slice() : new Uint8Array((random() * 300) | 0);
    const count = n & 1 ? 1 + ((random() * 6) | 0) : message.length;
    for (let i = 0; i < count; i++) message[(random() * message.length) | 0] = random() * 256;
    const length = messagePackToFrame(message, out);
    assert.ok(length > 0 ? messagePackReason() === '' : messagePackReason() !== '');
  }
});
