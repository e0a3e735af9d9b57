/** What came before a fault: a file for every kind of fault, with the 1,000 ticks before it and its own, that replays. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import { systemDisk } from '../../../hil/recording/disk.ts';
import { type Freeze, Freezer, FROZEN_TICKS } from '../../../hil/recording/freezer.ts';
import { withoutSecrets } from '../../../hil/recording/facts.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { replayRecords } from '../../../hil/replay/replay-run.ts';
import { FAULT_CODES, FaultCode, type FaultName } from '../../../hil/contract/codes.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { Retention } from '../../../hil/recording/retention.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { type RigOptions, VirtualRig } from '../../fixtures/virtual-rig.ts';

const root = mkdtempSync(join(tmpdir(), 'berth-freeze-'));
after(() => rmSync(root, { recursive: true }));

/** A rig whose records go to a freezer, as the recorder worker gives them. */
class FrozenRig extends VirtualRig {
  readonly freezes: Freeze[] = [];
  readonly troubles: string[] = [];
  /** Why files were removed. */
  readonly removed: string[] = [];
  readonly freezer: Freezer;
  readonly folder = mkdtempSync(join(root, 'rig-'));
  readonly #log: LogRing;
  readonly #view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };

  constructor(options: RigOptions = {}, freezes = 100) {
    super({ ...options, log: 1 << 21 });
    this.#log = new LogRing(this.shared.log);
    const settings = withoutSecrets(this.settings);
    const wanted = { ...settings.recording, mode: 'off' as const, folder: this.folder, freezes };
    this.freezer = new Freezer({
      settings: wanted,
      retention: new Retention({
        disk: systemDisk,
        settings: wanted,
        onRemoved: (_, __, reason) => this.removed.push(reason),
      }),
      facts: {
        settings,
        model: this.system.model,
        scenario: 'half-sphere-on-plate',
        mode: options.mode ?? 'virtual',
        version: '0.0.0',
        node: process.version,
        protocolHash: '0x0',
        wallStart_ns: 1_800_000_000_000_000_000n,
        loopStart_us: this.clock.now_us(),
      },
      disk: systemDisk,
      requestState: () =>
        void Atomics.store(new Int32Array(this.shared.control), ControlWord.STATE_WANTED, 1),
      onTrouble: (message) => this.troubles.push(message),
      onFrozen: (freeze) => this.freezes.push(freeze),
    });
  }

  override run(ticks: number, each?: (tick: number) => void): void {
    for (let i = 0; i < ticks; i++) {
      super.run(1, () => each?.(i));
      if (i % 10 === 9 || i === ticks - 1) this.#drain();
    }
  }

  inject(name: (typeof INJECTIONS)[number], amount: number): void {
    this.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);
  }

  #drain(): void {
    while (this.#log.read(this.#view)) this.freezer.take(this.#view);
    this.freezer.flush();
  }
}

/** Ticks and fault words of the rows of a file, and how it replays. */
async function readFreeze(
  rig: FrozenRig,
  file: string,
): Promise<{ ticks: number[]; bits: number[] }> {
  const recording = await openRecording(join(rig.folder, file));
  const records = [];
  for await (const record of recording.records()) {
    records.push({ ...record, bytes: record.bytes.slice() });
  }
  const { settings, model, mode } = recording.facts;
  const result = await replayRecords({ settings, model, mode, robot: true }, records);
  assert.equal(result.first, null, JSON.stringify(result.first));
  const rows = records
    .filter(({ kind }) => kind === RecordKind.ROW)
    .map(({ bytes }) => new Float64Array(bytes.buffer));
  assert.equal(result.ticks, rows.length, 'every tick replays');
  return {
    ticks: rows.map((row) => row[Column.tick]),
    bits: rows.map((row) => row[Column.fault_bits]),
  };
}

const pressed = (rig: FrozenRig) => (): void => rig.input(0, 1);

/** How each fault comes about, on a rig that is active. */
const CAUSES: Partial<Record<FaultName, (rig: FrozenRig) => void>> = {
  STATE_MISSING: (rig) => rig.inject('drop_state_ticks', 6),
  LINK_LOST: (rig) => rig.inject('drop_state_ticks', 40),
  STATE_INVALID: (rig) => rig.inject('state_nan_ticks', 6),
  QUALITY_LOW: (rig) => rig.inject('link_drop_ratio', 0.35),
  OVERRUN_CONSECUTIVE: (rig) => rig.clock.lateWakes_us.push(...Array<number>(25).fill(1200)),
  OVERRUN_SINGLE: (rig) => rig.inject('late_wake_s', 0.03),
  INPUT_STALE: (rig) => rig.inject('input_dropout_s', 0.2),
  AUTHORITY_CHANGED: (rig) => rig.inject('authority_loss', 1),
  OPERATOR_STOP: (rig) => rig.command(CommandKind.STOP, 1),
  FORCE_LIMIT: (rig) => rig.inject('force_bias_N', 900),
  INTERNAL_ERROR: (rig) => rig.inject('loop_error', 1),
  RECORDER_LOST: (rig) => (rig.tick.recorderLost = true),
};

