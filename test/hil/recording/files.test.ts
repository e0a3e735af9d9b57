/** Which files the recorder makes: rotation, retention, excerpts around a fault; disks that are slow or full. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Disk, type DiskFile, systemDisk } from '../../../hil/recording/disk.ts';
import { readFileSummary } from '../../../hil/recording/file-summary.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { type LogRecord, RecordKind } from '../../../hil/memory/records.ts';
import { inspectRecording, recoverRecording } from '../../../hil/recording/recover.ts';
import { FaultCode } from '../../../hil/contract/codes.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Feed, faultRecord } from './feed.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-files-'));
after(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => join(root, String(folders++));

async function recordsOf(folder: string, name: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of (await openRecording(join(folder, name))).records())
    records.push(record);
  return records;
}
const ticksOf = (records: readonly LogRecord[]): number[] =>
  records
    .filter(({ kind }) => kind === RecordKind.TICK)
    .map(({ bytes }) => new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0]);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

test('a new file is begun by size, with a STATE; no tick is lost between files', async () => {
  const folder = newFolder();
  const feed = new Feed(folder, (settings) => (settings.rotate_bytes = 1_000_000));
  for (let part = 0; part < 25; part++) {
    await feed.run(100);
    await feed.written(); // the size of a file is known once its blocks are on the disk
  }
  await feed.recorder.close();
  const names = recordingsIn(folder);
  assert.ok(names.length >= 3, names.join());
  const ticks: number[] = [];
  for (const [i, name] of names.entries()) {
    assert.match(name, new RegExp(`^berth-[-\\dT.]+Z-battery-box-insertion-00${i + 1}\\.mcap$`));
    const size = statSync(join(folder, name)).size;
    assert.ok(size < 1_000_000 + 3 * 300_000, `${name}: ${size}`);
    assert.equal(inspectRecording(join(folder, name)).whole, true);
    const records = await recordsOf(folder, name);
    assert.equal(records[0].kind, RecordKind.STATE);
    ticks.push(...ticksOf(records));
  }
  assert.deepEqual(ticks, range(0, 2500));
});

test('the mark of a fault is on the clock of the messages, whenever the loop began', async () => {
  const folder = newFolder();
  const feed = new Feed(folder);
  await feed.run(100);
  // the loop began 300 ms after the recorder: its own count of time is that much less
  const record = faultRecord(100);
  feed.give({ ...record, time_us: record.time_us + 300_000 });
  await feed.run(100);
  await feed.recorder.close();
  const [name] = recordingsIn(folder);
  const { faults } = readFileSummary(join(folder, name));
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['FORCE_LIMIT'],
  );
  // the first message is of tick 0, 0.125 us after the start; a frame is stamped 50 us before its tick
  assert.ok(Math.abs(faults[0].at_s - 0.4) < 1e-4, `${faults[0].at_s} s`);
});

test('on-fault: nothing without a fault; the seconds around one, from a STATE on', async () => {
  const folder = newFolder();
  mkdirSync(folder);
  const feed = new Feed(folder, (settings) => {
    settings.mode = 'on-fault';
    settings.before_fault_s = 2;
    settings.after_fault_s = 0.5;
  });
  await feed.run(5000);
  feed.give(faultRecord(5000, FaultCode.DEADMAN_RELEASED));
  feed.give(faultRecord(5000, FaultCode.SHUTDOWN));
  await feed.run(3500);
  assert.equal(feed.recorder.state, 'armed');
  assert.deepEqual(readdirSync(folder), []);
  feed.give(faultRecord(8500));
  assert.equal(feed.recorder.state, 'fault');
  await feed.run(1000);
  assert.equal(feed.recorder.state, 'armed');
  await feed.recorder.close();
  const [name, ...others] = recordingsIn(folder);
  assert.deepEqual(others, []);
  assert.match(name, /battery-box-insertion-fault-FORCE_LIMIT\.mcap$/);
  const records = await recordsOf(folder, name);
  assert.equal(records[0].kind, RecordKind.STATE);
  // STATE records are 5 s apart: the newest that is 2 s before the fault is that of tick 5000
  assert.deepEqual(ticksOf(records), range(5000, 9000));
});

/** A disk that takes as many bytes as it is granted. */
class GrantedDisk implements Disk {
  readonly remove: Disk['remove'] = (folder, name) => systemDisk.remove(folder, name);
  readonly free: Disk['free'] = (folder) => systemDisk.free(folder);
  #granted = 0;
  #wake: () => void = () => undefined;

  grant(bytes: number): void {
    this.#granted += bytes;
    this.#wake();
  }

