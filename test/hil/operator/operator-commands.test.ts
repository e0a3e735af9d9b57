/**
 * Operator settings and requests, end to end on the virtual clock: accommodation at run time,
 * camera frame, tare, and the fault tests 24 (a lost hand controller) and 28 (motion after a
 * pause).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column, type ColumnName, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { COMMAND_RESULTS, CommandKind } from '../../../hil/contract/commands.ts';
import type { EmulatedRobot } from '../../../hil/emulator/robot.ts';
import { TARE_SAMPLES } from '../../../hil/emulator/sensors.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { FMA_RAMP_s } from '../../../src/control/fma.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const RAMP_TICKS = FMA_RAMP_s * 1000;
const keep = (rig: VirtualRig) => (): void => rig.input(0, 1);

/** Ask and run a tick. @returns the answer in words */
function ask(rig: VirtualRig, kind: number, ...args: number[]): string {
  const before = rig.answers.length;
  rig.command(kind, ...args);
  rig.run(1, rig.state.startsWith('ACTIVE') ? keep(rig) : undefined);
  assert.equal(rig.answers.length, before + 1);
  return COMMAND_RESULTS[rig.answers.at(-1) ?? -1] ?? '';
}

const KEEP: readonly number[] = Array<number>(11).fill(NaN);
/** Arguments of FMA with some set. */
const fma = (changes: Readonly<Record<number, number>>): number[] =>
  KEEP.map((value, i) => changes[i] ?? value);
const AXES = 0;
const FORCE_Z = 3;
const DEADBAND = 7;
const GAIN = 9;

function column(rig: VirtualRig, name: ColumnName): number {
  const row = new Float64Array(ROW_WIDTH);
  new TelemetryRing(rig.shared.telemetry, ROW_WIDTH).readNewest(row);
  return row[Column[name]] ?? NaN;
}
const depth = (rig: VirtualRig): number => rig.tick.setpoint[2] ?? NaN;

test('a force set-point at zero stick approaches, presses and is reached; the row tells it, ramp and all', () => {
  const rig = new VirtualRig({ mode: 'hardware' });
  rig.activate();
  assert.equal(ask(rig, CommandKind.FMA, ...fma({ [FORCE_Z]: -30 })), 'ok');
  rig.run(RAMP_TICKS / 2 - 1, keep(rig));
  assert.ok(Math.abs(column(rig, 'fma_force_z_N') + 15) < 1e-9);
  rig.run(RAMP_TICKS / 2, keep(rig));
  assert.equal(column(rig, 'fma_force_z_N'), -30);
  assert.equal(column(rig, 'fma_axes'), 0b111111);
  assert.equal(column(rig, 'fma_deadband_N'), 10);
  assert.equal(column(rig, 'fma_gain_Ns_per_m'), 1e4);
  rig.run(2500, keep(rig));
  assert.equal(rig.state, 'ACTIVE_CONTACT');
  const force = rig.tick.measuredWrench[2] ?? 0;
  assert.ok(Math.abs(force - 30) < 0.1, `${force} N`);
});

