/** 66: what is kept of a folder of recordings, what may be removed of it, and when the recorder stops rather than fill the disk. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import { type Disk, systemDisk } from '../../../hil/recording/disk.ts';
import { INDEX_FILE } from '../../../hil/recording/file-index.ts';
import { roomForFlights, timeWords } from '../../../hil/recording/kept-time.ts';
import { inspectRecording } from '../../../hil/recording/recover.ts';
import { NoRoomError, Retention } from '../../../hil/recording/retention.ts';
import { run as pin } from '../../../server/cli/pin.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Feed } from './feed.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-retention-'));
after(() => rmSync(root, { recursive: true }));
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

class Kept {
  readonly removed: string[] = [];
  readonly retention: Retention;
  readonly folder: string;
  /** Reported free space of the disk. */
  free_bytes = Infinity;

  constructor(folder: string, keep_bytes = 1e9, keep_free_bytes = 0, freezes = 2) {
    this.folder = folder;
    const disk: Disk = { ...systemDisk, free: () => Promise.resolve(this.free_bytes) };
    this.retention = new Retention({
      disk,
      settings: { folder, keep_bytes, keep_free_bytes, freezes },
      onRemoved: (name, bytes, reason) => this.removed.push(`${name} ${bytes} ${reason}`),
    });
  }

  async make(name: string, kind: 'flight' | 'freeze' = 'flight', bytes = 1000): Promise<void> {
    writeFileSync(join(this.folder, name), Buffer.alloc(bytes));
    await this.retention.made(name, kind);
  }
}

test('66: only what the recorder made itself is removed, oldest first, and each is told', async (t) => {
  const folder = newFolder();
  const first = new Kept(folder);
  writeFileSync(join(folder, 'berth-of-a-user.mcap'), Buffer.alloc(5000));
  writeFileSync(join(folder, 'notes.txt'), '');
  await first.make('berth-z-oldest.mcap');
  await first.make('berth-b.mcap');
  await first.make('freeze-FORCE_LIMIT-1.mcap', 'freeze');
  // a line truncated by a crash, and an invalid line
  appendFileSync(join(folder, INDEX_FILE), '{"file":"../notes.txt","kind":"flight"}\n{"file":"ber');
  await first.make('berth-c.mcap');
  // the next service
  const next = new Kept(folder, 3500);
  await next.make('berth-present.mcap');
  await next.retention.keepBytes(2000, 'berth-present.mcap');
  assert.deepEqual(next.removed, [
    'berth-z-oldest.mcap 1000 keep_bytes',
    'berth-b.mcap 1000 keep_bytes',
  ]);
  await next.retention.keepBytes(1e9, 'berth-present.mcap');
  assert.deepEqual(readdirSync(folder).sort(), [
    'berth-of-a-user.mcap',
    'berth-present.mcap',
    'freeze-FORCE_LIMIT-1.mcap',
    'notes.txt',
    INDEX_FILE,
  ]);
  assert.equal((await next.retention.survey()).others, 1);
  // a removed file does not affect a later file of that name from another program
  writeFileSync(join(folder, 'berth-b.mcap'), 'of a user');
  await new Kept(folder, 0).retention.keepBytes(1, 'berth-present.mcap');
  t.diagnostic(
    'acceptance 66: 3 of 3 files of the index removed when asked, 0 of 2 others, each told',
  );
});

test('66: a link in the place of a recording is no file of the recorder: neither it nor what it points to is removed', async () => {
  const folder = newFolder();
  const kept = new Kept(folder, 1);
  const target = join(newFolder(), 'of-a-user.mcap');
  writeFileSync(target, Buffer.alloc(5000));
  await kept.make('berth-1.mcap');
  rmSync(join(folder, 'berth-1.mcap'));
  symlinkSync(target, join(folder, 'berth-1.mcap'));
  await kept.retention.keepBytes(0, '');
  assert.deepEqual(kept.removed, []);
  assert.ok(existsSync(join(folder, 'berth-1.mcap')));
});

test('66: a pinned recording stays, and is no part of what is counted', async () => {
  const folder = newFolder();
  const kept = new Kept(folder, 2000, 1000);
  for (const name of ['berth-1.mcap', 'berth-2.mcap', 'berth-3.mcap']) await kept.make(name);
  assert.equal(await pin([join(folder, 'berth-1.mcap')]), 0);
  await kept.retention.keepBytes(0, '');
  assert.deepEqual(kept.removed, []);
  kept.free_bytes = 500;
  await assert.rejects(kept.retention.keepFree(2000, 'berth-3.mcap'), NoRoomError);
  assert.deepEqual(kept.removed, [], 'none in vain');
  await kept.retention.keepFree(500, 'berth-3.mcap');
  assert.deepEqual(kept.removed, ['berth-2.mcap 1000 keep_free_bytes']);
  assert.ok(existsSync(join(folder, 'berth-1.mcap')));
  await pin([join(folder, 'berth-1.mcap'), '--remove']);
  await kept.retention.keepFree(500, 'berth-3.mcap');
  assert.ok(!existsSync(join(folder, 'berth-1.mcap')));
  assert.throws(() => pin([folder]), BerthError);
});

