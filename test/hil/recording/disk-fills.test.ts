/** 66: recording is required, and a real disk fills up in flight: old flights are given up first, then the arm is stopped. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { systemDisk } from '../../../hil/recording/disk.ts';
import { inspectRecording } from '../../../hil/recording/recover.ts';
import { Retention } from '../../../hil/recording/retention.ts';
import { RecordedRig } from '../../fixtures/recorded-rig.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';

const KEEP_FREE = 4e6;

test('66: a real disk fills in flight: two old flights given up, then STOPPING; ARM waits until there is room', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-fills-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
  if (mount.status !== 0) {
    rmSync(folder, { recursive: true });
    t.skip(`no tmpfs can be mounted here: ${mount.error?.message ?? mount.stderr.toString()}`);
    return;
  }
  try {
    const recording = {
      folder,
      required: true,
      keep_free_bytes: KEEP_FREE,
      rotate_bytes: 1e6,
      keep_bytes: 1e9,
    };
    const before = new Retention({
      disk: systemDisk,
      settings: { ...recording, freezes: 0 },
      onRemoved: (name) => assert.fail(name),
    });
    for (const name of ['berth-old-1.mcap', 'berth-old-2.mcap']) {
      writeFileSync(join(folder, name), Buffer.alloc(2e6));
      await before.made(name, 'flight');
    }
    const rig = new RecordedRig(recording);
    await rig.drain();
    await delay(50);
    rig.run(500, () => rig.watch());
    rig.activate();
    await rig.drain();
    const fly = (): void => rig.input(0, 1);
    await rig.fly(300, fly);
    assert.equal(rig.state, 'ACTIVE_FREE');
    assert.equal(rig.removed.length, 0);
    // another program writes until the free space is below the limit
    const ballast = join(folder, 'ballast');
    appendFileSync(ballast, Buffer.alloc((await systemDisk.free(folder)) - 3e6));
    await rig.fly(1500, fly);
    assert.equal(rig.state, 'ACTIVE_FREE', rig.troubles.join());
    assert.equal(rig.removed.at(0), 'berth-old-1.mcap keep_free_bytes');
    let waited = 0;
    while (rig.state === 'ACTIVE_FREE' && waited < 12_000) {
      const free = await systemDisk.free(folder);
      if (free > 3.5e6) appendFileSync(ballast, Buffer.alloc(free - 3e6));
      await rig.fly(100, fly);
      waited += 100;
    }
    const stop = rig.transitions.find(({ to }) => to === 'STOPPING');
    assert.equal(stop?.cause, 'RECORDER_LOST');
    assert.ok(rig.removed.includes('berth-old-2.mcap keep_free_bytes'));
    assert.match(rig.troubles.join(), /keep_free_bytes asks for 4 MB/);
    const names = recordingsIn(folder).filter((name) => !name.includes('old'));
    for (const name of names) assert.equal(inspectRecording(join(folder, name)).whole, true, name);
    assert.ok((await systemDisk.free(folder)) > 2e6, 'never to the last byte');
    // there is room again
    await rig.fly(500, () => undefined);
    rig.command(CommandKind.CLEAR);
    await rig.fly(1500, () => undefined);
    assert.equal(rig.state, 'MONITOR_WAIT');
    rmSync(ballast);
    await delay(1100); // a new file is tried once a second
    await rig.fly(2500, () => undefined);
    assert.equal(rig.state, 'MONITOR_READY', rig.troubles.join());
    await rig.recorder.close();
    t.diagnostic(
      `acceptance 66: disk of 16 MB filled in flight: ${rig.removed.length} flights given up, then RECORDER_LOST; every file whole`,
    );
  } finally {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});
