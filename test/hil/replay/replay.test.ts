/** Recording and replay on the virtual clock: what was recorded comes out again bit for bit, from every STATE record on. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { COMMAND_ARGUMENT, CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import { FrameType, fieldOffset } from '../../../hil/protocol/layout.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { type LogRecord, RecordKind, TICK_INPUTS } from '../../../hil/memory/records.ts';
import {
  type ReplayResult,
  type ReplaySetup,
  replayRecords,
} from '../../../hil/replay/replay-run.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { Flag } from '../../../hil/protocol/layout.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Copies of all that waits in the ring of a rig. */
function drain(ring: LogRing, into: LogRecord[]): void {
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  while (ring.read(view)) {
    into.push({ kind: view.kind, time_us: view.time_us, bytes: view.bytes.slice() });
  }
}

const inject = (rig: VirtualRig, name: (typeof INJECTIONS)[number], amount: number): void =>
  rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);

/** A flight with everything in it: contact, lost frames, a hold, a fault and its clearing, an error in the loop, a lost session. */
function fly(): { rig: VirtualRig; records: LogRecord[]; setup: ReplaySetup } {
  const rig = new VirtualRig({
    noise: 1,
    log: 1 << 22,
  });
  const ring = new LogRing(rig.shared.log);
  const records: LogRecord[] = [];
  const run = (ticks: number, each?: () => void): void => {
    for (let left = ticks; left > 0; left -= 200) {
      Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
      rig.run(Math.min(200, left), each);
      drain(ring, records);
    }
  };
  rig.activate();
  drain(ring, records);
  run(600, () => rig.input(-1, 1));
  rig.ends[1].faults.loss = 0.2;
  run(200, () => rig.inputAxes([0.5, 0.2, -0.8, 0.1, 0, 0], 1));
  rig.ends[1].faults.loss = 0;
  assert.ok(rig.tick.record.active > 0, 'in contact');
  run(100, () => rig.input(0, 1));
  rig.command(CommandKind.HOLD);
  run(200, () => rig.input(0, 1));
  assert.equal(rig.state, 'HOLD');
  rig.command(CommandKind.CLEAR);
  run(50);
  inject(rig, 'loop_error', 1);
  run(100);
  assert.equal(rig.state, 'FAULT');
  rig.command(CommandKind.CLEAR);
  run(100);
  rig.clock.lateWakes_us.push(7400);
  rig.robotOn = false;
  run(700);
  rig.robotOn = true;
  run(3000);
  assert.ok(rig.errors.length > 0, 'an error escaped');
  assert.ok(rig.session !== null && rig.session.phase === 3, 'the robot came back');
  const { settings, system } = rig;
  return { rig, records, setup: { settings, model: system.model, mode: 'virtual', robot: true } };
}

let flight: ReturnType<typeof fly>;
const count = (kind: number): number => flight.records.filter((r) => r.kind === kind).length;
const indices = (kind: number): number[] =>
  flight.records.flatMap((record, i) => (record.kind === kind ? [i] : []));

function assertEqual(result: ReplayResult): void {
  assert.equal(result.first, null);
  assert.equal(result.differing, 0);
}

before(() => {
  flight = fly();
});

test('a replay from the start comes to every set-point and every frame again', async (t) => {
  const result = await replayRecords(flight.setup, flight.records);
  assertEqual(result);
  assert.equal(result.ticks, count(RecordKind.TICK));
  assert.equal(result.frames, count(RecordKind.FRAME_OUT));
  assert.ok(result.ticks > 6000, `${result.ticks} ticks`);
  assert.equal(result.gaps + result.skipped, 0);
  assert.equal(result.states, count(RecordKind.STATE) - 1);
  assert.equal(result.hash, flight.rig.system.hash());
  assert.ok(count(RecordKind.NONCE) > 0, 'more than one session');
  t.diagnostic(
    `acceptance 39: ${result.ticks} ticks and ${result.frames} frames equal bit for bit`,
  );
});

