/** The checklist of the fly page: what is done, what blocks, what is next, and what to do about it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultProfile } from '../../../server/client/devices/profile.ts';
import {
  deadmanSentence,
  keysOfAxis,
  motionSentence,
  tripWords,
} from '../../../server/console/devices/device-words.ts';
import { type Facts, flightSteps, nextStep } from '../../../server/console/fly/steps.ts';

const READY: Facts = {
  state: 'MONITOR_READY',
  blockers: ['Nobody holds authority.'],
  causes: [],
  hasRobot: true,
  permit: { word: 'valid', sentence: '', blocks: false },
  operates: true,
  holder: 0,
  holds: false,
  waits: false,
  deadman: false,
  moves: false,
  deadmanTrouble: '',
  deadmanWords: 'Hold the left [Shift] and keep it down.',
  motionWords: 'Move.',
};
const marks = (facts: Facts): string =>
  flightSteps(facts)
    .map(({ name, mark }) => `${name} ${mark}`)
    .join(', ');
const textOf = (facts: Facts, name: string): string =>
  flightSteps(facts).find((step) => step.name === name)?.text ?? '';

test('all that blocks is told at once, in the order in which it is done', () => {
  const blocked = {
    ...READY,
    state: 'FAULT',
    blockers: ['A fault is latched: clear it first.'],
    causes: ['One.', 'Two.'],
    permit: { word: 'needed', sentence: 'It exceeds a limit.', blocks: true },
  };
  assert.equal(
    marks(blocked),
    'robot done, stops open, authority open, permit open, deadman open, arm open, move open',
  );
  assert.deepEqual(flightSteps(blocked)[1]?.causes, ['One.', 'Two.']);
  assert.match(textOf(blocked, 'stops'), /Press “Clear”/);
  assert.match(textOf(blocked, 'permit'), /^It exceeds a limit\. Press “Permit”/);
});

test('from a loaded page to motion: each step is next once the one before is done', () => {
  const way: Partial<Facts>[] = [
    { state: 'OFFLINE', blockers: ['The robot is not connected.'] },
    { state: 'MONITOR_WAIT', blockers: ['The link must be good for 1 s, without a fault.'] },
    { state: 'MONITOR_READY', blockers: ['Nobody holds authority.'] },
    { holder: 3, holds: true, blockers: ['The deadman is not pressed.'] },
    { deadman: true, blockers: [] },
    { state: 'ARMING', blockers: ['Arming is under way.'] },
    { state: 'ACTIVE_FREE', blockers: ['Already active.'] },
    { moves: true },
  ];
  let facts = READY;
  const next = way.map((change) => {
    facts = { ...facts, ...change };
    return nextStep(flightSteps(facts));
  });
  assert.deepEqual(next, ['robot', 'robot', 'authority', 'deadman', 'arm', 'arm', 'move', null]);
});

test('a hold is said and does not stand in the way: the next step is the deadman, then Resume', () => {
  const held = {
    ...READY,
    state: 'HOLD',
    causes: ['The operator let go of the deadman.', 'Somebody asked for a hold.'],
    blockers: ['In HOLD: release and press the deadman, then resume.'],
    holder: 3,
    holds: true,
  };
  assert.match(marks(held), /^robot done, stops note, authority done, permit done, deadman open/);
  assert.equal(flightSteps(held)[1]?.causes?.length, 2);
  assert.equal(textOf({ ...held, deadman: true }, 'arm'), 'Press “Resume”.');
});

test('stops of the robot, an emergency stop and a lost recorder have sentences of their own', () => {
  const wait = { ...READY, state: 'MONITOR_WAIT' };
  const stopped = {
    ...wait,
    blockers: ['The robot is in protective stop: remove the cause, then clear.'],
  };
  assert.match(textOf(stopped, 'stops'), /protective stop: .* press “Clear”/);
  assert.equal(nextStep(flightSteps(stopped)), 'stops');
  assert.match(textOf({ ...READY, state: 'ESTOP' }, 'stops'), /release it at the robot/);
  const unrecorded = {
    ...READY,
    blockers: ['Recording is required, and the recorder does not work.', 'Nobody holds authority.'],
  };
  assert.equal(nextStep(flightSteps(unrecorded)), 'recording');
  assert.equal(flightSteps(unrecorded)[0]?.mark, 'done');
});

test('authority: who has it, and what this page may do', () => {
  assert.match(textOf({ ...READY, operates: false }, 'authority'), /only look and stop/);
  assert.match(textOf({ ...READY, holder: 2 }, 'authority'), /^Session 2/);
  assert.match(textOf({ ...READY, holder: 2, waits: true }, 'authority'), /10 s/);
});

test('a deadman that would not count says why, and only to the page that may fly', () => {
  const trouble = { ...READY, deadmanTrouble: 'Let go of all keys.' };
  assert.equal(textOf(trouble, 'deadman'), READY.deadmanWords);
  assert.equal(textOf({ ...trouble, holder: 1, holds: true }, 'deadman'), 'Let go of all keys.');
});

test('keys of the axes, as the profile has them', () => {
  const keys = defaultProfile('keyboard');
  assert.deepEqual(keysOfAxis(keys, 0), ['A', 'D']);
  assert.deepEqual(keysOfAxis(keys, 3), ['↑', '↓'], 'arrow up tilts away, about −x');
  const assignments = keys.assignments.map((one, i) => (i === 0 ? { ...one, source: -1 } : one));
  assert.equal(keysOfAxis({ ...keys, assignments }, 0), null);
  assert.match(motionSentence('keyboard', keys), /\[D\] \[A\] x, \[W\] \[S\] y, \[R\] \[F\] z/);
  const joint = { mode: 'joint', joint: 0, axis: 2 } as const;
  assert.match(motionSentence('keyboard', keys, joint), /joint, Shift held: \[R\] \[F\]/);
});

test('a keyboard is never said to be lost', () => {
  assert.doesNotMatch(tripWords('device', 'keyboard'), /lost|axes|centre/);
  assert.match(tripWords('device', 'keyboard'), /This page stood still .*Let go of all keys/);
  assert.match(tripWords('device', 'gamepad'), /^The hand controller was lost/);
  assert.match(deadmanSentence('keyboard', null), /left \[Shift\]/);
  assert.match(deadmanSentence('gamepad', defaultProfile('gamepad')), /Hold the deadman, /);
  assert.match(deadmanSentence('joystick', null), /“Hold to fly”/);
});
