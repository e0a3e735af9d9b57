/** The saved state of a tick is all of it: a tick that takes it over goes on beside the first, bit for bit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { Column, ROW_COLUMNS } from '../../../hil/contract/columns.ts';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { Rehearsal } from '../../../hil/loop/rehearsal.ts';
import { ClockSync } from '../../../hil/protocol/clock-sync.ts';
import { StateFrame } from '../../../hil/protocol/frames.ts';
import { LinkQuality } from '../../../hil/protocol/link-quality.ts';
import { ReceiveWindow } from '../../../hil/protocol/receive-window.ts';
import { SafetyInputs, SafetyOutputs } from '../../../hil/safety/machine.ts';
import { OverrunMonitor } from '../../../hil/safety/overrun.ts';
import type { StateArena } from '../../../src/math/state-arena.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** What holds state in the slots of an arena. */
interface Holder {
  readonly arena: StateArena;
}

const now = new Float64Array(1);
/** Classes of which every field is state, and the fields that only carry arguments and results. */
const WHOLE: readonly (readonly [string, () => Holder, readonly string[]])[] = [
  ['SafetyInputs', () => new SafetyInputs(), []],
  ['SafetyOutputs', () => new SafetyOutputs(), []],
  ['StateFrame', () => new StateFrame(), []],
  ['LinkQuality', () => new LinkQuality(), []],
  ['ReceiveWindow', () => new ReceiveWindow(), []],
  ['OverrunMonitor', () => new OverrunMonitor(), []],
  ['ClockSync', () => new ClockSync(now), ['at_us', 'offset_us', 'exchange_us', 'now_us']],
];

for (const [name, make, transient] of WHOLE) {
  test(`the state of ${name} has every field`, () => {
    const [one, other] = [make(), make()];
    const { stateLength, slots } = one.arena;
    let held = 0;
    for (const [field, value] of Object.entries(one)) {
      assert.ok(typeof value !== 'number' && typeof value !== 'boolean', `${field} is in no slot`);
      if (!ArrayBuffer.isView(value) || transient.includes(field)) continue;
      const array = value as Float64Array;
      for (let i = 0; i < array.length; i++) array[i] = ++held;
    }
    const state = new Float64Array(stateLength + 5).fill(-1);
    one.arena.saveState(state, 3);
    assert.deepEqual([...state.subarray(0, 3), ...state.slice(-2)], [-1, -1, -1, -1, -1]);
    const saved = [...state.subarray(3, -2)].sort((a, b) => a - b);
    assert.deepEqual(
      saved,
      Array.from({ length: held }, (_, i) => i + 1),
      'each array once',
    );
    assert.equal(
      slots.reduce((sum, { length }) => sum + length, 0),
      stateLength,
    );
    other.arena.loadState(state, 3);
    const again = new Float64Array(stateLength);
    other.arena.saveState(again, 0);
    assert.deepEqual(again, state.slice(3, -2));
  });
}

const LEVEL = [0, 0, 0, 1] as const;

/** Model with its payload at a place, upright. */
function placed(scenario: string, position: readonly [number, number, number]): SystemModel {
  const model = compileScenario(loadScenario(scenario));
  const bodies = model.bodies.map((body) =>
    body.name === model.tool?.payload ? { ...body, position, orientation: LEVEL } : body,
  );
  return { ...model, bodies };
}

/** Pressed on, pushed sideways, and turned now and then. */
function drive(rig: VirtualRig, i: number): void {
  const input = (axes: readonly number[], deadman: 0 | 1): void =>
    rig.command(CommandKind.INPUT, ...axes, deadman, 1, 0, i + 1, 0);
  const neutral = [0, 0, 0, 0, 0, 0];
  if (i === 0) rig.command(CommandKind.AUTHORITY, 1);
  else if (i === 1010) rig.command(CommandKind.ARM);
  else if (i < 1100) input(neutral, i < 5 ? 0 : 1);
  else input([i % 700 < 300 ? 0.3 : 0, 0.1, -0.9, 0, 0, i % 900 < 100 ? 0.2 : 0], 1);
}