test('so does a replay from every later STATE, and one that begins in the middle of a tick', async () => {
  const states = indices(RecordKind.STATE);
  assert.ok(states.length > 1);
  for (const [i, from] of states.entries()) {
    const result = await replayRecords(flight.setup, flight.records.slice(from, states[i + 3]));
    assertEqual(result);
    assert.equal(result.states, Math.min(2, states.length - 1 - i));
  }
  const from = states[1] - 40;
  const result = await replayRecords(flight.setup, flight.records.slice(from));
  assertEqual(result);
  assert.ok(result.skipped > 0);
});

/** The flight with one record changed. */
function changed(at: number, change: (bytes: Uint8Array) => void): LogRecord[] {
  const record = flight.records[at];
  const bytes = record.bytes.slice();
  change(bytes);
  return flight.records.with(at, { ...record, bytes });
}

/** Number of the tick that record `at` belongs to. */
function tickOf(at: number): number {
  const tick = flight.records.slice(0, at + 1).findLast((r) => r.kind === RecordKind.TICK)!;
  return new Float64Array(tick.bytes.buffer)[0];
}

test('one bit changed in an input is a difference, and told of at its tick', async () => {
  const doubles = (at: number): Float64Array => new Float64Array(flight.records[at].bytes.buffer);
  // an axis of the operator that was pushed, a measured position, the time of a set-point
  const command = indices(RecordKind.COMMAND).find((at) => {
    const values = doubles(at);
    return values[0] === CommandKind.INPUT && values[COMMAND_ARGUMENT + 2] === -0.8;
  })!;
  const frame = indices(RecordKind.FRAME_IN).find(
    (at) => at > command && flight.records[at].bytes[1] === FrameType.STATE,
  )!;
  const tick = indices(RecordKind.TICK).find(
    (at) => at > command && doubles(at)[TICK_INPUTS.indexOf('transmit_us')] > 0,
  )!;
  const cases: readonly [number, number, string][] = [
    [command, 8 * (COMMAND_ARGUMENT + 2), 'command_v_z_mps'],
    [frame, fieldOffset(FrameType.STATE, 'position'), ''],
    [tick, 8 * TICK_INPUTS.indexOf('transmit_us') + 5, 'frame 0 (SETPOINT), byte'],
  ];
  for (const [at, byte, what] of cases) {
    const records = changed(at, (bytes) => {
      bytes[byte] ^= 1;
    });
    const { first, differing } = await replayRecords(flight.setup, records);
    assert.ok(first !== null && differing > 0, `record ${at}`);
    assert.equal(first.tick, tickOf(at));
    assert.ok(first.what.startsWith(what), first.what);
    assert.notEqual(first.recorded, first.replayed);
  }
});

