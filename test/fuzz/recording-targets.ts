/** Fuzzers of recordings: reading, recovering and replaying MCAP files that are damaged or were made to do harm. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openRecording } from '../../hil/recording/read-recording.ts';
import { LogRing, type LogView } from '../../hil/memory/log-ring.ts';
import { inspectRecording, recoverRecording } from '../../hil/recording/recover.ts';
import { Recorder } from '../../hil/recording/recorder.ts';
import { systemDisk } from '../../hil/recording/disk.ts';
import { ControlWord } from '../../hil/memory/shared.ts';
import { run as replayCommand } from '../../server/cli/replay.ts';
import { Retention } from '../../hil/recording/retention.ts';
import type { Random } from '../../src/math/random.ts';
import { VirtualRig } from '../fixtures/virtual-rig.ts';
import type { FuzzTarget } from './target.ts';

/** Ticks of the recorded flight: enough for frames both ways, commands and a second STATE. */
const TICKS = 30;
const MAGIC = 8;
const RECORD_HEAD = 9;
const CHUNK = 0x06;
const ATTACHMENT = 0x09;
/** Offset of the CRC of the messages in a Chunk record, and of the messages. */
const CHUNK_CRC = 33;
const CHUNK_DATA = 49;

/** A whole recording of some ticks, and one that was cut off. */
async function recordFlight(folder: string, compression: 'zstd' | 'none'): Promise<Uint8Array[]> {
  const rig = new VirtualRig({ log: 1 << 22 });
  const ring = new LogRing(rig.shared.log);
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  rig.activate();
  while (ring.read(view));
  const wanted = { ...rig.settings.recording, mode: 'continuous' as const, folder, compression };
  const recorder = new Recorder({
    settings: wanted,
    retention: new Retention({
      disk: systemDisk,
      settings: wanted,
      onRemoved: () => assert.fail('nothing is removed'),
    }),
    facts: {
      settings: rig.settings,
      model: rig.system.model,
      scenario: 'half-sphere-on-plate',
      mode: 'virtual',
      version: '0.0.0',
      node: process.version,
      protocolHash: (await import('../../hil/protocol/layout.ts')).LAYOUT_HASH.toString(),
      wallStart_ns: 1_800_000_000_000_000_000n,
      loopStart_us: rig.clock.now_us(),
    },
    disk: systemDisk,
    requestState: () => undefined,
    onWrite: () => undefined,
    onTrouble: (text) => assert.fail(text),
  });
  for (let i = 0; i < 2; i++) {
    Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
    rig.run(TICKS / 2, () => rig.input(-1, 1));
    while (ring.read(view)) recorder.take(view);
  }
  await recorder.close();
  const [name] = readdirSync(folder).filter((one) => one.endsWith('.mcap'));
  const whole = new Uint8Array(readFileSync(join(folder, name)));
  rmSync(join(folder, name));
  return [whole, whole.slice(0, Math.floor(0.7 * whole.length))];
}

/** Change something inside of a chunk or an attachment, then make the checksums right again. */
function mend(input: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  for (let at = MAGIC; at + RECORD_HEAD < input.length; ) {
    const length = Number(view.getBigUint64(at + 1, true));
    const end = at + RECORD_HEAD + length;
    if (end > input.length) break;
    if (input[at] === CHUNK && length > CHUNK_DATA) {
      if (random.nextUint32() % 4 === 0) {
        for (let i = random.nextUint32() % 6; i > 0; i--) {
          const place = at + CHUNK_DATA + (random.nextUint32() % (end - at - CHUNK_DATA));
          input[place] = [0, 1, 2, 64, 127, 128, 255][random.nextUint32() % 7];
        }
      }
      view.setUint32(at + CHUNK_CRC, crc32(input.subarray(at + CHUNK_DATA, end)), true);
    } else if (input[at] === ATTACHMENT && length > 8) {
      view.setUint32(end - 4, crc32(input.subarray(at + RECORD_HEAD, end - 4)), true);
    }
    at = end;
  }
  return input;
}

async function target(folder: string, run: (file: string) => Promise<string>): Promise<FuzzTarget> {
  const corpus = [...(await recordFlight(folder, 'none')), ...(await recordFlight(folder, 'zstd'))];
  const file = join(folder, 'input.mcap');
  return {
    corpus,
    words: ['berth', '"$array":"Float64Array"', '"$number":"', 'model.json', '{"', '/berth/tick'],
    most: 2 * corpus[0].length,
    mend,
    run: async (input) => {
      writeFileSync(file, input);
      return run(file);
    },
  };
}

/** Opened and read to its end. */
export const recording = (folder: string): Promise<FuzzTarget> =>
  target(folder, async (file) => {
    const opened = await openRecording(file);
    const kinds = new Set<number>();
    for await (const { kind, bytes } of opened.records()) {
      kinds.add(kind);
      assert.ok(bytes.byteOffset % 8 === 0, 'bytes that are not aligned');
    }
    return `${opened.closed} ${[...kinds].sort((a, b) => a - b).join()}`;
  });

/** Inspected, recovered, and inspected again. */
export const recover = (folder: string): Promise<FuzzTarget> =>
  target(folder, async (file) => {
    const out = join(folder, 'out.mcap');
    rmSync(out, { force: true });
    const found = inspectRecording(file);
    const done = await recoverRecording(file, out);
    assert.equal(done.messages, found.messages);
    const after = inspectRecording(out);
    assert.ok(after.whole, 'what was recovered is not whole');
    assert.equal(after.messages, found.messages);
    return `${found.whole} ${found.chunks} ${found.damagedChunks} ${found.lostBytes > 0}`;
  });

/** Replayed by the command. */
export const replay = (folder: string): Promise<FuzzTarget> =>
  target(folder, async (file) => {
    const { log } = console;
    console.log = () => undefined;
    try {
      return `code ${await replayCommand([file])}`;
    } finally {
      console.log = log;
    }
  });
