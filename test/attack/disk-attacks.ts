/** The disk turned against the recorder: full or standing still in flight, killed while it writes, and files planted in its folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemDisk } from '../../hil/recording/disk.ts';
import { INDEX_FILE } from '../../hil/recording/file-index.ts';
import { InjectingDisk } from '../../hil/recording/injecting-disk.ts';
import { inspectRecording, recoverRecording } from '../../hil/recording/recover.ts';
import { Retention } from '../../hil/recording/retention.ts';
import { RecordedRig } from '../fixtures/recorded-rig.ts';
import { recordingsIn } from '../fixtures/recordings-in.ts';
import { type AttackDomain, Cases } from './attack-case.ts';

const cases = new Cases();
let root = '';
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));
const pressed = (rig: RecordedRig) => (): void => rig.input(0, 1);

/** A rig in flight whose records go to a disk that can be hurt. */
async function fly(required: boolean): Promise<{ rig: RecordedRig; disk: InjectingDisk }> {
  const disk = new InjectingDisk(systemDisk);
  const recording = { folder: newFolder(), required, keep_free_bytes: 0 };
  const rig = new RecordedRig(recording, {}, disk);
  await rig.drain();
  await wait(50);
  rig.run(500, () => rig.watch());
  rig.activate();
  await rig.fly(300, pressed(rig));
  assert.equal(rig.state, 'ACTIVE_FREE');
  return { rig, disk };
}

/** Every file that a rig left, whole. */
async function assertWhole(rig: RecordedRig): Promise<number> {
  await rig.recorder.close();
  const { folder } = rig.settings.recording;
  const names = recordingsIn(folder);
  for (const name of names) assert.ok(inspectRecording(join(folder, name)).whole, name);
  return names.length;
}

cases.add(
  14,
  'the disk is full in flight, recording required',
  'STOPPING by RECORDER_LOST; what was written is whole',
  async () => {
    const { rig, disk } = await fly(true);
    disk.full = true;
    for (let i = 0; i < 60 && rig.state === 'ACTIVE_FREE'; i++) await rig.fly(100, pressed(rig));
    assert.ok(!rig.state.startsWith('ACTIVE'), rig.state);
    const stop = rig.transitions.find(({ to }) => to === 'STOPPING');
    assert.equal(stop?.cause, 'RECORDER_LOST');
    disk.full = false;
    return `RECORDER_LOST, ${await assertWhole(rig)} files whole`;
  },
);
cases.add(
  14,
  'the disk is full in flight, recording not required',
  'the flight goes on; what is lost is counted and told',
  async () => {
    const { rig, disk } = await fly(false);
    disk.full = true;
    await rig.fly(4000, pressed(rig));
    assert.equal(rig.state, 'ACTIVE_FREE');
    assert.ok(rig.recorder.lost > 0);
    assert.match(rig.troubles.join(), /cannot write/);
    disk.full = false;
    await rig.fly(500, pressed(rig));
    return `${rig.recorder.lost} records counted, ${await assertWhole(rig)} files whole`;
  },
);
cases.add(
  14,
  'control: a disk that takes everything',
  'the flight goes on; no record is lost',
  async () => {
    const { rig } = await fly(true);
    await rig.fly(2000, pressed(rig));
    assert.equal(rig.state, 'ACTIVE_FREE');
    assert.equal(rig.recorder.lost, 0);
    return `${await assertWhole(rig)} file whole`;
  },
);

cases.add(
  14,
  'SIGKILL while it records at 1 kHz',
  'recovered but for the last second at most',
  async () => {
    const folder = newFolder();
    const program = fileURLToPath(new URL('../hil/recording/writer-process.js', import.meta.url));
    const child = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let given = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      given = Number(line);
      if (given >= 2000) child.kill('SIGKILL');
    }
    await ended;
    const [name] = recordingsIn(folder);
    const out = join(folder, 'out.mcap');
    await recoverRecording(join(folder, name), out);
    const after = inspectRecording(out);
    assert.ok(after.whole);
    // six messages a tick and more
    assert.ok(after.messages > 6 * (given - 1000), `${after.messages} messages`);
    return `${after.messages} messages of ${given} ticks`;
  },
);

interface Planted {
  readonly folder: string;
  readonly outside: string;
  readonly retention: Retention;
  /** Files that it removed. */
  readonly removed: readonly string[];
}