test('every fault has its file: the 1,000 ticks before it and its own, in order, and they replay', async (t) => {
  for (const [code, cause] of Object.entries(CAUSES)) {
    const rig = new FrozenRig();
    rig.activate();
    rig.run(400, pressed(rig));
    cause(rig);
    rig.run(300, pressed(rig));
    await rig.freezer.close();
    const freeze = rig.freezes.find(({ codes }) => codes.includes(code));
    assert.ok(
      freeze !== undefined,
      `${code}: ${rig.freezes.map(({ codes }) => codes.join('+')).join(', ')}`,
    );
    assert.match(freeze.file, /^freeze-[A-Z_]+-\d{4}-\d\d-\d\dT[\d.-]+Z[.]mcap$/);
    const { ticks, bits } = await readFreeze(rig, freeze.file);
    assert.equal(ticks.at(-1), freeze.tick, `${code}: the tick of the fault is the last`);
    assert.ok(ticks.length > FROZEN_TICKS, `${code}: ${ticks.length} ticks`);
    assert.ok(
      ticks.length <= 2 * FROZEN_TICKS + 60,
      `${code}: ${ticks.length} ticks, and no long lead`,
    );
    assert.ok(
      ticks.every((tick, i) => i === 0 || tick === ticks[i - 1] + 1),
      'none is missing',
    );
    const mark = 2 ** FaultCode[code as FaultName];
    assert.ok(
      bits.slice(0, -1).every((word) => Math.floor(word / mark) % 2 === 0),
      `${code}: not before`,
    );
    assert.deepEqual(rig.troubles, []);
  }
  t.diagnostic(
    `pre-fault freeze: ${Object.keys(CAUSES).length} kinds of fault, each with ${FROZEN_TICKS} ticks and replayed`,
  );
});

test('what the operator wished for is no fault; files beyond the number kept go, the oldest first', async () => {
  const rig = new FrozenRig({}, 2);
  rig.activate();
  rig.run(50, pressed(rig));
  rig.input(0, 0);
  rig.run(20);
  assert.equal(rig.state, 'HOLD');
  rig.command(CommandKind.HOLD);
  rig.run(20);
  await rig.freezer.close();
  assert.deepEqual(rig.freezes, []);
  for (let i = 0; i < 3; i++) {
    rig.command(CommandKind.STOP, 1);
    rig.run(1200);
    await rig.freezer.close();
    rig.command(CommandKind.CLEAR);
    rig.run(100);
  }
  assert.equal(rig.freezes.length, 3);
  assert.deepEqual(rig.removed, ['freezes']);
  assert.deepEqual(
    recordingsIn(rig.folder),
    rig.freezes
      .slice(1)
      .map(({ file }) => file)
      .sort(),
  );
  assert.ok(FAULT_CODES.includes('OPERATOR_STOP'));
});

test('an error that comes again and again under its fault has one file: that of the first', async () => {
  const rig = new FrozenRig({}, 2);
  rig.activate();
  rig.run(50, pressed(rig));
  rig.run(300, () => {
    rig.input(0, 1);
    rig.inject('loop_error', 1);
  });
  await rig.freezer.close();
  assert.ok(rig.errors.length > 100, `${rig.errors.length} errors`);
  assert.deepEqual(
    rig.freezes.map(({ codes }) => codes),
    [['INTERNAL_ERROR']],
  );
  assert.deepEqual(rig.troubles, []);
});

test('a fault beyond tick 2³² has its file, which replays across it', async () => {
  const rig = new FrozenRig();
  const first = 2 ** 32 - 2000;
  rig.timing.origin_us -= first * rig.settings.loop.period_s * 1e6;
  rig.timing.period += first;
  rig.timing.executed += first;
  rig.activate();
  rig.run(1400, pressed(rig));
  assert.ok(rig.timing.executed > 2 ** 32, 'the run is long enough');
  rig.inject('force_bias_N', 900);
  rig.run(300, pressed(rig));
  await rig.freezer.close();
  assert.deepEqual(rig.troubles, []);
  const freeze = rig.freezes.find(({ codes }) => codes.includes('FORCE_LIMIT'))!;
  const { ticks } = await readFreeze(rig, freeze.file);
  assert.equal(ticks.at(-1), freeze.tick);
  assert.ok(freeze.tick > 2 ** 32 && freeze.tick - FROZEN_TICKS < 2 ** 32, String(freeze.tick));
});

test('a run younger than 1,000 ticks freezes what there is', async () => {
  const rig = new FrozenRig();
  rig.run(300);
  rig.inject('loop_error', 1);
  rig.run(5);
  await rig.freezer.close();
  const [freeze] = rig.freezes;
  const { ticks } = await readFreeze(rig, freeze.file);
  assert.deepEqual([ticks[0], ticks.at(-1)], [1, freeze.tick]);
});
