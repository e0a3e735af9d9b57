/** Recordings whose checksums are right and whose contents are not, found by the fuzzers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { CdrReader } from '../../../hil/recording/cdr.ts';
import { Chunk, type ChunkMessage, MESSAGE_HEAD, readChunk } from '../../../hil/recording/chunk.ts';
import { readFacts } from '../../../hil/recording/facts.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { inspectRecording, recoverRecording } from '../../../hil/recording/recover.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Feed } from './feed.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
after(() => rmSync(folder, { recursive: true }));
const HEAD = 49;

/** A Chunk record with one message that `change` has changed, and a right CRC. */
function chunkWith(change: (message: Buffer) => void): Buffer {
  const chunk = new Chunk();
  const message = { channel: 1, sequence: 0, logTime: 1n, publishTime: 1n };
  chunk.add({ ...message, data: new Uint8Array(40) });
  const whole = chunk.finish();
  const record = Buffer.from(whole.subarray(0, chunk.chunkLength));
  change(record.subarray(HEAD));
  record.writeUInt32LE(crc32(record.subarray(HEAD)), 33);
  return record;
}

test('a chunk that does not hold what it says is damaged, and nothing of it is visited', () => {
  const seen: ChunkMessage[] = [];
  const read = (change: (message: Buffer) => void): boolean =>
    readChunk(chunkWith(change), (message) => seen.push(message));
  assert.ok(
    read(() => undefined),
    'the chunk itself is whole',
  );
  seen.length = 0;
  const lengths = [0n, BigInt(MESSAGE_HEAD - 10), 1000n, 0xffff_ffff_ffff_ffffn];
  for (const length of lengths) assert.ok(!read((m) => m.writeBigUInt64LE(length, 1)), `${length}`);
  assert.ok(!read((m) => m.writeUInt16LE(64, 9)), 'a channel that no chunk of ours has');
  assert.equal(seen.length, 0);
});

test('a count is not believed beyond the bytes that are there', () => {
  const message = new Uint8Array(16).fill(255);
  const before = process.memoryUsage().arrayBuffers;
  assert.throws(() => new CdrReader(message).bytes(0xffff_ffff, 1), RangeError);
  assert.throws(() => new CdrReader(message).string(), RangeError);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1e6, 'nothing was allocated for it');
});

test('facts that cannot be read are refused', () => {
  const facts = {
    name: 'berth',
    metadata: new Map([
      ['mode', 'virtual'],
      ['wall_start_ns', '1'],
      ['loop_start_us', '1'],
    ]),
  };
  const about = { logTime: 0n, createTime: 0n, mediaType: '' };
  const attach = (name: string, text: string) => ({ ...about, name, data: Buffer.from(text) });
  const read = (settings: string, model: string): unknown =>
    readFacts([facts], [attach('settings.json', settings), attach('model.json', model)]);
  assert.ok(read('{}', '{}'), 'as they should be');
  const wrong = ['', '{', '5', 'null', '{"a":{"$array":"Nothing","base64":""}}'];
  for (const text of [...wrong, '{"a":{"$array":"Float64Array","base64":"AAAA"}}']) {
    assert.throws(() => read(text, '{}'), BerthError, text);
    assert.throws(() => read('{}', text), BerthError, text);
  }
  facts.metadata.set('wall_start_ns', 'never');
  assert.throws(() => read('{}', '{}'), BerthError);
});

test('messages shorter than they say are gaps; everything else is read and recovered', async () => {
  const feed = new Feed(folder, (settings) => (settings.compression = 'none'));
  await feed.run(50);
  await feed.recorder.close();
  const [name] = recordingsIn(folder);
  const bytes = readFileSync(join(folder, name));
  // the first TICK message of the first chunk claims 4 thousand million doubles
  let at = 8;
  while (bytes[at] !== 0x06) at += 9 + Number(bytes.readBigUInt64LE(at + 1));
  const end = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
  const doubles = at + HEAD + MESSAGE_HEAD + 4 + 8;
  bytes.writeUInt32LE(0xffff_fff0, doubles);
  bytes.writeUInt32LE(crc32(bytes.subarray(at + HEAD, end)), at + 33);
  const file = join(folder, 'count.mcap');
  writeFileSync(file, bytes);
  let gaps = 0;
  for await (const { kind } of (await openRecording(file)).records()) {
    if (kind === RecordKind.GAP) gaps++;
  }
  assert.equal(gaps, 1);
  const out = join(folder, 'out.mcap');
  const { messages } = await recoverRecording(file, out);
  assert.equal(inspectRecording(out).messages, messages);
});