/** A second recording of the recorder's own, which no attack touches: it has to go whenever room is made. */
const CONTROL = 'berth-own-too.mcap';

/** A folder with two recordings of the recorder's own, a file outside, and a retention that keeps nothing. */
async function plant(): Promise<Planted> {
  const above = newFolder();
  const folder = join(above, 'recordings');
  mkdirSync(folder);
  const outside = join(above, 'notes.txt');
  writeFileSync(outside, 'of a user');
  const removed: string[] = [];
  const retention = new Retention({
    disk: systemDisk,
    settings: { folder, keep_bytes: 0, keep_free_bytes: 0, freezes: 0 },
    onRemoved: (name) => removed.push(name),
  });
  writeFileSync(join(folder, 'berth-own.mcap'), 'own');
  writeFileSync(join(folder, CONTROL), 'own');
  await retention.made('berth-own.mcap', 'flight');
  await retention.made(CONTROL, 'flight');
  return { folder, outside, retention, removed };
}

const PLANTED: readonly (readonly [string, (planted: Planted) => void])[] = [
  [
    "a user's file whose name begins as ours",
    ({ folder }) => writeFileSync(join(folder, 'berth-of-a-user.mcap'), 'of a user'),
  ],
  [
    'an index that names a file outside',
    ({ folder }) =>
      appendFileSync(join(folder, INDEX_FILE), '{"file":"../notes.txt","kind":"flight"}\n'),
  ],
  [
    'an index that names a file by its whole path',
    ({ folder, outside }) =>
      appendFileSync(
        join(folder, INDEX_FILE),
        `${JSON.stringify({ file: outside, kind: 'flight' })}\n`,
      ),
  ],
  [
    'an index with a line of 1 MB, a NUL and half a character',
    ({ folder }) =>
      appendFileSync(
        join(folder, INDEX_FILE),
        Buffer.concat([Buffer.alloc(1e6, 'x'), Buffer.of(10, 0, 0xc3, 10)]),
      ),
  ],
  [
    'a link to a file outside in the place of a recording',
    ({ folder, outside }) => {
      rmSync(join(folder, 'berth-own.mcap'));
      symlinkSync(outside, join(folder, 'berth-own.mcap'));
    },
  ],
  [
    'a folder in the place of a recording',
    ({ folder }) => {
      rmSync(join(folder, 'berth-own.mcap'));
      mkdirSync(join(folder, 'berth-own.mcap'));
      writeFileSync(join(folder, 'berth-own.mcap', 'inside'), 'of a user');
    },
  ],
];
for (const [what, change] of PLANTED) {
  cases.add(
    14,
    `room is made beside ${what}`,
    "nothing of a user is removed; the recorder's own is",
    async () => {
      const planted = await plant();
      change(planted);
      await planted.retention.keepBytes(1e9, '');
      assert.ok(planted.removed.includes(CONTROL), 'control: a recording of its own is removed');
      assert.ok(!existsSync(join(planted.folder, CONTROL)), 'control: it is gone');
      assert.equal(readFileSync(planted.outside, 'utf8'), 'of a user');
      for (const name of ['berth-of-a-user.mcap', 'berth-own.mcap/inside']) {
        const path = join(planted.folder, name);
        if (what.includes(name.includes('inside') ? 'a folder' : "user's file")) {
          assert.ok(existsSync(path), `${name} is gone`);
        }
      }
      return `untouched; of its own ${planted.removed.length} removed`;
    },
  );
}
cases.add(
  14,
  'a link planted under the name of the next recording',
  'the file that it leads to is not written to',
  async () => {
    const { folder, outside } = await plant();
    symlinkSync(outside, join(folder, 'berth-next.mcap'));
    await assert.rejects(systemDisk.create(folder, 'berth-next.mcap'), /EEXIST/);
    assert.equal(readFileSync(outside, 'utf8'), 'of a user');
    return 'refused';
  },
);

/** The attacks of this file. */
export const DISK_DOMAIN: AttackDomain = {
  name: 'disk',
  cases: cases.list,
  start: () => {
    root = mkdtempSync(join(tmpdir(), 'berth-attack-disk-'));
    return Promise.resolve();
  },
  stop: () => {
    rmSync(root, { recursive: true });
    return Promise.resolve();
  },
};
