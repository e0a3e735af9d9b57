/** Fault tests 7, 8, 10, 21, 25 and 50 end to end on the virtual clock: loop, session, loopback, emulated robot. 9: link-faults.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { FaultCode } from '../../../hil/contract/codes.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import { armBlockers } from '../../../server/status/status.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { LimitField } from '../../../hil/contract/limit-fields.ts';

const inject = (rig: VirtualRig, name: (typeof INJECTIONS)[number], amount: number): void =>
  rig.command(CommandKind.INJECT, INJECTIONS.indexOf(name), amount);
const keep = (rig: VirtualRig) => (): void => rig.input(0, 1);

test('7: one frame in a hundred lost causes no HOLD, and the success ratio says so', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.ends[1].faults.loss = 0.01;
  let sum = 0;
  rig.run(5000, () => {
    rig.input(0, 1);
    sum += rig.session?.successRatio ?? 0;
  });
  assert.deepEqual(
    rig.transitions.filter((t) => t.to === 'HOLD' || t.to === 'STOPPING'),
    [],
  );
  assert.ok(Math.abs(sum / 5000 - 0.99) < 0.01, String(sum / 5000));
  t.diagnostic(`acceptance 7: 1 %: success ratio ${((100 * sum) / 5000).toFixed(2)} %, no HOLD`);
});

test('8: four missing STATE freeze model time and hold, twenty stop, each on the exact tick', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(20, keep(rig));
  const start = rig.timing.executed;
  rig.ends[1].faults.cut = true;
  const times: number[] = [];
  rig.run(25, () => {
    rig.input(0, 1);
    times.push(rig.system.time);
  });
  times.push(rig.system.time);
  // the STATE sent before the cut still arrives in the first tick
  const lost = rig.transitions.filter((t) => t.tick > start);
  assert.deepEqual(
    lost.slice(0, 2).map((t) => [t.tick - start, t.to, t.cause]),
    [
      [5, 'HOLD', 'STATE_MISSING'],
      [21, 'STOPPING', 'LINK_LOST'],
    ],
  );
  assert.ok((times[4] ?? 0) > (times[3] ?? 0), 'held for three ticks');
  assert.equal(times[5], times[4], 'frozen on the fourth');
  assert.equal(times[20], times[4]);
  t.diagnostic(
    'acceptance 8: model frozen and HOLD on the 4th missing STATE, STOPPING on the 20th',
  );
});

test('10: STATE that is not a number is rejected and counted; four in a row hold', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(5, keep(rig));
  const start = rig.timing.executed;
  inject(rig, 'state_nan_ticks', 10);
  rig.run(9, keep(rig));
  const hold = rig.transitions.find((t) => t.tick > start);
  assert.equal(hold?.to, 'HOLD');
  assert.equal(hold.cause, 'STATE_INVALID');
  // the injection is taken in tick 1, after its poll; ticks 2 to 5 are the four without a STATE
  assert.equal(hold.tick - start, 5);
  assert.ok(Number.isFinite(rig.tick.setpoint[2]));
});

test('25: releasing the deadman with a deflected stick gives a zero command in the next set-point, which brakes to rest', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(49, () => rig.input(0.5, 1));
  const before = rig.tick.frame.twist[2];
  rig.run(1, () => rig.input(0.5, 1));
  assert.ok((rig.system.tool?.command[2] ?? 0) > 0);
  let speed = rig.tick.frame.twist[2];
  const change = rig.tick.limits.inForce[LimitField.acceleration_mps2] * rig.settings.loop.period_s;
  // what speeds it up is turned round as fast as the limit of jerk allows: a tick of 1 ms from nothing to the acceleration limit
  const jerk = rig.settings.limits.jerk_mps3 * rig.settings.loop.period_s ** 2;
  let last = rig.tick.frame.twist[2] - before;
  const least = Math.ceil(speed / change) + 1;
  assert.ok(least > 1, 'there is something to brake');
  for (let tick = 1; tick <= least; tick++) {
    rig.input(0.5, 0);
    rig.run(1);
    assert.equal(rig.system.tool?.command[2], 0);
    assert.equal(rig.state, 'HOLD');
    const now = rig.tick.frame.twist[2];
    // as fast as the limits of acceleration and jerk allow, without a tick of delay; float32 in the frame
    const slower = Math.max(-change, last - jerk);
    assert.ok(Math.abs(now - Math.max(0, speed + slower)) < 1e-8, `tick ${tick}: ${now} m/s`);
    last = slower;
    speed = now;
  }
  assert.deepEqual([...rig.tick.frame.twist], [0, 0, 0, 0, 0, 0]);
  assert.equal(rig.transitions.at(-1)?.cause, 'DEADMAN_RELEASED');
  t.diagnostic(
    `acceptance 25: HOLD and zero command in the next set-point, its twist zero after ${least} ticks of braking at the limit of acceleration`,
  );
});

test('21: input that stops gives zero twist within 150 ms of the last valid frame, on the exact tick', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  const speed = rig.tick.setpoint[9] ?? 0;
  // this frame, and an older one that comes after it: no newer sign of life
  rig.input(0.5, 1);
  const last_us = rig.clock.now_us();
  let ticks = 0;
  let held = 0;
  while (rig.tick.setpoint[9] !== 0 && ticks < 200) {
    rig.command(CommandKind.INPUT, 0, 0, 0.5, 0, 0, 0, 1, 1, 0, 1, 0);
    rig.run(1);
    ticks++;
    if (held === 0 && rig.state === 'HOLD') held = ticks;
  }
  assert.equal(rig.transitions.at(-1)?.cause, 'INPUT_STALE');
  // 100 ms is not yet stale; then the arm brakes at 5 m/s²
  assert.equal(held, 101);
  assert.equal(ticks, held - 1 + Math.ceil(speed / (5 * 0.001)));
  assert.ok(rig.clock.now_us() - last_us <= 150_000);
  for (let i = 7; i < 13; i++) assert.equal(rig.tick.setpoint[i], 0);
  t.diagnostic(
    `acceptance 21: zero twist after ${((rig.clock.now_us() - last_us) / 1000).toFixed(0)} ms`,
  );
});

test('50: an error inside a tick is a latched fault, the robot stops, the loop goes on', (t) => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  inject(rig, 'loop_error', 1);
  rig.run(300, keep(rig));
  assert.equal(rig.errors.length, 1);
  assert.equal(rig.state, 'FAULT');
  assert.ok(rig.transitions.some((t) => t.cause === 'INTERNAL_ERROR'));
  assert.equal(rig.tick.stopping, true);
  const twist = rig.robot?.state.twist ?? [1];
  for (const v of twist) assert.ok(Math.abs(v) < 1e-3, 'robot at rest');
  rig.command(CommandKind.CLEAR);
  assert.ok(rig.runUntil('MONITOR_READY', 3000) > 0, rig.state);
  t.diagnostic('acceptance 50: FAULT, robot at rest, the loop goes on');
});

test('50: an error inside a tick of an emergency stop is latched beside it', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.command(CommandKind.STOP, 0);
  rig.run(5, keep(rig));
  assert.equal(rig.state, 'ESTOP');
  inject(rig, 'loop_error', 1);
  rig.run(5, keep(rig));
  const internal = 1 << FaultCode.INTERNAL_ERROR;
  assert.equal(rig.tick.machine.faultBits & internal, internal);
  assert.equal(rig.counter(LoopSlot.faults_total + FaultCode.INTERNAL_ERROR), 1);
  assert.equal(rig.state, 'ESTOP');
});

test('an ARM or its answer that is lost on the line is said again, and no motion begins before the robot has said yes', () => {
  for (const end of [0, 1]) {
    const rig = new VirtualRig();
    rig.requestArm();
    rig.ends[end].faults.cut = true;
    rig.run(3, keep(rig));
    rig.ends[end].faults.cut = false;
    const ticks = rig.runUntil('ACTIVE_FREE', 200, keep(rig));
    assert.ok(ticks > 50 && ticks < 80, `ACTIVE after ${ticks} ticks`);
    const height = rig.tick.measured[2];
    rig.run(1000, () => rig.input(0.5, 1));
    assert.ok(rig.tick.measured[2] - height > 1e-3, 'the robot follows');
  }
});

test('a robot that a hold left armed takes a TARE and the ARM of the next motion', () => {
  const rig = new VirtualRig();
  rig.activate();
  rig.run(50, () => rig.input(0.5, 1));
  rig.command(CommandKind.HOLD);
  rig.run(200, keep(rig));
  assert.equal(rig.state, 'HOLD');
  rig.command(CommandKind.CLEAR);
  rig.run(5);
  rig.command(CommandKind.TARE);
  rig.run(2);
  assert.equal(rig.robot?.sensors.taring, true);
  rig.run(200);
  rig.activate();
  const height = rig.tick.measured[2];
  rig.run(1000, () => rig.input(0.5, 1));
  assert.ok(rig.tick.measured[2] - height > 1e-3, 'the robot follows');
});

test('a robot that refuses ARM, for its tare runs, ends ARMING at once and says so; the next ARM is taken', () => {
  // requested some ticks before the ARM, or in its tick: the TARE goes first
  for (const before of [true, false]) {
    const rig = new VirtualRig();
    assert.ok(rig.runUntil('MONITOR_READY', 6000) >= 0);
    rig.command(CommandKind.AUTHORITY, 1);
    rig.run(1);
    if (before) rig.command(CommandKind.TARE);
    rig.requestArm();
    if (!before) rig.command(CommandKind.TARE);
    const ticks = rig.runUntil('MONITOR_WAIT', 200, keep(rig));
    assert.ok(ticks > 0 && ticks < 20, `refused after ${ticks} ticks`);
    assert.equal(rig.transitions.at(-1)?.cause, 'ROBOT_NOT_ARMED');
    rig.run(2000);
    rig.activate();
  }
});

test('a CLEAR that is lost on the line leaves the robot stopped; that is said, and a second one is taken', () => {
  const rig = new VirtualRig();
  const toRobot = rig.ends[0].faults;
  const ring = new TelemetryRing(rig.shared.telemetry, ROW_WIDTH);
  const row = new Float64Array(ROW_WIDTH);
  const blockers = (): string[] => {
    assert.ok(ring.readNewest(row));
    return armBlockers(row, false);
  };
  rig.activate();
  toRobot.cut = true;
  rig.run(30, keep(rig)); // past the time to live of the last set-point
  toRobot.cut = false;
  assert.ok(rig.runUntil('FAULT', 1000) >= 0, rig.state);
  rig.run(200);
  toRobot.cut = true;
  rig.command(CommandKind.CLEAR);
  rig.run(1);
  toRobot.cut = false;
  rig.run(3000);
  assert.equal(rig.state, 'MONITOR_WAIT');
  assert.match(blockers()[0], /^The robot is in protective stop/);
  rig.command(CommandKind.CLEAR);
  assert.ok(rig.runUntil('MONITOR_READY', 1100) >= 0, rig.state);
  assert.deepEqual(blockers(), []);
});

test('the same run twice on the virtual clock ends in the same bits', () => {
  const run = (): string => {
    const rig = new VirtualRig({ noise: 1 });
    rig.activate();
    rig.run(1500, () => rig.input(-0.15, 1));
    return rig.system.hash();
  };
  assert.equal(run(), run());
});

test('the loop and the system stepped alone give the same bits', () => {
  const rig = new VirtualRig({ robot: false, mode: 'simulation' });
  const alone = new VirtualRig({ robot: false, mode: 'simulation' }).system;
  const tool = alone.tool;
  assert.ok(tool !== null && rig.system.tool !== null);
  tool.mode = 0;
  tool.deceleration = rig.system.tool.deceleration;
  alone.useSchedule = false;
  rig.activate();
  const start = new Float64Array(rig.system.state.length);
  rig.system.snapshot(start);
  alone.restore(start);
  tool.motion = 1;
  for (let i = 0; i < 2000; i++) {
    rig.input(-0.15, 1);
    rig.run(1);
    tool.command.set(rig.system.tool.command);
    tool.measuredMotion.set(rig.system.tool.measuredMotion);
    tool.measuredWrench.set(rig.system.tool.measuredWrench);
    alone.step(rig.settings.loop.period_s);
  }
  assert.equal(rig.state, 'ACTIVE_CONTACT');
  assert.equal(alone.hash(), rig.system.hash());
});