  async create(folder: string, name: string): Promise<DiskFile> {
    const file = await systemDisk.create(folder, name);
    return {
      ...file,
      write: async (bytes, position) => {
        while (this.#granted < bytes.length) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
        this.#granted -= bytes.length;
        await file.write(bytes, position);
      },
    };
  }
}

test('41: a slow disk costs records, which are counted, and a gap; taking records never waits', async (t) => {
  const folder = newFolder();
  const disk = new GrantedDisk();
  const feed = new Feed(folder, () => undefined, disk);
  // a fifth of what comes: 0.5 MB in a second of the loop
  for (let i = 0; i < 700; i++) {
    disk.grant(5000);
    await feed.run(10);
  }
  assert.ok(feed.recorder.lost > 0);
  assert.equal(feed.recorder.state, 'failed');
  assert.ok(feed.recorder.queueRatio > 0.9);
  disk.grant(Infinity);
  while (feed.recorder.queueRatio > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await feed.run(3000);
  await feed.recorder.close();
  const [name] = recordingsIn(folder);
  const records = await recordsOf(folder, name);
  const kinds = records.map(({ kind }) => kind);
  const gap = kinds.indexOf(RecordKind.GAP);
  assert.ok(gap > 0);
  const ticks = ticksOf(records);
  assert.deepEqual(ticksOf(records.slice(0, gap)), range(0, ticksOf(records.slice(0, gap)).length));
  const gaps = kinds.filter((kind) => kind === RecordKind.GAP).length;
  assert.equal(
    records.length - gaps + feed.recorder.lost,
    feed.given.length,
    'none goes uncounted',
  );
  // no jump without a GAP before it, and a replay finds a STATE behind it
  assert.ok(kinds.slice(gap).includes(RecordKind.STATE));
  const jumps = ticks.filter((tick, i) => i > 0 && tick !== ticks[i - 1] + 1).length;
  assert.ok(jumps > 0 && jumps <= gaps, `${jumps} jumps, ${gaps} gaps`);
  t.diagnostic(
    `acceptance 41: slow disk: ${feed.recorder.lost} of ${feed.given.length} records lost, all counted`,
  );
});

test('41: a full disk: counted, readable up to there; it goes on when there is room again', async (t) => {
  const folder = newFolder();
  mkdirSync(folder);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', folder]);
  if (mount.status !== 0) {
    t.skip(
      `no tmpfs can be mounted here: ${mount.error?.message ?? mount.stderr.toString().trim()}`,
    );
    return;
  }
  try {
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(3_500_000));
    const feed = new Feed(folder);
    await feed.run(1500);
    // a small chunk may still find room where a large one did not, so that the recorder writes again in between
    do {
      await feed.run(100);
      await feed.written();
    } while (feed.recorder.state !== 'failed' && feed.tick < 5000);
    assert.equal(feed.recorder.state, 'failed');
    assert.ok(feed.recorder.lost > 0);
    assert.match(feed.troubles[0], /^The recorder cannot write: ENOSPC/);
    const troubles = feed.troubles.length;
    const [name] = recordingsIn(folder);
    const written = await recordsOf(folder, name);
    const gap = written.findIndex(({ kind }) => kind === RecordKind.GAP);
    const before = ticksOf(gap < 0 ? written : written.slice(0, gap));
    assert.deepEqual(before, range(0, before.length));
    assert.ok(before.length > 100);
    rmSync(join(folder, 'ballast'));
    await feed.run(300);
    await feed.recorder.close();
    assert.match(feed.troubles[troubles], /can write again/);
    const records = await recordsOf(folder, name);
    assert.ok(ticksOf(records).length > ticksOf(written).length);
    assert.ok(records.some(({ kind }) => kind === RecordKind.GAP));
    assert.equal(inspectRecording(join(folder, name)).whole, true);
  } finally {
    spawnSync('umount', ['--lazy', folder]);
  }
});

test('a damaged chunk costs that chunk: recover says so, and a reader sees a gap', async () => {
  const folder = newFolder();
  const feed = new Feed(folder);
  await feed.run(600);
  await feed.recorder.close();
  const [name] = recordingsIn(folder);
  const bytes = readFileSync(join(folder, name));
  const all = inspectRecording(join(folder, name));
  bytes[bytes.length >> 1] ^= 1;
  const damaged = join(folder, 'damaged.mcap');
  writeFileSync(damaged, bytes);
  assert.ok((await recordsOf(folder, 'damaged.mcap')).some(({ kind }) => kind === RecordKind.GAP));
  const out = join(folder, 'out.mcap');
  const report = await recoverRecording(damaged, out);
  assert.equal(report.damagedChunks, 1);
  assert.equal(report.chunks, all.chunks - 1);
  assert.ok(report.lostBytes > 100_000 && report.lostBytes < 263_000, `${report.lostBytes}`);
  const recovered = inspectRecording(out);
  assert.deepEqual([recovered.whole, recovered.messages], [true, report.messages]);
  assert.deepEqual((await openRecording(out)).facts, (await openRecording(damaged)).facts);
});
