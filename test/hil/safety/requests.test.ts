/** The command table: kinds and answers keep their numbers, and each command is accepted in the states of docs/safety.md and in no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAFETY_STATES, type SafetyStateName } from '../../../hil/contract/codes.ts';
import {
  COMMAND_LIST,
  COMMAND_RESULTS,
  CommandKind,
  type CommandName,
  COMMANDS,
  REQUIREMENTS,
} from '../../../hil/contract/commands.ts';
import { Phase } from '../../../hil/contract/phase.ts';
import { SafetyInputs, SafetyOptions } from '../../../hil/contract/signals.ts';
import { judgeRequest } from '../../../hil/safety/requests.ts';

const options = new SafetyOptions();

/** Inputs under which every requirement is met. */
function ready(): SafetyInputs {
  return Object.assign(new SafetyInputs(), {
    linkRequired: 1,
    linkPhase: Phase.SYNCED,
    authority: 1,
    deadman: 1,
    sticksNeutral: 1,
    setpointStopped: 1,
    permitNeeded: 0,
    poseError_m: 0,
    poseError_rad: 0,
  });
}

const judge = (name: CommandName, state: SafetyStateName, inputs = ready()): string => {
  const index = SAFETY_STATES.indexOf(state);
  return COMMAND_RESULTS[judgeRequest(index, 0, CommandKind[name], inputs, true, 0, options)];
};

test('numbers of commands and answers are those of recordings', () => {
  assert.deepEqual(CommandKind, {
    INPUT: 1,
    AUTHORITY: 2,
    ARM: 3,
    HOLD: 4,
    RESUME: 5,
    STOP: 6,
    CLEAR: 7,
    SHUTDOWN: 8,
    INJECT: 9,
    FMA: 10,
    TARE: 11,
    PERMIT: 12,
    ENERGY: 13,
    HAND_MODE: 14,
  });
  assert.deepEqual(COMMAND_RESULTS, [
    'ok',
    'not_ready',
    'no_authority',
    'deadman_not_pressed',
    'not_neutral',
    'pose_mismatch',
    'fault_latched',
    'robot_not_normal',
    'wrong_state',
    'not_allowed',
    'permit_needed',
    'not_combinable',
    'flown',
    'moving',
    'in_contact',
    'no_joint',
    'single_joint',
    'too_late',
  ]);
});

test('with every requirement met a command is accepted in its states and in no other', () => {
  const all = [...SAFETY_STATES];
  const resting = ['OFFLINE', 'CONNECTING', 'SYNCED', 'MONITOR_WAIT', 'MONITOR_READY'] as const;
  const accepted: Readonly<Record<CommandName, readonly SafetyStateName[]>> = {
    INPUT: [],
    AUTHORITY: [],
    INJECT: [],
    HOLD: all,
    STOP: all,
    SHUTDOWN: all,
    FMA: all,
    PERMIT: all,
    ARM: ['MONITOR_READY'],
    RESUME: ['HOLD'],
    CLEAR: [...resting, 'HOLD', 'FAULT', 'ESTOP'],
    ENERGY: [...resting, 'HOLD', 'FAULT', 'ESTOP'],
    HAND_MODE: [...resting, 'HOLD', 'FAULT', 'ESTOP'],
    TARE: [...resting, 'FAULT', 'ESTOP'],
  };
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const found = SAFETY_STATES.filter((state) => judge(name, state) === 'ok');
    assert.deepEqual(found, accepted[name], name);
  }
});

test('a requirement that is not met is answered by its own word', () => {
  const without = (change: Partial<SafetyInputs>): SafetyInputs => Object.assign(ready(), change);
  assert.equal(judge('ARM', 'MONITOR_READY', without({ authority: 0 })), 'no_authority');
  assert.equal(judge('ARM', 'MONITOR_READY', without({ deadman: 0 })), 'deadman_not_pressed');
  assert.equal(judge('ARM', 'MONITOR_READY', without({ sticksNeutral: 0 })), 'not_neutral');
  assert.equal(judge('ARM', 'MONITOR_READY', without({ permitNeeded: 1 })), 'permit_needed');
  assert.equal(judge('ARM', 'MONITOR_READY', without({ poseError_m: 1 })), 'pose_mismatch');
  assert.equal(judge('CLEAR', 'ESTOP', without({ robotSafety: 2 })), 'robot_not_normal');
  assert.equal(judge('CLEAR', 'HOLD', without({ setpointStopped: 0 })), 'wrong_state');
  assert.equal(judge('HAND_MODE', 'HOLD', without({ setpointStopped: 0 })), 'moving');
  assert.equal(judge('TARE', 'MONITOR_READY', without({ linkRequired: 0 })), 'not_allowed');
  const offline = without({ linkPhase: Phase.OFFLINE });
  assert.equal(judge('TARE', 'MONITOR_READY', offline), 'not_ready');
});

test('every requirement is asked for by a command, and every kind is its own', () => {
  const asked = COMMAND_LIST.flatMap(({ refusals }) => refusals ?? []).map(({ unless }) => unless);
  assert.deepEqual(
    REQUIREMENTS.filter((name) => !asked.includes(name)),
    [],
  );
  assert.equal(new Set(COMMAND_LIST.map(({ kind }) => kind)).size, COMMAND_LIST.length);
});

test('what leads to motion is for the holder of authority only', () => {
  for (const { kind, begins, role } of COMMAND_LIST) {
    if (begins) assert.equal(role, null, `command ${kind}`);
  }
});
