/**
 * Modes of the hand controllers on the virtual clock: single joint and position, what refuses a change, and what ends a mode.
 * Position under a law: hand-mode.long.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column, type ColumnName, ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind, RANGE_s } from '../../../hil/contract/commands.ts';
import { POSITION_GAIN } from '../../../hil/operator/hand-mode.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { ARM_READOUT, ARM_STATUSES, JOINT_READOUT } from '../../../src/model/arm-spec.ts';
import { dextreBox } from '../../fixtures/battery-box-arm.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { ClampKind } from '../../../hil/contract/counters.ts';
import { ask, free, JOINT, mode, POSITION, RATE, rigOf } from './hand-rig.ts';

const ELBOW = 3;
/** Axis that turns it: z of the translation. */
const AXIS = 2;

test('in hardware mode the robot goes along at full stick, within all limits', () => {
  const rig = new VirtualRig({ model: free, mode: 'hardware', noise: 1 });
  rig.activate();
  assert.equal(change(rig, JOINT, ELBOW, AXIS), 'ok');
  const start = rig.robot!.tool.position.slice();
  let error_m = 0;
  rig.run(1000, () => {
    rig.inputAxes([0, 0, 1, 0, 0, 0], 1);
    error_m = Math.max(error_m, rig.tick.inputs.poseError_m);
  });
  assert.equal(rig.state, 'ACTIVE_FREE');
  const way = Math.hypot(...rig.robot!.tool.position.map((x, a) => x - start[a]));
  assert.ok(way > 5e-3 && error_m < 1e-3, `${way} m, ${error_m} m behind`);
  assert.equal(
    rig.counter(LoopSlot.limit_clamps_total + ClampKind.VELOCITY),
    0,
    'no set-point was clamped',
  );
});

function column(rig: VirtualRig, name: ColumnName): number {
  const row = new Float64Array(ROW_WIDTH);
  new TelemetryRing(rig.shared.telemetry, ROW_WIDTH).readNewest(row);
  return row[Column[name]] ?? NaN;
}

