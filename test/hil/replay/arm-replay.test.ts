/** Recordings of the articulated arm: in `hardware` mode they replay bit for bit, from the start and from every later STATE. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Column } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { type LogRecord, RecordKind } from '../../../hil/memory/records.ts';
import {
  type ReplayResult,
  type ReplaySetup,
  replayRecords,
} from '../../../hil/replay/replay-run.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';

/** The box is pressed into its seat, moved across, held, let go by a lost robot, and taken up again. */
function fly(): { rig: VirtualRig; records: LogRecord[]; setup: ReplaySetup; seen: Set<string> } {
  const model = dextreBox(0.1995);
  const rig = new VirtualRig({ model, mode: 'hardware', noise: 1, log: 1 << 22 });
  const ring = new LogRing(rig.shared.log);
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  const records: LogRecord[] = [];
  const seen = new Set<string>();
  const drain = (): void => {
    while (ring.read(view)) {
      records.push({ kind: view.kind, time_us: view.time_us, bytes: view.bytes.slice() });
    }
  };
  const run = (ticks: number, each: () => void = () => undefined): void => {
    for (let left = ticks; left > 0; left -= 150) {
      Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
      rig.run(Math.min(150, left), each);
      seen.add(rig.state);
      drain();
    }
  };
  rig.activate();
  drain();
  run(900, () => rig.inputAxes([1, 0, 0, 0, 0, 0], 1));
  rig.ends[1].faults.loss = 0.2;
  run(200, () => rig.inputAxes([0.5, 0.4, -0.8, 0.1, 0.3, 0], 1));
  rig.ends[1].faults.loss = 0;
  rig.command(CommandKind.HOLD);
  run(200, () => rig.input(0, 1));
  rig.command(CommandKind.CLEAR);
  run(100);
  rig.robotOn = false;
  run(300);
  rig.robotOn = true;
  run(300);
  const { settings, system } = rig;
  return {
    rig,
    records,
    seen,
    setup: { settings, model: system.model, mode: 'hardware', robot: true },
  };
}

let flight: ReturnType<typeof fly>;
const count = (kind: number): number => flight.records.filter((r) => r.kind === kind).length;

function assertEqual(result: ReplayResult): void {
  assert.equal(result.first, null);
  assert.equal(result.differing, 0);
  assert.equal(result.gaps, 0);
}

before(() => {
  flight = fly();
});

test('a flight of the articulated arm replays bit for bit', async (t) => {
  const force = Column.measured_force_x_N;
  const rows = flight.records.filter((r) => r.kind === RecordKind.ROW);
  const pressed = rows.map(({ bytes }) => Math.abs(new Float64Array(bytes.buffer)[force]));
  assert.ok(Math.max(...pressed) > 5, `pressed with ${Math.max(...pressed)} N`);
  assert.ok(flight.seen.has('HOLD'), [...flight.seen].join());
  const result = await replayRecords(flight.setup, flight.records);
  assertEqual(result);
  assert.equal(result.ticks, count(RecordKind.TICK));
  assert.equal(result.frames, count(RecordKind.FRAME_OUT));
  assert.equal(result.states, count(RecordKind.STATE) - 1);
  assert.equal(result.hash, flight.rig.system.hash());
  t.diagnostic(
    `${result.ticks} ticks, ${result.states} states equal, states ${[...flight.seen].join()}`,
  );
});

test('so does a replay that begins at a later STATE', async () => {
  const states = flight.records.flatMap((r, i) => (r.kind === RecordKind.STATE ? [i] : []));
  assert.ok(states.length > 10, `${states.length} states`);
  for (let i = 1; i < states.length; i += 3) {
    const until = states[i + 2];
    const result = await replayRecords(flight.setup, flight.records.slice(states[i], until));
    assertEqual(result);
    assert.ok(result.ticks > 0, 'ticks were replayed');
  }
});

test('a bit of a joint changed in a STATE is a difference', async () => {
  const at = flight.records.findLastIndex((r) => r.kind === RecordKind.STATE);
  const { system } = flight.rig;
  const record = flight.records[at];
  const bytes = record.bytes.slice();
  const { q } = system.arm!.tree;
  // the state of a tick begins with its layout and the model
  const place = 1 + (q.byteOffset - system.state.byteOffset) / 8;
  new Float64Array(bytes.buffer)[place] += 1e-9;
  const result = await replayRecords(flight.setup, flight.records.with(at, { ...record, bytes }));
  assert.equal(result.first?.what, `state, number ${place}: model.arm[0]`);
});