const CASES = [
  ['half-sphere-on-plate', [0, 0, -20e-6], 2000],
  ['battery-box-insertion', [50e-6, 0, -5.02e-3], 2000],
] as const;

for (const [scenario, position, ticks] of CASES) {
  test(`a tick of ${scenario} that takes over in contact goes on bit for bit`, () => {
    const model = placed(scenario, position);
    const [one, other] = [
      new VirtualRig({ model, robot: false }),
      new VirtualRig({ model, robot: false }),
    ];
    const half = 1600;
    for (let i = 0; i < half; i++) {
      drive(one, i);
      one.run(1);
      other.run(1);
    }
    assert.equal(one.state, 'ACTIVE_CONTACT');
    const state = new Float64Array(one.tick.state.stateLength);
    one.tick.state.saveState(state, 0);
    other.tick.state.loadState(state, 0);
    const after = new Float64Array(state.length);
    other.tick.state.saveState(after, 0);
    assert.deepEqual(after, state, 'what was loaded is saved again');
    const rows = [one.tick.record.row, other.tick.record.row] as const;
    let dwelled = 0;
    let slid = 0;
    for (let i = half; i < half + ticks; i++) {
      for (const rig of [one, other]) {
        drive(rig, i);
        rig.run(1);
      }
      const column = rows[0].findIndex((value, at) => !Object.is(value, rows[1][at]));
      assert.equal(ROW_COLUMNS[column], undefined, `tick ${i}`);
      dwelled = Math.max(dwelled, rows[0][Column.dwell]);
      slid = Math.max(slid, Math.abs(rows[0][Column.setpoint_v_x_mps]));
    }
    assert.equal(other.system.hash(), one.system.hash());
    assert.ok(dwelled > 0, 'the bristles dwelled');
    assert.ok(slid > 0, 'the tool was moved along the surface');
    one.tick.state.saveState(state, 0);
    other.tick.state.saveState(after, 0);
    assert.deepEqual(after, state);
  });
}

for (const [scenario, position, ticks] of CASES) {
  test(`a rehearsed step before each tick of ${scenario} changes no bit`, () => {
    const model = placed(scenario, position);
    const [one, other] = [
      new VirtualRig({ model, robot: false }),
      new VirtualRig({ model, robot: false }),
    ];
    const rehearsal = new Rehearsal(other.tick);
    const rows = [one.tick.record.row, other.tick.record.row] as const;
    let moved = 0;
    for (let i = 0; i < 1600 + ticks; i++) {
      for (const rig of [one, other]) drive(rig, i);
      one.run(1);
      const before = other.system.hash();
      rehearsal.run();
      assert.equal(other.system.hash(), before, `tick ${i}: taken back`);
      other.run(1);
      if (other.system.hash() !== before) moved++;
      const column = rows[0].findIndex((value, at) => !Object.is(value, rows[1][at]));
      assert.equal(ROW_COLUMNS[column], undefined, `tick ${i}`);
    }
    assert.equal(other.system.hash(), one.system.hash());
    assert.ok(moved > ticks, 'there were steps to rehearse');
    const [state, after] = [one, other].map(({ tick }) => {
      const out = new Float64Array(tick.state.stateLength);
      tick.state.saveState(out, 0);
      return out;
    });
    assert.deepEqual(after, state);
  });
}

test('a step that throws in its rehearsal is left to the tick, and the state is as before', () => {
  const rig = new VirtualRig({ robot: false });
  rig.run(3);
  const before = rig.system.hash();
  const step = rig.system.step.bind(rig.system);
  rig.system.step = (dt) => {
    step(dt);
    throw new Error('in the step');
  };
  new Rehearsal(rig.tick).run();
  rig.system.step = step;
  assert.equal(rig.system.hash(), before);
});
