/** 66: packed recordings: a fifth of the size, and the same records. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pack, unpack } from '../../../hil/recording/chunk-codec.ts';
import { Chunk, readChunk } from '../../../hil/recording/chunk.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { inspectRecording, recoverRecording } from '../../../hil/recording/recover.ts';
import { readTopics } from '../../fixtures/mcap-topics.ts';
import { RecordedRig } from '../../fixtures/recorded-rig.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-packed-'));
after(() => rmSync(root, { recursive: true }));

const FLIGHT_S = 1;

/** A flight into contact, with a sensor's noise, in its file. */
async function fly(compression: 'zstd' | 'none'): Promise<string> {
  const folder = mkdtempSync(join(root, compression));
  const rig = new RecordedRig({ folder, compression, keep_free_bytes: 0 }, { noise: 1 });
  rig.activate();
  await rig.drain();
  await rig.fly(1000 * FLIGHT_S, () => rig.input(-1, 1));
  assert.ok(rig.tick.record.active > 0, 'in contact');
  await rig.recorder.close();
  assert.equal(rig.recorder.lost, 0);
  return join(folder, recordingsIn(folder)[0]);
}

async function bytesOf(file: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { kind, time_us, bytes } of (await openRecording(file)).records()) {
    parts.push(new Uint8Array(Float64Array.of(kind, time_us).buffer), bytes);
  }
  return Buffer.concat(parts);
}

test('66: a packed recording has every record bit for bit, and takes less than a third', async (t) => {
  const plain = await fly('none');
  const packed = join(root, 'packed.mcap');
  const cpu = process.cpuUsage();
  await recoverRecording(plain, packed);
  const { user } = process.cpuUsage(cpu);
  assert.ok((await bytesOf(plain)).equals(await bytesOf(packed)));
  // what viewers read, with their own check of every chunk
  const [a, b] = [await readTopics(plain), await readTopics(packed)];
  assert.deepEqual([...b.keys()], [...a.keys()]);
  for (const [topic, messages] of a) assert.equal(b.get(topic)!.length, messages.length, topic);
  const [before, size] = [statSync(plain).size, statSync(packed).size];
  // an independent figure: gzip -1 of a whole flight leaves 18 %, to which come the indexes of messages, 7 % of it, that are not packed
  assert.ok(size < before / 3, `${size} of ${before} bytes`);
  const each_ms = user / 1000 / FLIGHT_S;
  t.diagnostic(
    `acceptance 66: ${((100 * size) / before).toFixed(0)} % of the bytes, the same records; ${each_ms.toFixed(0)} ms of processor time to read, pack and write a second of flight`,
  );
});

test('66: one that was cut off anywhere is recovered up to the last whole chunk', async () => {
  const packed = await fly('zstd');
  const whole = readFileSync(packed);
  const all = inspectRecording(packed);
  assert.ok((await readTopics(packed)).has('/berth/tick'));
  for (const share of [0.4, 0.7, 0.95]) {
    const cut = join(root, `cut-${share}.mcap`);
    writeFileSync(cut, whole.subarray(0, Math.floor(share * whole.length)));
    const found = inspectRecording(cut);
    assert.ok(!found.whole && found.damagedChunks === 0);
    assert.ok(found.chunks > 0 && found.chunks < all.chunks);
    const out = join(root, `out-${share}.mcap`);
    await recoverRecording(cut, out);
    assert.equal(inspectRecording(out).whole, true);
    assert.ok(statSync(out).size < 1.1 * statSync(cut).size, 'packed again');
  }
});

test('66: a chunk that lies about its size is damaged, and costs no memory', () => {
  const chunk = new Chunk();
  chunk.add({
    channel: 1,
    sequence: 0,
    logTime: 1n,
    publishTime: 1n,
    data: new Uint8Array(100_000),
  });
  const record = Buffer.from(chunk.finish('zstd').subarray(0, chunk.chunkLength));
  assert.equal(chunk.compression, 'zstd');
  assert.ok(record.length < 1000);
  let seen = 0;
  const read = (): boolean => readChunk(record, () => seen++);
  assert.ok(read() && seen === 1);
  const size = record.readBigUInt64LE(25);
  for (const lie of [0n, size - 1n, size + 1n, 1n << 30n, 0xffff_ffff_ffff_ffffn]) {
    record.writeBigUInt64LE(lie, 25);
    assert.ok(!read(), `${lie}`);
  }
  record.writeBigUInt64LE(size, 25);
  for (const lie of [3, 5, 1000, 0xffff_ffff]) {
    record.writeUInt32LE(lie, 37);
    assert.ok(!read(), `a name of ${lie} bytes`);
  }
  assert.equal(seen, 1);
  assert.equal(unpack('lz4', pack(new Uint8Array(100))!, 100), null);
});
