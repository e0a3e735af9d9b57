/** CRC, COBS and the decoders against broken bytes: hil-anchors 9.4, tests 16 and 18 to 20. 15 and 17: framing.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CobsDecoder, MAX_ENCODED } from '../../../hil/protocol/cobs.ts';
import { CRC_PLAIN, crcOf, crcStart } from '../../../hil/protocol/crc.ts';
import {
  decodeState,
  encodeSetpoint,
  encodeState,
  FrameError,
  SetpointFrame,
  StateFrame,
} from '../../../hil/protocol/frames.ts';
import { LAYOUT_HASH } from '../../../hil/protocol/layout.ts';
import {
  checkSerialLoad,
  highestRate_Hz,
  lowestBaud,
  serialLoad,
} from '../../../hil/protocol/serial-load.ts';
import { makeRandom } from '../../fixtures/session-pair.ts';
import { decodeStream, encoded, makeState, stuff } from './framed-states.ts';

/** CRC-32C bit by bit, straight from the polynomial: an independent method. */
function crcBitwise(bytes: Uint8Array): number {
  let register = 0xffffffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      register = register & 1 ? (register >>> 1) ^ 0x82f63b78 : register >>> 1;
    }
  }
  return ~register;
}

test('CRC-32C gives the published check value and agrees with the polynomial bit by bit', () => {
  const digits = new TextEncoder().encode('123456789');
  assert.equal(crcOf(digits, 9, CRC_PLAIN) >>> 0, 0xe3069283);
  const random = makeRandom(1);
  for (let n = 1; n < 300; n += 7) {
    const bytes = Uint8Array.from({ length: n }, () => random() * 256);
    assert.equal(crcOf(bytes, n, CRC_PLAIN), crcBitwise(bytes));
    const seed = Uint8Array.of(LAYOUT_HASH, LAYOUT_HASH >> 8, LAYOUT_HASH >> 16, LAYOUT_HASH >> 24);
    const seeded = new Uint8Array([...seed, ...bytes]);
    assert.equal(crcOf(bytes, n, crcStart(LAYOUT_HASH)), crcBitwise(seeded));
  }
});

test('COBS: published examples, sizes on the wire, and any content round trips', () => {
  const cases: readonly (readonly [number[], number[]])[] = [
    [[0], [1, 1, 0]],
    [
      [0, 0],
      [1, 1, 1, 0],
    ],
    [
      [0x11, 0x22, 0, 0x33],
      [3, 0x11, 0x22, 2, 0x33, 0],
    ],
    [
      [0x11, 0, 0, 0],
      [2, 0x11, 1, 1, 1, 0],
    ],
  ];
  for (const [plain, wire] of cases) {
    assert.deepEqual([...stuff([Uint8Array.from(plain)])], wire);
  }
  const run = Uint8Array.from({ length: 254 }, (_, i) => i + 1);
  assert.deepEqual([...stuff([run])], [255, ...run, 0]);
  assert.equal(stuff([encoded(1)]).length, 138);
  const setpoint = new Uint8Array(512);
  const length = encodeSetpoint(new SetpointFrame(), setpoint);
  assert.equal(stuff([setpoint.slice(0, length)]).length, 118);
  const random = makeRandom(2);
  for (let n = 1; n <= 512; n++) {
    const share = random();
    const frame = Uint8Array.from({ length: n }, () => (random() < share ? 0 : random() * 256));
    const wire = stuff([frame]);
    assert.equal(wire.indexOf(0), wire.length - 1);
    assert.deepEqual(decodeStream(new CobsDecoder(), wire, wire.length), [frame]);
  }
});

test('16: every single and double bit error of a frame and a million of 1 to 5 bits are detected', (t) => {
  const good = encoded(9);
  const bits = good.length * 8;
  const state = new StateFrame();
  const bytes = good.slice();
  const flip = (bit: number): void => {
    bytes[bit >> 3] ^= 1 << (bit & 7);
  };
  let missed = 0;
  for (let a = 0; a < bits; a++) {
    flip(a);
    if (decodeState(bytes, bytes.length, state) === 0) missed++;
    for (let b = a + 1; b < bits; b++) {
      flip(b);
      if (decodeState(bytes, bytes.length, state) === 0) missed++;
      flip(b);
    }
    flip(a);
  }
  assert.deepEqual(bytes, good);
  const random = makeRandom(16);
  for (let n = 0; n < 1_000_000; n++) {
    const chosen = new Set<number>();
    const count = 1 + (n % 5);
    while (chosen.size < count) chosen.add((random() * bits) | 0);
    for (const bit of chosen) flip(bit);
    if (decodeState(bytes, bytes.length, state) === 0) missed++;
    for (const bit of chosen) flip(bit);
  }
  assert.equal(missed, 0);
  t.diagnostic(
    `acceptance 16: ${missed} errors of 1 and 2 bits at all ${bits} bits, and of 1e6 random ones, missed`,
  );
});

