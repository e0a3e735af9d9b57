/** Modes of the hand controllers in a recording: a flight in all of them replays bit for bit, from the start and from a later STATE. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind, HAND_MODES } from '../../../hil/contract/commands.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { type LogRecord, RecordKind } from '../../../hil/memory/records.ts';
import { replayRecords } from '../../../hil/replay/replay-run.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

test('single joint, position and rate, changed in HOLD and ended by a stop, replay bit for bit', async () => {
  const model = dextreBox(-0.2);
  const rig = new VirtualRig({ model, mode: 'simulation', robot: false, log: 1 << 22 });
  const ring = new LogRing(rig.shared.log);
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  const records: LogRecord[] = [];
  const run = (ticks: number, each: () => void): void => {
    for (let left = ticks; left > 0; left -= 150) {
      Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
      rig.run(Math.min(150, left), each);
      while (ring.read(view)) {
        records.push({ kind: view.kind, time_us: view.time_us, bytes: view.bytes.slice() });
      }
    }
  };
  const fly = (axes: readonly number[], ...mode: number[]): void => {
    run(300, () => rig.input(0, 0));
    rig.command(CommandKind.HAND_MODE, ...mode);
    run(20, () => rig.input(0, 1));
    assert.equal(rig.state, 'ACTIVE_FREE');
    run(300, () => rig.inputAxes(axes, 1));
  };
  rig.activate();
  fly([0, 0, 0.7, 0, 0, 0], HAND_MODES.indexOf('joint'), 4, 2);
  fly([0, 0.6, -0.4, 0.3, 0, 0], HAND_MODES.indexOf('position'));
  fly([0.5, 0, 0, 0, 0, 0], HAND_MODES.indexOf('rate'));
  fly([0, 0, 0, 0, 0, -1], HAND_MODES.indexOf('joint'), 6, 5);
  rig.command(CommandKind.STOP, 1);
  run(300, () => rig.input(0, 0));
  const rows = records.filter(({ kind }) => kind === RecordKind.ROW);
  const modes = rows.map(({ bytes }) => new Float64Array(bytes.buffer)[Column.hand_mode]);
  assert.deepEqual([...new Set(modes)].sort(), [0, 1, 2]);
  assert.equal(modes.at(-1), 0);
  const setup = { settings: rig.settings, model, mode: 'simulation', robot: false } as const;
  const states = records.flatMap(({ kind }, i) => (kind === RecordKind.STATE ? [i] : []));
  for (const first of [0, ...[4, 8, 11].map((k) => states[k])]) {
    const result = await replayRecords(setup, records.slice(first));
    assert.equal(result.first, null, `from record ${first}`);
    assert.equal(result.differing, 0);
    assert.ok(result.ticks > 100, `${result.ticks} ticks`);
  }
});
