/** The safety machine by scenario: the way up, the exact ticks of loss, holds and resumes, faults and their clearing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind } from '../../../hil/contract/commands.ts';
import { CTL_MODES, FaultCode } from '../../../hil/contract/codes.ts';
import type { SafetyInputs } from '../../../hil/safety/machine.ts';
import { Bench, faultNames } from '../../fixtures/safety-harness.ts';

const missTick = (bench: Bench): void => {
  bench.inputs.stateFresh = 0;
  bench.inputs.lostInRow++;
  bench.ticks(1);
};
const freshTick = (bench: Bench): void => {
  bench.inputs.stateFresh = 1;
  bench.inputs.lostInRow = 0;
  bench.ticks(1);
};

test('start-up climbs to MONITOR_READY after 1 s at GOOD and stays there without a request', () => {
  const bench = new Bench();
  const seen: string[] = [];
  bench.inputs.linkPhase = 0;
  bench.inputs.stateFresh = 0;
  bench.ticks(5);
  assert.equal(bench.state, 'OFFLINE');
  assert.equal(bench.outputs.freezeModel, 1);
  bench.inputs.linkPhase = 1;
  bench.ticks(2);
  assert.equal(bench.state, 'CONNECTING');
  bench.inputs.linkPhase = 3;
  bench.inputs.quality = 0;
  bench.inputs.stateFresh = 1;
  for (let tick = 0; tick < 3; tick++) {
    bench.ticks(1);
    seen.push(bench.state);
  }
  assert.deepEqual(seen, ['SYNCED', 'MONITOR_WAIT', 'MONITOR_WAIT']);
  bench.inputs.quality = 2;
  bench.ticks(999);
  assert.equal(bench.state, 'MONITOR_WAIT');
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_READY');
  bench.inputs.authority = 1;
  bench.inputs.inputAge_s = 0;
  bench.inputs.deadman = 1;
  bench.inputs.sticksNeutral = 0;
  bench.ticks(5000);
  assert.equal(bench.state, 'MONITOR_READY');
  assert.equal(bench.outputs.commandScale, 0);
  assert.equal(CTL_MODES[bench.outputs.ctlMode], 'idle');
});

test('quality below GOOD or an unknown clock offset keeps MONITOR_WAIT', () => {
  const low = new Bench();
  low.inputs.quality = 1;
  low.ticks(3000);
  assert.equal(low.state, 'MONITOR_WAIT');
  const blind = new Bench();
  blind.inputs.offsetKnown = 0;
  blind.ticks(3000);
  assert.equal(blind.state, 'MONITOR_WAIT');
});

test('ARMING takes exactly 50 aligned frames; one that is off starts the count anew', () => {
  const bench = new Bench().ready();
  bench.inputs.deadman = 1;
  assert.equal(bench.judge(CommandKind.ARM), 'ok');
  bench.inputs.armRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ARMING');
  assert.equal(bench.outputs.toolMotion, 2);
  assert.equal(CTL_MODES[bench.outputs.ctlMode], 'hold');
  bench.ticks(49);
  assert.equal(bench.state, 'ARMING');
  bench.inputs.poseError_m = 0.00051;
  bench.ticks(1);
  bench.inputs.poseError_m = 0.00049;
  bench.inputs.poseError_rad = (0.09 * Math.PI) / 180;
  bench.ticks(49);
  assert.equal(bench.state, 'ARMING');
  bench.inputs.stateFresh = 0;
  bench.ticks(1); // a tick without a frame counts neither way
  assert.equal(bench.state, 'ARMING');
  bench.inputs.stateFresh = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
  assert.equal(bench.outputs.commandScale, 1);
});

test('ARMING that never aligns ends after 2 s with POSE_MISMATCH', () => {
  const bench = new Bench().ready();
  bench.inputs.deadman = 1;
  bench.inputs.armRequest = 1;
  bench.ticks(1);
  bench.inputs.poseError_rad = (0.11 * Math.PI) / 180;
  bench.ticks(1999);
  assert.equal(bench.state, 'ARMING');
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_WAIT');
  assert.equal(bench.outputs.cause, FaultCode.POSE_MISMATCH);
  bench.ticks(3000);
  assert.equal(bench.state, 'MONITOR_READY');
});

test('a robot that refuses ARM ends ARMING at once, one that does not answer after 2 s, both with ROBOT_NOT_ARMED', () => {
  for (const answer of [-1, 0]) {
    const bench = new Bench().ready();
    bench.inputs.deadman = 1;
    bench.inputs.armRequest = 1;
    bench.ticks(1);
    bench.inputs.robotArmed = answer;
    bench.ticks(answer === 0 ? 1999 : 0);
    assert.equal(bench.state, 'ARMING');
    bench.ticks(1);
    assert.equal(bench.state, 'MONITOR_WAIT');
    assert.equal(bench.outputs.cause, FaultCode.ROBOT_NOT_ARMED);
    assert.equal(bench.outputs.raisedBits, 1 << FaultCode.ROBOT_NOT_ARMED);
  }
});

test('requests are answered with what is missing', () => {
  const bench = new Bench();
  assert.equal(bench.judge(CommandKind.ARM), 'not_ready');
  assert.equal(bench.judge(CommandKind.RESUME), 'wrong_state');
  bench.ready();
  bench.inputs.authority = 0;
  assert.equal(bench.judge(CommandKind.ARM), 'no_authority');
  bench.inputs.authority = 1;
  assert.equal(bench.judge(CommandKind.ARM), 'deadman_not_pressed');
  bench.inputs.deadman = 1;
  bench.inputs.sticksNeutral = 0;
  assert.equal(bench.judge(CommandKind.ARM), 'not_neutral');
  bench.inputs.sticksNeutral = 1;
  bench.inputs.poseError_m = 0.001;
  assert.equal(bench.judge(CommandKind.ARM), 'pose_mismatch');
  bench.inputs.poseError_m = 0;
  assert.equal(bench.judge(CommandKind.ARM), 'ok');
  bench.inputs.stopRequest = 1;
  bench.ticks(2);
  assert.equal(bench.judge(CommandKind.ARM), 'fault_latched');
  assert.equal(bench.judge(CommandKind.INPUT), 'not_allowed');
});

test('fault test 8: model frozen and HOLD on the 4th missing STATE, STOPPING on the 20th, then FAULT', () => {
  const bench = new Bench().active();
  assert.equal(bench.state, 'ACTIVE_FREE');
  for (let missing = 1; missing <= 3; missing++) {
    missTick(bench);
    assert.equal(bench.state, 'ACTIVE_FREE', `missing ${missing}`);
    assert.equal(bench.outputs.freezeModel, 0);
  }
  missTick(bench);
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.outputs.freezeModel, 1);
  assert.equal(bench.outputs.cause, FaultCode.STATE_MISSING);
  bench.inputs.setpointStopped = 0; // frozen in mid-motion: this must not count as a hold that failed
  for (let missing = 5; missing <= 19; missing++) {
    missTick(bench);
    assert.equal(bench.state, 'HOLD', `missing ${missing}`);
    assert.equal(bench.outputs.freezeModel, 1);
  }
  missTick(bench);
  assert.equal(bench.state, 'STOPPING');
  assert.equal(CTL_MODES[bench.outputs.ctlMode], 'stop');
  assert.equal(bench.outputs.stopCategory, 1);
  assert.deepEqual(faultNames(bench.machine.faultBits), ['LINK_LOST']);
  freshTick(bench); // STATE is back, the robot at rest, the set-point not yet
  assert.equal(bench.state, 'STOPPING');
  bench.inputs.setpointStopped = 1;
  freshTick(bench);
  assert.equal(bench.state, 'FAULT');
  bench.ticks(10_000);
  assert.equal(bench.state, 'FAULT');
});

test('STOPPING ends in FAULT after 1 s when the robot never reports rest', () => {
  const bench = new Bench().active();
  bench.inputs.robotStandstill = 0;
  bench.inputs.stopRequest = 1;
  bench.ticks(1000);
  assert.equal(bench.state, 'STOPPING');
  bench.ticks(1);
  assert.equal(bench.state, 'FAULT');
});

test('three missing STATE, again and again, never hold', () => {
  const bench = new Bench().active();
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 3; i++) missTick(bench);
    freshTick(bench);
  }
  assert.equal(bench.state, 'ACTIVE_FREE');
});

test('STATE rejected for its values holds under its own name', () => {
  const bench = new Bench().active();
  for (let i = 0; i < 4; i++) {
    bench.inputs.invalidInRow++;
    missTick(bench);
  }
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.outputs.cause, FaultCode.STATE_INVALID);
  assert.deepEqual(faultNames(bench.machine.holdBits), ['STATE_INVALID']);
});

test('fault test 21: input that stops arriving holds on the first tick older than 100 ms', () => {
  const bench = new Bench().active();
  for (let tick = 1; tick <= 100; tick++) {
    bench.inputs.inputAge_s = tick / 1000;
    bench.ticks(1);
    assert.equal(bench.state, 'ACTIVE_FREE');
  }
  bench.inputs.inputAge_s = 0.101;
  bench.ticks(1);
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.outputs.cause, FaultCode.INPUT_STALE);
  assert.equal(bench.outputs.commandScale, 0);
  assert.equal(bench.outputs.toolMotion, 2);
});

test('fault test 24: a pad that comes back deflected and pressed stays held until re-centred and pressed anew', () => {
  const bench = new Bench().active();
  bench.inputs.inputAge_s = 0.2;
  bench.inputs.sticksNeutral = 0;
  bench.ticks(1);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.inputAge_s = 0;
  bench.ticks(500);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.deadman = 0; // let go, still deflected
  bench.ticks(10);
  bench.inputs.deadman = 1;
  bench.ticks(500);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.sticksNeutral = 1; // centred, but pressed all the time
  bench.ticks(500);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.deadman = 0;
  bench.ticks(1);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.deadman = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
});

test('fault test 25: the deadman let go with the stick deflected zeroes the command in that tick', () => {
  const bench = new Bench().active();
  bench.inputs.sticksNeutral = 0;
  bench.ticks(10);
  assert.equal(bench.outputs.commandScale, 1);
  bench.inputs.deadman = 0;
  bench.ticks(1);
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.outputs.commandScale, 0);
  assert.equal(CTL_MODES[bench.outputs.ctlMode], 'hold');
});

test('fault test 27: STOP and HOLD are obeyed in the tick they come, whoever holds authority', () => {
  for (const [category, state] of [
    [0, 'ESTOP'],
    [1, 'STOPPING'],
    [2, 'HOLD'],
  ] as const) {
    const bench = new Bench().active();
    assert.equal(bench.judge(CommandKind.STOP), 'ok');
    bench.inputs.stopRequest = category;
    bench.ticks(1);
    assert.equal(bench.state, state);
    assert.equal(bench.outputs.cause, FaultCode.OPERATOR_STOP);
  }
  const held = new Bench().active();
  held.inputs.holdRequest = 1;
  held.ticks(1);
  assert.equal(held.state, 'HOLD');
});

test('a hold that is not the hand letting go needs RESUME and a new press, in either order', () => {
  const bench = new Bench().active();
  bench.inputs.holdRequest = 1;
  bench.ticks(1);
  bench.inputs.deadman = 0;
  bench.ticks(1);
  bench.inputs.deadman = 1;
  bench.ticks(100);
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.judge(CommandKind.RESUME), 'ok');
  bench.inputs.resumeRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
  assert.equal(bench.machine.holdBits, 0);

  bench.inputs.holdRequest = 1;
  bench.ticks(1);
  bench.inputs.resumeRequest = 1;
  bench.ticks(100);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.deadman = 0;
  bench.ticks(1);
  bench.inputs.contact = 1;
  bench.inputs.deadman = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_CONTACT');
});

test('fault test 28: a robot that rests elsewhere pulls the set-point to it before motion may resume', () => {
  const bench = new Bench().active();
  bench.inputs.deadman = 0;
  bench.inputs.poseError_m = 0.002;
  bench.inputs.robotStandstill = 0;
  bench.ticks(2);
  assert.equal(bench.outputs.toolMotion, 2);
  bench.inputs.deadman = 1;
  bench.ticks(10);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.robotStandstill = 1; // for a moment: it may still move, or be too far away
  bench.ticks(10);
  assert.equal(bench.outputs.toolMotion, 2);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.robotSettled = 1;
  bench.ticks(1);
  assert.equal(bench.outputs.toolMotion, 0);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.poseError_m = 0; // what following did
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
});

test('a hold whose set-point keeps moving becomes a stop after exactly 100 ms', () => {
  const bench = new Bench().active();
  bench.inputs.holdRequest = 1;
  bench.inputs.setpointStopped = 0;
  bench.ticks(100);
  assert.equal(bench.state, 'HOLD');
  bench.ticks(1);
  assert.equal(bench.state, 'STOPPING');
  assert.equal(bench.outputs.cause, FaultCode.HOLD_TIMEOUT);
});

test('POOR quality holds after 100 ms, not before; FAIR never', () => {
  const bench = new Bench().active();
  bench.inputs.quality = 1;
  bench.ticks(500);
  bench.inputs.quality = 0;
  bench.ticks(99);
  assert.equal(bench.state, 'ACTIVE_FREE');
  bench.ticks(1);
  assert.equal(bench.outputs.cause, FaultCode.QUALITY_LOW);
});

test('force above the limit stops on the third tick in a row, speed and workspace at once', () => {
  const bench = new Bench().active();
  for (let i = 0; i < 20; i++) {
    bench.inputs.forceExceeded = i % 3 === 2 ? 0 : 1;
    bench.ticks(1);
  }
  bench.inputs.forceExceeded = 0;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
  bench.inputs.forceExceeded = 1;
  bench.ticks(2);
  assert.equal(bench.state, 'ACTIVE_FREE');
  bench.ticks(1);
  assert.equal(bench.outputs.cause, FaultCode.FORCE_LIMIT);
  for (const [field, fault] of [
    ['velocityExceeded', FaultCode.VELOCITY_LIMIT],
    ['workspaceExceeded', FaultCode.WORKSPACE_LIMIT],
    ['modelNotFinite', FaultCode.MODEL_NOT_FINITE],
    ['internalError', FaultCode.INTERNAL_ERROR],
    ['shutdownRequest', FaultCode.SHUTDOWN],
    ['robotSafety', FaultCode.ROBOT_PROTECTIVE_STOP],
  ] as const satisfies readonly (readonly [keyof SafetyInputs, number])[]) {
    const other = new Bench().active();
    other.inputs[field] = 1;
    other.ticks(1);
    assert.equal(other.state, 'STOPPING', field);
    assert.equal(other.outputs.cause, fault, field);
  }
});

test('authority that changes hands holds; the new holder resumes with RESUME and a press of his own', () => {
  const bench = new Bench().active();
  bench.inputs.authority = 2;
  bench.ticks(1);
  assert.equal(bench.outputs.cause, FaultCode.AUTHORITY_CHANGED);
  bench.inputs.resumeRequest = 1;
  bench.ticks(50);
  assert.equal(bench.state, 'HOLD');
  bench.inputs.deadman = 0;
  bench.ticks(1);
  bench.inputs.deadman = 1;
  bench.inputs.resumeRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ACTIVE_FREE');
  bench.inputs.authority = 0;
  bench.ticks(1);
  assert.equal(bench.state, 'HOLD');
  assert.equal(bench.judge(CommandKind.RESUME), 'no_authority');
});

test('FAULT leaves by CLEAR to MONITOR_WAIT, says so once, and ARM needs a new press', () => {
  const bench = new Bench().active();
  bench.inputs.stopRequest = 1;
  bench.ticks(2);
  assert.equal(bench.state, 'FAULT');
  assert.equal(bench.judge(CommandKind.RESUME), 'fault_latched');
  bench.inputs.clearRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_WAIT');
  assert.equal(bench.machine.faultBits, 0);
  assert.equal(bench.outputs.cleared, 1);
  bench.ticks(1);
  assert.equal(bench.outputs.cleared, 0);
  assert.equal(bench.state, 'MONITOR_READY');
  assert.equal(bench.judge(CommandKind.ARM), 'deadman_not_pressed');
  bench.inputs.armRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_READY');
});

test('CLEAR together with a stop, or while the model is still broken, does not clear', () => {
  const bench = new Bench().active();
  bench.inputs.modelNotFinite = 1;
  bench.ticks(2);
  assert.equal(bench.state, 'FAULT');
  assert.equal(bench.outputs.freezeModel, 1);
  bench.inputs.clearRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'FAULT');
  bench.inputs.modelNotFinite = 0;
  bench.inputs.clearRequest = 1;
  bench.inputs.stopRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'FAULT');
  bench.inputs.clearRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_WAIT');
  assert.equal(bench.outputs.freezeModel, 0);
});

test('ESTOP leaves only when the robot reports normal and CLEAR comes', () => {
  const bench = new Bench().active();
  bench.inputs.robotSafety = 2;
  bench.ticks(1);
  assert.equal(bench.state, 'ESTOP');
  assert.equal(bench.outputs.stopCategory, 0);
  assert.equal(bench.judge(CommandKind.CLEAR), 'robot_not_normal');
  for (const safety of [2, 1, 3]) {
    bench.inputs.robotSafety = safety;
    bench.inputs.clearRequest = 1;
    bench.ticks(1);
    assert.equal(bench.state, 'ESTOP');
  }
  bench.inputs.robotSafety = 0;
  bench.ticks(1000);
  assert.equal(bench.state, 'ESTOP');
  bench.inputs.linkPhase = 0; // without a link the robot's state is unknown
  bench.inputs.clearRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'ESTOP');
  bench.inputs.linkPhase = 3;
  bench.inputs.clearRequest = 1;
  bench.ticks(1);
  assert.equal(bench.state, 'MONITOR_WAIT');
});

test('fault test 13, machine part: 100 losses of link, 100 recoveries to MONITOR, no motion without ARM', () => {
  const bench = new Bench().active();
  for (let round = 0; round < 100; round++) {
    bench.inputs.linkPhase = 0;
    bench.inputs.stateFresh = 0;
    bench.ticks(3);
    assert.equal(bench.state, 'OFFLINE');
    if (round === 0) assert.deepEqual(faultNames(bench.machine.faultBits), ['LINK_LOST']);
    bench.inputs.linkPhase = 3;
    bench.inputs.stateFresh = 1;
    bench.inputs.quality = round % 2 === 0 ? 0 : 3;
    bench.ticks(10);
    bench.inputs.quality = 3;
    bench.inputs.clearRequest = 1;
    bench.ticks(1);
    bench.ticks(1002);
    assert.equal(bench.state, 'MONITOR_READY');
    assert.equal(bench.outputs.commandScale, 0);
    assert.notEqual(bench.outputs.toolMotion, 1);
  }
});

test('simulation without a robot: the link guards hold, arming and holding work, nothing is followed', () => {
  const bench = new Bench();
  Object.assign(bench.inputs, { linkRequired: 0, linkPhase: 0, stateFresh: 0, quality: 0 });
  bench.ready();
  assert.equal(bench.state, 'MONITOR_READY');
  assert.equal(bench.outputs.toolMotion, 2);
  assert.equal(bench.outputs.freezeModel, 0);
  bench.inputs.deadman = 1;
  bench.inputs.armRequest = 1;
  bench.ticks(51);
  assert.equal(bench.state, 'ACTIVE_FREE');
  bench.inputs.stopRequest = 1;
  bench.ticks(2);
  assert.equal(bench.state, 'FAULT');
});
