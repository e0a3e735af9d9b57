/** What waits for a disk that stands still is kept in memory that the recorder had before. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Disk, systemDisk } from '../../../hil/recording/disk.ts';
import { Feed } from './feed.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes outside of the heap that are in use. */
async function buffers(): Promise<number> {
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve)); // what a collection lets go is freed by other threads
  }
  return process.memoryUsage().arrayBuffers;
}

test('a disk that stands still for seconds takes no more memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-memory-'));
  let goOn = (): void => undefined;
  let still: Promise<void> | null = null;
  const disk: Disk = {
    create: async (at, name) => {
      const file = await systemDisk.create(at, name);
      return {
        write: async (bytes, position) => {
          await still;
          await file.write(bytes, position);
        },
        truncate: (length) => file.truncate(length),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
    remove: (at, name) => systemDisk.remove(at, name),
    free: (at) => systemDisk.free(at),
  };
  try {
    const feed = new Feed(folder, (s) => (s.mode = 'continuous'), disk);
    feed.recorder.reserve();
    await feed.run(1000);
    feed.given.length = 0;
    const before = await buffers();
    still = new Promise((resolve) => (goOn = resolve));
    await feed.run(3000);
    feed.given.length = 0;
    const waiting = feed.recorder.queueRatio;
    const more = (await buffers()) - before;
    goOn();
    await feed.recorder.close();
    assert.ok(waiting > 0.5, `only ${waiting} of the blocks waited`);
    assert.equal(feed.recorder.lost, 0);
    // less than one block
    assert.ok(more < 300e3, `${more} bytes more`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
