/** What the robot end decides by itself: no motion without ARM, loss rules, stops, clearance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GuardInputs, RobotAction, RobotFault, RobotGuard } from '../../../hil/emulator/guard.ts';
import { CTL_MODES, RobotSafety, SafetyState } from '../../../hil/contract/codes.ts';

const H = 0.001;
const HOLD = CTL_MODES.indexOf('hold');
const TRACK = CTL_MODES.indexOf('track');
const CONTACT = CTL_MODES.indexOf('contact');
const STOP = CTL_MODES.indexOf('stop');

/** A guard with its inputs; `cycle` clears the requests after each step, as frames do. */
class Bench {
  readonly guard = new RobotGuard(H, 500);
  readonly inputs = new GuardInputs();

  constructor() {
    this.inputs.phase = 3;
    this.cycle();
  }

  cycle(changes: Partial<GuardInputs> = {}): number {
    Object.assign(this.inputs, changes);
    this.inputs.silence_s = this.inputs.applied ? 0 : this.inputs.silence_s + H;
    this.guard.step(this.inputs);
    this.inputs.armRequested = false;
    this.inputs.clearRequested = false;
    this.inputs.stopCategory = -1;
    this.inputs.applied = false;
    return this.guard.action;
  }

  setpoint(mode: number, matches = true): number {
    return this.cycle({ applied: true, mode, matches, ttl_s: mode === CONTACT ? 0.005 : 0.02 });
  }

  follow(mode: number): void {
    this.cycle({ armRequested: true });
    assert.equal(this.setpoint(mode), RobotAction.FOLLOW);
    this.inputs.atRest = false;
    this.setpoint(mode);
  }
}

test('set-points without ARM never move the robot', () => {
  const bench = new Bench();
  for (let n = 0; n < 100; n++) assert.equal(bench.setpoint(TRACK), RobotAction.BRAKE);
  assert.equal(bench.guard.linkState, SafetyState.MONITOR_READY);
  assert.equal(bench.guard.fault, 0);
});

test('ARM counts only when synchronised, at rest and without fault', () => {
  for (const change of [{ phase: 2 }, { atRest: false }]) {
    const bench = new Bench();
    bench.cycle({ ...change, armRequested: true });
    assert.equal(bench.guard.armed, false);
  }
  const bench = new Bench();
  bench.guard.fault = RobotFault.FORCE_LIMIT;
  bench.cycle({ armRequested: true });
  assert.equal(bench.guard.armed, false);
});

test('a first set-point elsewhere is refused, and stays refused until CLEAR and ARM', () => {
  const bench = new Bench();
  bench.cycle({ armRequested: true });
  assert.equal(bench.guard.linkState, SafetyState.ARMING);
  assert.equal(bench.setpoint(TRACK, false), RobotAction.BRAKE);
  assert.equal(bench.guard.fault, RobotFault.POSE_MISMATCH);
  assert.equal(bench.guard.safety, RobotSafety.PROTECTIVE);
  assert.equal(bench.setpoint(TRACK, true), RobotAction.BRAKE);
  bench.cycle({ armRequested: true });
  assert.equal(bench.guard.armed, false);
  bench.cycle({ clearRequested: true });
  assert.equal(bench.guard.fault, 0);
  assert.equal(bench.setpoint(TRACK, true), RobotAction.BRAKE);
  bench.cycle({ armRequested: true });
  assert.equal(bench.setpoint(TRACK, true), RobotAction.FOLLOW);
});

test('a hold ends following, and the next motion must begin where the tool is', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  assert.equal(bench.setpoint(HOLD), RobotAction.BRAKE);
  assert.equal(bench.guard.linkState, SafetyState.HOLD);
  assert.equal(bench.setpoint(TRACK, true), RobotAction.FOLLOW);
  bench.setpoint(HOLD);
  assert.equal(bench.setpoint(TRACK, false), RobotAction.BRAKE);
  assert.equal(bench.guard.fault, RobotFault.POSE_MISMATCH);
});

test('free motion: constant velocity for 5 ms of silence, then brake, stopped for good at the time to live', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  const actions: number[] = [];
  for (let n = 0; n < 25; n++) actions.push(bench.cycle());
  assert.deepEqual(actions.slice(0, 5), Array(5).fill(RobotAction.COAST));
  assert.deepEqual(actions.slice(5), Array(20).fill(RobotAction.BRAKE));
  assert.ok((bench.guard.fault & RobotFault.TTL_EXPIRED) !== 0);
  assert.equal(bench.guard.linkState, SafetyState.STOPPING);
  assert.equal(bench.setpoint(TRACK), RobotAction.BRAKE, 'late set-points do not resume');
  bench.cycle({ atRest: true });
  assert.equal(bench.guard.linkState, SafetyState.FAULT);
});