test('a state that is not the one the replay comes to is told of, and taken over', async () => {
  const at = indices(RecordKind.STATE)[1];
  const records = changed(at, (bytes) => {
    bytes[8 * 4] ^= 1;
  });
  const { first, ticks } = await replayRecords(flight.setup, records);
  assert.match(first?.what ?? '', /^state, number 4: model\.body [^[]+\[3\]$/);
  assert.equal(ticks, count(RecordKind.TICK));
  const cut = { ...flight.records[at], bytes: flight.records[at].bytes.slice(8) };
  await assert.rejects(
    replayRecords(flight.setup, flight.records.with(at, cut)),
    /The recording's state has \d+ numbers in layout \d+, that of this build \d+/,
  );
  const other = changed(at, (bytes) => {
    bytes[0] ^= 1;
  });
  await assert.rejects(replayRecords(flight.setup, other), /made by another version of Berth/);
});

test('a state of other slots is refused by the name of the first one that differs', async () => {
  const at = indices(RecordKind.LAYOUT)[0];
  const text = new TextDecoder().decode(flight.records[at].bytes);
  assert.match(text, /^layout 1\nmodel\.body /);
  const recordedAs = (layout: string): LogRecord[] =>
    flight.records.with(at, { ...flight.records[at], bytes: new TextEncoder().encode(layout) });
  const refusal = async (layout: string, words: string): Promise<void> => {
    await assert.rejects(replayRecords(flight.setup, recordedAs(layout)), (error: Error) => {
      assert.ok(error.message.includes(words), error.message);
      return true;
    });
  };
  // as many numbers, in another order: the lengths alone do not tell
  const swapped = text.replace(
    'operator.tare 1\noperator.refused 1',
    'operator.refused 1\noperator.tare 1',
  );
  assert.notEqual(swapped, text);
  await refusal(swapped, 'is "operator.refused" (length 1) in the recording and "operator.tare"');
  await refusal(
    text.replace('setpoint 13', 'setpoint 12'),
    'is "setpoint" (length 12) in the recording',
  );
  await refusal(`${text}\nmore 1`, '"more" (length 1) in the recording and missing in this build');
  await refusal('\u001b[2J 7', 'slot 1 is "?[2J" (length 7)');
  await refusal('x'.repeat(1e7), `slot 1 is "${'x'.repeat(100)}" in the recording`);
  await refusal('layout 1', 'slot 2 is missing in the recording and "model.body');
});

test('a recording without the names of its slots replays where its lengths are these', async () => {
  const without = flight.records.filter(({ kind }) => kind !== RecordKind.LAYOUT);
  assert.equal(
    flight.records.length - without.length,
    count(RecordKind.STATE),
    'one to each STATE',
  );
  const result = await replayRecords(flight.setup, without);
  assertEqual(result);
  assert.equal(result.states, count(RecordKind.STATE) - 1);
});

test('records that are missing are a gap: the replay goes on at the next STATE', async () => {
  const ticks = indices(RecordKind.TICK);
  const [from, to] = [ticks[2000], ticks[2100]];
  const next = indices(RecordKind.STATE).find((at) => at > from)!;
  const without = flight.records.filter((_, at) => at < from || at >= to);
  const hole = await replayRecords(flight.setup, without);
  assertEqual(hole);
  assert.equal(hole.gaps, 1);
  const marked = flight.records.with(from, {
    kind: RecordKind.GAP,
    time_us: 0,
    bytes: new Uint8Array(8),
  });
  const gap = await replayRecords(flight.setup, marked);
  assertEqual(gap);
  assert.equal(gap.gaps, 1);
  assert.equal(gap.ticks, count(RecordKind.TICK) - (tickOf(next + 1) - tickOf(from)));
});

test('a ring that was full leaves a GAP, and a STATE right after it', async () => {
  const rig = new VirtualRig({ robot: false, mode: 'simulation', log: 1 << 18 });
  const ring = new LogRing(rig.shared.log);
  const records: LogRecord[] = [];
  rig.run(1000);
  assert.ok(ring.lost > 0);
  drain(ring, records);
  rig.run(25);
  Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
  rig.run(25);
  drain(ring, records);
  const kinds = records.map((r) => r.kind).filter((kind) => kind > RecordKind.EVENT || kind === 1);
  const gap = kinds.indexOf(RecordKind.GAP);
  assert.deepEqual(kinds.slice(gap, gap + 3), [RecordKind.GAP, RecordKind.STATE, RecordKind.TICK]);
  assert.equal(kinds.filter((kind) => kind === RecordKind.STATE).length, 3, 'and one on request');
  const { settings, system } = rig;
  const setup = { settings, model: system.model, mode: 'simulation', robot: false } as const;
  const result = await replayRecords(setup, records);
  assertEqual(result);
  assert.equal(result.gaps, 1);
  assert.equal(result.states, 1);
  assert.equal(result.hash, system.hash());
});

test('61: a session under a key replays bit for bit without it, and no record holds a tag', async () => {
  const key = 'k'.repeat(32);
  const rig = new VirtualRig({
    log: 1 << 23,
    settings: (settings) => {
      settings.robot.key = key;
    },
  });
  rig.run(1200);
  assert.equal(rig.session?.phase, 3);
  const records: LogRecord[] = [];
  drain(new LogRing(rig.shared.log), records);
  const frames = records.filter(
    ({ kind }) => kind === RecordKind.FRAME_IN || kind === RecordKind.FRAME_OUT,
  );
  assert.ok(frames.length > 1000);
  assert.ok(frames.every(({ bytes }) => (bytes[2] & Flag.TAGGED) === 0));
  const { settings, system } = rig;
  const without = { ...settings, robot: { ...settings.robot, key: '' } };
  const setup = { settings: without, model: system.model, mode: 'virtual', robot: true } as const;
  assertEqual(await replayRecords(setup, records));
});