test('a motion begins without a force set-point, after ARM and after a HOLD; axes and dead-band stay', () => {
  const rig = new VirtualRig();
  rig.activate();
  const asked = fma({ [AXES]: 0b000111, [FORCE_Z]: -30, [DEADBAND]: 7 });
  assert.equal(ask(rig, CommandKind.FMA, ...asked), 'ok');
  rig.run(20, keep(rig));
  assert.ok(column(rig, 'fma_force_z_N') < 0);
  rig.input(0, 0);
  rig.run(200, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  // set while nothing moves: what does not push is taken, a push waits for motion
  assert.equal(ask(rig, CommandKind.FMA, ...fma({ [FORCE_Z]: -20 })), 'wrong_state');
  assert.equal(ask(rig, CommandKind.FMA, ...fma({ [DEADBAND]: 8 })), 'ok');
  rig.input(0, 1);
  rig.run(1);
  assert.equal(rig.state, 'ACTIVE_FREE');
  const place = depth(rig);
  rig.run(1000, keep(rig));
  assert.equal(depth(rig), place);
  assert.equal(column(rig, 'fma_force_z_N'), 0);
  assert.equal(column(rig, 'fma_axes'), 0b000111);
  assert.equal(column(rig, 'fma_deadband_N'), 8);
});

test('accommodation is refused without authority, beyond the limits, below the gain of the scenario', () => {
  const rig = new VirtualRig();
  assert.equal(ask(rig, CommandKind.FMA, ...fma({ [DEADBAND]: 7 })), 'no_authority');
  rig.activate();
  const before = rig.system.accommodation!.target.slice();
  const bad: readonly Readonly<Record<number, number>>[] = [
    { [AXES]: 64 },
    { [AXES]: 1.5 },
    { [AXES]: -1 },
    { [FORCE_Z]: 401 },
    { [FORCE_Z]: -Infinity },
    { 1: 300, 2: 300, [FORCE_Z]: 0 },
    { 6: 101 },
    { [DEADBAND]: -1 },
    { [DEADBAND]: 401 },
    { [DEADBAND + 1]: 101 },
    { [GAIN]: 9999 },
    { [GAIN]: Infinity },
    { [GAIN + 1]: 99 },
  ];
  for (const changes of bad) {
    assert.equal(
      ask(rig, CommandKind.FMA, ...fma(changes)),
      'not_allowed',
      JSON.stringify(changes),
    );
  }
  assert.deepEqual(rig.system.accommodation!.target, before);
  assert.equal(ask(rig, CommandKind.FMA, ...fma({ [FORCE_Z]: -400, [GAIN]: 1e4 })), 'ok');
});

test('camera frame: the stick moves as the camera sees; without an orientation it moves nothing, but the deadman obeys', () => {
  const rig = new VirtualRig();
  rig.activate();
  let sequence = 1000;
  const input = (deadman: number, camera: readonly number[]): void =>
    rig.command(CommandKind.INPUT, 1, 0, 0, 0, 0, 0, deadman, 1, 2, ++sequence, 0, ...camera);
  const h = Math.SQRT1_2;
  rig.run(30, () => input(1, [0, 0, h, h])); // a quarter turn about z: x of the camera is y of the base
  const command = rig.system.tool!.command;
  const [x = NaN, y = NaN] = command;
  assert.ok(Math.abs(x) < 1e-15 && Math.abs(y - 0.02) < 1e-15, `${x}, ${y} m/s`);
  const taken = rig.counter(LoopSlot.operator_inputs_total);
  for (const bad of [[0, 0, h, 0], [NaN, 0, 0, 1], [0, 0, 0, 0], []]) input(1, bad);
  rig.run(1);
  assert.equal(rig.counter(LoopSlot.operator_inputs_total), taken);
  assert.equal(rig.counter(LoopSlot.operator_inputs_refused_total), 4);
  input(0, [NaN, 0, 0, 1]);
  rig.run(1);
  assert.equal(rig.state, 'HOLD');
  assert.equal(rig.transitions.at(-1)?.cause, 'DEADMAN_RELEASED');
});

/** Somebody moves the tool: it is elsewhere, at rest. */
function moveTool(robot: EmulatedRobot, position: readonly number[]): void {
  robot.tool.position.set(position);
  robot.carrier.reference.restAt(robot.tool);
}

test('tare: taken where nothing moves and the robot is there, refused while the arm may move', () => {
  const rig = new VirtualRig({ mode: 'hardware' });
  assert.equal(ask(rig, CommandKind.TARE), 'not_ready');
  assert.ok(rig.runUntil('MONITOR_READY', 6000) > 0, rig.state);
  // leans on the plate: this force becomes its zero
  const robot = rig.robot!;
  moveTool(robot, [0, 0, -2e-5]);
  rig.run(50);
  const measured_N = rig.tick.measuredWrench[2] ?? 0;
  assert.ok(measured_N > 5, `${measured_N} N`);
  assert.equal(ask(rig, CommandKind.TARE), 'ok');
  rig.run(TARE_SAMPLES + 5);
  const left = rig.tick.measuredWrench[2] ?? NaN;
  assert.ok(Math.abs(left) < 1e-3, `${left} N after the tare`);
  moveTool(robot, [0, 0, 1e-3]);
  rig.run(50);
  assert.ok(
    Math.abs((rig.tick.measuredWrench[2] ?? 0) + measured_N) < 1e-3,
    'STATE is in single precision',
  );

  const other = new VirtualRig({ mode: 'hardware' });
  other.activate();
  assert.equal(ask(other, CommandKind.TARE), 'wrong_state');
  other.run(200, () => other.input(0, 0));
  assert.equal(other.state, 'HOLD');
  assert.equal(ask(other, CommandKind.TARE), 'wrong_state');
  assert.equal(ask(new VirtualRig({ robot: false }), CommandKind.TARE), 'not_allowed');
});

/** Deflected and then lost: whatever keeps repeating the last reading moves nothing. */
function comesBackOnlyByHand(rig: VirtualRig, cause: string): void {
  assert.equal(rig.state, 'HOLD');
  assert.equal(rig.transitions.at(-1)?.cause, cause);
  const place = depth(rig);
  const still = (why: string): void => {
    assert.equal(rig.state, 'HOLD', why);
    assert.equal(depth(rig), place, why);
  };
  // the pad is back, or the repetition goes on: deflected, deadman pressed
  rig.run(300, () => rig.input(0.5, 1));
  still('deflected, pressed');
  assert.equal(ask(rig, CommandKind.RESUME), 'not_neutral');
  rig.run(50, () => rig.input(0.5, 0));
  rig.run(50, () => rig.input(0.5, 1));
  still('pressed anew, never centred');
  rig.run(50, () => rig.input(0, 1));
  still('centred, not let go');
  rig.run(10, () => rig.input(0, 0));
  still('let go');
  rig.run(1, keep(rig));
  assert.equal(rig.state, 'ACTIVE_FREE');
  rig.run(50, () => rig.input(0.5, 1));
  assert.ok(depth(rig) > place, 'moves again');
}

test('24: pad removed with the stick deflected, the client says so and goes on repeating: HOLD until centred and pressed anew', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  rig.run(100, () => rig.input(0.5, 0));
  comesBackOnlyByHand(rig, 'DEADMAN_RELEASED');
  t.diagnostic('acceptance 24: HOLD; motion only after centring and a new press');
});