test('66: what came before a fault is counted by itself, and no flight takes its place', async () => {
  const kept = new Kept(newFolder(), 1000, 1000);
  for (const n of [1, 2, 3]) await kept.make(`freeze-FORCE_LIMIT-${n}.mcap`, 'freeze');
  await kept.make('berth-1.mcap');
  kept.free_bytes = 100;
  await assert.rejects(kept.retention.keepFree(1000, ''), /0 MB are free in .*keep_free_bytes/);
  await kept.retention.keepFree(0, '');
  await kept.retention.keepBytes(1e9, '');
  await kept.retention.keepFreezes();
  assert.deepEqual(kept.removed, [
    'berth-1.mcap 1000 keep_free_bytes',
    'freeze-FORCE_LIMIT-1.mcap 1000 freezes',
  ]);
});

test('66: short of room, old flights go first; then the file is closed whole, and a new one begun when there is room', async (t) => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  let free_bytes = 1e9;
  const disk: Disk = {
    ...systemDisk,
    free: () => Promise.resolve(free_bytes),
    remove: async (at, name) => {
      free_bytes += statSync(join(at, name)).size;
      await systemDisk.remove(at, name);
    },
  };
  const old = new Kept(folder);
  await old.make('berth-1.mcap', 'flight', 2e6);
  await old.make('berth-2.mcap', 'flight', 2e6);
  const feed = new Feed(
    folder,
    (settings) => {
      settings.keep_free_bytes = 10e6;
      settings.rotate_bytes = 1e6;
      settings.keep_bytes = 1e9;
    },
    disk,
  );
  await feed.run(300);
  await feed.written();
  assert.deepEqual(feed.removed, []);
  free_bytes = 7e6;
  await feed.run(600);
  await feed.written();
  assert.equal(feed.recorder.state, 'recording');
  assert.deepEqual(feed.removed, ['berth-1.mcap keep_free_bytes', 'berth-2.mcap keep_free_bytes']);
  free_bytes = 2e6;
  await feed.run(1500);
  await feed.written();
  assert.equal(feed.recorder.state, 'failed');
  assert.match(feed.troubles[0], /^The recorder cannot write: \d MB are free in .*keep_free_bytes/);
  const [stopped] = recordingsIn(folder).slice(-1);
  assert.equal(inspectRecording(join(folder, stopped)).whole, true);
  free_bytes = 1e9;
  await new Promise((resolve) => setTimeout(resolve, 1100)); // a new file is tried once a second
  await feed.run(500);
  await feed.written();
  assert.equal(feed.recorder.state, 'recording');
  await feed.recorder.close();
  const names = recordingsIn(folder);
  assert.ok(names.at(-1) !== stopped, names.join());
  for (const name of names) assert.equal(inspectRecording(join(folder, name)).whole, true, name);
  t.diagnostic(`acceptance 66: 2 flights given up for room, then ${names.length} files, all whole`);
});

test('66: files are for owner and group alone, whatever the umask is', async () => {
  const folder = join(newFolder(), 'made', 'here');
  const umask = process.umask(0);
  try {
    const feed = new Feed(folder);
    await feed.run(20);
    await feed.recorder.close();
  } finally {
    process.umask(umask);
  }
  assert.equal(statSync(folder).mode & 0o777, 0o750);
  for (const name of readdirSync(folder)) {
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o640, name);
  }
  assert.match(readFileSync(join(folder, INDEX_FILE), 'utf8'), /"kind":"flight"/);
});

test('66: the default keeps hours, and says how many', () => {
  const { recording, loop } = loadSettings();
  const rate_Bps = 750 / loop.period_s;
  const room = roomForFlights(recording, 0, 1e12);
  assert.ok(room / rate_Bps > 4 * 3600);
  assert.equal(timeWords(room / rate_Bps), '7.4 h');
  assert.equal(roomForFlights(recording, 2e9, 1.5e9), 2.5e9, 'less where the disk is small');
  assert.equal(timeWords(600), '10 min');
  assert.equal(timeWords(3 * 86_400), '3 days');
});