test('18: the same frames come out whatever the pieces; an unfinished frame is not an error', (t) => {
  const frames = Array.from({ length: 4 }, (_, i) => encoded(i + 1));
  const wire = stuff(frames);
  for (let piece = 1; piece <= wire.length; piece++) {
    assert.deepEqual(decodeStream(new CobsDecoder(), wire, piece), frames);
  }
  for (let split = 0; split <= wire.length; split++) {
    const decoder = new CobsDecoder();
    const first = decodeStream(decoder, wire.subarray(0, split), MAX_ENCODED);
    assert.equal(decoder.malformed + decoder.oversized + decoder.resyncs, 0);
    const second = decodeStream(decoder, wire.subarray(split), MAX_ENCODED);
    assert.deepEqual([...first, ...second], frames);
  }
  t.diagnostic(
    `acceptance 18: the same frames from ${wire.length} sizes of pieces and ${wire.length + 1} places of splitting`,
  );
});

test('19: a megabyte without a delimiter is one oversized frame, in 512 bytes of memory, and the next frame arrives', (t) => {
  const decoder = new CobsDecoder();
  const noise = new Uint8Array(1 << 20).fill(0x55);
  assert.deepEqual(decodeStream(decoder, noise, 4096), []);
  assert.equal(decoder.oversized, 1);
  assert.equal(decoder.resyncs, 0);
  assert.equal(decoder.frame.length, 512);
  const frame = encoded(1);
  assert.deepEqual(decodeStream(decoder, Uint8Array.of(0, ...stuff([frame])), 4096), [frame]);
  assert.equal(decoder.oversized, 1);
  assert.equal(decoder.resyncs, 1);
  t.diagnostic(
    `acceptance 19: ${decoder.oversized} error, ${decoder.frame.length} bytes kept, the next frame arrives`,
  );
});

test('20: line load is bytes × 10 / baud × rate in the worse direction, capped at 80 %', (t) => {
  // 138 bytes a STATE on the wire: 1.38 Mbit/s at 1 kHz.
  assert.equal(serialLoad(2_000_000, 1000), 0.69);
  assert.equal(serialLoad(1_500_000, 1000), 0.92);
  assert.equal(lowestBaud(1000), 1_725_000);
  assert.equal(highestRate_Hz(921_600), 534);
  checkSerialLoad(2_000_000, 1000);
  checkSerialLoad(921_600, 500);
  assert.throws(() => checkSerialLoad(921_600, 1000), {
    code: 'BERTH_BAUD_TOO_LOW',
    field: 'robot.baud',
    message:
      '921600 baud is too low for 1000 Hz: load 150 %, allowed 80 %; use at least 1725000 baud or at most 534 Hz',
  });
  t.diagnostic('acceptance 20: 921,600 baud at 1 kHz refused: load 150 %');
});

test('a value that is not a finite normal number, or no unit quaternion, is refused by its own reason', () => {
  const out = new Uint8Array(512);
  const into = new StateFrame();
  const refuse = (change: (s: StateFrame) => void, reason: string): void => {
    const state = makeState(1);
    change(state);
    const length = encodeState(state, out);
    assert.equal(decodeState(out, length, into), FrameError[reason as 'value'], String(change));
  };
  refuse((s) => (s.position[1] = Number.NaN), 'value');
  refuse((s) => (s.wrench[0] = Infinity), 'value');
  refuse((s) => (s.twist[5] = 1e39), 'value');
  refuse((s) => (s.orientation[3] = 0.99), 'value');
  refuse((s) => (s.safety = 4), 'value');
  refuse((s) => (s.flags = 0x80), 'flags');
  const state = makeState(1);
  state.flags = 0x8000; // an unknown compatible bit
  state.twist[0] = 1e-40; // flushed to zero by the writer, refused when a peer sends it
  const length = encodeState(state, out);
  assert.equal(decodeState(out, length, into), 0);
  assert.equal(into.twist[0], 0);
  new DataView(out.buffer).setFloat32(56, 1e-40, true);
  new DataView(out.buffer).setInt32(132, crcOf(out, 132, crcStart(LAYOUT_HASH)), true);
  assert.equal(decodeState(out, length, into), FrameError.value);
});
