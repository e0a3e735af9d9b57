/** The log ring: records of any length, a tick at a time, losses counted and reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { Random } from '../../../src/math/random.ts';

const empty = (): LogView => ({ kind: 0, time_us: 0, bytes: new Uint8Array(0) });
const BYTES = 1 << 12;

test('records of any length come out as they went in, round and round the ring', () => {
  const buffer = LogRing.allocate(BYTES);
  const writer = new LogRing(buffer);
  const reader = new LogRing(buffer);
  const random = new Random(5);
  const whole = (below: number): number => Math.floor(random.uniform() * below);
  const expected: { kind: number; time_us: number; bytes: Uint8Array }[] = [];
  const view = empty();
  let read = 0;
  for (let tick = 0; tick < 5000; tick++) {
    for (let n = whole(4); n >= 0; n--) {
      const bytes = Uint8Array.from({ length: whole(200) }, () => whole(256));
      const kind = 1 + whole(9);
      writer.time_us[0] = random.uniform();
      expected.push({ kind, time_us: writer.time_us[0], bytes });
      writer.writeBytes(kind, bytes, bytes.length);
    }
    assert.equal(read < expected.length && reader.read(view), false, 'nothing of an open tick');
    assert.ok(writer.publish());
    while (reader.read(view)) assert.deepEqual(view, expected[read++]);
    assert.equal(read, expected.length);
  }
  assert.equal(reader.lost, 0);
  assert.equal(reader.waiting, 0);
});

test('a tick that does not fit is lost as a whole, and a GAP with the count comes before the next', () => {
  const buffer = LogRing.allocate(BYTES);
  const writer = new LogRing(buffer);
  const reader = new LogRing(buffer);
  const values = new Float64Array(20).fill(0.5);
  const lost = new Float64Array(1);
  const tick = (number: number): boolean => {
    writer.writeGap(lost);
    values[0] = number;
    for (let i = 0; i < 3; i++) writer.writeDoubles(RecordKind.ROW, values, values.length);
    return writer.publish();
  };
  let kept = 0;
  while (tick(kept)) kept++;
  assert.ok(kept > 5);
  assert.equal(tick(-1), false);
  assert.equal(reader.lost, 6);
  const view = empty();
  const numbers: number[] = [];
  const kinds: number[] = [];
  const take = (): void => {
    while (reader.read(view)) {
      kinds.push(view.kind);
      numbers.push(new Float64Array(view.bytes.slice().buffer)[0]);
    }
  };
  const early = kept >> 2;
  for (let i = 0; i < 3 * early; i++) reader.read(view);
  reader.release();
  assert.equal(tick(-1), false, 'more than half full');
  assert.equal(reader.lost, 9);
  take();
  assert.deepEqual(
    numbers,
    Array.from({ length: 3 * (kept - early) }, (_, i) => early + Math.floor(i / 3)),
  );
  numbers.length = 0;
  kinds.length = 0;
  assert.ok(tick(77));
  take();
  assert.deepEqual(kinds, [RecordKind.GAP, RecordKind.ROW, RecordKind.ROW, RecordKind.ROW]);
  assert.deepEqual(numbers, [9, 77, 77, 77]);
  assert.ok(tick(78));
  kinds.length = 0;
  take();
  assert.equal(kinds.length, 3, 'a loss is told of once');
  assert.equal(reader.lost, 9);
});

test('a header that no writer wrote ends the reading: what waits is lost, counted, and told by a GAP', () => {
  const PADDING = 0;
  for (const [bytes, kind] of [
    [0, PADDING],
    [0xffff_fff9, PADDING],
    [BYTES, PADDING],
    [0, RecordKind.ROW],
    [8, RecordKind.ROW],
    [0xffff_ffff, RecordKind.ROW],
    [BYTES, RecordKind.ROW],
  ]) {
    const buffer = LogRing.allocate(BYTES);
    const writer = new LogRing(buffer);
    const reader = new LogRing(buffer);
    const values = new Float64Array(20).fill(0.5);
    const lost = new Float64Array(1);
    const view = empty();
    const tick = (): void => {
      writer.writeGap(lost);
      writer.writeDoubles(RecordKind.ROW, values, values.length);
      writer.publish();
    };
    for (let i = 0; i < 4; i++) tick();
    assert.ok(reader.read(view));
    reader.release();
    const second = buffer.byteLength - BYTES + 8 * (2 + values.length);
    new Uint32Array(buffer, second).set([bytes, kind]);
    assert.equal(reader.read(view), false, `${bytes} bytes of kind ${kind}`);
    assert.equal(reader.lost, 1);
    assert.equal(reader.waiting, 0);
    tick();
    assert.ok(reader.read(view));
    assert.equal(view.kind, RecordKind.GAP);
    assert.equal(new Float64Array(view.bytes.slice().buffer)[0], 1);
    assert.ok(reader.read(view));
    assert.deepEqual(new Float64Array(view.bytes.slice().buffer), values);
  }
});
