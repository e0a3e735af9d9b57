/** `berth replay` on files: what it prints and how it exits. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { LAYOUT_HASH } from '../../../hil/protocol/layout.ts';
import { systemDisk } from '../../../hil/recording/disk.ts';
import type { RecordingFacts } from '../../../hil/recording/facts.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { Recorder } from '../../../hil/recording/recorder.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { Retention } from '../../../hil/recording/retention.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { run } from '../../../server/cli/replay.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-replay-'));
after(() => rmSync(folder, { recursive: true }));

const rig = new VirtualRig({ log: 1 << 22, noise: 1 });
rig.run(800);
const { settings, system, clock } = rig;
const ring = new LogRing(rig.shared.log);

/** A file of the run; `spoil` changes one set-point of it. */
async function record(
  name: string,
  change: Partial<RecordingFacts>,
  spoil: boolean,
): Promise<string> {
  const path = join(folder, name);
  const wanted = { ...settings.recording, folder: path };
  const recorder = new Recorder({
    settings: wanted,
    retention: new Retention({
      disk: systemDisk,
      settings: wanted,
      onRemoved: () => assert.fail('nothing is removed'),
    }),
    facts: {
      settings,
      model: system.model,
      scenario: 'half-sphere-on-plate',
      mode: 'virtual',
      version: '0.0.0',
      node: process.version,
      protocolHash: `0x${LAYOUT_HASH.toString(16).padStart(8, '0')}`,
      wallStart_ns: 1_800_000_000_000_000_000n,
      loopStart_us: 0,
      ...change,
    },
    disk: systemDisk,
    requestState: () => undefined,
    onWrite: () => undefined,
    onTrouble: (message) => assert.fail(message),
  });
  let rows = 0;
  for (const { kind, time_us, bytes } of records) {
    const copy = bytes.slice();
    if (kind === RecordKind.ROW && rows++ === 300 && spoil) {
      new Float64Array(copy.buffer)[Column.setpoint_p_z_m] += 1e-15;
    }
    recorder.take({ kind, time_us, bytes: copy });
  }
  recorder.poll(clock.now_us());
  await recorder.close();
  return join(path, recordingsIn(path)[0]);
}

const records: LogView[] = [];
const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
while (ring.read(view)) records.push({ ...view, bytes: view.bytes.slice() });

/** Exit code and output of the command. */
async function replay(t: TestContext, ...argv: string[]): Promise<{ code: number; out: string }> {
  const log = t.mock.method(console, 'log', () => undefined);
  const code = await run(argv);
  const out = log.mock.calls.map((call) => call.arguments.join(' ')).join('\n');
  log.mock.restore();
  return { code, out };
}

test('an equal replay says what was compared and exits 0', async (t) => {
  const { code, out } = await replay(t, await record('whole', {}, false));
  assert.equal(code, 0);
  assert.match(out, /^800 ticks \(0\.800 s\) of half-sphere-on-plate, mode virtual, replayed$/m);
  assert.match(out, /^800 set-points bit-equal, \d{3,} frames to the robot byte-equal$/m);
  assert.match(out, new RegExp(`^state hash ${system.hash()}$`, 'm'));
});

test('a difference is told of by tick, column and values, with exit code 1', async (t) => {
  const { code, out } = await replay(t, await record('spoilt', { node: 'v1.0.0' }, true));
  assert.equal(code, 1);
  assert.match(out, /^1 ticks differ, tick 301 first: setpoint_p_z_m was \S+, is now \S+$/m);
  assert.match(out, /recorded by Berth 0\.0\.0 on Node v1\.0\.0/);
});

test('--contact: the wrench of the same laws is bit-equal, that of others is told of and written', async (t) => {
  const file = await record('contact', {}, false);
  const same = await replay(t, file, '--contact');
  assert.equal(same.code, 0);
  assert.match(same.out, /^wrench of the model: \d+ ticks bit-equal to the recorded one$/m);
  const table = join(folder, 'wrench.csv');
  const set = 'contacts.0.pair.radius_m=40 mm';
  const changed = await replay(t, file, '--contact', '--set', set, '-o', table);
  assert.equal(changed.code, 0);
  assert.match(changed.out, /^set contacts\.0\.pair\.radius_m=40 mm$/m);
  const [names, ...rows] = readFileSync(table, 'utf8').trim().split('\n');
  assert.match(
    names,
    /^tick,sim_time_s,model_force_x_N,.*,replayed_moment_z_Nm,measured_force_x_N/,
  );
  assert.equal(`${rows.length}`, /(\d+) ticks/.exec(changed.out)?.[1]);
  const words = /contacts.0.normal_law.restitution/;
  await assert.rejects(
    run([file, '--contact', '--set', 'contacts.0.normal_law.restitution=2']),
    words,
  );
  const bounded = await replay(t, file, '--contact', '--set', set, '--bound', '1 nm');
  assert.match(bounded.out, /^motion not predicted: the arm does not move/m);
  await assert.rejects(run([file, '--contact', '--bound', '10']), /--bound is "10"; allowed: a le/);
  await assert.rejects(run([file, '--contact', '--from', '9']), /--from is "9"; allowed: with --b/);
  await assert.rejects(run([file, '--set', set]), /--set is ".*"; allowed: with --contact/);
  await assert.rejects(run([file, '--contact', '-o', file]), /--output is ".*", which is FILE/);
  const other = await record('other-model', { model: { ...system.model, step: 0.002 } }, false);
  await assert.rejects(
    run([other, '--contact', '--set', set]),
    /model\.step differs; .*--scenario/,
  );
});

test('a file that cannot be used is refused with a sentence', async () => {
  const other = await record('other', { protocolHash: '0x00000001' }, false);
  await assert.rejects(run([other]), /robot protocol layout 0x00000001, this build has 0x/);
  const text = join(folder, 'text');
  writeFileSync(text, 'no recording');
  await assert.rejects(run([text]), { name: 'BerthError' });
  await assert.rejects(run([]), /expected one FILE, got 0/);
});
