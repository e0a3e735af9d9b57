/** The contact of a recorded run computed again in open loop: the same wrench with the same laws, another one with others. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { type LogRecord, RecordKind } from '../../../hil/memory/records.ts';
import { ControlWord } from '../../../hil/memory/shared.ts';
import { CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import type { LoopModeName } from '../../../hil/contract/codes.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { ContactReplay } from '../../../hil/replay/contact-replay.ts';
import { WrenchDifference } from '../../../hil/replay/wrench-difference.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** A flight on the virtual clock: contact with sliding, lost frames that freeze the model, an error inside a tick, a hold. */
function fly(mode: LoopModeName): { model: SystemModel; records: LogRecord[] } {
  const rig = new VirtualRig({ mode, noise: 1, log: 1 << 22 });
  const ring = new LogRing(rig.shared.log);
  const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
  const records: LogRecord[] = [];
  const run = (ticks: number, axes: readonly number[]): void => {
    Atomics.store(new Int32Array(rig.shared.control), ControlWord.STATE_WANTED, 1);
    rig.run(ticks, () => rig.inputAxes(axes, 1));
    while (ring.read(view)) records.push({ ...view, bytes: view.bytes.slice() });
  };
  rig.activate();
  run(300, [0, 0, -1, 0, 0, 0]);
  run(200, [0.5, 0.2, -0.8, 0.1, 0, 0]);
  rig.ends[1].faults.loss = 0.6;
  run(100, [0.5, 0, -0.5, 0, 0, 0]);
  rig.ends[1].faults.loss = 0;
  rig.command(CommandKind.INJECT, INJECTIONS.indexOf('loop_error'), 1);
  run(100, [0, 0, 0, 0, 0, 0]);
  assert.ok(rig.errors.length > 0, 'an error escaped from a tick');
  return { model: rig.system.model, records };
}

/** The flight's contact again, against its recorded wrench. */
function replay(
  { model, records }: ReturnType<typeof fly>,
  mode: LoopModeName,
  changed: SystemModel,
  each?: (replay: ContactReplay) => void,
): { difference: WrenchDifference; contact: ContactReplay } {
  const contact = new ContactReplay({ recorded: model, model: changed, mode, period_s: 0.001 });
  const difference = new WrenchDifference();
  for (const record of records) {
    if (!contact.take(record)) continue;
    const { row, tool } = contact;
    const at = Column.model_force_x_N;
    difference.take(row[Column.tick], tool.modelWrench, row.subarray(at, at + 6));
    each?.(contact);
  }
  return { difference, contact };
}

/** The model with other parameters of its first normal law. */
function withLaw(model: SystemModel, change: object): SystemModel {
  const [contact] = model.contacts;
  const normalLaw = { ...contact.normalLaw, ...change } as typeof contact.normalLaw;
  return { ...model, contacts: [{ ...contact, normalLaw }] };
}

const flights = new Map<LoopModeName, ReturnType<typeof fly>>();
before(() => {
  flights.set('virtual', fly('virtual'));
  flights.set('hardware', fly('hardware'));
});

for (const mode of ['virtual', 'hardware'] as const) {
  test(`${mode}: the laws of the run give its wrench again, bit for bit`, () => {
    const flight = flights.get(mode)!;
    const { difference, contact } = replay(flight, mode, flight.model);
    assert.equal(difference.differing, 0, `tick ${difference.first}`);
    assert.ok(difference.touching > 100, `${difference.touching} ticks in contact`);
    const rows = flight.records.filter(({ kind }) => kind === RecordKind.ROW).length;
    assert.ok(difference.pairs < rows, 'some ticks stood still');
    assert.equal(contact.gaps + contact.failed, 0);
  });
}

test('a contact twice as stiff gives twice the wrench: force is linear in k at a given motion', () => {
  const flight = flights.get('virtual')!;
  const { normalLaw } = flight.model.contacts[0];
  assert.ok('stiffness' in normalLaw);
  const stiffness = 2 * normalLaw.stiffness;
  const model = withLaw(flight.model, { stiffness });
  const { difference } = replay(flight, 'virtual', model, ({ row, tool }) => {
    for (let a = 0; a < 6; a++) {
      const wanted = 2 * row[Column.model_force_x_N + a];
      const error = Math.abs(tool.modelWrench[a] - wanted);
      assert.ok(error <= 1e-12 * Math.abs(wanted), `tick ${row[Column.tick]}, ${a}: ${error}`);
    }
  });
  assert.equal(difference.differing, difference.touching);
  const [own, recorded] = difference.peaks;
  assert.ok(Math.abs(own / recorded - 2) < 1e-12);
});

test('after missing records it goes on at the next STATE, and ticks before one are skipped', () => {
  const flight = flights.get('virtual')!;
  const states = flight.records.flatMap(({ kind }, i) => (kind === RecordKind.STATE ? [i] : []));
  const cut = { ...flight, records: flight.records.toSpliced(states[1] + 40, 60) };
  const { difference, contact } = replay(cut, 'virtual', flight.model);
  assert.equal(difference.differing, 0);
  assert.equal(contact.gaps, 1);
  assert.ok(contact.skipped > 100, `${contact.skipped} skipped`);
});

test('what has no contact at a measured motion is refused by name', () => {
  const { model, records } = flights.get('virtual')!;
  const refused = (changed: SystemModel, mode: LoopModeName, words: RegExp): void => {
    assert.throws(
      () => new ContactReplay({ recorded: model, model: changed, mode, period_s: 0.001 }),
      words,
    );
  };
  refused(model, 'simulation', /mode simulation.*allowed: one of mode virtual or hardware/);
  refused({ ...model, tool: null }, 'virtual', /has no tool/);
  refused({ ...model, integrator: 'rosenbrock' }, 'virtual', /integration.kind is rosenbrock/);
  const [contact] = model.contacts;
  const atArm = { ...model, contacts: [{ ...contact, bodyI: 'arm' }] };
  refused(atArm, 'virtual', /Contact "tool-plate" is of the simulated arm "arm"/);
  const other = new ContactReplay({ recorded: model, model, mode: 'virtual', period_s: 0.001 });
  const layout = records.find(({ kind }) => kind === RecordKind.LAYOUT)!;
  const text = new TextDecoder().decode(layout.bytes).replace('model.clock 1', 'model.clock 2');
  const bytes = new TextEncoder().encode(text);
  assert.throws(() => other.take({ ...layout, bytes }), /"model.clock" \(length 2\)/);
});
