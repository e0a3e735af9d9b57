import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameRing, RecordRing, TelemetryRing } from '../../../hil/memory/ring.ts';

test('a record ring returns records in order, drops when full and counts what it dropped', () => {
  const ring = new RecordRing(RecordRing.allocate(3, 2), 2);
  for (let i = 0; i < 3; i++) assert.equal(ring.push(Float64Array.of(i, -i)), true);
  assert.equal(ring.push(Float64Array.of(9, 9)), false);
  assert.equal(ring.dropped, 1);
  const out = new Float64Array(2);
  for (let i = 0; i < 3; i++) {
    assert.equal(ring.pop(out), true);
    assert.deepEqual([...out], [i, -i]);
  }
  assert.equal(ring.pop(out), false);
});

test('a frame ring keeps length, bytes and arrival time over many wraps', () => {
  const ring = new FrameRing(FrameRing.allocate(4));
  const out = new Uint8Array(512);
  for (let i = 0; i < 1000; i++) {
    const frame = Uint8Array.from({ length: 1 + (i % 512) }, (_, k) => (i + k) & 255);
    assert.equal(ring.push(frame, frame.length, i * 1000), true);
    assert.equal(ring.pop(out), frame.length);
    assert.deepEqual(out.subarray(0, frame.length), frame);
    assert.equal(ring.time_us, i * 1000);
  }
  assert.equal(ring.push(new Uint8Array(600), 600, 0), false);
});

test('a telemetry reader that falls behind learns it instead of reading torn rows', () => {
  const ring = new TelemetryRing(TelemetryRing.allocate(8, 1), 1);
  const row = new Float64Array(1);
  assert.equal(ring.readNewest(row), false);
  for (let i = 0; i < 20; i++) ring.push(Float64Array.of(i));
  assert.equal(ring.read(3, row), false);
  assert.equal(ring.read(ring.oldest, row), true);
  assert.equal(row[0], ring.oldest);
  assert.equal(ring.readNewest(row), true);
  assert.equal(row[0], 19);
  assert.equal(ring.read(20, row), false);
});

test('a new writer has no newest row before its first one; the rows of the one before can still be read', () => {
  const ring = new TelemetryRing(TelemetryRing.allocate(8, 1), 1);
  const row = new Float64Array(1);
  for (let i = 0; i < 20; i++) ring.push(Float64Array.of(i));
  ring.begin();
  assert.equal(ring.readNewest(row), false);
  assert.equal(ring.read(19, row), true);
  ring.push(Float64Array.of(-1));
  assert.equal(ring.readNewest(row), true);
  assert.equal(row[0], -1);
});