/** Let go of the deadman until the arm is held and rests, take a mode, and press again. */
function change(rig: VirtualRig, ...args: number[]): string {
  rig.run(400, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  const answer = mode(rig, ...args);
  assert.equal(rig.runUntil('ACTIVE_FREE', 50, () => rig.input(0, 1)) >= 0, true, rig.state);
  return answer;
}

const told =
  (name: (typeof JOINT_READOUT)[number]) =>
  (rig: VirtualRig): number[] =>
    Array.from({ length: rig.system.arm!.jointCount }, (_, j) => {
      const row = new Float64Array(JOINT_READOUT.length);
      rig.system.arm!.readJoint(j, row, 0);
      return row[JOINT_READOUT.indexOf(name)];
    });
const positions = told('position');
const references = told('reference');

const arm = (rig: VirtualRig, name: (typeof ARM_READOUT)[number]): number => {
  const row = new Float64Array(ARM_READOUT.length);
  rig.system.arm!.readArm(row, 0);
  return row[ARM_READOUT.indexOf(name)];
};

test('a single joint turns with one axis of the stick, as fast as the tool goes in rate mode; the others hold, nothing accommodates', () => {
  const rig = rigOf();
  rig.activate();
  const axes = column(rig, 'fma_axes');
  assert.equal(axes, 0b111111);
  assert.equal(change(rig, JOINT, ELBOW, AXIS), 'ok');
  assert.deepEqual(
    (['hand_mode', 'hand_joint', 'hand_axis', 'fma_axes'] as const).map((name) =>
      column(rig, name),
    ),
    [JOINT, ELBOW, AXIS, 0],
  );
  const start = positions(rig);
  const wanted = references(rig);
  // the other axes have no effect
  rig.run(500, () => rig.inputAxes([1, -1, 1, 1, 1, 1], 1));
  const { coarse_speed_mps, coarse_angular_speed_radps } = rig.settings.operator;
  const twist = rig.tick.setpoint.subarray(7);
  const speed = Math.hypot(twist[0], twist[1], twist[2]);
  const turn = Math.hypot(twist[3], twist[4], twist[5]);
  const most = Math.max(speed / coarse_speed_mps, turn / coarse_angular_speed_radps);
  // at the bound of the rigid arm; the flexible tip swings about it
  assert.ok(most > 0.8 && most < 1.2, `${speed} m/s, ${turn} rad/s`);
  rig.run(500, () => rig.inputAxes([0, 0, 1, 0, 0, 0], 1));
  const moved = positions(rig).map((q, j) => q - start[j]);
  assert.ok(moved[ELBOW] > 0.005, `${moved[ELBOW]} rad`);
  const held = references(rig);
  wanted.forEach((reference, j) => {
    // a held joint yields by its gear and servo only, to the motion of the others
    if (j === ELBOW) return;
    assert.equal(held[j], reference, `joint ${j}`);
    assert.ok(Math.abs(moved[j]) < 0.25 * moved[ELBOW], `joint ${j}: ${moved[j]} rad`);
  });
  assert.equal(column(rig, 'command_v_z_mps'), 0);
  assert.equal(rig.state, 'ACTIVE_FREE');
});

test('vernier turns at a tenth; with a released deadman the joint is held', () => {
  const rig = rigOf();
  rig.activate();
  change(rig, JOINT, ELBOW, AXIS);
  let sequence = 1e6;
  const stick = (gear: number): void =>
    rig.command(CommandKind.INPUT, 0, 0, -1, 0, 0, 0, 1, gear, 0, ++sequence, 0);
  const led = (): number => rig.system.arm!.single.rate[0];
  rig.run(300, () => stick(1));
  const coarse = led();
  rig.run(300, () => stick(0));
  const vernier = led();
  assert.ok(coarse < 0 && Math.abs(vernier / coarse - 0.1) < 0.005, `${coarse}, ${vernier} rad/s`);
  rig.run(400, () => rig.command(CommandKind.INPUT, 0, 0, 0, 0, 0, 0, 0, 1, 0, ++sequence, 0));
  assert.equal(rig.state, 'HOLD');
  assert.equal(led(), 0);
  const rest = positions(rig);
  rig.run(200);
  assert.deepEqual(positions(rig), rest);
  assert.equal(column(rig, 'hand_mode'), JOINT, 'a HOLD keeps the mode');
});

test('a joint slows before its limit and stops there, and comes back', () => {
  const rig = rigOf();
  rig.activate();
  change(rig, JOINT, ELBOW, AXIS);
  const { joints, tree } = rig.system.arm!;
  const upper = tree.q[joints.position[ELBOW]] + 0.03;
  joints.upper[ELBOW] = upper; // the limit of this joint, brought near
  const seen = new Set<string>();
  rig.run(2000, () => {
    rig.inputAxes([0, 0, 1, 0, 0, 0], 1);
    seen.add(ARM_STATUSES[arm(rig, 'status')]);
  });
  const q = positions(rig)[ELBOW];
  assert.ok(q < upper && q > upper - 0.028, `${upper - q} rad before its limit`);
  assert.ok(seen.has('near_joint_limit'), [...seen].join());
  assert.ok(arm(rig, 'rateScale') < 0.5, `${arm(rig, 'rateScale')}`);
  rig.run(500, () => rig.inputAxes([0, 0, -1, 0, 0, 0], 1));
  assert.equal(ARM_STATUSES[arm(rig, 'status')], 'nominal');
  assert.ok(positions(rig)[ELBOW] < q, 'it comes back');
});

test('a change is refused while flown, with a stick out of centre, without authority, for what is not there', () => {
  const rig = rigOf();
  assert.equal(mode(rig, POSITION), 'no_authority');
  rig.activate();
  assert.equal(mode(rig, POSITION), 'flown');
  rig.run(400, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  rig.input(0.5, 0);
  assert.equal(mode(rig, POSITION), 'not_neutral');
  rig.input(0, 0);
  const { jointCount } = rig.system.arm!;
  for (const joint of [-1, jointCount, 1.5, NaN]) {
    assert.equal(mode(rig, JOINT, joint, AXIS), 'no_joint', `${joint}`);
  }
  for (const axis of [-1, 6, 0.5, NaN]) {
    assert.equal(mode(rig, JOINT, ELBOW, axis), 'not_allowed', `${axis}`);
  }
  assert.equal(mode(rig, 3), 'not_allowed');
  assert.equal(column(rig, 'hand_mode'), RATE);
  // accommodation belongs to the other modes
  assert.equal(mode(rig, JOINT, ELBOW, AXIS), 'ok');
  const keep = Array<number>(11).fill(NaN);
  assert.equal(ask(rig, CommandKind.FMA, ...keep), 'single_joint');
  assert.equal(mode(rig, RATE), 'ok');
  assert.equal(ask(rig, CommandKind.FMA, ...keep), 'ok');
});

test('an arm without joints has no single-joint mode; one in contact neither', () => {
  const plain = new VirtualRig({ mode: 'simulation', robot: false });
  plain.activate();
  plain.run(400, () => plain.input(0, 0));
  assert.equal(mode(plain, JOINT, 0, 0), 'no_joint');
  assert.equal(mode(plain, POSITION), 'ok');
  const rig = rigOf(dextreBox(0.1999));
  rig.activate();
  rig.run(700, () => rig.inputAxes([1, 0, 0, 0, 0, 0], 1));
  assert.equal(rig.state, 'ACTIVE_CONTACT');
  rig.run(400, () => rig.input(0, 0));
  assert.equal(rig.state, 'HOLD');
  assert.equal(mode(rig, JOINT, ELBOW, AXIS), 'in_contact');
  assert.equal(mode(rig, POSITION), 'ok');
});

test('a stop and another holder end the mode: rate, and what accommodated before', () => {
  const rig = rigOf();
  rig.activate();
  const keep = Array<number>(11).fill(NaN);
  assert.equal(ask(rig, CommandKind.FMA, ...keep.with(0, 0b000111)), 'ok');
  change(rig, JOINT, ELBOW, AXIS);
  rig.run(300, () => rig.inputAxes([0, 0, 1, 0, 0, 0], 1));
  rig.command(CommandKind.STOP, 1);
  rig.run(1);
  assert.equal(rig.state, 'STOPPING');
  const columns = (['hand_mode', 'hand_joint', 'fma_axes'] as const).map((name) =>
    column(rig, name),
  );
  assert.deepEqual(columns, [RATE, -1, 0b000111]);
  rig.run(2000, () => rig.input(0, 0));
  assert.ok(!rig.state.startsWith('ACTIVE'), rig.state);
  const rest = positions(rig);
  rig.run(100);
  assert.deepEqual(positions(rig), rest);
  const other = rigOf();
  other.activate();
  change(other, JOINT, ELBOW, AXIS);
  other.command(CommandKind.AUTHORITY, 2);
  other.run(1);
  assert.equal(other.state, 'HOLD');
  assert.equal(column(other, 'hand_mode'), RATE);
});

test('position: the tool goes as far as the stick says, comes back with it, and begins anew where the deadman is pressed', () => {
  const rig = new VirtualRig({ mode: 'simulation', robot: false });
  rig.activate();
  assert.equal(change(rig, POSITION), 'ok');
  const {
    coarse_speed_mps: speed,
    coarse_angular_speed_radps: turning,
    deadband,
  } = rig.settings.operator;
  const x = (): number => rig.tick.setpoint[0];
  const tilt = (): number => {
    const q = rig.tick.setpoint;
    return 2 * Math.atan2(q[5], q[6]);
  };
  // at full speed until speed/gain is left, then that fades
  const ticks = 1000 * (RANGE_s + 6 / POSITION_GAIN);
  const left = Math.exp(-6) / POSITION_GAIN;
  const start = x();
  let fastest = 0;
  const half = (0.525 - deadband) / (1 - deadband);
  rig.run(ticks, () => {
    rig.inputAxes([-1, 0, 0, 0, 0, 0.525], 1);
    fastest = Math.max(fastest, Math.hypot(...rig.system.tool!.command.subarray(0, 3)));
  });
  assert.ok(Math.abs(start - x() - RANGE_s * speed) < left * speed, `${start - x()} m`);
  assert.ok(Math.abs(tilt() - half * RANGE_s * turning) < left * turning, `${tilt()} rad`);
  assert.ok(fastest <= speed * (1 + 1e-12) && fastest > 0.99 * speed, `${fastest} m/s`);
  // the deadman is the clutch: with centred sticks, pressed again, there is no way back
  rig.run(400, () => rig.inputAxes([0, 0, 0, 0, 0, 0], 0));
  rig.runUntil('ACTIVE_FREE', 50, () => rig.input(0, 1));
  const there = x();
  rig.run(1000, () => rig.input(0, 1));
  assert.ok(Math.abs(x() - there) < 1e-9, `${x() - there} m`);
  // out and back: a centred stick is the clutch point
  rig.run(2000, () => rig.inputAxes([1, 0, 0, 0, 0, 0], 1));
  assert.ok(x() - there > 1.5 * speed, `${x() - there} m`);
  rig.run(ticks, () => rig.input(0, 1));
  assert.ok(Math.abs(x() - there) < left * speed, `${x() - there} m`);
});

test('position of a flexible arm: it follows without swinging up, in the frame and gear of the clutch', () => {
  const rig = rigOf();
  rig.activate();
  rig.run(400, () => rig.input(0, 0));
  assert.equal(mode(rig, POSITION), 'ok');
  let sequence = 1e6;
  const h = Math.SQRT1_2;
  /** x of a camera that is turned by a quarter about z: y of the base. */
  const stick = (x: number, gear: number): void =>
    rig.command(CommandKind.INPUT, x, 0, 0, 0, 0, 0, 1, gear, 2, ++sequence, 0, 0, 0, h, h);
  assert.ok(rig.runUntil('ACTIVE_FREE', 50, () => stick(0, 0)) >= 0, rig.state);
  const start = [...rig.system.arm!.ledTip.subarray(0, 3)];
  const range = 0.1 * RANGE_s * rig.settings.operator.coarse_speed_mps;
  rig.run(6000, () => stick(1, 1)); // coarse now; the clutch was vernier
  const [x, y, z] = rig.system.arm!.ledTip;
  // full speed for 3 s, until speed/gain = 2/5 of the range is left; of that e⁻¹·⁵ after 3 s more
  const way = y - start[1];
  assert.ok(way > 0.85 * range && way < 1.02 * range, `${way} m of ${range}`);
  const aside = Math.hypot(x - start[0], z - start[2]);
  assert.ok(aside < 0.05 * range, `${aside} m`);
});
