/** The whole loop on the virtual clock with a freezer of what came before a fault, and its files read back and replayed. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import { systemDisk } from '../../../hil/recording/disk.ts';
import { type Freeze, Freezer } from '../../../hil/recording/freezer.ts';
import { withoutSecrets } from '../../../hil/recording/facts.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { openRecording } from '../../../hil/recording/read-recording.ts';
import { RecordKind } from '../../../hil/memory/records.ts';
import { replayRecords } from '../../../hil/replay/replay-run.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { Retention } from '../../../hil/recording/retention.ts';
import { type RigOptions, VirtualRig } from '../../fixtures/virtual-rig.ts';

/** A rig whose records go to a freezer, as the recorder worker gives them. */
export class FrozenRig extends VirtualRig {
  readonly freezes: Freeze[] = [];
  readonly troubles: string[] = [];
  /** Why files were removed. */
  readonly removed: string[] = [];
  readonly freezer: Freezer;
  readonly folder: string;
  readonly #log: LogRing;
  readonly #view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };

  /** With a folder of its own in `root`. */
  constructor(root: string, options: RigOptions = {}, freezes = 100) {
    super({ ...options, log: 1 << 21 });
    this.folder = mkdtempSync(join(root, 'rig-'));
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
export async function readFreeze(
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

export const pressed = (rig: FrozenRig) => (): void => rig.input(0, 1);