test('24: pad and its heartbeat lost with the stick deflected: HOLD until centred and pressed anew', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  rig.run(200);
  comesBackOnlyByHand(rig, 'INPUT_STALE');
});

test('28: motion that goes on after a pause begins within 0.5 mm of the measured pose, at rest', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(200, () => rig.input(0.5, 1));
  rig.input(0, 0);
  rig.run(500, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  // something moved the robot during the pause
  const robot = rig.robot!;
  const [x = 0, y = 0, z = 0] = robot.tool.position;
  for (let i = 1; i <= 20; i++) {
    const part = i / 20;
    moveTool(robot, [x + 0.0012 * part, y - 0.0006 * part, z + 0.0009 * part]);
    rig.run(1, () => rig.input(0, 0));
  }
  rig.run(200, () => rig.input(0, 0));
  const distance = (): number =>
    Math.hypot(
      ...[0, 1, 2].map((i) => (rig.tick.setpoint[i] ?? NaN) - (robot.tool.position[i] ?? 0)),
    );
  rig.input(0, 1);
  rig.run(1);
  assert.equal(rig.state, 'ACTIVE_FREE');
  const resumed_m = distance();
  assert.ok(resumed_m < 5e-4, `${resumed_m} m`);
  for (let i = 7; i < 13; i++) assert.equal(rig.tick.setpoint[i], 0);
  rig.run(200, () => rig.input(0.5, 1));
  assert.equal(rig.state, 'ACTIVE_FREE');
  assert.ok((robot.tool.position[0] ?? 0) > x + 0.0011, 'it did not go back where it was');
  t.diagnostic(
    `acceptance 28: first set-point ${(1e3 * resumed_m).toFixed(3)} mm from the measured pose, twist 0`,
  );
});

test('what was asked more than 0.9 s ago is not done, except to stop, hold or clear', () => {
  const rig = new VirtualRig();
  const late = (kind: number, age_s: number, ...args: number[]): string => {
    rig.lateCommand(age_s, kind, ...args);
    rig.run(1, () => rig.input(0, 1));
    return COMMAND_RESULTS[rig.answers.at(-1) ?? -1];
  };
  assert.ok(rig.runUntil('MONITOR_READY', 6000) > 0, rig.state);
  rig.command(CommandKind.AUTHORITY, 1);
  rig.input(0, 0);
  rig.run(2);
  rig.input(0, 1);
  rig.run(1);
  const { ARM, RESUME, FMA, HAND_MODE, ENERGY, HOLD, CLEAR, STOP } = CommandKind;
  assert.equal(late(ARM, 3), 'too_late');
  assert.equal(rig.state, 'MONITOR_READY');
  assert.equal(late(ARM, 0.5), 'ok');
  assert.ok(rig.runUntil('ACTIVE_FREE', 500, () => rig.input(0, 1)) >= 0, rig.state);
  for (const kind of [RESUME, FMA, HAND_MODE, ENERGY]) assert.equal(late(kind, 3), 'too_late');
  assert.equal(late(HOLD, 3), 'ok');
  assert.equal(rig.state, 'HOLD');
  assert.equal(late(STOP, 3, 1), 'ok');
  rig.run(500);
  assert.equal(late(CLEAR, 3), 'ok');
});