test('free motion resumes when set-points come back before the time to live', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  for (let n = 0; n < 18; n++) bench.cycle();
  assert.equal(bench.guard.fault, 0);
  assert.equal(bench.setpoint(TRACK), RobotAction.FOLLOW);
});

test('contact: one cycle is bridged, the second brakes, the time to live of 5 ms stops', () => {
  const bench = new Bench();
  bench.follow(CONTACT);
  const actions: number[] = [];
  for (let n = 0; n < 6; n++) actions.push(bench.cycle());
  assert.deepEqual(actions, [RobotAction.COAST, ...Array<number>(5).fill(RobotAction.BRAKE)]);
  assert.ok((bench.guard.fault & RobotFault.TTL_EXPIRED) !== 0);
});

test('20 set-points lost in a row stop the robot even when one got through', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  bench.cycle({ lostInRow: 20 });
  assert.ok((bench.guard.fault & RobotFault.SETPOINTS_LOST) !== 0);
  assert.equal(bench.guard.armed, false);
});

test('the connection ends: brake at once; it returns: no motion, and no CLEAR needed to watch', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  assert.equal(bench.cycle({ phase: 0 }), RobotAction.BRAKE);
  assert.equal(bench.guard.linkState, SafetyState.OFFLINE);
  bench.cycle({ atRest: true });
  bench.cycle({ phase: 1 });
  bench.cycle({ phase: 3 });
  assert.equal(bench.guard.linkState, SafetyState.MONITOR_READY);
  for (let n = 0; n < 50; n++) assert.equal(bench.setpoint(TRACK), RobotAction.BRAKE);
});

test('category 0: emergency while moving and half a second after, then waits for CLEAR', () => {
  const bench = new Bench();
  bench.follow(TRACK);
  assert.equal(bench.cycle({ stopCategory: 0 }), RobotAction.EMERGENCY);
  assert.equal(bench.guard.safety, RobotSafety.EMERGENCY);
  bench.inputs.atRest = true;
  const stop = { applied: true, mode: STOP, setpointStopCategory: 0 };
  let cycles = 0;
  while (bench.guard.safety === RobotSafety.EMERGENCY && cycles < 2000) {
    bench.cycle(stop); // the loop repeats its stop in every set-point
    cycles++;
  }
  assert.ok(Math.abs(cycles - 500) <= 2, `reported for ${cycles} cycles`);
  assert.equal(bench.guard.linkState, SafetyState.ESTOP);
  bench.cycle({ armRequested: true });
  assert.equal(bench.guard.armed, false);
  bench.cycle({ clearRequested: true });
  bench.cycle(stop); // overtaken by the CLEAR
  assert.equal(bench.guard.linkState, SafetyState.MONITOR_READY);
});

test('category 1 disarms, category 2 holds and stays armed', () => {
  const one = new Bench();
  one.follow(TRACK);
  one.cycle({ stopCategory: 1 });
  assert.equal(one.guard.linkState, SafetyState.STOPPING);
  one.cycle({ atRest: true });
  assert.equal(one.guard.linkState, SafetyState.MONITOR_READY);
  assert.equal(one.setpoint(TRACK), RobotAction.BRAKE);
  const two = new Bench();
  two.follow(TRACK);
  two.cycle({ stopCategory: 2 });
  assert.equal(two.guard.linkState, SafetyState.HOLD);
  assert.equal(two.setpoint(TRACK), RobotAction.FOLLOW);
});

test('too much force in three samples stops the robot, in two it does not', () => {
  const bench = new Bench();
  bench.follow(CONTACT);
  for (const force_N of [600, 600, 0, 600, 600]) {
    bench.cycle({ applied: true, mode: CONTACT, force_N });
  }
  assert.equal(bench.guard.fault, 0);
  bench.cycle({ applied: true, mode: CONTACT, force_N: 600 });
  assert.equal(bench.guard.fault, RobotFault.FORCE_LIMIT);
  assert.equal(bench.guard.linkState, SafetyState.STOPPING);
});
